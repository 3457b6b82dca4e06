"""The analytical 910B model: what it must never say, whatever its constants are."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.backends.simulator import best_config, explain, predict, predict_many, top_candidates
from pytest_ascend_tune.backends.simulator import explanation as simexplain
from pytest_ascend_tune.backends.simulator.backend import library_configs
from pytest_ascend_tune.backends.simulator.legality import why_illegal
from pytest_ascend_tune.backends.simulator.parameters import PARAMETERS, TABLE
from pytest_ascend_tune.backends.simulator.prediction import BAND, columns_of
from pytest_ascend_tune.backends.simulator.prior import GRID, grid
from pytest_ascend_tune.backends.simulator.schedule import busiest_core, tile_order
from pytest_ascend_tune.backends.simulator.work import Work
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import ProblemError, SettingsError, SpaceError
from pytest_ascend_tune.model.hardware import KNOWN, spec
from pytest_ascend_tune.model.problem import Dtype, GemmProblem

SEED_GRID = {**GRID, "tile_m": (64, 128, 256), "tile_n": (64, 128, 256)}
CUBE = GemmProblem(4096, 4096, 4096, "float16")
BEST_KNOWN = dict(zip(PARAMETERS, (128, 256, 256, 64, 1, 1, 0, 3, 0), strict=True))


def config(**values: int) -> dict[str, int]:
    return {**BEST_KNOWN, **values}


def time_us(problem: GemmProblem = CUBE, device: str = "910B1", **values: int) -> float:
    return predict(problem, config(**values), device).time_us


configs = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in GRID.items()})
problems = st.builds(
    GemmProblem,
    st.integers(2, 6000),
    st.integers(16, 6000),
    st.integers(16, 6000),
    st.sampled_from(list(Dtype)),
    st.sampled_from(["nn", "nt", "tn", "tt"]),
)


@settings(max_examples=60, deadline=None)
@given(problems, configs, st.sampled_from(KNOWN))
def test_no_prediction_beats_the_peak_or_leaves_its_band(problem, config, device):
    assume(not np.isnan(predict_many(problem, [config], device)[0]))
    prediction = predict(problem, config, device)
    assert 0 < prediction.tflops < spec(device).peak_tflops(problem.dtype)
    assert prediction.low_us < prediction.time_us < prediction.high_us
    assert problem.tflops(prediction.low_us) <= spec(device).peak_tflops(problem.dtype) * (1 + 1e-12)
    assert prediction.tflops == pytest.approx(problem.flops / prediction.time_us / 1e6)
    assert prediction.simulated


@settings(max_examples=25, deadline=None)
@given(problems, st.lists(configs, min_size=1, max_size=8))
def test_many_at_once_are_the_same_as_one_by_one(problem, many):
    times = predict_many(problem, many)
    for one, expected in zip(many, times, strict=True):
        if np.isnan(expected):
            with pytest.raises(SpaceError):
                predict(problem, one)
        else:
            assert predict(problem, one).time_us == pytest.approx(expected, rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(problems, configs)
def test_parts_add_up_and_none_is_negative(problem, config):
    assume(not np.isnan(predict_many(problem, [config])[0]))
    told = explain(problem, config)
    assert sum(us for _, us in told.parts) == pytest.approx(told.prediction.time_us)
    assert all(us >= -1e-9 for _, us in told.parts)
    assert {name for name, _ in told.parts} == {"launch", "cube", "mte1", "mte2", "fixpipe", "waiting"}
    assert 1 <= told.rounds <= told.tiles <= told.rounds * told.cores


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 40),
    st.integers(1, 40),
    st.integers(0, 6),
    st.integers(0, 1),
    st.sampled_from([20, 24]),
    st.sampled_from([1.0, 0.25]),
    st.sampled_from([1.0, 0.5]),
)
def test_every_tile_is_visited_once_and_the_busiest_core_is_not_idle(
    rows, columns, offset, direction, cores, cut_m, cut_n
):
    order = list(zip(*tile_order(rows, columns, offset, direction), strict=True))
    assert sorted(order) == list(itertools.product(range(rows), range(columns)))
    counts = busiest_core(rows, columns, offset, direction, cores=cores, cut_m=cut_m, cut_n=cut_n)
    assert rows * columns / cores - 1 <= sum(counts) <= -(-rows * columns // cores) + 1e-9


def test_swizzle_order_is_the_kernels():
    """Groups of two rows, m fastest, every second group backwards (direction 0); mirrored for direction 1."""
    zn = [tuple(map(int, tile)) for tile in zip(*tile_order(3, 3, 2, 0), strict=True)]
    assert zn == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0)]
    nz = [tuple(map(int, tile)) for tile in zip(*tile_order(3, 3, 2, 1), strict=True)]
    assert nz == [(n, m) for m, n in zn]


def test_the_seed_grid_has_98_tiles_and_6272_configurations():
    columns = grid(SEED_GRID)
    fine = ~np.isnan(predict_many(CUBE, columns))
    tiles = {tuple(row) for row in np.column_stack([columns[name][fine] for name in PARAMETERS[:4]])}
    assert (len(tiles), fine.sum()) == (98, 6272)


@pytest.mark.parametrize("dtype", list(Dtype))
def test_legality_agrees_with_the_templates_search_space(dtype):
    _, space = load_template("catlass_gemm")
    space = space.bind(spec("910B1").facts())
    problem = GemmProblem(8192, 8192, 8192, dtype)
    values = {
        name: (SEED_GRID[name] if name.startswith(("tile", "l1", "l0")) else SEED_GRID[name][:2]) for name in PARAMETERS
    }
    columns = grid(values)
    fine = ~np.isnan(predict_many(problem, columns))
    rows = np.column_stack([columns[name] for name in PARAMETERS]).astype(int)
    for row, legal in list(zip(rows, fine, strict=True))[::31]:
        candidate = dict(zip(PARAMETERS, map(int, row), strict=True))
        assert (space.why_illegal(candidate, problem) is None) == legal, candidate


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"tile_m": 256, "tile_n": 256, "l1_k": 512, "l0_k": 32}, "L1"),
        ({"tile_m": 256, "tile_n": 256, "l1_k": 64, "l0_k": 16}, "L0C"),
        ({"l0_k": 128}, "L0B"),
        ({"tile_m": 256, "tile_n": 64, "l0_k": 128}, "L0A"),
        ({"l1_k": 64, "l0_k": 128, "tile_n": 64}, "at most l1_k"),
        ({"l1_k": 96, "l0_k": 64}, "multiple of l0_k"),
        ({"tile_m": 100}, "is a multiple of 16"),
        ({"tile_m": 0}, "is a multiple of 16"),
        ({"l0_k": 0}, "is a multiple of 16"),
        ({"enable_unit": 2}, "0 or 1"),
        ({"swizzle_offset": 0}, "at least 1"),
    ],
)
def test_illegal_configurations_say_which_rule_they_break(values, told):
    with pytest.raises(SpaceError, match=told):
        time_us(**values)


def test_int8_may_not_use_the_unit_flag():
    problem = GemmProblem(4096, 4096, 4096, "int8")
    with pytest.raises(SpaceError, match="enable_unit is 0 for int8"):
        predict(problem, config())
    assert predict(problem, config(enable_unit=0)).time_us < time_us()


@pytest.mark.parametrize(
    "values", [{"tile_m": None}, {"extra": 1}, {"tile_m": "wide"}], ids=["missing", "unknown", "no number"]
)
def test_a_configuration_must_be_the_nine_numbers(values):
    given_config = {name: value for name, value in {**config(), **values}.items() if value is not None}
    with pytest.raises(SpaceError, match=r"tile_m|extra|numbers"):
        predict(CUBE, given_config)


@pytest.mark.parametrize("given_config", [None, 5, "tile_m=16", [config()], [5]])
def test_what_is_no_configuration_is_refused(given_config):
    for function in (predict, explain, predict_many):
        if function is not predict_many or given_config != [config()]:
            with pytest.raises(SpaceError, match="mapping of the parameters' names"):
                function(CUBE, given_config)


def test_what_is_no_problem_or_more_than_the_memory_is_refused():
    for problem in ("64x64x64-float16-nn", None, (64, 64, 64)):
        with pytest.raises(ProblemError, match="a GemmProblem is needed"):
            predict(problem, config())
    with pytest.raises(ProblemError, match=r"GiB of memory.*910B1 has 64\.0 GiB"):
        predict(GemmProblem(200_000, 200_000, 200_000, "float16"), config())


@pytest.mark.parametrize("shape", [(1, 4096, 4096), (4096, 1, 4096), (4096, 4096, 8)])
def test_matrix_vector_products_are_refused_with_the_reason(shape):
    with pytest.raises(ProblemError, match="outside the simulator's domain"):
        predict(GemmProblem(*shape, "float16"), config())


def test_unknown_device_is_refused():
    with pytest.raises(SettingsError, match="known: 910B1"):
        predict(CUBE, config(), "910A")


def test_the_landscape_at_4096_has_the_published_shape():
    """Large tiles win, deep K blocks win, and 350.7 TFLOPS is out of reach (no public measurement comes near it)."""
    assert time_us(tile_m=64) > 1.2 * time_us()
    assert time_us(tile_m=64, tile_n=64) > 2 * time_us()
    assert time_us(l1_k=64, l0_k=64) > 1.15 * time_us()
    best = CUBE.tflops(np.nanmin(predict_many(CUBE, grid(SEED_GRID))))
    assert 240 < best < 330


@pytest.mark.parametrize(
    ("name", "problem", "change", "expected"),
    [
        # CANN tuning guide: shuffle K takes 13 % off a kernel that loads most of the time.
        ("shuffle_k", CUBE, {"enable_shuffle_k": 0}, (1.05, 1.4)),
        # CANN tuning guide: unit flag, 7 % at small K, 1 % at 8192^3.
        ("unit, small k", GemmProblem(2048, 2048, 256, "float16"), {"enable_unit": 0}, (1.01, 1.15)),
        ("unit, large k", GemmProblem(8192, 8192, 8192, "float16"), {"enable_unit": 0}, (1.001, 1.03)),
        # pto-dsl: without a grouped order of tiles, 16384 wide matrices fall out of L2 (131 against 220 TFLOPS).
        (
            "swizzle",
            GemmProblem(2688, 16384, 16384, "float16", "nt"),
            {"swizzle_offset": 1, "enable_shuffle_k": 0},
            (1.1, 2.5),
        ),
        # Only the order of loads changes: next to nothing.
        ("abba", CUBE, {"enable_abba": 1}, (0.98, 1.0)),
    ],
)
def test_effects_have_the_measured_sign_and_a_believable_size(name, problem, change, expected):
    base = {"swizzle_offset": 4, "enable_shuffle_k": 0 if name == "swizzle" else 1}
    low, high = expected
    assert low < time_us(problem, **{**base, **change}) / time_us(problem, **base) <= high


def test_faster_chips_are_faster():
    assert time_us(device="910B1") < time_us(device="910B2") < time_us(device="910B4")
    assert time_us(device="910B2") == time_us(device="910B2C") == time_us(device="910_93xx")
    assert time_us(device="910_9382") == time_us(device="910_93xx") < time_us(device="910_9362")


def test_a_partly_filled_last_round_costs_a_whole_round():
    tiles_25 = GemmProblem(128 * 5, 256 * 5, 4096, "float16")
    tiles_24 = GemmProblem(128 * 4, 256 * 6, 4096, "float16")
    launch = dict(explain(tiles_24, config()).parts)["launch"]
    assert time_us(tiles_25) - launch > 1.6 * (time_us(tiles_24) - launch)


def test_steps_name_the_rule_that_forbids_them():
    steps = {(step.parameter, step.after): step for step in explain(CUBE, config()).steps}
    assert "L0C" in steps["tile_m", 256].because
    assert steps["tile_m", 256].time_ratio is None
    assert steps["tile_m", 64].time_ratio > 1.2
    assert steps["swizzle_direction", 1].time_ratio == pytest.approx(1, abs=0.05)


def test_the_explanation_is_printed_as_simulated():
    text = simexplain.lines(CUBE, None)
    assert text[0].startswith("Simulated, not measured: 4096x4096x4096-float16-nn on 910B1")
    assert any("cube multiplies" in line for line in text)
    assert any("ridge at" in line for line in text)


def test_the_best_of_the_grid_is_the_best_of_the_grid():
    best = best_config(GemmProblem(48, 512, 1024, "float16"))
    assert predict(GemmProblem(48, 512, 1024, "float16"), best).time_us == pytest.approx(
        np.nanmin(predict_many(GemmProblem(48, 512, 1024, "float16"), grid()))
    )


def test_candidates_for_a_board_are_good_legal_and_different():
    columns = grid(SEED_GRID)
    rows = np.column_stack([columns[name] for name in PARAMETERS]).astype(int)[::5]
    listed = [dict(zip(PARAMETERS, map(int, row), strict=True)) for row in rows]
    chosen = top_candidates(CUBE, listed, "910B1", 8)
    times = predict_many(CUBE, [dict(one) for one in chosen])
    everything = predict_many(CUBE, listed)
    assert len(set(chosen)) == 8
    assert times[0] == np.nanmin(everything)
    assert np.nanmax(times) < np.nanpercentile(everything, 40)
    assert len({(one["tile_m"], one["tile_n"]) for one in chosen}) >= 2
    assert top_candidates(CUBE, listed, "910B1", 8) == chosen
    assert top_candidates(CUBE, [config(tile_m=256, tile_n=256)], "910B1", 3) == ()
    assert len(top_candidates(CUBE, listed[:4], "910B1", 50)) <= 4


def test_a_prior_never_stops_a_search():
    assert top_candidates(GemmProblem(1, 4096, 4096, "float16"), [config()], "910B1", 3) == ()
    assert top_candidates(CUBE, [config()], "910A", 3) == ()
    assert top_candidates(CUBE, [{"block": 4}], "910B1", 3) == ()
    assert top_candidates(CUBE, [], "910B1", 3) == top_candidates(CUBE, [config()], "910B1", 0) == ()


def test_the_band_ends_at_the_peak():
    prediction = predict(CUBE, BEST_KNOWN)
    assert prediction.time_us * BAND[0] < prediction.low_us
    assert CUBE.tflops(prediction.low_us) == pytest.approx(spec("910B1").peak_tflops(CUBE.dtype))


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_row_of_the_table_reaches_columns_rules_prior_and_explanation(name):
    row = TABLE[name]
    assert {row.usual, *row.grid} <= {*row.grid, *row.ladder}
    assert all(row.allowed(np.array([value], dtype=float))[0] for value in (*row.grid, *row.ladder, row.usual))
    assert name in {field.name for field in dataclasses.fields(Work)}
    assert GRID[name] == row.grid
    assert {config[name] for config in library_configs(CUBE)} <= {row.usual, *row.grid}
    config = {**BEST_KNOWN, name: -1}
    assert why_illegal(columns_of([config]), CUBE.dtype, spec("910B1")) == f"{name} {row.because}"
    steps = [step for step in explain(CUBE, BEST_KNOWN).steps if step.parameter == name]
    assert steps
    assert all({step.before, step.after} <= {BEST_KNOWN[name], *row.ladder} for step in steps)
