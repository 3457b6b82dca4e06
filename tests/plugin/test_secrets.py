"""A secret is planted in every option and in the environment; nothing that is then written or printed holds it."""

from __future__ import annotations

import sys
from pathlib import Path

import hypothesis  # noqa: F401 - in-process runs forget what they load; this takes longest
import pytest

import pytest_ascend_tune.backends.simulator.backend
import pytest_ascend_tune.execute.local  # noqa: F401
from pytest_ascend_tune import cli
from pytest_ascend_tune.execute import locks as turns
from pytest_ascend_tune.options.table import OPTIONS

URLS = ("history", "executor")  # whose values may be secret whatever they look like
# The others take no secret; a URL that was meant for another option is masked there all the same.
PLAIN = {
    **{option.name: "a switch: on or off" for option in OPTIONS if option.flag},
    **{option.name: "a number" for option in OPTIONS if option.number},
    "threshold": "a percentage",
    "min_efficiency": "a percentage",
    "devices": "numbers",
    **dict.fromkeys(("missing", "inconclusive", "platform", "lang", "l2"), "one of the words that its help lists"),
    "unconverged": "one of the words that its help lists",
    "backend": "a name out of a list; a wrong one is shown so that it can be mended",
    "template": "a name or a folder; reports name it",
    "against": "a git revision; reports name it",
    "shapes": "a file; node ids name it",
    "baseline": "a name, and a folder of that name",
    "dir": "a folder",
    "triton_python": "a program; doctor names it",
    "report": "a file",
    "json": "a file",
    "old_cxx": "a program; arguments after it are never shown",
    "old_cann": "a folder",
    "lock_dir": "a folder",
}
TEST = """
import pytest

@pytest.mark.ascend_tune(m=512, n=512, k=512)
def test_gemm(ascend_tune):
    ascend_tune()
"""
ENVIRONMENT = {
    "PGPASSWORD": "{}",
    "PGUSER": "{}",
    "GITHUB_TOKEN": "{}",
    "CI_JOB_TOKEN": "{}",
    "AWS_SECRET_ACCESS_KEY": "{}",
    "CXX": "g++ -DTOKEN={}",
    "CXXFLAGS": "-DTOKEN={}",
    "CFLAGS": "-D{}",
    "DATABASE_URL": "postgresql://me:{}@host/db",
    "HTTPS_PROXY": "http://me:{}@proxy:3128",
    "ASCEND_TUNE_TOKEN": "{}",
}
SIMULATOR = ("-p", "no:cacheprovider", "--ascend-tune", "--ascend-tune-backend=simulator", "--ascend-tune-max-iter=3")


@pytest.fixture
def project(project):
    """On the simulator: no fake backend is needed."""
    project.pytester.makeconftest("")
    return project


def secret(name: str) -> str:
    """One word of letters, so that no form of writing changes it."""
    return f"S3cr3t{name.replace('_', '').title()}Hunter"


def forms(name: str) -> list[str]:
    """What is given to an option: a URL with secrets; to those that take one also mistyped ones and no URL at all."""
    hidden = secret(name)
    url = f"postgresql://me:{hidden}@127.0.0.1:1/db?password={hidden}&token={hidden}"
    if name not in URLS:
        return [url]
    odd = [f"postgresql://me:{hidden}@host:notaport/db", f"ray://me:{hidden}@127.0.0.1:1", f"host=x password={hidden}"]
    return [url, *odd, hidden]


