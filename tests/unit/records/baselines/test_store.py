from __future__ import annotations

import getpass
import json
import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.search import source_hash
from pytest_ascend_tune.model.verdict import BaselineKey, Fingerprint
from pytest_ascend_tune.records.baselines.candidates import write_candidate
from pytest_ascend_tune.records.baselines.file import canonical
from pytest_ascend_tune.records.baselines.store import BaselineStore
from pytest_ascend_tune.reports.rounding import number
from tests.contracts.store_contract import SOURCES, baseline

KEY = baseline().key


@pytest.fixture
def store(tmp_path):
    return BaselineStore(tmp_path / "root")


def with_sources(made, files):
    """A baseline that was built from these files, and they."""
    made_hash = source_hash(dict(files))
    return replace(made, source_hash=made_hash), replace(SOURCES, files=files, source_hash=made_hash)


def tree(store):
    return {path: path.read_bytes() for path in sorted(store.root.rglob("*")) if path.is_file()}


def test_a_baseline_stands_where_the_contract_says(store):
    path = store.save(baseline(), SOURCES)
    assert path == store.root / "baselines/main/cpu-x/tiny/512x512x512-float32-nn.json"
    assert (store.root / "baselines/main/sources" / SOURCES.source_hash / "include/a.hpp").is_file()


def test_the_file_is_small_stable_and_tells_nothing_of_the_machine(store):
    path = store.save(baseline(), SOURCES)
    text = path.read_text()
    assert text.endswith("}\n")
    assert len(text) < 2000
    assert text.index('"abi"') < text.index('"config"') < text.index('"source_hash"')
    for private in (socket.gethostname(), os.path.expanduser("~"), str(store.root)):
        assert private not in text
    assert f'"{getpass.getuser()}"' not in text
    store.save(store.load(KEY), SOURCES)
    assert path.read_text() == text, "saving what was loaded changes nothing"


@settings(max_examples=200, deadline=None)
@given(st.floats(1e-3, 1e4))
@example(100.2549)  # 100.25 at five digits, which would be shown as 100.2
def test_a_page_shows_the_same_number_of_the_run_and_of_its_baseline(tflops):
    stored = canonical(baseline(tflops=tflops)).measurement
    assert number(stored.tflops) == number(tflops)


def test_an_update_changes_only_the_lines_of_what_changed(store):
    path = store.save(baseline(tflops=1.0), SOURCES)
    before = path.read_text().splitlines()
    better = baseline(tflops=1.1)
    store.save(replace(better, measurement=replace(better.measurement, efficiency_share=0.5)), SOURCES)
    after = path.read_text().splitlines()
    changed = [line.split('"')[1] for line in after if line not in before]
    assert changed == ["efficiency_share", "interval_us", "tflops", "time_us"]


def test_loading_what_is_not_there_makes_no_directory(store):
    assert store.load(KEY) is None
    assert store.list() == ()
    assert store.validate_all("main") == ()
    assert not store.root.exists()


@pytest.mark.parametrize("part", ["name", "device", "template", "problem_id"])
@pytest.mark.parametrize("name", ["", ".", "..", "../x", "/etc", "a/b", "a\\b", "-x", ".git", "x" * 101, "a\nb", "ü"])
def test_names_cannot_leave_the_directory(store, part, name):
    with pytest.raises(BaselineError):
        store.save(replace(baseline(), key=replace(KEY, **{part: name})), SOURCES)
    assert not store.root.exists()


def test_a_device_cannot_be_called_like_the_folder_of_sources(store):
    with pytest.raises(BaselineError, match="Sources"):
        store.path(replace(KEY, device="Sources"))


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/../../evil", "", "a\\b", "x.tmp", "a\nb"])
def test_sources_cannot_leave_their_folder(store, name):
    with pytest.raises(BaselineError, match="source file"):
        store.save(*with_sources(baseline(), ((name, "x"),)))
    assert store.load(KEY) is None


