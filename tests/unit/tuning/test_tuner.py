import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.model.errors import SettingsError, SpaceError
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.search import ConvergenceState, Origin
from pytest_ascend_tune.tuning import candidate_set, feasibility
from pytest_ascend_tune.tuning import tuner as tuner_module
from pytest_ascend_tune.tuning.acquisition import expected_improvement
from pytest_ascend_tune.tuning.ensemble import compress
from pytest_ascend_tune.tuning.posterior import Posterior
from pytest_ascend_tune.tuning.surrogate import ALIKE, learn_kernel, standardise
from pytest_ascend_tune.tuning.tuner import LEAST_VALID, START_POINTS, Tuner
from tests.unit.tuning.doubles import LEVELS, GridSpace, bowl

OPTIMUM = Config({"tile_m": 128, "tile_n": 64, "l1_k": 128, "swizzle": 1})


def run(tuner, count, value=bowl):
    asked = []
    for _ in range(count):
        config = tuner.ask()
        tuner.tell(config, value(config))
        asked.append(config)
    return asked


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000), failing=st.sets(st.integers(0, 26)), banned=st.sampled_from([0, 32, 128]))
def test_every_legal_configuration_is_proposed_once_and_no_other(seed, failing, banned):
    levels = {name: values for name, values in LEVELS.items() if name != "swizzle"} | {"swizzle": (1,)}
    space = GridSpace(levels, legal=lambda config: config["tile_m"] != banned)
    tuner = Tuner(space, seed)
    asked = run(tuner, len(space.configs), lambda c: None if space.configs.index(c) in failing else bowl(c))
    assert len(set(asked)) == len(space.configs)
    assert set(asked) == set(space.configs)
    assert tuner.exhausted
    with pytest.raises(SpaceError, match="nothing is left"):
        tuner.ask()


