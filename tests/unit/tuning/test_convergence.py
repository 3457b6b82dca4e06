from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.search import ConvergenceState, Origin, Trial
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge, noise_share

RULE = ConvergenceRule(max_trials=200)
NAMES = ["staircase_flat", "gaps_lengthen", "late_dots_below", "distribution", "expected_gain"]


def made(times, gains=None, start=10):
    """Trials of these times (None = failed); gains of the model's proposals, the last ones."""
    gains = gains or []
    trials = []
    for index, time in enumerate(times, start=1):
        outcome = Failure(FailureKind.BUILD_ERROR, "too big") if time is None else Measurement((float(time),))
        origin = Origin.SPACE_FILLING if index <= start else Origin.MODEL
        gain = gains[index - 1 - (len(times) - len(gains))] if index > len(times) - len(gains) else None
        trials.append(Trial(index, Config({"a": index}), outcome, origin, gain))
    return trials


def converged_search(length=50):
    """Grows at 1, 3, 8 and 20, then 30 clearly slower trials of which the model expects nothing."""
    times = [200.0, 220, 180, 230, 240, 210, 190, 150, 160, 170, *[155.0] * 9, 100.0]
    times += [120.0 + index % 7 for index in range(length - len(times))]
    return made(times, [0.05] * 10 + [1e-5] * 30)


def test_evidence_of_all_five_signals_is_called_converged():
    verdict = judge(converged_search(), RULE)
    assert [signal.name for signal in verdict.checklist] == NAMES
    assert [signal.holds for signal in verdict.checklist] == [True] * 5
    assert verdict.state is ConvergenceState.CONVERGED
    assert verdict.remaining_gain == 1e-5
    assert str(verdict.reason).startswith("converged: ")


def test_no_usual_gap_is_made_up_before_a_second_jump():
    gap = judge(made([None, 100.0, 120.0, 130.0]), RULE).checklist[1]
    assert str(gap.text) == "it has not grown since trial 2: without a usual gap, 12 trials are waited for"
    assert not gap.holds
    assert judge(made([100.0] + [120.0] * 12), RULE).checklist[1].holds
    usual = judge(made([100.0, 120.0, 80.0, 90.0]), RULE).checklist[1]
    assert str(usual.text) == "1 trials since the last jump; the usual gap is 2"


def test_a_promise_of_the_model_keeps_the_search_running_and_is_told():
    trials = converged_search()
    trials[-1] = replace(trials[-1], expected_gain=0.02)
    verdict = judge(trials, RULE)
    assert verdict.state is ConvergenceState.RUNNING
    assert "2.00 %" in str(verdict.reason)


def test_growth_just_now_keeps_the_search_running():
    trials = converged_search()
    trials[-1] = replace(trials[-1], outcome=Measurement((99.0,)))
    assert judge(trials, RULE).state is ConvergenceState.RUNNING


def test_the_budget_alone_is_never_convergence():
    trials = converged_search()
    trials[-1] = replace(trials[-1], expected_gain=0.02)
    verdict = judge(trials, replace(RULE, max_trials=50))
    assert verdict.state is ConvergenceState.BUDGET_EXHAUSTED
    assert str(verdict.reason).startswith("not converged")
    assert "resume" in str(verdict.reason)
    assert verdict.remaining_gain == 0.02


def test_evidence_counts_also_at_the_end_of_the_budget():
    assert judge(converged_search(), replace(RULE, max_trials=50)).state is ConvergenceState.CONVERGED


def test_patience_stops_without_claiming_convergence():
    trials = made([10.0, *[11.0] * 9])
    assert judge(trials, replace(RULE, patience=10)).state is ConvergenceState.RUNNING
    verdict = judge(made([10.0, *[11.0] * 10]), replace(RULE, patience=10))
    assert verdict.state is ConvergenceState.STOPPED
    assert "not converged" in str(verdict.reason)


def test_time_interruption_and_exhaustion_have_their_states():
    trials = made([100.0, *[120.0] * 29], [0.05] * 20)
    assert judge(trials, RULE, out_of_time=True).state is ConvergenceState.STOPPED
    assert judge(trials, RULE, interrupted=True).state is ConvergenceState.INTERRUPTED
    whole = judge(trials, replace(RULE, legal_configs=30))
    assert whole.state is ConvergenceState.SPACE_EXHAUSTED
    assert whole.remaining_gain == 0.0


