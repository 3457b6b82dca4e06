from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.distribution import near_share, shape
from pytest_ascend_tune.model.measurement import Failure, Measurement
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.search import ConvergenceState, Origin, SignalName, Trial
from pytest_ascend_tune.model.word import FailureKind
from pytest_ascend_tune.tuning.convergence import ConvergenceRule, judge_search, trial_noise

RULE = ConvergenceRule(max_trials=200)


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
    verdict = judge_search(converged_search(), RULE)
    assert [signal.name for signal in verdict.checklist] == list(SignalName)
    assert [signal.holds for signal in verdict.checklist] == [True] * 5
    assert verdict.state is ConvergenceState.CONVERGED
    assert verdict.remaining_gain == 1e-5
    assert str(verdict.reason) == (
        "converged: no growth for 30 trials, late trials stay below the best, "
        "and the model expects no further trial to gain more than 0.00 %"
    )


def test_each_line_of_the_checklist_says_its_number():
    checklist = judge_search(converged_search(), RULE).checklist
    assert [signal.value for signal in checklist] == [30.0, 6.0, 1.0, 0.02, 1e-5]
    assert [str(signal.text) for signal in checklist] == [
        "best so far has not grown for 30 trials (needed: 12)",
        "30 trials since the last jump; the usual gap is 5",
        "100 % of the last 10 valid trials lie below the best (needed: no growth for 10 trials)",
        "slope: 2 % of the valid trials within 5 % of the best; best is 1.37 times the mean",
        "the model expects no further trial to gain more than 0.00 % (needed: 0.10 % in 7 proposals in a row; seen: 7)",
    ]
    none = judge_search(made([100.0, 200.0, 400.0]), RULE).checklist
    assert str(none[3].text) == (
        "too few to tell: 33 % of the valid trials within 5 % of the best; best is 1.71 times the mean"
    )
    assert str(none[4].text) == "the model expects no gain yet"
    assert none[4].value is None


@pytest.mark.parametrize(("line", "needed"), [(0, 12), (1, 12), (2, 10)])
def test_a_line_holds_from_its_number_on(line, needed):
    for flat in (needed - 1, needed):
        assert judge_search(made([100.0, *[120.0] * flat]), RULE).checklist[line].holds is (flat == needed)


def test_a_late_dot_is_below_by_more_than_the_noise():
    late = judge_search(made([100.0, 100.5, 103.0, 200.0]), RULE, noise=0.01).checklist[2]
    assert late.value == 0.5


@pytest.mark.parametrize(
    ("near", "of", "shape"), [(1, 51, "spike"), (1, 50, "slope"), (1, 10, "slope"), (2, 19, "plateau")]
)
def test_the_distribution_has_one_of_three_shapes(near, of, shape):
    times = [95.0, *[100.0] * (near - 1), *[100.1] * (of - near)]  # 100 is within 5 % of 95 in speed, 100.1 is not
    signal = judge_search(made(times, start=of), RULE).checklist[3]
    assert signal.value == near / of
    assert str(signal.text).startswith(f"{shape}: ")
    assert signal.holds is (shape != "plateau")


def test_a_plateau_needs_twenty_trials_of_the_model():
    for modelled in (19, 20):
        assert judge_search(made([100.0] * 40, start=40 - modelled), RULE).checklist[3].holds is (modelled == 20)


def test_a_promise_just_at_the_limit_is_no_gain():
    times = [trial.time_us for trial in converged_search()]
    for gain, state in ((0.001, ConvergenceState.CONVERGED), (0.00101, ConvergenceState.RUNNING)):
        assert judge_search(made(times, [gain] * 7), RULE).state is state
    assert judge_search(made(times, [0.001] * 6), RULE).state is ConvergenceState.RUNNING


