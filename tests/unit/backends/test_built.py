"""Identity and files of builds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_ascend_tune.backends.built import Builder, BuiltKernel, compiled_files
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from tests.fakes.kernels import kernel_template

PROBLEM = GemmProblem(64, 64, 64, Dtype.FLOAT32)
SOURCES = {"b.cpp": "two", "deep/a.h": "one"}


@pytest.fixture
def builder(tmp_path):
    return Builder(BackendOptions(tmp_path / "cache"))


def copy_sources(key, folder, output):
    output.write_text(key + "".join((folder / name).read_text() for name in SOURCES))


def test_it_lays_the_sources_out_and_builds_once(builder):
    key, file = builder.build(["cc", "-O3"], SOURCES, copy_sources)
    assert file.path.read_text() == f"{key}twoone"
    assert file.path.name.startswith(key)
    assert builder.build(["cc", "-O3"], dict(reversed(SOURCES.items())), None) == (key, file), "from the cache"


@pytest.mark.parametrize(
    ("identity", "sources"),
    [
        (["cc", "-O2"], SOURCES),
        (["cc-O3"], SOURCES),
        (["cc", "-O3"], {**SOURCES, "b.cpp": "three"}),
        (["cc", "-O3"], {"c.cpp": "two", "deep/a.h": "one"}),
    ],
)
def test_everything_is_part_of_the_key(builder, identity, sources):
    def write(key, folder, output):
        output.write_text("")

    assert builder.build(identity, sources, write)[0] != builder.build(["cc", "-O3"], SOURCES, write)[0]


def test_an_evicted_file_is_built_again(builder):
    config = Config({"tile": 4})
    built = []

    def build(template, problem, config):
        built.append(config)
        key, file = builder.build(["cc"], SOURCES, copy_sources)
        return BuiltKernel(key, config, template, file)

    kernel = build(kernel_template(), PROBLEM, config)
    assert kernel.file_now(build, PROBLEM) == kernel.file
    assert built == [config]
    kernel.file.path.unlink()
    assert kernel.file_now(build, PROBLEM).path.is_file()
    assert built == [config, config]
    assert BuiltKernel("numpy", None).file_now(build, PROBLEM) is None


def test_the_space_is_not_compiled():
    files = (("kernel.cpp", "x"), ("space.toml", "y"))
    assert compiled_files(replace(kernel_template(), files=files)) == {"kernel.cpp": "x"}
