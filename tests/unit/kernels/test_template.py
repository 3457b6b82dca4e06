import re
from pathlib import Path

import pytest

from pytest_ascend_tune.kernels.space import SearchSpace
from pytest_ascend_tune.kernels.template import builtin_templates, from_source, legal_configs, load_template
from pytest_ascend_tune.model.errors import InvalidInputError, SpaceError, TemplateError
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem, Layout

TOML = """
title = "Own kernel"
source = "own.cpp"
includes = ["lib/own.h"]
abi = 1
backends = ["cpu"]
dtypes = ["float32"]
layouts = ["nn", "nt"]

[default]
tile_m = 64
mode = "row"

[params]
tile_m = { pow2 = [16, 128] }
mode = { choice = ["row", "tree"] }

[grids.fine]
tile_m = { step = [16, 128, 16] }

[[constraint]]
require = "tile_m <= l1_bytes"
because = "it must fit"

[[merge]]
when = "m <= tile_m"
set = { mode = "row" }
because = "one tile has no order"
"""


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "own"
    (root / "lib").mkdir(parents=True)
    (root / "own.cpp").write_text("int x;\n")
    (root / "lib/own.h").write_text("// ü\n", encoding="utf-8")
    (root / "notes.txt").write_text("not declared")
    (root / "space.toml").write_text(TOML)
    return root


def edit(folder, old, new):
    path = folder / "space.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return folder


def test_a_folder(folder):
    template, space = load_template(folder)
    assert (template.name, template.title, template.source, template.abi) == ("own", "Own kernel", "own.cpp", 1)
    assert [name for name, _ in template.files] == ["lib/own.h", "own.cpp", "space.toml"]
    assert dict(template.files)["own.cpp"] == "int x;\n"
    assert template.backends == ("cpu",)
    assert template.dtypes == (Dtype.FLOAT32,)
    assert template.layouts == (Layout.NN, Layout.NT)
    assert space.names == ("tile_m", "mode")
    assert space.default == {"tile_m": 64, "mode": "row"}
    assert template.macros(Config({"tile_m": 16, "mode": "tree"})) == ("-DMODE=tree", "-DTILE_M=16")
    assert space.bind({"l1_bytes": 100}).candidates(GemmProblem(64, 1, 1, "float32")).total == 2 + 2 + 1


def test_other_grids_by_name(folder):
    assert len(load_template(folder)[1].parameters[0].levels) == 4
    template, space = load_template(f"{folder}:fine")
    assert template == load_template(folder)[0]
    assert len(space.parameters[0].levels) == 8
    with pytest.raises(TemplateError, match="no grid 'coarse'; it has default, fine"):
        load_template(f"{folder}:coarse")


def test_hash_depends_on_declared_files_only(folder):
    before = load_template(folder)[0].source_hash
    (folder / "notes.txt").write_text("changed")
    (folder / "own.cpp").write_bytes(b"int x;\r\n")  # a checkout with other line ends
    assert load_template(folder)[0].source_hash == before
    (folder / "lib/own.h").write_text("// changed\n")
    assert load_template(folder)[0].source_hash != before


def test_kept_sources_load_the_same_way(folder, tmp_path):
    template, space = load_template(folder)
    kept = tmp_path / template.source_hash
    for name, text in template.files:
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        (kept / name).write_bytes(text.encode())
    again, same_space = from_source(kept, name="own")
    assert again == template
    assert same_space.parameters == space.parameters