def test_no_usual_gap_is_made_up_before_a_second_jump():
    gap = judge_search(made([None, 100.0, 120.0, 130.0]), RULE).signal(SignalName.GAPS_LENGTHEN)
    assert str(gap.text) == "it has not grown since trial 2: without a usual gap, 12 trials are waited for"
    assert not gap.holds
    assert (gap.value, gap.usual) == (None, None)
    assert judge_search(made([100.0] + [120.0] * 12), RULE).signal(SignalName.GAPS_LENGTHEN).holds
    usual = judge_search(made([100.0, 120.0, 80.0, 90.0]), RULE).signal(SignalName.GAPS_LENGTHEN)
    assert (usual.value, usual.usual) == (0.5, 2)
    assert str(usual.text) == "1 trial since the last jump; the usual gap is 2"


def test_a_promise_of_the_model_keeps_the_search_running_and_is_told():
    trials = converged_search()
    trials[-1] = replace(trials[-1], expected_gain=0.02)
    verdict = judge_search(trials, RULE)
    assert verdict.state is ConvergenceState.RUNNING
    assert "2.00 %" in str(verdict.reason)


def test_growth_just_now_keeps_the_search_running():
    trials = converged_search()
    trials[-1] = replace(trials[-1], outcome=Measurement((99.0,)))
    assert judge_search(trials, RULE).state is ConvergenceState.RUNNING


def test_the_budget_alone_is_never_convergence():
    trials = converged_search()
    trials[-1] = replace(trials[-1], expected_gain=0.02)
    verdict = judge_search(trials, replace(RULE, max_trials=50))
    assert verdict.state is ConvergenceState.BUDGET_EXHAUSTED
    assert str(verdict.reason) == (
        "not converged: the budget of 50 trials is used up; the model expects no single further trial to gain more "
        "than 2.00 %; resume with a larger budget to go on from here"
    )
    assert verdict.remaining_gain == 0.02


def test_evidence_counts_also_at_the_end_of_the_budget():
    assert judge_search(converged_search(), replace(RULE, max_trials=50)).state is ConvergenceState.CONVERGED


def test_patience_stops_without_claiming_convergence():
    trials = made([10.0, *[11.0] * 9])
    assert judge_search(trials, replace(RULE, patience=10)).state is ConvergenceState.RUNNING
    verdict = judge_search(made([10.0, *[11.0] * 10]), replace(RULE, patience=10))
    assert verdict.state is ConvergenceState.STOPPED
    assert str(verdict.reason) == (
        "stopped, not converged: 10 trials without growth, as asked; too few trials to say what more could bring"
    )
    equal = judge_search(made([10.0] * 11), replace(RULE, patience=10))  # as fast as the best is no growth
    assert equal.state is ConvergenceState.STOPPED


def test_time_interruption_and_exhaustion_have_their_states():
    trials = made([100.0, *[120.0] * 29], [0.05] * 20)
    assert judge_search(trials, RULE, out_of_time=True).state is ConvergenceState.STOPPED
    assert judge_search(trials, RULE, interrupted=True).state is ConvergenceState.INTERRUPTED
    whole = judge_search(trials, replace(RULE, space_size=30))
    assert whole.state is ConvergenceState.SPACE_EXHAUSTED
    assert whole.remaining_gain == 0.0
    assert [signal.name for signal in whole.checklist] == list(SignalName)
    assert str(whole.reason) == "all 30 legal configurations were tried: nothing is left to find"
    left = "the model expects no single further trial to gain more than 5.00 %"
    assert [
        str(judge_search(trials, rule, **ended).reason)
        for rule, ended in ((RULE, {}), (RULE, {"out_of_time": True}), (RULE, {"interrupted": True}))
    ] == [
        f"still searching after 30 trials; {left}",
        f"stopped, not converged: the time budget is used up after 30 trials; {left}",
        f"interrupted after 30 trials; {left}; it can be resumed",
    ]


def test_nothing_valid_names_the_most_frequent_failure():
    trials = made([None] * 14)
    assert judge_search(trials, RULE).state is ConvergenceState.RUNNING
    odd = replace(trials[0], outcome=Failure(FailureKind.CRASH, "signal 11"))
    verdict = judge_search([odd, *made([None] * 15)[1:]], RULE)
    assert verdict.state is ConvergenceState.NOTHING_VALID
    assert str(verdict.reason) == (
        "none of 15 configurations worked; most frequent failure (14 times): build_error: too big"
    )
    assert judge_search(made([None] * 5), replace(RULE, max_trials=5)).state is ConvergenceState.NOTHING_VALID
    for ended in ({"out_of_time": True}, {"interrupted": True}):
        assert judge_search(made([None]), RULE, **ended).state is ConvergenceState.NOTHING_VALID