def plant(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name, form in ENVIRONMENT.items():
        monkeypatch.setenv(name, form.format(secret(name)))
    return [secret(name) for name in ENVIRONMENT]


def leaks(secrets: list[str], said: str, *folders: Path | str) -> list[str]:
    """Where one of `secrets` stands: in what was said, in the name or the bytes of a file below `folders`."""
    found = [f"said: {line}" for line in said.splitlines() for one in secrets if one in line]
    for path in (path for folder in folders for path in Path(folder).rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        found += [str(path) for one in secrets if one.encode() in data or one in str(path)]
    return found


def test_every_option_says_whether_it_may_hold_a_secret():
    assert {*URLS, *PLAIN} == {option.name for option in OPTIONS}
    assert not {*URLS} & {*PLAIN}


def test_the_search_for_leaks_finds_them(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.bin").write_bytes(b"\0S3cr3tX\0")
    assert leaks(["S3cr3tX"], "see S3cr3tX", tmp_path) == ["said: see S3cr3tX", str(tmp_path / "deep/a.bin")]


@pytest.mark.parametrize("way", ["command line", "ini"])
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_no_option_gives_its_secret_away(project, monkeypatch, option, way):
    if option.flag and way == "command line":
        pytest.skip("a switch takes no value")
    project.pytester.makepyfile(TEST)
    test, hidden = project.path / "test_no_option_gives_its_secret_away.py", [secret(option.name)]
    said = ""
    for value in forms(option.name):
        arguments = [argument for argument in SIMULATOR if not argument.startswith(f"{option.switch}=")]
        if option.name == "enabled":
            arguments.remove(option.switch)
        given = [f"{option.switch}={value}"] if way == "command line" else ["-o", f"{option.ini}={value}"]
        result = project.pytester.runpytest_inprocess(*arguments, *given, str(test))
        said += result.stdout.str() + result.stderr.str()
        assert "INTERNALERROR" not in said
        assert result.ret == pytest.ExitCode.USAGE_ERROR, said
    assert "***" in said
    assert leaks(hidden, said, project.path, turns.MACHINE_FOLDER) == []


def test_a_whole_run_gives_nothing_away(project, monkeypatch):
    """History with a token in its URL, a failing gate, GitHub's annotations and step summary, JUnit, report again."""
    secrets = [*plant(monkeypatch), secret("history")]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "step.md"))
    project.pytester.makepyfile(test_it=TEST)
    url = f"sqlite:///file:{project.path}/mine.sqlite?uri=true&mode=rwc&token={secret('history')}"
    result = project.pytester.runpytest_inprocess(
        *SIMULATOR, f"--ascend-tune-history={url}", "--ascend-tune-min-efficiency=99.9%", "--junitxml=junit.xml", "-rA"
    )
    said = result.stdout.str() + result.stderr.str()
    assert result.ret == pytest.ExitCode.TESTS_FAILED, said
    assert "::error file=test_it.py" in said
    assert (project.path / "mine.sqlite").stat().st_size > 0
    (best,) = (path / "best_config.json" for path in project.runs())
    shown = "--ascend-tune-history=sqlite:///***?uri=true&mode=rwc&token=***"
    for file in (best, project.path / "step.md"):
        assert shown in file.read_text("utf-8")
    assert leaks(secrets, said, project.path, turns.MACHINE_FOLDER) == []

    best.write_text(best.read_text("utf-8").replace(shown, f"--ascend-tune-history={url}"), "utf-8")
    run = best.parents[2].relative_to(project.path)
    monkeypatch.chdir(project.path)
    assert cli.main(["report", str(run), "--output", "again"]) == 0
    assert leaks(secrets, "", project.path / "again") == [], "nor what an early version had written"


def test_the_command_line_gives_nothing_away(project, monkeypatch, capfd):
    secrets = [*plant(monkeypatch), secret("history"), secret("executor"), secret("report")]
    monkeypatch.chdir(project.path)
    tune = ["tune", "--matrix-size", "512", "--backend", "simulator", "--max-iter", "3"]
    url = f"sqlite:///file:{project.path}/mine.sqlite?uri=true&mode=rwc&token={secret('history')}"
    assert cli.main([*tune, "--history", url]) == 0
    for name in ("history", "executor", "report"):
        for value in forms(name):
            assert cli.main([*tune, f"--{name}", value]) == 2
    for mistyped in (["tune", f"--histroy={url}"], ["tune", "--matrix-size", url], [url], ["report", "--lang", url]):
        with pytest.raises(SystemExit):
            cli.main(mistyped)
    cli.main(["doctor", "--backend", "simulator", "--json"])
    said = "".join(capfd.readouterr())
    assert "***" in said
    assert leaks(secrets, said, project.path, turns.MACHINE_FOLDER) == []


@pytest.mark.parametrize("number", [0, pytest.param(2, marks=pytest.mark.slow)], ids=["one process", "xdist"])
def test_the_real_url_reaches_who_connects(project, number):
    if number:
        pytest.importorskip("xdist")
    project.pytester.makepyfile(test_it=TEST)
    url = f"sqlite:///file:{project.path}/mine.sqlite?uri=true&mode=rwc&token={secret('history')}"
    spread = ("-n", str(number)) if number else ()
    result = project.pytester.run(
        sys.executable, "-m", "pytest", *SIMULATOR, f"--ascend-tune-history={url}", *spread, timeout=120
    )
    result.assert_outcomes(passed=1)
    assert (project.path / "mine.sqlite").stat().st_size > 0
    assert leaks([secret("history")], result.stdout.str() + result.stderr.str(), project.path) == []