def test_what_may_be_left_out(folder):
    minimal = 'source = "own.cpp"\nbackends = ["cpu"]\ndtypes = ["float32"]\n[params]\nx = { int = [1, 3] }\n'
    (folder / "space.toml").write_text(minimal)
    template, space = load_template(str(folder))
    assert (template.title, template.abi, template.layouts) == ("own", 1, tuple(Layout))
    assert space.default is None
    assert space.candidates(None).total == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title =", "titel =", "unknown key 'titel'; allowed: title, source"),
        ('"Own kernel"', "5", "title = 5; a text is needed"),
        ('source = "own.cpp"', "", "source is missing; a text is needed"),
        ('source = "own.cpp"', 'source = "other.cpp"', "names 'other.cpp', which is not in"),
        ('["lib/own.h"]', '["lib/other.h"]', "names 'lib/other.h', which is not in"),
        ('["lib/own.h"]', '["../own.h"]', "relative to the folder, inside of it"),
        ('["lib/own.h"]', '["/etc/passwd"]', "relative to the folder, inside of it"),
        ('["lib/own.h"]', '["space.toml"]', "relative to the folder"),
        ('["lib/own.h"]', '"lib/own.h"', "includes = 'lib/own.h'; a list is needed"),
        ('["lib/own.h"]', "[1]", "a list of different texts"),
        ("abi = 1", "abi = 0", "abi = 0; a whole number >= 1"),
        ("abi = 1", "abi = true", "abi = True; a whole number"),
        ('["cpu"]', '["a b"]', "backends = .*a list of names"),
        ('["cpu"]', "[]", "backends = \\[\\]; a list of names"),
        ('["float32"]', '["float64"]', "dtypes = 'float64'; some of float16"),
        ('["nn", "nt"]', '["nn", "xx"]', "layouts = 'xx'; some of nn, nt, tn, tt"),
        ("tile_m = 64", "tile_m = 65", r"\[default\] tile_m = 65; one of 16, 32, 64, 128"),
        ("tile_m = 64", 'tile_m = "64"', r"\[default\] tile_m = '64'; one of"),
        ("tile_m = 64", "tile_m = 64.0", r"\[default\] tile_m = 64.0; one of"),
        ("tile_m = 64", "tile_m = [64]", r"\[default\] tile_m = \[64\]; one of"),
        ("tile_m = 64", "", r"\[default\] has no value for tile_m"),
        ("tile_m = 64", "tile_m = 64\ntile_n = 1", r"unknown key 'tile_n' in \[default\]; allowed: tile_m, mode"),
        ("pow2 = [16, 128]", "pow2 = [16, 100]", r"\[params\] tile_m = .*both must be powers of two"),
        ("{ step = [16, 128, 16] }", "7", r"\[grids.fine\] tile_m = 7; one of these is needed"),
        ("[grids.fine]\ntile_m", "[grids.fine]\ntile_x", r"unknown key 'tile_x' in \[grids.fine\]"),
        (
            "{ step = [16, 128, 16] }",
            "{ step = [48, 96, 48] }",
            r"\[default\] tile_m \(grid fine\) = 64; one of 48, 96",
        ),
        ("[grids.fine]", "[grids.default]", "not called 'default'"),
        ("tile_m <= l1_bytes", "tile_m <<= 1", "constraint.. number 1 require"),
        ("tile_m <= l1_bytes", "tile_m ** 2 == 4", "number 1 require = .*is not allowed; allowed are"),
        ("tile_m <= l1_bytes", "mode <= 1", "number 1 require.* is a text"),
        ("tile_m <= l1_bytes", "tile_m < 64", r"\[default\] violates 'tile_m < 64': it must fit"),
        ('because = "it must fit"', "", r"\[\[constraint\]\] number 1 because is missing"),
        (
            "require =",
            "requires =",
            r"unknown key 'requires' in \[\[constraint\]\] number 1; allowed: require, because",
        ),
        ("[[constraint]]", "[constraint]", "constraint = .*a list is needed"),
        (
            'set = { mode = "row" }',
            'set = { mode = "col" }',
            r"\[\[merge\]\] number 1 set mode = 'col'; one of row, tree",
        ),
        ('set = { mode = "row" }', 'set = { mood = "row" }', "unknown key 'mood'"),
        ('set = { mode = "row" }', "", "number 1 set is missing; a table is needed"),
        ("[params]", "[params]\nm = { int = [1, 2] }", r"\[params\] m: the name is taken"),
        ("[params]", "[params]\nmin = { int = [1, 2] }", r"\[params\] min: the name is taken"),
        ("[params]", "[params", r"no valid TOML: .*line 14"),
    ],
)
def test_bad_files_name_file_and_key(folder, old, new, message):
    edit(folder, old, new)
    with pytest.raises(TemplateError, match=message) as caught:
        load_template(folder)
    assert str(folder) in str(caught.value)
    assert isinstance(caught.value, InvalidInputError)


def test_unknown_facts_are_found_when_the_device_is_known(folder):
    edit(folder, "l1_bytes", "l1_size")
    with pytest.raises(TemplateError, match=r"names l1_size; known are .* of this device cores, l1_bytes"):
        load_template(folder)[1].bind({"l1_bytes": 1, "cores": 1})


