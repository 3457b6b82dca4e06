"""Test double of MSPTI's Python API: kernels that ran between start and stop, handed over at stop."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

_ACL = ctypes.CDLL("libascendcl.so")
_ACL.fake_record_name.restype = ctypes.c_char_p
_ACL.fake_record_us.restype = ctypes.c_double


class KernelMonitor:
    def start(self, callback):
        self._callback, self._first = callback, _ACL.fake_records()

    def stop(self):
        for at in range(self._first, _ACL.fake_records()):
            name, us = _ACL.fake_record_name(at).decode(), _ACL.fake_record_us(at)
            self._callback(SimpleNamespace(name=name, start=1000, end=1000 + round(us * 1000), device_id=0))
