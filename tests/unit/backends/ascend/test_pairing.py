"""Which torch_npu fits which CANN."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend.pairing import misfit, pip_line, torch_for, torch_npu_for


@pytest.mark.parametrize(
    ("cann", "torch", "line"),
    [
        ((8, 5, 0), "", "pip install torch==2.9.0 torch_npu==2.9.0 numpy pyyaml"),
        ((8, 5, 1), "2.7.1+cpu", "pip install torch==2.7.1 torch_npu==2.7.1.post2 numpy pyyaml"),
        ((8, 2), "2.9.0", "pip install torch==2.6.0 torch_npu==2.6.0 numpy pyyaml"),
        ((9, 0, 0), "2.9.0", "pip install torch==2.9.0 torch_npu==2.9.0.post2 numpy pyyaml"),
    ],
)
def test_the_pip_line(cann, torch, line):
    assert pip_line(cann, torch) == line


@pytest.mark.parametrize("cann", [None, (12, 0)])
def test_a_cann_that_the_table_does_not_know(cann):
    assert "COMPATIBILITY.md" in pip_line(cann)
    assert torch_npu_for(cann or ()) == ()


@pytest.mark.parametrize(
    ("cann", "torch", "torch_npu", "wrong"),
    [
        ((8, 5, 0), "2.9.0", "2.9.0", ""),
        ((8, 5, 0), "2.9.0+cpu", "2.9.0", ""),
        ((8, 5, 0), "2.9.0", "2.9.0.post1", ""),  # a later patch of a listed one
        ((8, 5, 0), "2.10.0", "2.9.0", "torch_npu 2.9.0 needs torch 2.9.0, found 2.10.0"),
        (
            (8, 2),
            "2.9.0",
            "2.9.0",
            "torch_npu 2.9.0 is not listed for this CANN; listed are 2.6.0, 2.5.1.post1",
        ),
        ((12, 0), "3.0.0", "3.0.0", ""),
    ],
)
def test_pairs(cann, torch, torch_npu, wrong):
    assert misfit(cann, torch, torch_npu) == wrong


def test_torch_has_the_same_version_without_post():
    assert torch_for("2.8.0.post2") == "2.8.0"