def test_no_such_template(folder, tmp_path):
    with pytest.raises(TemplateError, match=r"'gpu_gemm' is neither a built-in one \(.*cpu_gemm.*\) nor a folder"):
        load_template("gpu_gemm")
    with pytest.raises(TemplateError, match="nor a folder"):
        load_template(folder / "own.cpp")
    with pytest.raises(TemplateError, match=r"has no space\.toml"):
        load_template(folder / "lib")
    odd = tmp_path / "my kernel"
    folder.rename(odd)
    with pytest.raises(TemplateError, match="'my kernel' cannot name a file"):
        load_template(odd)


def test_binary_sources_are_refused(folder):
    (folder / "own.cpp").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TemplateError, match=r"own\.cpp is not UTF-8"):
        load_template(folder)


class TestLinks:
    """What is read is kept in baselines and runs: it stays in the template's folder, whatever the backend."""

    @pytest.mark.parametrize("linked", ["own.cpp", "space.toml"])
    def test_a_file_that_leads_out_is_refused(self, folder, tmp_path, linked):
        (folder / linked).rename(tmp_path / "secret")
        (folder / linked).symlink_to(tmp_path / "secret")
        with pytest.raises(TemplateError, match=rf"{re.escape(linked)}: a symbolic link leads out of .*secret"):
            load_template(folder)

    @pytest.mark.parametrize("link", ["env.h", "linked/environ"])
    @pytest.mark.parametrize("backend", ["cpu", "simulator", "ascend"])
    def test_an_include_that_leads_out_is_refused(self, folder, link, backend):
        path = folder / "space.toml"
        text = path.read_text().replace('"lib/own.h"', f'"lib/own.h", "{link}"')
        path.write_text(text.replace('backends = ["cpu"]', f'backends = ["{backend}"]'))
        if link == "env.h":
            (folder / link).symlink_to("/proc/self/environ")
        else:
            (folder / "linked").symlink_to("/proc/self")
        with pytest.raises(TemplateError, match="a symbolic link leads out of the template's folder"):
            load_template(folder)

    def test_a_link_inside_and_a_folder_that_is_one_are_read(self, folder, tmp_path):
        plain = load_template(folder)[0]
        (folder / "own.cpp").rename(folder / "real.cpp")
        (folder / "own.cpp").symlink_to("real.cpp")
        (tmp_path / "elsewhere").mkdir()
        folder.rename(tmp_path / "elsewhere" / folder.name)
        folder.symlink_to(tmp_path / "elsewhere" / folder.name)
        assert load_template(folder)[0] == plain


@pytest.mark.parametrize("name", builtin_templates())
def test_built_in_templates_load_and_are_documented(name):
    template, space = load_template(name)
    assert template.name == name
    assert len(space.names) == (7 if template.language == "triton" else 9)
    assert space.default is not None
    assert all(rule.because for rule in (*space.constraints, *space.merges))


TRITON = """
[triton]
kernel = "gemm"
grid = "cores"

[triton.arguments]
a_ptr = "a"
b_ptr = "b"
c_ptr = "c"
TILE_M = "tile_m"
FIVE = 5

[triton.options]
multibuffer = 1
"""


class TestTriton:
    @pytest.fixture
    def own(self, folder):
        (folder / "space.toml").write_text('language = "triton"\n' + TOML + TRITON)
        return folder

    def test_what_is_launched_is_read_in_the_kernels_order(self, own):
        template, _ = load_template(own)
        assert template.language == "triton"
        assert template.triton.kernel == "gemm"
        assert template.triton.grid == "cores"
        assert template.triton.arguments == (
            ("a_ptr", "a"), ("b_ptr", "b"), ("c_ptr", "c"), ("TILE_M", "tile_m"), ("FIVE", 5)
        )  # fmt: skip
        assert template.triton.options == (("multibuffer", 1),)

    def test_cpp_is_the_default_and_has_no_launch(self, folder):
        template, _ = load_template(folder)
        assert (template.language, template.triton) == ("c++", None)

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('language = "triton"', 'language = "fortran"', r"language = 'fortran'; one of c\+\+, triton is needed"),
            ('language = "triton"', "", r'a \[triton\] table needs language = "triton"'),
            ('c_ptr = "c"', 'c_ptr = "b"', "gives the operand 'c' to no argument"),
            (
                'TILE_M = "tile_m"',
                'TILE_M = "tile_x"',
                r"\[triton\.arguments\] TILE_M = 'tile_x'; a whole number or one",
            ),
            ('grid = "cores"', 'grid = "a"', r"\[triton\] grid = 'a'; a whole number or one of tile_m, mode, m, n, k"),
            ('grid = "cores"', "", r"\[triton\] grid = None"),
            ("multibuffer = 1", "multibuffer = true", r"\[triton\.options\] multibuffer = True"),
            ('kernel = "gemm"', 'kernels = "gemm"', "unknown key 'kernels' in"),
        ],
    )
    def test_a_bad_table_is_said_with_its_key(self, own, old, new, message):
        with pytest.raises(TemplateError, match=message):
            load_template(edit(own, old, new))


