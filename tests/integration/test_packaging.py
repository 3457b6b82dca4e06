"""Wheel and sdist: what they hold, whether they are fit to publish, and that an empty environment can use them."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEST = """
import pytest

@pytest.mark.ascend_tune(m=512, n=512, k=512, max_iter=3)
def test_gemm(ascend_tune):
    assert ascend_tune().tflops > 0
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy to build from: building writes beside the sources."""
    folder = tmp_path_factory.mktemp("packages") / "source"
    unwanted = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder, ignore=unwanted)
    return folder


@pytest.fixture(scope="module")
def wheel(source):
    folder = source.parent / "wheel"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def sdist(source):
    pytest.importorskip("build")
    folder = source.parent / "sdist"
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(source)], check=True)
    (path,) = folder.glob("*.tar.gz")
    return path


def files_below(folder, prefix):
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"{prefix}/{path.relative_to(folder).as_posix()}" for path in found}


def python(version):
    """That interpreter, from ASCEND_TUNE_PYTHON_3_10 and the like or from PATH."""
    name = os.environ.get(f"ASCEND_TUNE_PYTHON_{version.replace('.', '_')}", f"python{version}")
    path = shutil.which(name)
    ask = "import sys; print('{}.{}'.format(*sys.version_info))"
    done = subprocess.run([path, "-c", ask], capture_output=True, text=True, check=False) if path else None
    if done is None or done.stdout.strip() != version:
        pytest.skip(f"no Python {version}: put python{version} on PATH or name it in ASCEND_TUNE_PYTHON_...")
    return path


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_the_templates_and_nothing_else(wheel):
    assert wheel.name.endswith("py3-none-any.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    package = files_below(ROOT / "pytest_ascend_tune", "pytest_ascend_tune")
    templates = files_below(ROOT / "kernel_templates", "pytest_ascend_tune/kernel_templates")
    assert package | templates == names


@pytest.mark.slow
def test_templates_are_found_in_it(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import pytest_ascend_tune; "
        f"assert pytest_ascend_tune.__file__.startswith({str(tmp_path)!r}); "
        "from pytest_ascend_tune.kernels.template import builtin_templates; print(*builtin_templates())"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["catlass_gemm", "cpu_gemm", "triton_gemm"], done.stderr


@pytest.mark.slow
def test_the_sdist_holds_what_the_wheel_is_built_from(sdist, wheel):
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    modules = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = {name.replace("pytest_ascend_tune/kernel_templates/", "kernel_templates/") for name in modules}
    assert wanted <= names
    assert {"README.md", "LICENSE", "setup.cfg", "pyproject.toml"} <= names


@pytest.mark.slow
def test_twine_finds_nothing_to_complain(sdist, wheel):
    pytest.importorskip("twine")
    command = [sys.executable, "-m", "twine", "check", "--strict", str(sdist), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_an_empty_environment_can_use_the_wheel(version, wheel, tmp_path):
    interpreter = python(version)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}

    def run(*command):
        done = subprocess.run(
            [str(part) for part in command],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(interpreter, "-m", "venv", tmp_path / "venv")
    bin_folder = tmp_path / "venv/bin"
    run(bin_folder / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    (tmp_path / "test_gemm.py").write_text(TEST)
    assert "1 skipped" in run(bin_folder / "pytest", "test_gemm.py")
    said = run(bin_folder / "pytest", "-W", "error", "test_gemm.py", "--ascend-tune", "--ascend-tune-backend=simulator")
    assert "1 passed" in said
    assert re.fullmatch(r"ascend-tune \d+\.\d+\.\d+\n", run(bin_folder / "ascend-tune", "--version"))
    assert "cpu_gemm:" in run(bin_folder / "ascend-tune", "space", "--backend", "cpu", "--matrix-size", "64")
    if shutil.which("g++"):
        said = run(bin_folder / "pytest", "test_gemm.py", "--ascend-tune", "--ascend-tune-backend=cpu")
        assert "1 passed" in said
