"""Templates with a build of their own: what space.toml may say, and what of it is an error that names file and key."""

import pytest

from pytest_ascend_tune.kernels.building import LIMIT_BYTES
from pytest_ascend_tune.kernels.template import from_source
from pytest_ascend_tune.model.errors import TemplateError
from pytest_ascend_tune.model.search import BuildRecipe, EntryPoint
from pytest_ascend_tune.records.baselines.sources import write_sources

TOML = """
title = "Built by its project"
backends = ["cpu"]
dtypes = ["float32"]
sources = ["build.sh", "src/**/*.cpp"]
build = ["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]
library = "build/libmy.so"

[environment]
MODE = "{mode}"
BRACES = "{{}}"

[entry]
symbol = "my_gemm"
arguments = ["m", "n:int64", "k", "a", "lda", "b", "ldb", "beta", "c"]
returns = "void"

[params]
tile_m = { pow2 = [16, 128] }
mode = { choice = ["row", "tree"] }
"""


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "own"
    (root / "src/deep").mkdir(parents=True)
    (root / "build.sh").write_text("#!/bin/sh\n")
    (root / "src/a.cpp").write_text("int a;\r\n")
    (root / "src/deep/b.cpp").write_text("int b;\n")
    (root / "src/notes.txt").write_text("not declared")
    (root / "space.toml").write_text(TOML)
    return root


def test_sources_build_and_entry_are_read(folder):
    template, _ = from_source(folder)
    assert [name for name, _ in template.files] == ["build.sh", "space.toml", "src/a.cpp", "src/deep/b.cpp"]
    assert dict(template.files)["src/a.cpp"] == "int a;\n"
    assert template.build == BuildRecipe(
        (("./build.sh", "-DTILE_M={tile_m}", "{builddir}"),),
        "build/libmy.so",
        (("BRACES", "{{}}"), ("MODE", "{mode}")),
    )
    arguments = ("m", "n:int64", "k", "a", "lda", "b", "ldb", "beta", "c")
    assert template.entry == EntryPoint("my_gemm", arguments, "void")
    before = template.source_hash
    (folder / "src/deep/b.cpp").write_text("int c;\n")
    assert from_source(folder)[0].source_hash != before


def test_several_commands_and_no_entry(folder):
    text = TOML.replace('["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]', '[["one", "{tile_m}"], ["two"]]')
    (folder / "space.toml").write_text(text[: text.index("[entry]")] + text[text.index("[params]") :])
    template, _ = from_source(folder)
    assert template.build is not None
    assert template.build.commands == (("one", "{tile_m}"), ("two",))
    assert template.entry is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('build = ["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]', "", "library belongs to a template with a build"),
        ('["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]', '"make {tile_m}"', "build = 'make .*a list is needed"),
        ('["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]', "[]", r"build = \[\]; a command as a list of words"),
        ('["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]', "[1]", r"build = \[1\]; a command as a list of words"),
        ('["./build.sh", "-DTILE_M={tile_m}", "{builddir}"]', '[["a"], []]', "a list of such lists is needed"),
        ("-DTILE_M={tile_m}", "-DTILE_M=64", r"does not use tile_m: .*-DTILE_M=\{tile_m\}"),
        ("{tile_m}", "{tile_n}", r"placeholders among \{tile_m\}, \{mode\}, \{builddir\}, \{dtype\}"),
        ("{tile_m}", "{tile_m:04d}", "placeholders among"),
        ("{tile_m}", "{tile_m.real}", "placeholders among"),
        ("{tile_m}", "{tile_m", "a text whose braces pair"),
        ('MODE = "{mode}"', "MODE = 1", r"\[environment\] MODE = 1; a text under the name of a variable"),
        ('MODE = "{mode}"', '"MO DE" = "{mode}"', r"\[environment\] MO DE"),
        ('library = "build/libmy.so"', "", "library is missing"),
        ('"build/libmy.so"', '"../libmy.so"', "library = '../libmy.so'; a file name relative to the folder"),
        ('"build/libmy.so"', '"/usr/lib/libm.so"', "library = '/usr/lib/libm.so'"),
        ('sources = ["build.sh", "src/**/*.cpp"]', "", "sources is missing; a list is needed"),
        ('["build.sh", "src/**/*.cpp"]', "[]", r"sources = \[\]; at least one file name or glob"),
        ("src/**/*.cpp", "src/*.cu", r"sources 'src/\*\.cu' matches no file"),
        ("src/**/*.cpp", "../own/src/a.cpp", "sources = '../own/src/a.cpp'; a glob of files relative"),
        ("src/**/*.cpp", "src/**", r"sources = 'src/\*\*'; a glob of files"),
        ('backends = ["cpu"]', 'backends = ["ascend"]', "a backend that calls C functions, as cpu, not ascend"),
        ("title", 'source = "src/a.cpp"\ntitle', "build and source exclude each other"),
        ('"my_gemm"', '"my gemm"', r"\[entry\] symbol = 'my gemm'; the name of a C function"),
        ('"beta"', '"gamma"', r"\[entry\] arguments = 'gamma'; some of m, n, k, lda"),
        ('"beta"', '"c:int64"', r"\[entry\] arguments = 'c:int64'"),
        (', "c"]', "]", r"m, n, k, a, b and c \(here without c\)"),
        ('"void"', '"float"', r"\[entry\] returns = 'float'; one of status, void"),
        ("returns", "result", "unknown key 'result' in .entry."),
    ],
)
def test_what_cannot_be_is_an_error_that_names_file_and_key(folder, old, new, words):
    assert old in TOML
    (folder / "space.toml").write_text(TOML.replace(old, new))
    with pytest.raises(TemplateError, match=words) as refused:
        from_source(folder)
    assert "space.toml" in str(refused.value)


def test_an_entry_is_for_ordinary_templates_too_where_c_is_called(folder):
    own = '[entry]\nsymbol = "gemm"\narguments = ["m", "n", "k", "a", "b", "c"]\n'
    text = f"source = 'src/a.cpp'\nbackends = ['cpu']\ndtypes = ['float32']\n{own}[params]\ntile = {{ int = [1, 4] }}\n"
    (folder / "space.toml").write_text(text)
    assert from_source(folder)[0].entry == EntryPoint("gemm", ("m", "n", "k", "a", "b", "c"))
    (folder / "space.toml").write_text(text.replace("'cpu'", "'cpu', 'ascend'"))
    with pytest.raises(TemplateError, match="a backend that calls C functions"):
        from_source(folder)


def test_what_a_baseline_keeps_is_the_same_template(folder, tmp_path):
    template, _ = from_source(folder)
    write_sources(tmp_path / "kept", template.files)
    assert from_source(tmp_path / "kept", name="own")[0] == template


def test_sources_are_text_of_the_folder_and_not_too_much_of_it(folder, tmp_path):
    path = folder / "src/a.cpp"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TemplateError, match=r"a\.cpp is not UTF-8 text"):
        from_source(folder)
    path.write_text("x" * (LIMIT_BYTES + 1))
    with pytest.raises(TemplateError, match="sources hold more than 5 MiB together"):
        from_source(folder)
    path.unlink()
    (tmp_path / "secret").write_text("secret")
    path.symlink_to(tmp_path / "secret")
    with pytest.raises(TemplateError, match="leads out of the template's folder"):
        from_source(folder)
