"""Which torch_npu fits which CANN."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend.pairing import CPU_INDEX, Match, check, pip_line, torch_for, torch_npu_for

# Ascend/pytorch:COMPATIBILITY.md, rows from CANN 8.2 on: torch_npu, torch, CANN.
PUBLISHED = """
2.12.0 2.12.0 9.1
2.11.0 2.11.0 9.1
2.10.0 2.10.0 9.1
2.10.0.post4 2.10.0 9.1
2.9.0.post3 2.9.0 9.1
2.9.0.post6 2.9.0 9.1
2.7.1.post5 2.7.1 9.1
2.7.1.post8 2.7.1 9.1
2.9.0.post2 2.9.0 9.0
2.8.0.post4 2.8.0 9.0
2.7.1.post4 2.7.1 9.0
2.9.0 2.9.0 8.5
2.8.0.post2 2.8.0 8.5
2.7.1.post2 2.7.1 8.5
2.6.0.post5 2.6.0 8.5
2.8.0 2.8.0 8.3
2.7.1 2.7.1 8.3
2.6.0.post3 2.6.0 8.3
2.1.0.post17 2.1.0 8.3
2.6.0 2.6.0 8.2
2.5.1.post1 2.5.1 8.2
2.1.0.post13 2.1.0 8.2
"""
ROWS = [line.split() for line in PUBLISHED.strip().splitlines()]
CANNS = [(8, 2), (8, 3), (8, 5, 0), (9, 0, 0), (9, 1, 0)]


@pytest.mark.parametrize(("torch_npu", "torch", "cann"), ROWS)
def test_every_published_pair_fits_its_own_cann_and_no_other(torch_npu, torch, cann):
    own = tuple(map(int, cann.split(".")))
    for other in CANNS:
        found = check(other, torch, torch_npu)
        if other[:2] == own:
            assert found.match is Match.FITS
            assert found.reason == ""
        else:
            assert found.match is Match.MISFIT
            assert f"is published for CANN {cann}, not for this one; for this one: " in found.reason


@pytest.mark.parametrize(
    ("cann", "torch", "line"),
    [
        ((8, 5, 0), "", "torch==2.9.0 INDEX && pip install torch_npu==2.9.0 numpy pyyaml"),
        ((8, 5, 1), "2.7.1+cpu", "torch==2.7.1 INDEX && pip install torch_npu==2.7.1.post2 numpy pyyaml"),
        ((8, 2), "2.9.0", "torch==2.6.0 INDEX && pip install torch_npu==2.6.0 numpy pyyaml"),
        ((9, 0, 0), "2.9.0", "torch==2.9.0 INDEX && pip install torch_npu==2.9.0.post2 numpy pyyaml"),
    ],
)
def test_the_pip_line_takes_torch_without_cuda(cann, torch, line):
    assert pip_line(cann, torch) == "pip install " + line.replace("INDEX", f"--index-url {CPU_INDEX}")


@pytest.mark.parametrize("cann", [None, (12, 0), (12,)])
def test_a_cann_that_the_table_does_not_know(cann):
    assert "COMPATIBILITY.md" in pip_line(cann)
    assert torch_npu_for(cann or ()) == ()
    assert check(cann, "2.9.0", "2.9.0").match is Match.UNKNOWN


@pytest.mark.parametrize(
    ("cann", "torch", "torch_npu"),
    [
        ((8, 5, 0), "2.9.0+cpu", "2.9.0"),
        ((8, 5, 0), "2.9.0", "2.9.0.post1"),  # between those of 8.5 and of 9.0
        ((8, 5, 0), "2.7.1", "2.7.1.post3"),
        ((9, 1, 0), "2.9.0", "2.9.0.post9"),  # after the newest that was listed
        ((9, 0, 0), "2.9.0", "2.9.0.post2+gitf00"),
    ],
)
def test_later_patches_of_a_listed_one_fit(cann, torch, torch_npu):
    assert check(cann, torch, torch_npu).match is Match.FITS


@pytest.mark.parametrize(
    ("torch", "torch_npu"),
    [
        ("2.10.0.dev20260101", "2.10.0.dev20260102"),  # builds of one day and the next
        ("2.10.0", "2.10.0.dev20260102"),
        ("2.10.0a0+git1234", "2.9.0"),
        ("2.7.1", "2.7.1rc1"),
        ("2.13.0", "2.13.0"),  # newer than the table
        ("2.4.0", "2.4.0.post1"),  # before the first one that is listed
        ("", ""),
    ],
)
def test_what_was_never_published_is_not_checked(torch, torch_npu):
    found = check((8, 5, 0), torch, torch_npu)
    assert found.match is Match.UNKNOWN
    assert "not checked" in found.reason


def test_another_torch_is_a_misfit_whatever_the_cann():
    for cann in (None, (8, 5, 0), (12, 0)):
        found = check(cann, "2.10.0", "2.9.0.post2")
        assert found.match is Match.MISFIT
        assert found.reason == "torch_npu 2.9.0.post2 needs torch 2.9.0, found 2.10.0"


def test_torch_has_the_same_version_without_post():
    assert torch_for("2.8.0.post2") == "2.8.0"
