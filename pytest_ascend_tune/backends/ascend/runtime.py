"""The device as the worker process sees it: the only file that imports torch_npu or calls AscendCL and the driver.

Every outside name that is used stands in ``CALLS`` with the public source that shows it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from pytest_ascend_tune.backends.ascend import codes
from pytest_ascend_tune.backends.ascend.neighbours import driver_number
from pytest_ascend_tune.model.errors import BackendUnavailableError, OutOfMemoryError, TrialError

CALLS = {
    "torch.npu.set_device": "Ascend/pytorch:torch_npu/npu/utils.py",
    "torch.npu.device_count": "Ascend/pytorch:torch_npu/npu/utils.py",
    "torch.npu.get_device_name": "Ascend/pytorch:torch_npu/npu/utils.py",
    "torch.npu.get_device_properties": "Ascend/pytorch:torch_npu/csrc/npu/Module.cpp",
    "torch.npu.current_stream": "Ascend/pytorch:torch_npu/npu/utils.py",
    "torch.npu.Event": "Ascend/pytorch:torch_npu/npu/streams.py",
    "torch.npu.matmul": "Ascend/pytorch:torch_npu/npu/npu_config.py (allowHF32Matmul)",
    "aclGetRecentErrMsg": "hicann/runtime:include/external/acl/acl.h",
    "aclrtSynchronizeStreamWithTimeout": "hicann/runtime:include/external/acl/acl_rt.h",
    "aclrtGetPhyDevIdByUserDevId": "hicann/runtime:include/external/acl/acl_rt.h (CANN 8.5 and newer)",
    "aclrtSetOpExecuteTimeOut": "hicann/runtime:include/external/acl/acl_rt.h",
    "aclrtCreateEventWithFlag": "hicann/runtime:include/external/acl/acl_rt.h (in the built kernels)",
    "aclrtRecordEvent": "hicann/runtime:include/external/acl/acl_rt.h (in the built kernels)",
    "aclrtEventElapsedTime": "hicann/runtime:include/external/acl/acl_rt.h (in the built kernels)",
    "aclrtDestroyEvent": "hicann/runtime:include/external/acl/acl_rt.h (in the built kernels)",
    "halGetDeviceInfo": "hicann/catlass:tools/tuner/src/profiler.cpp",
    "halGetDeviceInfoByBuff": "hicann/catlass:tools/tuner/src/profiler.cpp",
}
_HAL_AICORE, _HAL_RATED_MHZ, _HAL_CURRENT_MHZ = 4, 4, 32  # hicann/catlass:tools/tuner/src/profiler.cpp
OP_TIMEOUT_S = 60  # of one operation on the device; the default is many minutes


class Runtime:
    """One device in this process. Raises BackendUnavailableError when it cannot be used."""

    def __init__(self, index: int) -> None:
        self.index = index
        self._number = driver_number(index, os.environ)  # the driver does not renumber as AscendCL and torch do
        try:
            self.torch: Any = import_module("torch")
            self.torch_npu: Any = import_module("torch_npu")
        except (ImportError, OSError) as error:  # OSError: a library of CANN is missing
            raise BackendUnavailableError(
                f"torch and torch_npu cannot be imported: {error}. `ascend-tune doctor` prints the versions that fit"
            ) from error
        self._acl = _library("libascendcl.so")
        try:
            count = self.torch.npu.device_count()
        except RuntimeError as error:
            raise BackendUnavailableError(
                self._with_reason(f"the NPUs cannot be counted: {str(error).strip()}")
            ) from error
        if index >= count:
            visible = f"{count} are visible (0 to {count - 1})" if count else "none is visible"
            text = f"NPU {index} was asked for; {visible}. See npu-smi info and ASCEND_RT_VISIBLE_DEVICES"
            raise BackendUnavailableError(self._with_reason(text))
        try:
            self.torch.npu.set_device(index)
        except RuntimeError as error:
            raise BackendUnavailableError(
                self._with_reason(f"NPU {index} cannot be opened: {str(error).strip()}")
            ) from error
        self._hal = _library("libascend_hal.so")
        with suppress(TrialError):  # a shorter wait for a hanging kernel; the parent's own time-out remains
            self._call_acl("aclrtSetOpExecuteTimeOut", ctypes.c_uint32(OP_TIMEOUT_S))

    def describe(self) -> dict[str, Any]:
        """Name and sizes of the device, versions of the libraries."""
        properties = self.torch.npu.get_device_properties(self.index)
        facts = {
            "cube_cores": getattr(properties, "cube_core_num", None),
            "vector_cores": getattr(properties, "vector_core_num", None),
            "l2_bytes": getattr(properties, "L2_cache_size", None),
        }
        return {
            "soc": str(self.torch.npu.get_device_name(self.index)),
            "memory_bytes": int(properties.total_memory),
            "facts": {name: int(value) for name, value in facts.items() if value},
            "rated_mhz": self.rated_mhz(),
            "physical": self.physical_numbers(),
            "torch": str(self.torch.__version__),
            "torch_npu": str(self.torch_npu.__version__),
        }

    def physical_numbers(self) -> list[int]:
        """The host's numbers of all visible devices, in order; [] where AscendCL does not tell (CANN before 8.5)."""
        numbers = []
        for index in range(self.torch.npu.device_count()):
            number = ctypes.c_int32(-1)
            if self._acl is None or not hasattr(self._acl, "aclrtGetPhyDevIdByUserDevId"):
                return []
            if self._acl.aclrtGetPhyDevIdByUserDevId(ctypes.c_int32(index), ctypes.byref(number)) != 0:
                return []
            numbers.append(number.value)
        return numbers if min(numbers, default=-1) >= 0 else []

    def stream(self) -> int:
        """Address of the current stream.

        Read it right before each raw launch: the attribute first empties torch's own queue of launches
        (Ascend/pytorch:torch_npu/csrc/core/npu/NPUStream.cpp), so that nothing queued is overtaken.
        """
        return int(self.torch.npu.current_stream().npu_stream)

    def synchronize(self, timeout_s: float) -> None:
        """Wait for the stream. Raises the error of the code that it ends with."""
        milliseconds = ctypes.c_int32(max(1, int(timeout_s * 1000)))
        self._call_acl("aclrtSynchronizeStreamWithTimeout", ctypes.c_void_p(self.stream()), milliseconds)

    def between_events(self, queue_work: Callable[[], None]) -> float:
        """Device time in ms of what `queue_work` puts on the stream by way of torch."""
        start, stop = (self.torch.npu.Event(enable_timing=True) for _ in range(2))
        start.record()
        queue_work()
        stop.record()
        stop.synchronize()
        return float(start.elapsed_time(stop))

    def rated_mhz(self) -> int | None:
        """Rated clock of the cube cores by the driver, None when it does not tell."""
        if self._hal is None:
            return None
        value = ctypes.c_int64()
        with suppress(AttributeError):
            if self._hal.halGetDeviceInfo(self._number, _HAL_AICORE, _HAL_RATED_MHZ, ctypes.byref(value)) == 0:
                return value.value or None
        return None

    def current_mhz(self) -> int | None:
        """Clock of the cube cores now, None when the driver does not tell."""
        if self._hal is None:
            return None
        value, size = ctypes.c_int32(), ctypes.c_int32(4)
        with suppress(AttributeError):
            found = self._hal.halGetDeviceInfoByBuff(
                self._number, _HAL_AICORE, _HAL_CURRENT_MHZ, ctypes.byref(value), ctypes.byref(size)
            )
            if found == 0:
                return value.value or None
        return None

    def _call_acl(self, name: str, *arguments: Any) -> None:
        if self._acl is None or not hasattr(self._acl, name):
            return
        code = getattr(self._acl, name)(*arguments)
        if code != 0:
            raise codes.error_of(code, name, self.recent_error())

    def recent_error(self) -> str:
        """CANN's own account of the last call that failed ("" where there is none); asking for it takes it away."""
        if self._acl is None or not hasattr(self._acl, "aclGetRecentErrMsg"):
            return ""
        ask = self._acl.aclGetRecentErrMsg
        ask.argtypes, ask.restype = [], ctypes.c_char_p
        return (ask() or b"").decode(errors="replace")

    def _with_reason(self, text: str) -> str:
        said = codes.shown(self.recent_error())
        return text if not said or said in text else f"{text}\n{said}"


def preload() -> None:
    """Import what is slow to import; the device is not touched. What is missing shows when a Runtime is made."""
    with suppress(ImportError, OSError):
        import_module("torch")
        import_module("torch_npu")


def as_trial_error(error: RuntimeError, said: str = "") -> TrialError | None:
    """What torch_npu's exception means for the trial, None when it is a fault of ours; `said`: CANN's account of it."""
    text = str(error) if not said or said in str(error) else f"{error}\n{said}"
    found = codes.error_in(text, "torch_npu")
    if found is None and "out of memory" in text.lower():
        return OutOfMemoryError(text.strip())
    return found


def _library(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
