"""``ascend-tune init`` end to end, and what every command has in common."""

import os
import subprocess
import sys

import pytest

from pytest_ascend_tune import cli
from pytest_ascend_tune.cli.commands import COMMANDS
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.door import switch

WRITTEN = ("tests/perf/test_gemm_performance.py", "tests/perf/shapes.csv", "ci/ascend-tune.sh", "pytest.ini")


def files_below(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_init_writes_a_start_and_says_so(tmp_path, capsys):
    assert cli.main(["init", str(tmp_path)]) == 0
    assert files_below(tmp_path) == set(WRITTEN)
    said = capsys.readouterr().out
    assert all(f"written  {name}" in said for name in WRITTEN)
    assert "pytest tests/perf/test_gemm_performance.py --ascend-tune" in said


def test_init_records_nothing_by_itself(tmp_path, capsys):
    assert cli.main(["init", str(tmp_path)]) == 0
    ini = (tmp_path / "pytest.ini").read_text()
    assert "missing" not in ini
    script = (tmp_path / "ci/ascend-tune.sh").read_text()
    assert "seed" not in "".join(line for line in script.splitlines(keepends=True) if not line.startswith("#"))
    assert 'doctor --backend "$backend"' in script
    assert "bash ci/ascend-tune.sh --ascend-tune-missing=seed" in capsys.readouterr().out


def test_init_copies_a_template_and_makes_it_the_one_that_is_gated(tmp_path, capsys):
    assert cli.main(["init", str(tmp_path), "--template", "cpu_gemm"]) == 0
    own, space = load_template("kernels/cpu_gemm", tmp_path)
    assert own.source_hash == load_template("cpu_gemm")[0].source_hash
    assert space.default is not None
    assert "ascend_tune_template = kernels/cpu_gemm" in (tmp_path / "pytest.ini").read_text()
    assert (tmp_path / "kernels/cpu_gemm/README.md").is_file()
    assert not list(tmp_path.rglob("__init__.py"))
    capsys.readouterr()
    assert cli.main(["init", str(tmp_path), "--template", "cpu_gemm"]) == 0
    assert "kept     kernels/cpu_gemm/cpu_gemm.cpp (exists)" in capsys.readouterr().out


def test_init_names_the_templates_that_there_are(tmp_path, capsys):
    assert cli.main(["init", str(tmp_path), "--template", "nosuch"]) == 2
    assert "there are: catlass_gemm, cpu_gemm" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_init_overwrites_nothing(tmp_path, capsys):
    (tmp_path / "tests/perf").mkdir(parents=True)
    mine = tmp_path / "tests/perf/shapes.csv"
    mine.write_text("mine")
    (tmp_path / "setup.cfg").write_text("[tool:pytest]\n")
    assert cli.main(["init", str(tmp_path)]) == 0
    assert cli.main(["init", str(tmp_path)]) == 0
    assert mine.read_text() == "mine"
    assert (tmp_path / "setup.cfg").read_text() == "[tool:pytest]\n"
    assert "pytest.ini" not in files_below(tmp_path)
    said = capsys.readouterr().out
    assert "kept     tests/perf/shapes.csv (exists)" in said
    assert "ascend_tune_threshold = 2.5%" in said


def test_what_init_wrote_runs(tmp_path):
    """Its script on the simulator: red in CI while there are no baselines, seeded by hand, then green."""
    assert cli.main(["init", str(tmp_path), "--template", "catlass_gemm"]) == 0
    environment = {
        **os.environ,
        "BACKEND": "simulator",
        "PATH": f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": "-p no:cacheprovider --ascend-tune-max-iter=2",
        "OPENBLAS_NUM_THREADS": "1",
    }

    def script(*options, **more):
        return subprocess.run(
            ["bash", "ci/ascend-tune.sh", *options],
            cwd=tmp_path, env=environment | more, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    fresh = script(CI="true")
    assert fresh.returncode == 1
    assert "no baseline for this device" in fresh.stdout
    seeded = script("--ascend-tune-missing=seed")
    assert seeded.returncode == 0, seeded.stdout + seeded.stderr
    assert "Baselines recorded: 4" in seeded.stdout
    done = script("--ascend-tune-max-iter=0", CI="true")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
    assert "All 4 problems passed the gate." in done.stdout
    assert "this kernel is part of" not in done.stdout, "the repository has its own copy"
    assert (tmp_path / "ascend-tune.xml").is_file()
    assert (tmp_path / ".ascend-tune/report/index.html").is_file()
    recorded = {path.stem for path in (tmp_path / ".ascend-tune/baselines").glob("*/*/*/*.json")}
    assert len(recorded) == 4
    assert "777x1111x513-float16-nn" in recorded


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([command.name, "--help"])
    assert ended.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert command.help.split(",")[0] in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tune", "--backend", "simulator"], "no problem"),
        (["tune", "--backend", "simulator", "--m", "4"], "give --m, --n and --k together"),
        (["tune", "--backend", "simulator", "--matrix-size", "64", "--threshold", "5"], "no percentage"),
        (
            ["tune", "--backend", "simulator", "--matrix-size", "64", "--max-iter", "-1"],
            "ascend-tune: --max-iter: '-1'",
        ),
        (["tune", "--matrix-size", "64", "--accept-regression"], "--accept-regression does nothing without --update"),
        (["tune", "--backend", "simulator", "--matrix-size", "64", "--output", "/dev/null/x"], "with --dir"),
        (["calibrate", "--backend", "simulator", "--matrix-size", "64", "--rounds", "0"], "rounds=0"),
        (["compare", "nowhere", "nowhere", "--threshold", "5"], "--threshold: '5'"),
        (["plot", "nowhere"], "nowhere"),
        (["report", "nowhere"], "nowhere"),
        (["compare", "nowhere", "nowhere"], "nowhere"),
        (["baseline", "show", "1x1x1-float32-nn", "--dir", "."], "there are: none"),
        (["baseline", "show", "1x1x1-float32-nn", "--dir", "nowhere"], "nowhere: there is no such folder"),
        (["baseline", "list", "--dir", "nowhere"], "nowhere: there is no such folder"),
        (["baseline", "prune", "--dir", "nowhere"], "nowhere: there is no such folder"),
        (["export", "--dir", "nowhere"], "nowhere: there is no such folder"),
        (["export", "--dir", ".", "--baseline", "other"], "no baselines in set 'other'"),
        (["space", "--backend", "simulator", "--list"], "give a problem"),
        (["space", "--backend", "simulator", "--config", "tile_m"], "NAME=VALUE"),
        (["doctor", "--backend", "nosuch"], "allowed: auto, ascend, cpu, simulator, simulator:DEVICE"),
        (["tune", "--matrix-size", "64", "--wait", "-1"], "a number of minutes, 0 or more"),
        (["explain"], "no problem"),
        (["explain", "--matrix-size", "999999"], "GiB of memory"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_message_and_exit_code_2(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("ascend-tune: ")
    assert words in said
    assert "Traceback" not in said


@pytest.mark.parametrize("backend", ["cpu", "simulator"])
def test_a_space_is_shown_without_a_problem(backend, capsys):
    assert cli.main(["space", "--backend", backend]) == 0
    said = capsys.readouterr().out
    assert "tile_m: " in said
    assert "depends on" in said
    assert "give --m, --n and --k, or --matrix-size" in said
    assert cli.main(["space", "--backend", backend, "--matrix-size", "256"]) == 0
    said = capsys.readouterr().out
    assert "depends on" not in said
    assert "legal for 256x256x256-" in said


def test_advice_names_the_options_of_the_command(tmp_path, capsys):
    tune = ["tune", "--backend", "simulator", "--matrix-size", "64", "--max-iter", "1", "--dir", str(tmp_path)]
    assert cli.main([*tune, "--accept-regression"]) == 2
    assert "--accept-regression does nothing without --update-baseline; give both" in capsys.readouterr().err
    assert cli.main(tune) == 0
    (pictures,) = tmp_path.glob("runs/*/*/64x64x64-float16-nn")
    assert f"pictures of 64x64x64-float16-nn: {pictures}" in capsys.readouterr().out
    assert (pictures / "bo_convergence_curve.png").is_file()
    assert "record one with --update-baseline" in (tmp_path / "report/index.html").read_text("utf-8")
    assert cli.main(["baseline", "list", "--dir", str(tmp_path / "none")]) == 2
    assert "name the one that --dir named" in capsys.readouterr().err
    assert switch("update_baseline") == "--ascend-tune-update-baseline", "pytest's door is open again"


def test_what_a_command_does_not_offer_keeps_the_name_that_pytest_gives_it(tmp_path, capsys):
    assert cli.main(["baseline", "list", "--dir", str(tmp_path)]) == 0
    assert "--ascend-tune-missing=seed records them" in capsys.readouterr().out


def test_a_kernel_of_this_package_is_called_that_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shapes = tmp_path / "shapes.csv"
    shapes.write_text("m,n,k\n64,64,64\n128,64,64\n")
    assert cli.main(["tune", "--backend", "simulator", "--shapes", "shapes.csv", "--max-iter", "1"]) == 0
    said = capsys.readouterr().out
    assert said.count("this kernel is part of pytest-ascend-tune, not of your repository") == 1
    assert "ascend-tune init --template catlass_gemm" in said


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_in_ci_a_tune_without_a_baseline_is_red(tmp_path, monkeypatch, capsys, ci, code):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", ci)
    tune = ["tune", "--backend", "simulator", "--matrix-size", "64", "--max-iter", "1"]
    assert cli.main(tune) == code
    assert ("no baseline for this device" in capsys.readouterr().out) is bool(code)
    assert cli.main([*tune, "--missing", "seed"]) == 0
    assert cli.main(tune) == 0


def test_a_folder_whose_name_is_not_utf_8(tmp_path, capsys, monkeypatch):
    """Written, read again, deleted; its name is shown escaped."""
    monkeypatch.chdir(tmp_path)
    place = os.fsdecode(b"caf\xe9")
    size = ["--matrix-size", "64", "--backend", "simulator", "--max-iter", "2"]
    assert cli.main(["tune", *size, "--output", place]) == 0
    (run,) = [str(path) for path in (tmp_path / place / "runs").iterdir()]
    assert cli.main(["report", run, "--output", f"{place}/again"]) == 0
    assert cli.main(["clean", "--dir", place, "--keep", "0"]) == 0
    assert "caf\\udce9" in capsys.readouterr().out
    assert cli.main(["tune", *size, "--template", place]) == 2
    assert "'caf\\udce9' cannot name a file" in capsys.readouterr().err


def test_clean_says_what_it_deletes_and_what_it_keeps(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    size = ["--matrix-size", "64", "--backend", "simulator", "--max-iter", "2"]
    for _ in range(2):
        assert cli.main(["tune", *size, "--output", "out"]) == 0
    old, new = sorted(path.name for path in (tmp_path / "out/runs").iterdir())
    capsys.readouterr()
    assert cli.main(["clean", "--dir", "out", "--keep", "0", "--dry-run"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"would delete  out/runs/{old}",
        f"kept     out/runs/{new}: catlass_gemm/64x64x64-float16-nn: can still be accepted as a baseline"
        " (ascend-tune baseline accept)",
    ]
    assert cli.main(["clean", "--dir", "out", "--keep", "1"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"deleted  out/runs/{old}"]
    assert cli.main(["clean", "--dir", "out"]) == 0
    assert "nothing to delete" in capsys.readouterr().out
    assert [path.name for path in (tmp_path / "out/runs").iterdir()] == [new]
