"""Test double of torch with torch_npu: numpy arrays behind the few calls that the Ascend worker uses.

Faults, files in $FAKE_CANN_DIR: `import` (torch cannot be imported), `devices` (how many NPUs), `memory` (bytes that
tensors may take in one allocation), `open` and `count` (texts of the errors of set_device and device_count).
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np

__version__ = "2.9.0.fake"
_STATE = Path(os.environ["FAKE_CANN_DIR"])
_ACL = ctypes.CDLL("libascendcl.so")
_ACL.fake_device_work.argtypes = [ctypes.c_double]
_ACL.fake_device_kernel.argtypes = [ctypes.c_char_p, ctypes.c_double]
_ACL.aclrtRecordEvent.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
_ACL.aclrtEventElapsedTime.argtypes = [ctypes.POINTER(ctypes.c_float), ctypes.c_void_p, ctypes.c_void_p]

float16, float32, int8, int32, bfloat16 = (
    np.dtype(np.float16),
    np.dtype(np.float32),
    np.dtype(np.int8),
    np.dtype(np.int32),
    "bfloat16",
)


def _state(name, default):
    path = _STATE / name
    return path.read_text().strip() if path.exists() else default


if _state("import", ""):
    raise ImportError("libhccl.so: cannot open shared object file: No such file or directory")


def _check():
    code = _ACL.fake_poisoned()
    if code:
        raise RuntimeError(f"NPU function error: aclnnFake, error code is {code}")


class Tensor:
    def __init__(self, array, dtype, on_npu=False):
        self.array, self.dtype, self.on_npu = array, dtype, on_npu

    def _like(self, array):
        return Tensor(array, self.dtype, self.on_npu)

    def npu(self):
        _check()
        _allocate(self.array.nbytes)
        return Tensor(self.array.copy(), self.dtype, True)

    def cpu(self):
        _check()
        return Tensor(self.array.copy(), self.dtype)

    def numpy(self):
        assert not self.on_npu, "can't convert npu tensor to numpy"
        assert self.dtype != bfloat16, "numpy has no bfloat16"
        return self.array

    def bfloat16(self):
        bits = self.array.astype(np.float32).view(np.uint32)
        return Tensor((bits >> 16).astype(np.uint16), bfloat16, self.on_npu)

    def float(self):
        if self.dtype == bfloat16:
            return Tensor((self.array.astype(np.uint32) << 16).view(np.float32), float32, self.on_npu)
        return Tensor(self.array.astype(np.float32), float32, self.on_npu)

    def t(self):
        return self._like(self.array.T)

    def view(self, *shape):
        return self._like(self.array.reshape(shape))

    def __getitem__(self, where):
        return self._like(self.array[where])

    def fill_(self, value):
        _check()
        if self.dtype == bfloat16:
            self.array[...] = np.array(value, np.float32).reshape(1).view(np.uint32)[0] >> 16
        else:
            self.array[...] = value
        return self

    def copy_(self, source):
        assert self.array.size == source.array.size
        _ACL.fake_device_work(2 * source.array.nbytes / 1.2e6)  # as 1.2 TB/s
        return self

    def numel(self):
        return self.array.size

    def data_ptr(self):
        return self.array.ctypes.data


def _allocate(nbytes):
    limit = int(_state("memory", str(1 << 60)))
    if nbytes > limit:
        raise RuntimeError(f"NPU out of memory. Tried to allocate {nbytes / 2**30:.2f} GiB (NPU 0; fake)")


def from_numpy(array):
    return Tensor(array, array.dtype)


def empty(count, dtype, device):
    assert device == "npu"
    kind = np.dtype(np.uint16) if dtype == bfloat16 else dtype
    _allocate(count * kind.itemsize)
    if count > 1 << 26:  # the memory that empties L2: only ever read
        return Tensor(np.zeros(count, kind), dtype, True)
    return Tensor(np.empty(count, kind), dtype, True)


def matmul(a, b, out):
    _check()
    (m, k), n = a.array.shape, b.array.shape[1]
    if m * n < 1 << 20:  # of larger ones nobody looks at the result
        left, right = (tensor.float().array.astype(np.float64) for tensor in (a, b))
        out.array[...] = (left @ right) if out.dtype != bfloat16 else 0
    _ACL.fake_device_work(5.0)
    _ACL.fake_device_kernel(b"MatMulV2", 4 + m * k * n / 1e6)


class _Event:
    def __init__(self, enable_timing):
        assert enable_timing
        self.handle = ctypes.c_void_p()
        assert _ACL.aclrtCreateEventWithFlag(ctypes.byref(self.handle), 8) == 0

    def record(self):
        code = _ACL.aclrtRecordEvent(self.handle, npu.current_stream().npu_stream)
        if code:
            raise RuntimeError(f"NPU function error: aclrtRecordEvent, error code is {code}")

    def synchronize(self):
        _check()

    def elapsed_time(self, stop):
        ms = ctypes.c_float()
        assert _ACL.aclrtEventElapsedTime(ctypes.byref(ms), self.handle, stop.handle) == 0
        return ms.value


class _Stream:
    npu_stream = 0xFACE


class _Properties:
    name = _state("soc", "Ascend910B2")
    total_memory = 62420 << 20
    cube_core_num = int(_state("cores", "24"))
    vector_core_num = 2 * cube_core_num
    L2_cache_size = 192 << 20


class _Matmul:
    allow_hf32 = False


class npu:  # noqa: N801 - torch calls it so
    Event = _Event
    matmul = _Matmul()

    @staticmethod
    def device_count():
        if _state("count", ""):
            raise RuntimeError(_state("count", ""))
        return int(_state("devices", "1"))

    @staticmethod
    def set_device(index):
        if _state("open", ""):
            raise RuntimeError(_state("open", ""))

    @staticmethod
    def get_device_name(index):
        return _Properties.name

    @staticmethod
    def get_device_properties(index):
        return _Properties

    @staticmethod
    def current_stream():
        return _Stream