def test_a_link_in_the_repository_cannot_lead_the_writer_out(store, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    store.folder.mkdir(parents=True)
    (store.folder / "main").symlink_to(outside, target_is_directory=True)
    with pytest.raises(BaselineError, match="symbolic link"):
        store.save(baseline(), SOURCES)
    assert list(outside.iterdir()) == []


def test_kept_sources_load_through_the_ordinary_loader(store, tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "my kernel.cpp").write_text("int x;\n")
    (folder / "space.toml").write_text(
        'title = "t"\nsource = "my kernel.cpp"\nbackends = ["cpu"]\ndtypes = ["float32"]\n'
        "[default]\ntile = 4\n[params]\ntile = {pow2 = [4, 64]}\n"
    )
    template = load_template(folder)[0]
    store.save(replace(baseline(), source_hash=template.source_hash), template)
    kept = load_template(store.load_sources(template.source_hash))[0]
    assert (kept.files, kept.source_hash) == (template.files, template.source_hash)


# --- rules -----------------------------------------------------------------------------------------------------------


def test_seeding_never_overwrites(store):
    assert store.seed(baseline(tflops=1.0), SOURCES) == store.path(KEY)
    before = tree(store)
    assert store.seed(baseline(tflops=5.0), SOURCES) is None
    assert tree(store) == before


def test_within_the_noise_a_lower_number_is_no_loss(store):
    store.save(baseline(tflops=1.0, noise_share=0.02), SOURCES)
    store.save(baseline(tflops=0.985, noise_share=0.02), SOURCES)
    assert store.load(KEY).measurement.tflops == 0.985


def test_ten_steps_of_two_percent_do_not_pass(store):
    """No ratchet: each step lies within the noise of the one before, their sum does not."""
    store.save(baseline(tflops=1.0, noise_share=0.015), SOURCES)
    assert lower_until_refused(store, noise_share=0.015) > 0.95


def test_wide_intervals_do_not_hide_a_ratchet(store):
    store.save(baseline(tflops=1.0, noise_share=0.3), SOURCES)
    assert lower_until_refused(store, noise_share=0.3) > 0.94


def lower_until_refused(store, noise_share):
    """Take steps of -2 %; the TFLOPS of the last one that was recorded."""
    tflops = 1.0
    for _ in range(10):
        tflops *= 0.98
        try:
            store.save(baseline(tflops=tflops, noise_share=noise_share), SOURCES)
        except BaselineError as refusal:
            return store.load(KEY).measurement.tflops if "best accepted" in str(refusal) else 0.0
    return 0.0


def test_accepting_a_loss_starts_the_ratchet_anew(store):
    store.save(baseline(tflops=1.0), SOURCES)
    store.save(baseline(tflops=0.8), SOURCES, accept_regression=True)
    store.save(baseline(tflops=0.79), SOURCES)
    with pytest.raises(BaselineError):
        store.save(baseline(tflops=0.75), SOURCES)


def beside_reference(tflops, reference_us, reference_id="openblas 0.3"):
    made = baseline(tflops=tflops)
    return replace(made, measurement=replace(made.measurement, reference_us=reference_us, reference_id=reference_id))


def test_a_day_on_which_the_reference_is_slower_too_proves_no_loss(store):
    store.save(beside_reference(1.0, 100.0), SOURCES)
    store.save(beside_reference(0.8, 125.0), SOURCES)
    with pytest.raises(BaselineError):
        store.save(beside_reference(0.64, 125.0), SOURCES)
    with pytest.raises(BaselineError):
        store.save(beside_reference(0.64, 156.25, "openblas 0.4"), SOURCES)


@pytest.mark.parametrize(
    "change",
    [
        {"time_us": 0.0},
        {"time_us": float("nan")},
        {"time_us": -1.0},
        {"tflops": float("inf")},
        {"tflops": 2.0},
        {"interval_us": (2.0, 1.0)},
        {"interval_us": (0.0, 1.0)},
        {"rounds": 0},
        {"noise_share": -0.1},
        {"noise_share": float("nan")},
        {"efficiency_share": 0.0},
    ],
)
def test_numbers_that_cannot_be_are_not_recorded(store, change):
    with pytest.raises(BaselineError, match="not recorded"):
        store.save(replace(baseline(), measurement=replace(baseline().measurement, **change)), SOURCES)
    assert store.list() == ()


@pytest.mark.parametrize(
    "moment",
    ["", "yesterday", "2026-11-30", "2026-02-30T08:00:00Z", "2026-13-01T08:00:00", "2026-11-30T25:00:00+08:00"],
)
def test_a_baseline_has_a_date_and_time(store, moment):
    with pytest.raises(BaselineError, match="recorded_at"):
        store.save(replace(baseline(), recorded_at=moment), SOURCES)


@pytest.mark.parametrize("zone", ["", "Z", "+08:00"])
@pytest.mark.parametrize("second", ["", ":07", ":07.5", ":07.123456"])
def test_a_date_may_have_seconds_and_a_zone(store, second, zone):
    store.save(replace(baseline(), recorded_at=f"2026-11-30T08:31{second}{zone}"), SOURCES)
    hours = store.load(KEY).recorded_moment.hour - store.load(KEY).recorded_moment.utcoffset().total_seconds() / 3600
    assert hours == (0 if zone == "+08:00" else 8)


@pytest.mark.parametrize("change", [{"device": "cpu-y"}, {"identity": (("cores", "2"),)}])
def test_a_number_of_another_machine_is_no_loss_against_this_one(store, change):
    """The gate calls the old one not comparable: then it cannot say that the new one is lower, either."""
    store.save(baseline(tflops=1.0), SOURCES)
    new = baseline(tflops=0.2)
    facts = {"device": new.recorded_with.device, "identity": new.recorded_with.identity, **change}
    store.save(replace(new, recorded_with=Fingerprint(**facts)), SOURCES)
    assert store.load(KEY).measurement.tflops == 0.2
    with pytest.raises(BaselineError, match="--ascend-tune-accept-regression"):
        store.save(replace(baseline(tflops=0.1), recorded_with=Fingerprint(**facts)), SOURCES)


# --- kept sources ----------------------------------------------------------------------------------------------------


def kept_sources(store):
    return store.folder / "main/sources" / SOURCES.source_hash


EDITS = {
    "a formatter": lambda folder: (folder / "tiny.cpp").write_text("int  x;\n"),
    "a licence hook": lambda folder: (folder / "tiny.cpp").write_text("// Licence\nint x;\n"),
    "a readme": lambda folder: (folder / "README.md").write_text("mine"),
    "a deletion": lambda folder: (folder / "include/a.hpp").unlink(),
    "a rename": lambda folder: (folder / "tiny.cpp").rename(folder / "TINY.cpp"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_kept_sources_that_were_changed_are_refused_by_name_with_the_way_out(store, edit):
    store.save(baseline(), SOURCES)
    EDITS[edit](kept_sources(store))
    with pytest.raises(
        BaselineError, match=r"not the ones that .* is the hash of.*git checkout -- .*delete the folder"
    ):
        store.load_sources(SOURCES.source_hash)


def test_another_set_may_hold_them_unchanged(store):
    path = store.save(baseline(), SOURCES)
    shutil.copytree(path.parents[2], store.folder / "release-1")
    EDITS["a formatter"](kept_sources(store))
    assert store.load_sources(SOURCES.source_hash) == store.folder / "release-1/sources" / SOURCES.source_hash


def test_other_line_ends_are_the_same_sources(store):
    store.save(baseline(), SOURCES)
    kept = kept_sources(store) / "include/a.hpp"
    kept.write_bytes(kept.read_bytes().replace(b"\n", b"\r\n"))
    assert store.load_sources(SOURCES.source_hash) == kept_sources(store)


def test_sources_of_a_candidate_that_were_changed_make_no_baseline(store, tmp_path):
    write_candidate(tmp_path / "run", baseline(), SOURCES)
    EDITS["a formatter"](tmp_path / "run/sources")
    with pytest.raises(BaselineError, match="not recorded: the sources"):
        store.accept(tmp_path / "run")
    assert store.list() == ()


def test_recording_again_mends_changed_sources(store):
    store.save(baseline(), SOURCES)
    EDITS["a formatter"](kept_sources(store))
    store.save(baseline(), SOURCES)
    assert store.load_sources(SOURCES.source_hash) == kept_sources(store)


def test_a_readme_keeps_people_away_from_the_sources_and_is_not_among_them(store):
    store.save(baseline(), SOURCES)
    assert "change nothing" in (store.folder / "README.md").read_text()
    assert {path.name for path in kept_sources(store).iterdir()} == {"include", "space.toml", "tiny.cpp"}
    (store.folder / "README.md").write_text("ours, by the team")
    store.save(baseline(), SOURCES)
    assert (store.folder / "README.md").read_text() == "ours, by the team"


def git(folder, *arguments, check=True):
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=check, capture_output=True, text=True, timeout=60
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_merge_of_two_branches_that_both_recorded_conflicts_in_one_file_that_says_what_to_do(store):
    """Two people record the same problem from different sources, and each a problem of their own."""
    store.save(baseline(tflops=1.0), SOURCES)
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "first"), ("branch", "theirs")):
        git(store.root, *arguments)
    for branch, tflops, own in (("main", 1.1, "64x64x64-float32-nn"), ("theirs", 1.2, "128x128x128-float32-nn")):
        git(store.root, "checkout", "-q", branch)
        new, sources = with_sources(baseline(tflops=tflops), (("tiny.cpp", f"// {branch}\n"),))
        store.save(new, sources)
        store.save(replace(new, key=replace(KEY, problem_id=own), measurement=baseline(own).measurement), sources)
        git(store.root, "add", "-A")
        git(store.root, "commit", "-qm", branch)
    git(store.root, "checkout", "-q", "main")
    assert git(store.root, "merge", "theirs", check=False).returncode == 1
    conflicts = git(store.root, "diff", "--name-only", "--diff-filter=U").stdout.split()
    path = store.path(KEY)
    assert conflicts == [str(path.relative_to(store.root))]
    with pytest.raises(BaselineError, match=r"git conflict marker.*resolve the merge conflict, then run again"):
        store.load(KEY)
    assert list(store.damaged("main")) == [KEY]
    git(store.root, "checkout", "--theirs", "--", conflicts[0])
    assert store.load(KEY).measurement.tflops == 1.2
    assert store.load_sources(store.load(KEY).source_hash) is not None
    assert len(store.validate_all("main")) == 3


# --- damage ----------------------------------------------------------------------------------------------------------


def damaged(text, *keys, to):
    data = json.loads(text)
    target = data
    for key in keys[:-1]:
        target = target[key]
    if to is None:
        del target[keys[-1]]
    else:
        target[keys[-1]] = to
    return json.dumps(data, indent=2, sort_keys=True)


DAMAGE = {
    "empty": (lambda text: "", "empty"),
    "truncated": (lambda text: text[: len(text) // 2], r"\.json:\d+: no valid JSON"),
    "conflict": (lambda text: text.replace('  "abi"', '<<<<<<< HEAD\n  "abi"'), r"\.json:2: git conflict marker"),
    "a list": (lambda text: "[]", "no schema number"),
    "no schema": (lambda text: damaged(text, "schema", to=None), "no schema number"),
    "newer schema": (lambda text: damaged(text, "schema", to=99), "newer version.*upgrade"),
    "schema 0": (lambda text: damaged(text, "schema", to=0), "does not exist"),
    "schema text": (lambda text: damaged(text, "schema", to="1"), "no schema number"),
    "missing key": (lambda text: damaged(text, "config", to=None), "'config' is missing"),
    "unknown key": (lambda text: damaged(text, "tflop", to=1.0), "tflop: unknown key"),
    "text for number": (
        lambda text: damaged(text, "measurement", "time_us", to="1"),
        r"json:\d+: measurement\.time_us",
    ),
    "zero": (lambda text: damaged(text, "measurement", "time_us", to=0), r"json:\d+: measurement\.time_us.*above 0"),
    "negative": (lambda text: damaged(text, "measurement", "tflops", to=-1.0), "above 0"),
    "NaN": (lambda text: damaged(text, "measurement", "tflops", to=float("nan")), "NaN"),
    "contradiction": (lambda text: damaged(text, "measurement", "tflops", to=9.0), "contradict"),
    "upside down": (lambda text: damaged(text, "measurement", "interval_us", to=[300, 200]), "upside down"),
    "three limits": (lambda text: damaged(text, "measurement", "interval_us", to=[1, 2, 3]), "3 values; 2 are needed"),
    "other problem": (lambda text: damaged(text, "key", "problem_id", to="1x1x1-float32-nn"), "stands where"),
    "other device": (lambda text: damaged(text, "key", "device", to="910B1"), "stands where"),
    "bad mark": (lambda text: damaged(text, "best_accepted", to={}), "best_accepted: key 'time_us' is missing"),
    "no config": (lambda text: damaged(text, "config", to={}), "config is empty"),
    "bad hash": (lambda text: damaged(text, "source_hash", to="../x"), "source_hash"),
    "twice": (lambda text: text.replace('  "abi": 1', '  "abi": 1,\n  "abi": 1'), "stands twice"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_by_name_and_never_overwritten(store, damage):
    change, message = DAMAGE[damage]
    path = store.save(baseline(), SOURCES)
    path.write_text(change(path.read_text()))
    before = tree(store)
    better = baseline(tflops=9.0)
    for action in (
        lambda: store.load(KEY),
        lambda: store.validate_all("main"),
        lambda: store.validate_all("main", "cpu-x"),
        lambda: store.save(better, SOURCES, accept_regression=True),
        lambda: store.seed(better, SOURCES),
        lambda: store.prune("main"),
    ):
        with pytest.raises(BaselineError, match=message) as caught:
            action()
        assert str(path) in str(caught.value)
    assert tree(store) == before
    assert store.validate_all("main", "other-device") == ()


@pytest.mark.parametrize("level", ["problem", "template", "device", "name"])
def test_two_names_that_differ_only_in_case_are_one_too_many(store, level):
    path = store.save(baseline(), SOURCES)
    levels = {"problem": path, "template": path.parent, "device": path.parents[1], "name": path.parents[2]}
    original = levels[level]
    twin = original.with_name(original.name.upper())
    if original.is_dir():
        shutil.copytree(original, twin)
    else:
        shutil.copy(original, twin)
    with pytest.raises(BaselineError, match="differs only in case"):
        store.load(KEY)


@pytest.mark.parametrize("name", ["notes.json", "0512x512x512-float32-nn.json", "512X512X512-float32-nn.json"])
def test_a_file_with_a_foreign_name_is_named(store, name):
    path = store.save(baseline(), SOURCES)
    path.with_name(name).write_text("{}")
    with pytest.raises(BaselineError, match=name):
        store.validate_all("main")


def test_a_folder_or_a_dead_link_in_place_of_the_file_is_no_missing_baseline(store):
    path = store.path(KEY)
    path.mkdir(parents=True)
    with pytest.raises(BaselineError, match="cannot be read"):
        store.load(KEY)
    path.rmdir()
    path.symlink_to("nowhere")
    with pytest.raises(BaselineError, match="cannot be read"):
        store.load(KEY)


def test_a_directory_that_cannot_be_written_is_found_before_measuring(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BaselineError, match="not writable"):
        BaselineStore(tmp_path / "file").check_writable()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become a user without rights")
def test_a_read_only_directory_is_found_before_measuring():
    with tempfile.TemporaryDirectory() as outer, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork; the child only looks and leaves
        os.chmod(outer, 0o555)
        child = os.fork()
        if child == 0:
            code = 9
            try:
                os.setuid(65534)
                BaselineStore(Path(outer)).check_writable()
            except BaselineError as refusal:
                code = 7 if "not writable" in str(refusal) else 8
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


# --- provisional baselines -------------------------------------------------------------------------------------------


def provisional(tflops: float):
    return replace(baseline(tflops=tflops), provisional=True)


def test_a_firm_baseline_replaces_a_provisional_one_without_being_called_a_loss(store):
    path = store.save(provisional(2.0), SOURCES)
    assert json.loads(path.read_text())["provisional"] is True
    assert store.load(KEY).provisional
    store.save(baseline(tflops=1.0), SOURCES)
    assert (store.load(KEY).provisional, store.load(KEY).measurement.tflops) == (False, 1.0)
    assert "provisional" not in path.read_text()
    assert "best_accepted" not in path.read_text()
    with pytest.raises(BaselineError, match="would lower the stored number"):
        store.save(baseline(tflops=0.9), SOURCES)


def test_another_provisional_one_may_replace_it_too(store):
    store.save(provisional(2.0), SOURCES)
    store.save(provisional(1.0), SOURCES)
    assert store.load(KEY).measurement.tflops == 1.0


def test_a_provisional_one_is_no_way_round_the_ratchet(store):
    """What was accepted on a quiet device before it stays the mark."""
    store.save(baseline(tflops=1.0, noise_share=0.02), SOURCES)
    with pytest.raises(BaselineError, match="would lower the stored number"):
        store.save(provisional(0.8), SOURCES)
    store.save(provisional(1.5), SOURCES)
    with pytest.raises(BaselineError, match="would lower the best accepted number, 1 TFLOPS"):
        store.save(baseline(tflops=0.9), SOURCES)
    store.save(baseline(tflops=0.99, noise_share=0.02), SOURCES)
    with pytest.raises(BaselineError, match="would lower the best accepted number, 1 TFLOPS"):
        store.save(baseline(tflops=0.94, noise_share=0.2), SOURCES)


def test_anchors_are_kept_and_files_without_the_new_fields_are_read(store):
    made = baseline()
    anchors = (("memory_stream", 20.123456789), ("fma_peak", 100.0))
    path = store.save(replace(made, measurement=replace(made.measurement, anchors=anchors)), SOURCES)
    assert store.load(KEY).measurement.anchors == (("fma_peak", 100.0), ("memory_stream", 20.1235))
    text = path.read_text()
    store.save(store.load(KEY), SOURCES)
    assert path.read_text() == text
    old = json.loads(text)
    del old["measurement"]["anchors"]
    path.write_text(json.dumps(old))
    assert (store.load(KEY).measurement.anchors, store.load(KEY).provisional) == ((), False)


@pytest.mark.parametrize("rate", [0.0, -1.0])
def test_a_rate_of_an_anchor_that_cannot_be_is_refused(store, rate):
    made = baseline()
    with pytest.raises(BaselineError, match="rates of anchors must be finite and above 0"):
        store.save(replace(made, measurement=replace(made.measurement, anchors=(("fma_peak", rate),))), SOURCES)
    assert store.load(KEY) is None


# --- life of a set ---------------------------------------------------------------------------------------------------


def test_a_set_can_be_copied_as_a_folder(store):
    path = store.save(baseline(), SOURCES)
    shutil.copytree(path.parents[2], store.folder / "release-1")
    assert store.load(replace(KEY, name="release-1")).key.name == "release-1"
    assert [key.name for key in store.list()] == ["main", "release-1"]


def test_orphans_are_those_of_the_same_set_and_device_that_no_test_matches(store):
    other = "64x64x64-float32-nn"
    for key in (KEY, replace(KEY, problem_id=other), replace(KEY, device="910B1"), replace(KEY, name="old")):
        store.save(replace(baseline(key.problem_id), key=key), SOURCES)
    assert store.orphans([KEY]) == (replace(KEY, problem_id=other),)
    assert store.orphans([]) == ()


def test_prune_deletes_what_was_named_and_the_sources_nobody_uses(store):
    other = baseline("64x64x64-float32-nn")
    store.save(baseline(), SOURCES)
    other, sources = with_sources(other, (("other.cpp", "int y;"),))
    store.save(other, sources)
    assert store.prune("main") == ()
    deleted = store.prune("main", [other.key])
    assert [path.name for path in deleted] == ["64x64x64-float32-nn.json", sources.source_hash]
    assert store.list() == (KEY,)
    assert store.load_sources(sources.source_hash) is None
    assert store.load_sources(SOURCES.source_hash) is not None
    assert store.prune("other") == ()


def test_prune_deletes_nothing_that_is_not_named_by_a_hash_and_nothing_through_a_link(store, tmp_path):
    store.save(baseline(), SOURCES)
    sources, outside = store.folder / "main/sources", tmp_path / "outside"
    for folder in (sources / "notes", sources / ("cd" * 16), sources / ("cd" * 32), outside):
        folder.mkdir()
        (folder / "mine.cpp").write_text("mine")
    (sources / "README.md").write_text("mine")
    (sources / ("ef" * 32)).symlink_to(outside)
    assert store.prune("main") == ()
    kept = {"notes", "cd" * 16, "cd" * 32, "README.md", "ef" * 32, SOURCES.source_hash}
    assert {path.name for path in sources.iterdir()} == kept
    assert (outside / "mine.cpp").read_text() == "mine"


@pytest.mark.parametrize("linked", ["sources", "tiny"])
def test_prune_goes_through_no_link_that_leads_out(store, tmp_path, linked):
    store.save(baseline(), SOURCES)
    place = store.folder / "main" / ("sources" if linked == "sources" else "cpu-x")
    place.rename(tmp_path / "outside")
    place.symlink_to(tmp_path / "outside")
    before = sorted(path for path in (tmp_path / "outside").rglob("*"))
    with pytest.raises(BaselineError, match="symbolic link leads out"):
        store.prune("main", [KEY])
    assert sorted(path for path in (tmp_path / "outside").rglob("*")) == before


def test_prune_deletes_no_file_that_holds_no_baseline(store):
    path = store.save(baseline(), SOURCES)
    path.write_text("my own notes")
    with pytest.raises(BaselineError, match=re.escape(str(path))):
        store.prune("main", [KEY])
    assert path.read_text() == "my own notes"


@pytest.mark.parametrize("shared", ["empty", "baselines", "foreign"])
def test_the_folder_of_baselines_may_be_a_link_to_baselines(store, tmp_path, shared):
    store.save(baseline(), SOURCES)
    if shared != "baselines":
        shutil.rmtree(store.folder)
        store.folder.mkdir()
    if shared == "foreign":
        (store.folder / "letter").write_text("dear")
    store.folder.rename(tmp_path / "shared")
    store.folder.symlink_to(tmp_path / "shared")
    if shared == "foreign":
        for act in (lambda: store.save(baseline(), SOURCES), store.check_writable):
            with pytest.raises(BaselineError, match="symbolic link leads out"):
                act()
        assert os.listdir(tmp_path / "shared") == ["letter"]
    else:
        store.check_writable()
        store.save(baseline(), SOURCES)
        assert store.list() == (KEY,)
        assert store.folder.is_symlink()


@pytest.mark.parametrize("name", ["env.h", "sources"])
def test_a_link_among_kept_sources_is_copied_into_no_baseline(store, tmp_path, name):
    folder = tmp_path / "runs/r/tiny" / KEY.problem_id
    write_candidate(folder, baseline(), SOURCES)
    if name == "env.h":
        (folder / "sources" / name).symlink_to("/proc/self/environ")
    else:
        (folder / name).rename(tmp_path / "elsewhere")
        (folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BaselineError, match="a symbolic link among the kept sources"):
        store.accept(folder)
    assert store.load(KEY) is None


def test_accepting_a_kept_candidate_records_it_with_its_sources(store, tmp_path):
    store.save(baseline(tflops=1.0), SOURCES)
    folder = tmp_path / "runs" / "r" / "tiny" / KEY.problem_id
    write_candidate(folder, baseline(tflops=0.8), SOURCES)
    shutil.rmtree(store.folder / "main" / "sources")
    with pytest.raises(BaselineError, match="would lower the stored number"):
        store.accept(folder)
    assert store.accept(folder, accept_regression=True) == store.path(KEY)
    assert store.load(KEY).measurement.tflops == 0.8
    assert (store.load_sources(SOURCES.source_hash) / "tiny.cpp").read_bytes() == b"int x;\r\n"
    assert store.accept(folder, "next") == store.path(replace(KEY, name="next"))


def test_a_run_without_candidate_cannot_be_accepted(store, tmp_path):
    with pytest.raises(BaselineError, match=r"holds no candidate\.json"):
        store.accept(tmp_path)
    write_candidate(tmp_path, baseline(), SOURCES)
    shutil.rmtree(tmp_path / "sources")
    with pytest.raises(BaselineError, match="sources are gone"):
        store.accept(tmp_path)


def record(root, start, number):
    start.wait()
    store = BaselineStore(root)
    for step in range(8):
        store.save(baseline(tflops=1.0 + step * 0.5 + number * 0.1), SOURCES, accept_regression=True)


def test_concurrent_writers_leave_one_whole_baseline(store):
    context = multiprocessing.get_context("spawn")
    start = context.Event()
    writers = [context.Process(target=record, args=(store.root, start, number)) for number in range(3)]
    for writer in writers:
        writer.start()
    start.set()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
        writer.close()
    assert store.load(KEY) is not None
    assert not list(store.root.rglob("*.tmp"))


def test_what_a_killed_writer_left_is_cleared_by_the_next(store):
    path = store.save(baseline(), SOURCES)
    leftover = path.with_name(f".{path.name}.1-ab.tmp")
    leftover.write_text("half")
    assert store.list() == (KEY,)
    store.save(baseline(), SOURCES)
    assert not leftover.exists()


def test_keys_of_all_sets_are_listed_in_order(store):
    names = ("b", "a")
    for name in names:
        store.save(replace(baseline(), key=replace(KEY, name=name)), SOURCES)
    assert store.list() == tuple(BaselineKey(name, "cpu-x", "tiny", KEY.problem_id) for name in sorted(names))
    assert store.list("a") == (replace(KEY, name="a"),)