def test_nothing_valid_names_the_most_frequent_failure():
    trials = made([None] * 14)
    assert judge(trials, RULE).state is ConvergenceState.RUNNING
    odd = replace(trials[0], outcome=Failure(FailureKind.CRASH, "signal 11"))
    verdict = judge([odd, *made([None] * 15)[1:]], RULE)
    assert verdict.state is ConvergenceState.NOTHING_VALID
    assert "14 times): build_error: too big" in str(verdict.reason)
    assert judge(made([None] * 5), replace(RULE, max_trials=5)).state is ConvergenceState.NOTHING_VALID
    assert judge([], RULE).state is ConvergenceState.RUNNING


def test_noise_raises_what_counts_as_no_gain():
    trials = made([trial.time_us for trial in converged_search()], [0.05] * 10 + [0.004] * 30)
    assert judge(trials, RULE).state is ConvergenceState.RUNNING
    assert judge(trials, RULE, noise=0.03).state is ConvergenceState.CONVERGED


def test_growth_too_small_to_matter_leaves_the_staircase_flat():
    trials = converged_search()
    for position in (35, 42, 49):
        trials[position] = replace(trials[position], outcome=Measurement((100.0 - position / 1000,)))
    assert judge(trials, RULE).state is ConvergenceState.CONVERGED
    assert judge(trials, replace(RULE, gain=1e-5)).state is ConvergenceState.RUNNING


def test_failed_trials_are_no_late_dots_below_the_best():
    late = judge(made([100.0, None, None, None, None]), RULE).checklist[2]
    assert (late.value, late.holds) == (0.0, False)
    assert "of the last 1 valid trials" in str(late.text)


def test_a_plateau_must_have_been_explored_by_the_model():
    times = [100.0, *[101.0] * 29]
    few = made(times, [1e-5] * 12, start=18)
    assert judge(few, RULE).state is ConvergenceState.RUNNING
    many = made([*times, *[101.0] * 10], [1e-5] * 22, start=18)
    assert judge(many, RULE).state is ConvergenceState.CONVERGED
    assert "plateau" in str(judge(many, RULE).checklist[3].text)


def test_noise_is_read_from_the_samples():
    steady = Measurement(tuple([100.0, 100.1] * 8))
    shaky = Measurement(tuple([100.0, 100.0, 110.0, 130.0] * 4))
    quiet, loud = (
        noise_share([replace(trial, outcome=outcome) for trial in made([1.0] * 4)]) for outcome in (steady, shaky)
    )
    assert quiet < 0.001
    assert 0.01 < loud < 0.1
    assert noise_share(made([1.0, 2.0])) == 0.0


@settings(max_examples=60, deadline=None)
@given(
    times=st.lists(st.one_of(st.none(), st.floats(1.0, 1e4)), min_size=0, max_size=60),
    gain=st.one_of(st.none(), st.floats(0.0, 1.0)),
    budget=st.one_of(st.none(), st.integers(1, 60)),
    patience=st.one_of(st.none(), st.integers(1, 20)),
)
def test_any_history_is_judged_and_worded(times, gain, budget, patience):
    trials = made(times, [gain] * len(times))
    rule = ConvergenceRule(max_trials=budget, patience=patience)
    verdict = judge(trials, rule)
    assert str(verdict.reason)
    for signal in verdict.checklist:
        assert str(signal.text)
    if verdict.state is ConvergenceState.CONVERGED:
        assert all(signal.holds for signal in verdict.checklist)
        assert len(verdict.checklist) == 5
    if budget is not None and len(trials) >= budget:
        assert verdict.state is not ConvergenceState.RUNNING


@pytest.mark.parametrize("worse", [101.0, 1e6, None])
def test_one_more_bad_trial_never_ends_the_evidence_of_the_others(worse):
    trials = converged_search()
    more = [*trials, made([worse])[0]]
    more[-1] = replace(more[-1], index=len(more), origin=Origin.MODEL, expected_gain=1e-5)
    assert judge(more, RULE).state is ConvergenceState.CONVERGED
