"""One baseline file: its exact form, how it is read and checked, and the rules for replacing it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_ascend_tune.files import atomic, jsontext
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey, Fingerprint, StoredMeasurement
from pytest_ascend_tune.records.format.codec import check_schema, read_value, to_json

SCHEMA = 1
DIGITS = 6  # significant digits kept: as many as a page rounds from (reports/rounding), so that both show the same
RATCHET_SHARE = 0.05  # twice the default threshold: a loss since the best accepted number that no noise excuses


@dataclass(frozen=True)
class Entry:
    """A baseline with the best measurement ever accepted for it: the mark against which small losses add up."""

    baseline: Baseline
    best: StoredMeasurement


def next_entry(old: Entry | None, new: Baseline, path: Path, *, accept_regression: bool) -> Entry:
    """What to store when `new` comes after `old`. Raises BaselineError when a rule forbids the change."""
    new = canonical(new)
    _check_numbers(new, path)
    if old is None:
        return Entry(new, new.measurement)
    if old.baseline.simulated != new.simulated:
        kinds = ("a simulated", "a measured") if new.simulated else ("a measured", "a simulated")
        raise BaselineError(f"{path}: {kinds[0]} result may not replace {kinds[1]} baseline; use another set or device")
    if accept_regression or not _same_machine(old.baseline, new):
        return Entry(new, new.measurement)
    marks = [("stored", old.baseline.measurement, 1.0), ("best accepted", old.best, RATCHET_SHARE)]
    if old.baseline.provisional:  # its own numbers decide nothing, those accepted before it still do
        marks = [mark for mark in marks[1:] if old.best != old.baseline.measurement]
    for since, stored, excused in marks:
        if proven_loss(stored, new.measurement) > 0 or loss(stored, new.measurement) > excused:
            raise BaselineError(
                f"{path}: recording {_spell(new.measurement)} would lower the {since} number, {_spell(stored)}, by"
                f" {100 * loss(stored, new.measurement):.1f} %; it is kept. If the loss is wanted, record again with"
                f" {switch('accept_regression')}"
            )
    if not marks:
        return Entry(new, new.measurement)
    if new.provisional:
        return Entry(new, old.best)
    return Entry(new, max(old.best, new.measurement, key=lambda measurement: measurement.tflops))


def _same_machine(old: Baseline, new: Baseline) -> bool:
    """Whether one number can be a loss against the other: device and identity are what the gate compares first."""
    then, now = canonical(old).recorded_with, new.recorded_with
    return (then.device, then.identity) == (now.device, now.identity)


def proven_loss(old: StoredMeasurement, new: StoredMeasurement) -> float:
    """Share of speed surely lost: the gap between the two intervals, 0 when they touch.

    Where both were measured beside the same reference kernel the loss must also show relative to it, because a stored
    number from another day carries that day's clock and neighbours (measured for this project, benchmarks/gate).
    """
    gaps = [1 - old.interval_us[1] / new.interval_us[0]]
    if (drift := _reference_drift(old, new)) is not None:
        gaps.append(1 - old.interval_us[1] * drift / new.interval_us[0])
    return max(0.0, min(gaps))


def loss(old: StoredMeasurement, new: StoredMeasurement) -> float:
    """Share of speed lost by the point values, relative to the shared reference where that makes it smaller."""
    losses = [1 - old.time_us / new.time_us]
    if (drift := _reference_drift(old, new)) is not None:
        losses.append(1 - old.time_us * drift / new.time_us)
    return min(losses)


def _reference_drift(old: StoredMeasurement, new: StoredMeasurement) -> float | None:
    if old.reference_us and new.reference_us and old.reference_id and old.reference_id == new.reference_id:
        return new.reference_us / old.reference_us
    return None


def _spell(measurement: StoredMeasurement) -> str:
    time, (low, high) = measurement.time_us, measurement.interval_us
    rate = measurement.tflops
    return f"{rate:.4g} TFLOPS [{rate * time / high:.4g}, {rate * time / low:.4g}]"


def canonical(baseline: Baseline) -> Baseline:
    """The baseline as its file will give it back: numbers cut to the kept digits, facts in order of name."""
    recorded, anchors = baseline.recorded_with, dict(baseline.measurement.anchors)
    facts = Fingerprint(recorded.device, _in_order(recorded.identity), _in_order(recorded.versions))
    numbers: dict[str, Any] = {
        name: tuple(jsontext.rounded(list(value), DIGITS))
        if isinstance(value, tuple)
        else jsontext.rounded(value, DIGITS)
        for name, value in vars(baseline.measurement).items()
        if name in StoredMeasurement.__dataclass_fields__
    }
    numbers["anchors"] = tuple(sorted(jsontext.rounded(anchors, DIGITS).items()))
    return replace(baseline, measurement=StoredMeasurement(**numbers), recorded_with=facts)


def _in_order(facts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(dict(facts).items()))


def write_entry(path: Path, entry: Entry) -> None:
    """Replace the file atomically."""
    baseline = entry.baseline
    members = to_json(baseline)
    del members["key"]["name"]  # the path says it
    if not baseline.key.variant:
        del members["key"]["variant"]
    if not baseline.provisional:
        del members["provisional"]
    data = {"schema": SCHEMA, **members}
    if entry.best != baseline.measurement:
        data["best_accepted"] = to_json(entry.best)
    for measurement in (data["measurement"], data.get("best_accepted", {})):
        if not measurement.get("anchors", True):
            del measurement["anchors"]
    atomic.write_text(path, jsontext.dump(data, sort_keys=True), error=BaselineError)


def read_entry(path: Path, key: BaselineKey) -> Entry:
    """The entry in the file `path`, which stands where `key` belongs. Raises BaselineError for anything not right."""
    advice = f"restore it with git, or delete it and record again with {switch('update_baseline')}"
    document = jsontext.read_document(path, error=BaselineError, advice=advice)
    check_schema(document, SCHEMA)
    stored = document.data.get("key")
    wanted = {"device": key.device, "template": key.template, "problem_id": key.problem_id}
    if key.variant:
        wanted["variant"] = key.variant
    if stored != wanted:
        document.refuse(f"found {str(stored)[:200]}, but the file stands where {wanted} belongs", ("key",))
    members = {name: member for name, member in document.data.items() if name not in ("schema", "best_accepted")}
    members["key"] = {"name": key.name, **wanted}
    baseline = read_value(Baseline, document, members)
    best = document.data.get("best_accepted")
    entry = Entry(
        baseline,
        read_value(StoredMeasurement, document, best, ("best_accepted",)) if best is not None else baseline.measurement,
    )
    for keys, measurement in (("measurement", baseline.measurement), ("best_accepted", entry.best)):
        if problem := _contradiction(measurement, baseline.key):
            document.refuse(problem, (keys,))
    if problem := _bad_word(baseline):
        document.refuse(problem)
    return entry


def _check_numbers(baseline: Baseline, path: Path) -> None:
    problem = _contradiction(baseline.measurement, baseline.key) or _bad_word(baseline)
    if problem:
        raise BaselineError(f"{path}: not recorded: {problem}")


def _contradiction(measurement: StoredMeasurement, key: BaselineKey) -> str:
    """Numbers that cannot be a measurement of the problem; rounding in the last kept digit is forgiven."""
    low, high = measurement.interval_us
    time = measurement.time_us
    if not all(0 < number < float("inf") for number in (low, high, time, measurement.tflops)):
        return "time, interval and TFLOPS must be finite and above 0"
    if low > high:
        return f"interval_us [{low:g}, {high:g}] is upside down"
    if measurement.rounds < 1:
        return f"rounds is {measurement.rounds}; a confirmation has at least 1"
    if not (0 <= measurement.noise_share < float("inf") and 0 < measurement.efficiency_share < float("inf")):
        return "noise_share and efficiency_share must be finite, not negative"
    if any(not 0 < rate < float("inf") for _, rate in measurement.anchors):
        return "the rates of anchors must be finite and above 0"
    rate = GemmProblem.from_id(key.problem_id).tflops(time)
    if abs(measurement.tflops / rate - 1) > 1e-3:
        return f"tflops {measurement.tflops:g} and time_us {time:g} contradict each other: the time makes {rate:.4g}"
    return ""


def _bad_word(baseline: Baseline) -> str:
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?", baseline.recorded_at):
        return f"recorded_at {baseline.recorded_at[:50]!r} is no date and time of ISO 8601"
    try:
        _ = baseline.recorded_moment
    except ValueError as error:
        return f"recorded_at {baseline.recorded_at[:50]!r} is no date and time that exists ({error})"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", baseline.source_hash):
        return f"source_hash {baseline.source_hash!r} is no hash"
    return "" if baseline.config else "config is empty"