def test_same_seed_and_values_give_the_same_proposals_and_other_seeds_others():
    first, again, other = (run(Tuner(GridSpace(), seed), 14) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_peeking_changes_nothing():
    plain, curious = Tuner(GridSpace(), 3), Tuner(GridSpace(), 3)
    for _ in range(14):
        config = plain.ask()
        curious.peek(2)
        assert curious.ask() == config
        curious.peek(3)
        plain.tell(config, bowl(config))
        curious.tell(config, bowl(config))


def test_a_resumed_tuner_goes_on_as_if_never_interrupted():
    whole = Tuner(GridSpace(), 5)
    asked = run(whole, 16)
    resumed = Tuner(GridSpace(), 5)
    for config in asked:
        resumed.tell(config, bowl(config))
    assert run(resumed, 3) == run(whole, 3)


@pytest.mark.parametrize("seed", range(2))
def test_the_optimum_is_found_in_half_of_the_space(seed):
    assert OPTIMUM in run(Tuner(GridSpace(), seed), 27)


def test_order_is_default_then_given_then_space_filling_then_model():
    space = GridSpace(default={"tile_m": 64, "tile_n": 64, "l1_k": 64, "swizzle": 0})
    warm = Config({"tile_m": 32, "tile_n": 32, "l1_k": 64, "swizzle": 0})
    illegal = Config({"tile_m": 33, "tile_n": 32, "l1_k": 64, "swizzle": 0})
    first = [(warm, Origin.BASELINE), (illegal, Origin.WARM_START), (space.default, Origin.WARM_START)]
    tuner = Tuner(space, first=first)
    run(tuner, START_POINTS + 2)
    origins = [trial.origin for trial in tuner.trials]
    assert [trial.config for trial in tuner.trials[:2]] == [space.default, warm]
    assert origins[:2] == [Origin.DEFAULT, Origin.BASELINE]
    assert origins[2:] == [Origin.SPACE_FILLING] * (START_POINTS - 2) + [Origin.MODEL] * 2
    assert all((trial.expected_gain is not None) is (trial.origin is Origin.MODEL) for trial in tuner.trials)


@pytest.mark.parametrize("seed", range(3))
def test_the_first_configurations_differ_in_as_many_parameters_as_possible(seed):
    first = Tuner(GridSpace(), seed).ask(3)
    for one, other in itertools.combinations(first, 2):
        assert sum(one[parameter] != other[parameter] for parameter in LEVELS) >= 3


def test_batches_hold_different_configurations_at_every_stage():
    tuner = Tuner(GridSpace(), 1)
    seen = set()
    while len(seen) < 54:
        batch = tuner.ask(8)
        assert len(batch) == min(8, 54 - len(seen))
        assert len(set(batch)) == len(batch)
        assert not seen & set(batch)
        seen |= set(batch)
        for config in batch[::-1]:
            tuner.tell(config, bowl(config))


def test_a_batch_of_the_model_is_spread():
    """Without the assumed results, the second proposal would be the second best of the same neighbourhood."""
    tuner = Tuner(GridSpace({name: tuple(range(9)) for name in "ab"}), 0, start_points=6)
    run(tuner, 6, lambda c: 100.0 - (c["a"] - 4) ** 2 - (c["b"] - 4) ** 2)
    first, second = tuner.ask(2)
    assert abs(first["a"] - second["a"]) + abs(first["b"] - second["b"]) > 1


def test_late_in_the_search_every_other_proposal_is_the_scouts(monkeypatch):
    """The largest expected improvement where all columns matter about alike, of the values as they are."""
    space = GridSpace()
    asked = run(Tuner(space, 4), 9)

    def next_proposal(scout_from):
        monkeypatch.setattr(tuner_module, "SCOUT_BELOW", math.inf)
        monkeypatch.setattr(tuner_module, "SCOUT_FROM", scout_from)
        tuner = Tuner(space, 4)
        for config in asked:
            tuner.tell(config, bowl(config))
        (proposal,) = tuner.peek()
        return proposal

    early, late = next_proposal(10), next_proposal(9)
    points = np.array([space.encode(config) for config in asked])
    values, _ = standardise(np.log([bowl(config) for config in asked]))
    others = [config for config in space.configs if config not in asked]
    scout = Posterior(learn_kernel(points, values, ALIKE), np.array([space.encode(config) for config in others]))
    scout.add(points)
    gains = expected_improvement(scout.mean(values), scout.std, values.max())
    assert late.config == others[int(np.argmax(gains))] != early.config
    assert late.expected_gain == early.expected_gain  # the scout's own is no measure of what is left
    asked.append(early.config)
    assert next_proposal(0) == next_proposal(99)  # an even number of trials


def test_little_left_to_gain_is_only_said_when_the_uncompressed_model_says_so_too():
    space = GridSpace()
    tuner = Tuner(space, 0)
    asked = run(tuner, 13)
    points = np.array([space.encode(config) for config in asked])
    others = [config for config in space.configs if config not in asked]
    logs = np.log([bowl(config) for config in asked])

    def opinion(values):
        values, scale = standardise(values)
        model = Posterior(learn_kernel(points, values), np.array([space.encode(config) for config in others]))
        model.add(points)
        gains = expected_improvement(model.mean(values), model.std, values.max())
        return math.expm1(gains.max() * scale), others[int(np.argmax(gains))]

    (first, first_config), (second, second_config) = opinion(compress(logs)), opinion(logs)
    assert first < tuner_module.SECOND_OPINION
    assert first < second / 2
    proposal = tuner.peek()[0]
    assert proposal.expected_gain == pytest.approx(second)
    assert proposal.config == second_config != first_config


def test_failures_are_avoided_once_learnt(monkeypatch):
    space = GridSpace({name: tuple(range(6)) for name in "abc"})

    def value(config):  # times get better towards the failing third
        return None if config["a"] >= 4 else 10.0 + config["a"] + config["b"] / 2 - abs(config["c"] - 3)

    def failures():
        return sum(value(config) is None for config in run(Tuner(space, 2), 24, value)[START_POINTS:])

    learnt = failures()
    monkeypatch.setattr(feasibility, "FLOOR", 1.0)  # every configuration likely to work
    assert learnt < 0.7 * failures()


@pytest.mark.parametrize("value", [0, -1.0, math.nan, math.inf, -math.inf, "fast"])
def test_a_value_that_is_no_positive_number_is_refused_and_leaves_no_trace(value):
    tuner = Tuner(GridSpace())
    config = tuner.ask()
    with pytest.raises(SettingsError, match="positive finite"):
        tuner.tell(config, value)
    assert tuner.trials == ()
    tuner.tell(config, 1.0)


def test_telling_twice_or_an_unknown_configuration_is_refused():
    tuner = Tuner(GridSpace())
    config = tuner.ask()
    tuner.tell(dict(config), 5)
    with pytest.raises(SpaceError, match="told before"):
        tuner.tell(config, 5)
    with pytest.raises(SpaceError, match="not in the search space"):
        tuner.tell({**config, "tile_m": 33}, 5)
    with pytest.raises(SpaceError, match="not in the search space"):
        tuner.tell({"x": 1}, 5)
    assert len(tuner.trials) == 1


@pytest.mark.parametrize("count", [0, -1, 1.5, True])
def test_a_batch_size_that_is_no_positive_number_is_refused(count):
    with pytest.raises(SettingsError, match="whole number"):
        Tuner(GridSpace()).ask(count)


def test_a_space_of_one():
    space = GridSpace({"a": (1,)})
    tuner = Tuner(space)
    assert run(tuner, 1, lambda c: 3.0) == [Config({"a": 1})]
    assert tuner.convergence.state is ConvergenceState.SPACE_EXHAUSTED
    assert tuner.convergence.remaining_gain == 0.0


def test_a_constant_objective_is_no_error_and_promises_nothing():
    space = GridSpace({name: tuple(range(4)) for name in "abcd"})
    tuner = Tuner(space)
    run(tuner, 20, lambda c: 7.0)
    assert tuner.convergence.remaining_gain < 0.02


def test_nothing_valid_is_said_with_the_number_of_failures():
    tuner = Tuner(GridSpace())
    run(tuner, 15, lambda c: None)
    assert tuner.convergence.state is ConvergenceState.NOTHING_VALID
    assert "none of 15 configurations worked" in str(tuner.convergence.reason)


def test_one_valid_among_failures_is_found_and_modelled():
    space = GridSpace()
    good = space.configs[:6]
    tuner = Tuner(space, 0)
    asked = run(tuner, 54, lambda c: bowl(c) if c in good else None)
    assert sum(config in good for config in asked[:30]) >= LEAST_VALID


def test_a_configuration_that_the_sample_missed_can_be_told():
    space = GridSpace(held=20)
    tuner = Tuner(space)
    missed = space.configs[40]
    tuner.tell(missed, 12.0)
    assert tuner.trials[0].config == missed
    assert tuner.trials[0].origin is Origin.WARM_START
    with pytest.raises(SpaceError, match="told before"):
        tuner.tell(missed, 12.0)
    asked = run(tuner, 20)
    assert missed not in asked


def test_of_a_large_space_a_sample_and_the_neighbours_of_the_best_are_scored(monkeypatch):
    monkeypatch.setattr(candidate_set, "SCORED_ROWS", 100)
    monkeypatch.setattr(candidate_set, "SAMPLED_ROWS", 30)
    space = GridSpace({name: tuple(range(5)) for name in "abcd"})
    held = candidate_set.CandidateSet(space, None, 0)
    best = held.row(Config({"a": 2, "b": 2, "c": 2, "d": 2}))
    scored = held.scored(np.array([best]), 12)
    changes = (held.encoded[scored] != held.encoded[best]).sum(1)
    assert (changes <= 2).sum() >= 1 + 4 * 4 + 6 * 16
    assert len(scored) < 200
    tuner = Tuner(space, 1)
    asked = run(tuner, 40, lambda c: 100.0 - sum((v - 3) ** 2 for v in c.values()))
    assert Config({"a": 3, "b": 3, "c": 3, "d": 3}) in asked
    assert len(set(asked)) == 40


def test_effects_name_what_matters_most_and_sum_to_one():
    tuner = Tuner(GridSpace(), 0)
    run(tuner, 30, lambda c: c["tile_m"] * (2 if c["swizzle"] else 1.9))
    effects = tuner.effects
    assert effects[0].parameter == "tile_m"
    assert effects[0].share > 0.8
    assert sum(effect.share for effect in effects) == pytest.approx(1.0)
    assert {effect.parameter for effect in effects} == set(LEVELS)
    assert Tuner(GridSpace()).effects == ()
