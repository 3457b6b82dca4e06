"""Kernels that are right while they are watched, or seem faster than they are, are no results."""

from __future__ import annotations

import pytest

from pytest_ascend_tune.backends.cpu.backend import CpuBackend
from pytest_ascend_tune.execute.confirm import ConfirmPlan, confirm
from pytest_ascend_tune.execute.measure import measure
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import WrongResultError
from pytest_ascend_tune.model.measurement import MeasurePlan
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions, Rechecking
from tests.fakes.kernels import RIGHT, kernel_template, needs_compiler

PROBLEM = GemmProblem(64, 48, 40, "float32")
TIMEOUT_S = 20.0
HONEST, CHEAT = Config({"tile_m": 16}), Config({"tile_m": 32})
QUICK = ConfirmPlan(rounds=40, max_rounds=40, race_rounds=12, budget_s=3.0)
CALLS = "static int calls; calls++;"
pytestmark = needs_compiler

# What it does is right whenever C is filled with NaN, or on its first calls.
WRONG_LATER = {
    "right when C is poisoned": f"if (((float*)c)[0] != ((float*)c)[0]) {{ {RIGHT} }}",
    "right on its first calls": f"{CALLS} if (calls < 30) {{ {RIGHT} }} else if (calls % 2) ((float*)c)[3] += 1;",
    "keeps the product of inputs that it knows": (
        f"static float first; if (first != ((float*)a)[0]) {{ first = ((float*)a)[0]; {RIGHT} }}"
    ),
    "knows the inputs": (
        f"static float first; if (!first) first = ((float*)a)[0]; if (first == ((float*)a)[0]) {{ {RIGHT} }}"
    ),
    "leaves the last row out": f"if (((float*)c)[0] != ((float*)c)[0]) {{ {RIGHT} }} else {{ m--; {RIGHT} }}",
}


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    backend = CpuBackend(BackendOptions(tmp_path_factory.mktemp("cache")))
    yield backend
    backend.close()


def built(backend, body, config=CHEAT):
    return backend.build(kernel_template(f"(void)TILE_M; {body}"), PROBLEM, config)


class TestRecheck:
    @pytest.mark.parametrize("cheat", WRONG_LATER)
    def test_what_is_wrong_after_the_first_calls_is_found(self, backend, cheat):
        assert isinstance(backend, Rechecking)
        kernel = built(backend, WRONG_LATER[cheat])
        backend.verify(kernel, PROBLEM, timeout_s=TIMEOUT_S, thorough=True)
        backend.samples([kernel] * 40, PROBLEM, timeout_s=TIMEOUT_S)
        with pytest.raises(WrongResultError):
            backend.recheck(kernel, PROBLEM, timeout_s=TIMEOUT_S, thorough=True)

    @pytest.mark.parametrize("problem", [PROBLEM, GemmProblem(33, 65, 129, "bfloat16", "tn")], ids=str)
    def test_the_honest_kernel_is_right_on_other_inputs_in_the_same_process(self, backend, problem):
        template, space = load_template("cpu_gemm")
        config = space.bind(backend.facts(), problem).default
        kernel = backend.build(template, problem, config)
        backend.sample(kernel, problem, timeout_s=TIMEOUT_S)
        pid = backend._worker.pid
        for thorough in (False, True, True):
            backend.recheck(kernel, problem, timeout_s=TIMEOUT_S, thorough=thorough)
        backend.verify(kernel, problem, timeout_s=TIMEOUT_S, thorough=True)
        assert backend._worker.pid == pid


class TestConfirmation:
    @pytest.mark.parametrize("cheat", WRONG_LATER)
    def test_a_cheat_never_wins_and_the_notes_say_why(self, backend, cheat):
        own, kernel = built(backend, RIGHT, HONEST), built(backend, WRONG_LATER[cheat])
        result = confirm(backend, PROBLEM, [kernel, own], own, backend.reference(PROBLEM), QUICK)
        assert result.winner.config == HONEST
        assert any(dict(note.values).get("kind") == "wrong_result" for note in result.notes)


# Half of the columns in a thread that the calling one only waits for; an honest kernel beside a sleep.
THREAD = """
#include <thread>
static void half(int m, int n, int k, const float* a, const float* b, float* c, int from, int to) {
  for (int i = 0; i < m; i++)
    for (int j = from; j < to; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += a[(long)i * k + p] * b[(long)p * n + j];
      c[(long)i * n + j] = sum;
    }
}
"""
IN_A_THREAD = """
  (void)a_transposed; (void)b_transposed;
  std::thread other(half, m, n, k, (const float*)a, (const float*)b, (float*)c, 0, n / 2);
  half(m, n, k, (const float*)a, (const float*)b, (float*)c, n / 2, n); other.join();
"""
TALKED_FAST = {
    "work in a thread": (IN_A_THREAD, THREAD, "threads that are not declared"),
    "usleep": (RIGHT + "usleep(20000);", "", "it sleeps, or waits"),
}
TIMED = GemmProblem(160, 160, 160, "float32")


class TestClocks:
    @pytest.mark.parametrize("cheat", TALKED_FAST)
    def test_a_trial_is_refused_in_words_and_its_process_ends(self, backend, cheat):
        body, helpers, words = TALKED_FAST[cheat]
        kernel, reference = backend.build(kernel_template(body, helpers), TIMED, CHEAT), backend.reference(TIMED)
        generation = backend._worker.generation
        with pytest.raises(WrongResultError, match=words):
            measure(backend, kernel, reference, TIMED, MeasurePlan(), None)
        assert backend._worker.generation > generation

    @pytest.mark.parametrize("cheat", TALKED_FAST)
    def test_a_finalist_is_dropped(self, backend, cheat):
        body, helpers, _ = TALKED_FAST[cheat]
        kernel = backend.build(kernel_template(body, helpers), TIMED, CHEAT)
        assert confirm(backend, TIMED, [kernel], None, backend.reference(TIMED), QUICK) is None

    def test_an_honest_kernel_is_believed(self, backend):
        kernel, reference = backend.build(kernel_template(), TIMED, HONEST), backend.reference(TIMED)
        assert measure(backend, kernel, reference, TIMED, MeasurePlan(), None).time_us > 0

    def test_declared_threads_are_believed(self, tmp_path):
        two = CpuBackend(BackendOptions(tmp_path, threads=2))
        try:
            template, space = load_template("cpu_gemm")
            config = space.bind(two.facts(), TIMED).default
            kernel = two.build(template, TIMED, config)
            assert measure(two, kernel, two.reference(TIMED), TIMED, MeasurePlan(), None).time_us > 0
            two.recheck(kernel, TIMED, timeout_s=TIMEOUT_S, thorough=True)
        finally:
            two.close()
