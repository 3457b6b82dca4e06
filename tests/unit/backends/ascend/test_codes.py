"""What return codes become."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend.codes import SAID_CHARS, error_in, error_of
from pytest_ascend_tune.backends.ascend.runtime import as_trial_error
from pytest_ascend_tune.model.errors import KernelCrashError, KernelTimeoutError, OutOfMemoryError


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (107003, KernelCrashError),
        (207001, OutOfMemoryError),
        (207018, OutOfMemoryError),
        (507014, KernelTimeoutError),
        (507015, KernelCrashError),
        (507034, KernelTimeoutError),
        (507046, KernelTimeoutError),
        (507054, KernelCrashError),
        (123456, KernelCrashError),
    ],
)
def test_a_code_becomes_the_error_of_its_kind(number, kind):
    error = error_of(number, "aclrtSomething")
    assert type(error) is kind
    assert str(error).startswith(f"aclrtSomething returned {number} (")


def test_the_first_code_in_a_text_is_the_cause():
    text = "NPU function error: AclrtSynchronizeDeviceWithTimeout, error code is 507015\n... error code is 507899"
    assert "507015" in str(error_in(text, "torch_npu"))
    assert error_in("a plain sentence", "torch_npu") is None


def test_torch_npus_exceptions():
    assert isinstance(as_trial_error(RuntimeError("NPU out of memory. Tried to allocate 2 GiB")), OutOfMemoryError)
    assert isinstance(as_trial_error(RuntimeError("x, error code is 507014")), KernelTimeoutError)
    assert as_trial_error(RuntimeError("shapes cannot be multiplied")) is None


def test_a_long_account_keeps_its_beginning_and_its_end():
    said = "first\n" + "\n".join(f"line {number}" for number in range(2000)) + "\nlast"
    text = str(error_of(507015, "aclrtSomething", said))
    assert "first" in text
    assert text.endswith("last")
    assert "[...]" in text
    assert len(text) < SAID_CHARS + 200


def test_torch_npus_exceptions_keep_what_cann_said_beside_them():
    error = as_trial_error(RuntimeError("x, error code is 507015"), "EZ9999: core id is 7")
    assert isinstance(error, KernelCrashError)
    assert "core id is 7" in str(error)