def test_a_folder_of_the_working_directory_by_bare_name(folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert load_template("own")[0] == load_template(folder)[0]
    assert load_template(Path("own"))[0].name == "own"


class TestLegalConfigs:
    def test_by_facts(self):
        problem = GemmProblem(512, 512, 512, "float32")
        found = legal_configs(problem, "cpu_gemm", facts={"l1d_bytes": 32 << 10, "l2_bytes": 1 << 20})
        assert all(config["l0_k"] <= 256 and config["l1_k"] % config["l0_k"] == 0 for config in found)
        assert len({tuple(sorted(config.items())) for config in found}) == len(found)

    def test_what_the_template_cannot_do(self):
        with pytest.raises(SpaceError, match="cpu_gemm has no int8; it has float32, bfloat16"):
            legal_configs(GemmProblem(1, 1, 1, "int8"), "cpu_gemm", facts={})

    def test_ascend_by_device(self):
        found = legal_configs(GemmProblem(4096, 4096, 4096, "float16"))
        assert {"tile_m": 128, "tile_n": 256, "l1_k": 256, "l0_k": 64} in [
            {name: config[name] for name in ("tile_m", "tile_n", "l1_k", "l0_k")} for config in found
        ]
        assert not any(config["tile_m"] == config["tile_n"] == 256 for config in found)


class TestOnlyOurOwnErrors:
    """Whatever a space.toml holds, and however a template is named: TemplateError, of a readable length."""

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("[16, 128] }", "[16, 9223372036854775808] }"),
            ("[16, 128] }", "[-9223372036854775808, 1] }"),
            ("[16, 128] }", f"[16, {'9' * 6000}] }}"),
            ("[16, 128] }", f"[16, 0x{'f' * 6000}] }}"),
            ("abi = 1", f"abi = {'1' * 6000}"),
            ("abi = 1", "abi = nan"),
            ("abi = 1", "abi = " + "[" * 3000 + "]" * 3000),
            ("abi = 1", "abi = " + "{a = " * 500 + "1" + "}" * 500),
            ("abi = 1", ".".join(["a"] * 3000) + " = 1"),
            ("tile_m <= l1_bytes", "-" * 1900 + "1 == 0"),
            ("tile_m <= l1_bytes", "+".join(["tile_m"] * 250) + " > 0"),
            ("tile_m <= l1_bytes", "tile_m < 9223372036854775808"),
            ('"own.cpp"', f'"{"a" * 300}.cpp"'),
            ('"own.cpp"', '"own\\u0000.cpp"'),
            ('"lib/own.h"', f'"{"a/" * 5000}own.h"'),
            ('"float32"', f'"{"float" * 5000}"'),
        ],
        ids=lambda text: text[:20].encode("unicode_escape").decode(),
    )  # fmt: skip
    def test_of_a_space(self, folder, old, new):
        with pytest.raises(TemplateError, match=r"space\.toml") as caught:
            from_source(edit(folder, old, new))
        assert len(str(caught.value)) < 5000

    @pytest.mark.parametrize("name", ["a" * 300, "a\0b", "~nobody-of-this-name/x", "a/" * 3000, "\udcff"], ids=ascii)
    def test_of_a_name(self, name, tmp_path):
        with pytest.raises(TemplateError, match="neither a built-in one"):
            load_template(name, tmp_path)

    def test_of_a_folder_whose_name_is_not_utf_8(self, folder):
        strange = folder.rename(folder.with_name("own\udcff"))
        with pytest.raises(TemplateError, match="cannot name a file"):
            load_template(strange)

    @pytest.mark.parametrize("value", [2**63, -(2**70), 10**5000], ids=["64", "70", "16610"])
    def test_of_given_configurations(self, value):
        with pytest.raises(SpaceError, match="too large"):
            SearchSpace.from_configs([{"a": 1}, {"a": value}])
