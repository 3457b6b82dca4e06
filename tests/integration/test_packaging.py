"""The wheel: pure Python, with the kernel templates inside the package, usable from an empty environment."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # building writes beside the sources
    unwanted = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, source, ignore=unwanted)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True)
    (path,) = folder.glob("*.whl")
    return path


def files_below(folder, prefix):
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"{prefix}/{path.relative_to(folder).as_posix()}" for path in found}


@pytest.mark.slow
def test_it_holds_the_package_and_the_templates_and_nothing_else(wheel):
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
    assert done.stdout.split() == ["catlass_gemm", "cpu_gemm"], done.stderr
