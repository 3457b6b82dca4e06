"""Baselines that earlier versions recorded for simulated chips under another name or with other facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ascend_tune.backends.simulator.backend import SimulatorBackend
from pytest_ascend_tune.gate.verdict import differences
from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.verdict import Fingerprint
from pytest_ascend_tune.records.baselines.formerly import as_named_now
from pytest_ascend_tune.records.baselines.store import BaselineStore
from tests.contracts.store_contract import SOURCES, baseline


def recorded_by_an_earlier_version(device: str):
    """As that version wrote it: without the chip's facts."""
    today = SimulatorBackend("910B1").fingerprint()
    identity = [(name, value) for name, value in today.identity if name not in ("device", "chip")]
    made = baseline()
    return replace(
        made,
        key=replace(made.key, device=device),
        simulated=True,
        recorded_with=Fingerprint(device, (("device", device), *identity)),
    )


@pytest.fixture
def store(tmp_path):
    return BaselineStore(tmp_path / "root")


def found_by(store: BaselineStore, chip: str):
    """What the simulator of `chip` finds, and what forbids a comparison."""
    backend = SimulatorBackend(chip)
    loaded = store.load(replace(baseline().key, device=backend.device))
    assert loaded is not None
    return loaded, [str(fact) for fact in differences(loaded, backend.fingerprint(), True)]


@pytest.mark.parametrize("chip", ["910_93xx", "910C", "910_9381", "910_9382"])
def test_a_baseline_of_the_a3_compares_for_the_dies_whose_facts_it_had(store, chip):
    old = recorded_by_an_earlier_version("simulated-910_93xx")
    store.save(old, SOURCES)
    loaded, forbidding = found_by(store, chip)
    assert forbidding == []
    assert loaded.measurement == store.load(old.key).measurement


@pytest.mark.parametrize(
    ("recorded", "chip", "then", "now"),
    [
        ("910_93xx", "910_9362", "24 cores, 1800 MHz, 192 MiB of L2", "20 cores, 1500 MHz, 168 MiB of L2"),
        ("910_93xx", "910_9372", "24 cores, 1800 MHz, 192 MiB of L2", "20 cores, 1800 MHz, 192 MiB of L2"),
        ("910_93xx", "910_9392", "24 cores, 1800 MHz, 192 MiB of L2", "24 cores, 1850 MHz, 192 MiB of L2"),
        ("910B4-1", "910B4-1", "20 cores, 1500 MHz, 96 MiB of L2", "20 cores, 1500 MHz, 168 MiB of L2"),
    ],
)
def test_where_the_facts_changed_it_is_not_comparable_and_says_which(store, recorded, chip, then, now):
    store.save(recorded_by_an_earlier_version(f"simulated-{recorded}"), SOURCES)
    assert found_by(store, chip)[1] == [f"chip was {then} and is {now}"]


def test_chips_whose_facts_stayed_compare_without_a_word(store):
    store.save(recorded_by_an_earlier_version("simulated-910B2"), SOURCES)
    assert found_by(store, "910B2")[1] == []


def test_a_new_record_is_held_to_the_old_one_and_then_stands_under_the_chips_own_name(store):
    old = recorded_by_an_earlier_version("simulated-910_93xx")
    store.save(old, SOURCES)
    own = as_named_now(old, replace(old.key, device="simulated-910_9382"))
    slower = replace(
        own.measurement,
        time_us=2 * own.measurement.time_us,
        interval_us=tuple(2 * time for time in own.measurement.interval_us),
        tflops=own.measurement.tflops / 2,
    )
    with pytest.raises(BaselineError, match="would lower the stored number"):
        store.save(replace(own, measurement=slower), SOURCES)
    path = store.save(own, SOURCES)
    assert "simulated-910_9382" in str(path)
    assert store.path(old.key).is_file()  # nothing that was recorded is taken away


def test_a_real_device_is_nobody_elses(store):
    old = baseline()
    store.save(replace(old, key=replace(old.key, device="910_93xx")), SOURCES)
    assert store.load(replace(old.key, device="910_9382")) is None