def test_a_search_that_ends_before_its_first_trial_says_how():
    for ended, state in (
        ({}, ConvergenceState.RUNNING),
        ({"out_of_time": True}, ConvergenceState.NOTHING_VALID),
        ({"interrupted": True}, ConvergenceState.INTERRUPTED),
    ):
        verdict = judge_search([], RULE, **ended)
        assert (verdict.state, str(verdict.reason)) == (state, "nothing was tried yet")


def test_noise_raises_what_counts_as_no_gain():
    trials = made([trial.time_us for trial in converged_search()], [0.05] * 10 + [0.004] * 30)
    assert judge_search(trials, RULE).state is ConvergenceState.RUNNING
    assert judge_search(trials, RULE, noise=0.03).state is ConvergenceState.CONVERGED


def test_growth_too_small_to_matter_leaves_the_staircase_flat():
    trials = converged_search()
    for position in (35, 42, 49):
        trials[position] = replace(trials[position], outcome=Measurement((100.0 - position / 1000,)))
    assert judge_search(trials, RULE).state is ConvergenceState.CONVERGED
    assert judge_search(trials, replace(RULE, gain=1e-5)).state is ConvergenceState.RUNNING


def test_failed_trials_are_no_late_dots_below_the_best():
    late = judge_search(made([100.0, None, None, None, None]), RULE).signal(SignalName.LATE_DOTS_BELOW)
    assert (late.value, late.holds) == (0.0, False)
    assert "of the last 1 valid trial " in str(late.text)


def test_a_plateau_must_have_been_explored_by_the_model():
    times = [100.0, *[101.0] * 29]
    few = made(times, [1e-5] * 12, start=18)
    assert judge_search(few, RULE).state is ConvergenceState.RUNNING
    many = made([*times, *[101.0] * 10], [1e-5] * 22, start=18)
    assert judge_search(many, RULE).state is ConvergenceState.CONVERGED
    assert "plateau" in str(judge_search(many, RULE).signal(SignalName.DISTRIBUTION).text)


def test_noise_is_read_from_the_samples():
    steady = Measurement(tuple([100.0, 100.1] * 8))
    shaky = Measurement(tuple([100.0, 100.0, 110.0, 130.0] * 4))
    quiet, loud = (
        trial_noise([replace(trial, outcome=outcome) for trial in made([1.0] * 4)]) for outcome in (steady, shaky)
    )
    assert quiet < 0.001
    assert 0.01 < loud < 0.1
    assert trial_noise(made([1.0, 2.0])) == 0.0

    def noise_of(*samples):
        return trial_noise([replace(made([1.0])[0], outcome=Measurement(samples))])

    assert noise_of(100.0, 110.0, 120.0) == 0.0  # three samples have no fastest quarter
    assert noise_of(100.0, *[110.0] * 3) == pytest.approx(0.1)
    assert noise_of(*[100.0] * 4, *[110.0] * 12) == pytest.approx(0.05)  # four times the samples, half the noise


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
    verdict = judge_search(trials, rule)
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
    assert judge_search(more, RULE).state is ConvergenceState.CONVERGED


@pytest.mark.parametrize(("valid", "near", "found"), [(6, 6, "too few"), (10, 10, "plateau"), (60, 1, "spike")])
def test_the_checklist_and_the_picture_call_the_shape_alike(valid, near, found):
    trials = made([100.0 if index < near else 200.0 for index in range(valid)])
    said = judge_search(trials, RULE).signal(SignalName.DISTRIBUTION)
    shown = shape(valid, near_share([1 / trial.time_us for trial in trials]))
    assert str(said.text).startswith(f"{shown}: ")
    assert str(shown).startswith(found)
