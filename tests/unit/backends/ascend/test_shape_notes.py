"""Waves of cores and slow loads."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.ascend.shape_notes import roof_notes, shape_notes, stride_notes, wave_notes
from pytest_ascend_tune.model import hardware
from pytest_ascend_tune.model.problem import Config, GemmProblem

CONFIG = Config({"tile_m": 128, "tile_n": 256})


@pytest.mark.parametrize(
    ("m", "n", "words"),
    [
        (4096, 4096, "512 tiles on 24 cores: 22 waves, 3 % of the cores' time idle at the end"),
        (128, 256, "1 tiles on 24 cores: 1 waves, 96 % of the cores' time idle at the end"),
        (128 * 24, 256, "24 tiles on 24 cores: 1 waves, 0 % of the cores' time idle at the end"),
        (129, 257, "4 tiles on 24 cores: 1 waves, 83 % of the cores' time idle at the end"),
    ],
)
def test_waves(m, n, words):
    assert [str(note) for note in wave_notes(GemmProblem(m, n, 64, "float16"), CONFIG, 24)] == [words]


def test_a_template_without_tiles_has_no_waves():
    assert wave_notes(GemmProblem(64, 64, 64, "float16"), Config({"x": 1}), 24) == ()


@pytest.mark.parametrize(
    ("problem", "operands"),
    [
        ("4096x4096x4096-float16-nn", ""),
        ("4096x4096x4100-float16-nn", "A"),
        ("4096x4100x4096-float16-nn", "B"),
        ("4096x4100x4096-float16-nt", ""),  # B is stored along k
        ("4100x4096x4096-float16-tn", "A"),
        ("4096x4096x128-float32-nn", ""),  # 512 bytes
        ("4096x4096x256-int8-nn", "A"),
        ("64x64x65536-float16-nn", "AB"),
    ],
)
def test_rows_off_the_fast_path(problem, operands):
    notes = [str(note) for note in stride_notes(GemmProblem.from_id(problem))]
    assert [note.split()[2] for note in notes] == list(operands)


def test_long_rows_are_told_apart():
    notes = [str(note) for note in stride_notes(GemmProblem(64, 256, 65536, "float16"))]
    assert notes == ["rows of A are 65536 elements long: from 65536 on every row is loaded by itself, slowly"]


def test_a_decode_shape_is_limited_by_memory():
    # m = 1: two operations a weight of two bytes, 1600 GB/s -> 1.6 TFLOPS
    (note,) = roof_notes(GemmProblem(1, 4096, 4096, "float16"), hardware.spec("910B1"))
    assert str(note).startswith("limited by memory: at 1600 GB/s no kernel exceeds 1.6 TFLOPS, 0 % of the peak")


def test_a_large_cube_is_not_limited_by_memory():
    assert roof_notes(GemmProblem(4096, 4096, 4096, "float16"), hardware.spec("910B1")) == ()


def test_all_notes_together():
    assert len(shape_notes(GemmProblem(100, 100, 100, "float16"), CONFIG, hardware.spec("910B1"))) == 4
