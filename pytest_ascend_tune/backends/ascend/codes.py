"""What AscendCL's return codes mean here: which error they become and whether the process survives them.

Numbers and names: hicann/runtime:include/external/acl/error_codes/rt_error_codes.h.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_ascend_tune.model.errors import KernelCrashError, KernelTimeoutError, OutOfMemoryError, TrialError


@dataclass(frozen=True)
class Code:
    """One code: its published name, the error it becomes, and what a reader should know."""

    number: int
    name: str
    error: type[TrialError]
    meaning: str


_CODES = {
    code.number: code
    for code in (
        Code(107001, "RT_INVALID_DEVICEID", KernelCrashError, "there is no device of this number"),
        Code(107002, "RT_CONTEXT_NULL", KernelCrashError, "the process has no device context"),
        Code(107003, "RT_STREAM_CONTEXT", KernelCrashError, "the stream belongs to another context"),
        Code(107019, "RT_WAIT_TIMEOUT", KernelTimeoutError, "the wait for the device took too long"),
        Code(107020, "RT_TASK_TIMEOUT", KernelTimeoutError, "a task on the device took too long"),
        Code(207001, "RT_MEMORY_ALLOCATION", OutOfMemoryError, "the device has not enough free memory"),
        Code(207018, "RT_DEVICE_OOM", OutOfMemoryError, "the device has not enough free memory"),
        Code(507001, "RT_TS_ERROR", KernelCrashError, "the device's task scheduler failed"),
        Code(507010, "RT_LOST_HEARTBEAT", KernelCrashError, "the device does not answer any more"),
        Code(507011, "RT_MODEL_EXECUTE", KernelCrashError, "a task on the device failed"),
        Code(
            507014,
            "RT_AICORE_TIMEOUT",
            KernelTimeoutError,
            "a cube core did not end in time: a flag that is waited for and never set, most likely",
        ),
        Code(
            507015,
            "RT_AICORE_EXCEPTION",
            KernelCrashError,
            "a cube core faulted: a buffer overrun or an address that is not aligned, most likely",
        ),
        Code(507016, "RT_AICORE_TRAP_EXCEPTION", KernelCrashError, "a cube core ran into a trap"),
        Code(507017, "RT_AICPU_TIMEOUT", KernelTimeoutError, "an AI CPU task did not end in time"),
        Code(507018, "RT_AICPU_EXCEPTION", KernelCrashError, "an AI CPU task failed"),
        Code(507034, "RT_VECTOR_CORE_TIMEOUT", KernelTimeoutError, "a vector core did not end in time"),
        Code(507035, "RT_VECTOR_CORE_EXCEPTION", KernelCrashError, "a vector core faulted"),
        Code(507042, "RT_AICORE_TRAP_READ_OVERFLOW", KernelCrashError, "a cube core read outside of its memory"),
        Code(507043, "RT_AICORE_TRAP_WRITE_OVERFLOW", KernelCrashError, "a cube core wrote outside of its memory"),
        Code(507046, "RT_STREAM_SYNC_TIMEOUT", KernelTimeoutError, "the stream did not finish in time"),
        Code(507047, "RT_EVENT_SYNC_TIMEOUT", KernelTimeoutError, "an event was not reached in time"),
        Code(507048, "RT_FFTS_PLUS_TIMEOUT", KernelTimeoutError, "a task did not end in time"),
        Code(507053, "RT_DEVICE_MEM_ERROR", KernelCrashError, "the device's memory is faulty"),
        Code(
            507054,
            "RT_HBM_MULTI_BIT_ECC_ERROR",
            KernelCrashError,
            "the device's memory has an uncorrectable error: have the board checked",
        ),
        Code(507899, "RT_DRV_INTERNAL_ERROR", KernelCrashError, "the driver failed, often after an earlier fault"),
    )
}
SAID_CHARS = 4000  # of CANN's own words that stay with a trial: a fault of one core takes about 1500
# torch_npu's texts: "... NPU function error: AclrtSynchronizeDeviceWithTimeout, error code is 507015".
_IN_TEXT = re.compile(r"error code is (\d{6})")


def error_of(number: int, where: str, said: str = "") -> TrialError:
    """The error for a code that `where` (a call's name) returned; `said`: CANN's own account of it."""
    code = _CODES.get(number)
    said = f"\n{shown(said)}" if said.strip() else ""
    if code is None:
        family = {1: "invalid use", 2: "a resource is missing", 5: "the device or driver failed"}
        guess = family.get(number // 100000, "unknown")
        return KernelCrashError(f"{where} returned {number} ({guess}; see rt_error_codes.h of CANN){said}")
    return code.error(f"{where} returned {number} ({code.name}): {code.meaning}{said}")


def shown(said: str) -> str:
    """CANN's account as it is kept with a trial: no blank lines, and of a long one the beginning and the end."""
    text = "\n".join(line.rstrip() for line in said.splitlines() if line.strip())
    return text if len(text) <= SAID_CHARS else f"{text[: SAID_CHARS // 2]}\n[...]\n{text[-SAID_CHARS // 2 :]}"


def error_in(text: str, where: str) -> TrialError | None:
    """The error behind an exception's text, None when it names no code. The first code is the cause."""
    found = _IN_TEXT.search(text)
    return error_of(int(found[1]), where, text) if found else None
