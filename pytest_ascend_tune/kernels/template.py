"""Loads a template folder: kernel sources and the space.toml beside them. Its errors name file and key."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, ValuesView
from pathlib import Path
from typing import Any

from pytest_ascend_tune.kernels.building import BUILDER_KEYS, read_build, read_entry, read_globbed
from pytest_ascend_tune.kernels.constraints import FUNCTION_NAMES, Condition
from pytest_ascend_tune.kernels.declared import Declared
from pytest_ascend_tune.kernels.parameters import Parameter, parse_parameter
from pytest_ascend_tune.kernels.sources import Folder, Sources, builtin_root, exists, is_inside, text_of
from pytest_ascend_tune.kernels.space import PROBLEM_FACTS, Constraint, Merge, SearchSpace, problem_facts
from pytest_ascend_tune.model.errors import SpaceError, TemplateError
from pytest_ascend_tune.model.hardware import spec
from pytest_ascend_tune.model.names import check_name
from pytest_ascend_tune.model.problem import MAX_WHOLE, Config, Dtype, GemmProblem, Layout
from pytest_ascend_tune.model.search import Template, TritonKernel, source_hash

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SPACE_FILE = "space.toml"
DEFAULT_GRID = "default"
_MAX_DEPTH = 12  # of tables and lists in a space.toml; ours have 4
_KEYS = (
    "title", "source", "includes", "abi", "backends", "dtypes", "layouts", "default", "params", "grids", "constraint",
    "merge", "language", "triton", "entry", *BUILDER_KEYS,
)  # fmt: skip
LANGUAGES = ("c++", "triton")
OPERANDS = ("a", "b", "c")
TRITON_FACTS = ("cores", "integer")  # cube cores of the chip; 1 where the problem's dtype is int8
_BACKEND = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def builtin_templates() -> tuple[str, ...]:
    """Names of the templates that come with this package."""
    return tuple(sorted(folder.name for folder in builtin_root().iterdir() if (folder / SPACE_FILE).is_file()))


def builtin_folder(name: str) -> Path:
    """Where a template stands that comes with this package."""
    return builtin_root() / name


def locate(name_or_dir: str | Path, base: Path = Path()) -> tuple[Path, str]:
    """Folder and grid of a built-in template by name, or of a folder, relative to `base`: ``name:grid`` has a grid.

    Raises TemplateError.
    """
    text = str(name_or_dir)
    before, _, after = text.rpartition(":")
    for name, grid in ((text, DEFAULT_GRID), (before, after)):
        if name in builtin_templates():
            return builtin_root() / name, grid
        folder = base / os.path.expanduser(name)
        if name and exists(folder.is_dir):
            return folder, grid
    raise TemplateError(
        f"template {text!r} is neither a built-in one ({', '.join(builtin_templates())}) nor a folder in "
        f"{base.resolve()}; give one of these names or a folder that holds {SPACE_FILE} and its kernel source"
    )


def load_template(name_or_dir: str | Path, base: Path = Path()) -> tuple[Template, SearchSpace]:
    """The template that :func:`locate` finds.

    Raises TemplateError. The space still has to be bound to a device's facts (:meth:`SearchSpace.bind`).
    """
    folder, grid = locate(name_or_dir, base)
    return from_source(folder, grid=grid)


def from_source(folder: Path, *, name: str | None = None, grid: str = DEFAULT_GRID) -> tuple[Template, SearchSpace]:
    """Read a folder. `name`: the template's name when it is not the folder's (a baseline's kept sources)."""
    name = folder.resolve().name if name is None else name
    check_name(f"template folder {folder}:", name, TemplateError)
    if not (folder / SPACE_FILE).is_file():
        raise TemplateError(
            f"template folder {folder} has no {SPACE_FILE}; see the README of kernel_templates/cpu_gemm"
        )
    return read_template(Folder(folder), name, grid)


def read_template(sources: Sources, name: str, grid: str = DEFAULT_GRID) -> tuple[Template, SearchSpace]:
    """Read a template's files from wherever they are. Raises InvalidInputError."""
    text, path = text_of(sources, SPACE_FILE), sources.called(SPACE_FILE)
    try:
        declared = tomllib.loads(text)
        _check_values(declared)
    except RecursionError as error:
        raise TemplateError(f"{path} is no valid TOML: nested too deeply") from error
    except ValueError as error:  # of tomllib, of Python's limit of digits, of ours
        raise TemplateError(f"{path} is no valid TOML: {error}") from error
    return _Reader(sources, declared, name, grid).read(text)


def legal_configs(
    problem: GemmProblem,
    template: str = "catlass_gemm",
    device: str = "910B1",
    *,
    facts: Mapping[str, int] | None = None,
) -> list[dict[str, int | str]]:
    """All legal configurations of a template for a problem. `facts`: used instead of those of `device`."""
    loaded, space = load_template(template)
    for word, allowed in ((problem.dtype, loaded.dtypes), (problem.layout, loaded.layouts)):
        if word not in allowed:
            raise SpaceError(f"template {loaded.name} has no {word}; it has {', '.join(map(str, allowed))}")
    bound = space.bind(spec(device).facts() if facts is None else facts)
    return [dict(config) for config in bound.candidates(problem, limit=2**31)]


def _check_values(declared: dict[str, Any]) -> None:
    """Raise ValueError for what no rule of ours allows and Python's own functions choke on: depth, huge numbers."""
    level: list[Any] = [declared]
    for _ in range(_MAX_DEPTH):
        for value in level:
            if isinstance(value, int | float) and not abs(value) <= MAX_WHOLE:
                raise ValueError("a number is too large; whole numbers may have 63 bits")
        members = [value.values() if isinstance(value, dict) else value for value in level]
        level = [inner for value in members if isinstance(value, list | ValuesView) for inner in value]
    if level:
        raise ValueError("nested too deeply")


class _Reader(Declared):
    """One space.toml: each method reads one part and refuses what does not belong there."""

    def __init__(self, sources: Sources, declared: dict[str, Any], name: str, grid: str) -> None:
        super().__init__(sources.called(SPACE_FILE), declared)
        self.sources, self.name, self.grid = sources, name, grid

    def read(self, text: str) -> tuple[Template, SearchSpace]:
        self.known(self.declared, _KEYS, "")
        backends = self._backends()
        build = read_build(self, self.get(self.declared, "params", dict, "", {}), backends)
        source = "" if build else self.get(self.declared, "source", str, "")
        files = self._files(source, text)
        abi = self.get(self.declared, "abi", int, "", 1)
        if abi < 1:
            raise self.bad("abi", abi, "a whole number >= 1")
        template = Template(
            name=self.name,
            title=self.get(self.declared, "title", str, "", self.name),
            source=source,
            files=tuple(sorted(files.items())),
            source_hash=source_hash(files),
            abi=abi,
            backends=backends,
            dtypes=self.members("dtypes", Dtype),
            layouts=self.members("layouts", Layout, [layout.value for layout in Layout]),
            build=build,
            entry=read_entry(self, backends),
            language=self._language(),
            triton=self._triton(),
        )
        return template, self._space(template)

    def _language(self) -> str:
        language: str = self.get(self.declared, "language", str, "", LANGUAGES[0])
        if language not in LANGUAGES:
            raise self.bad("language", language, f"one of {', '.join(LANGUAGES)}")
        return language

    def _triton(self) -> TritonKernel | None:
        """The table [triton], which a template in Triton needs and no other may have."""
        if self._language() != "triton":
            if "triton" in self.declared:
                raise TemplateError(f'{self.path}: a [triton] table needs language = "triton"')
            return None
        for key in ("build", "entry"):
            if key in self.declared:
                raise TemplateError(f'{self.path}: {key} and language = "triton" exclude each other')
        table = self.get(self.declared, "triton", dict, "")
        self.known(table, ("kernel", "grid", "arguments", "options"), "triton")
        arguments = self.get(table, "arguments", dict, "[triton]")
        for operand in OPERANDS:
            if operand not in arguments.values():
                raise TemplateError(f"{self.path}: [triton.arguments] gives the operand {operand!r} to no argument")
        options = self.get(table, "options", dict, "[triton]", {})
        for where, values in (("arguments", arguments), ("options", options), ("", {"grid": table.get("grid")})):
            for name, value in values.items():
                self._launch_value(
                    value, f"[triton{'.' + where if where else ''}] {name}", operands=where == "arguments"
                )
        return TritonKernel(
            self.get(table, "kernel", str, "[triton]"),
            table["grid"],
            tuple(arguments.items()),
            tuple(options.items()),
        )

    def _launch_value(self, value: object, where: str, *, operands: bool) -> None:
        known = [*self.get(self.declared, "params", dict, ""), *PROBLEM_FACTS, *TRITON_FACTS]
        known += OPERANDS if operands else ()
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole and value not in known:
            raise self.bad(where, value, f"a whole number or one of {', '.join(known)}")

    def _files(self, source: str, text: str) -> dict[str, str]:
        """All files by name: source and includes, or what the globs of ``sources`` match."""
        if not source:
            return {**read_globbed(self, self.sources), SPACE_FILE: text}
        includes = self.words(self.declared, "includes", [])
        return {SPACE_FILE: text, **{file: self._source(file) for file in (source, *includes)}}

    def _space(self, template: Template) -> SearchSpace:
        grids = self._grids()
        if self.grid not in grids:
            raise TemplateError(f"{self.path} has no grid {self.grid!r}; it has {', '.join(sorted(grids))}")
        spaces = {}
        for name, parameters in grids.items():
            note = "" if name == DEFAULT_GRID else f" (grid {name})"
            default = self._default(parameters, note)
            space = SearchSpace(parameters, self._constraints(), self._merges(parameters), default)
            self._try_out(space, template)
            spaces[name] = space
        return spaces[self.grid]

    def _grids(self) -> dict[str, tuple[Parameter, ...]]:
        params = self.get(self.declared, "params", dict, "")
        if not params:
            raise self.bad("[params]", {}, "at least one parameter")
        base = {name: self._parameter("params", name, kind) for name, kind in params.items()}
        grids = {DEFAULT_GRID: tuple(base.values())}
        for grid, table in self.get(self.declared, "grids", dict, "", {}).items():
            if not isinstance(table, dict) or grid == DEFAULT_GRID:
                raise self.bad(f"[grids.{grid}]", table, f"a table of parameters, not called {DEFAULT_GRID!r}")
            self.known(table, tuple(base), f"grids.{grid}")
            other = {name: self._parameter(f"grids.{grid}", name, kind) for name, kind in table.items()}
            grids[grid] = tuple({**base, **other}.values())
        return grids

    def _parameter(self, section: str, name: str, declared: object) -> Parameter:
        where = f"{self.path}: [{section}] {name}"
        if name in PROBLEM_FACTS or name in FUNCTION_NAMES:
            raise TemplateError(f"{where}: the name is taken by a fact or function of constraints; use another")
        return parse_parameter(name, declared, where)

    def _constraints(self) -> tuple[Constraint, ...]:
        found = []
        for where, table in self.tables("constraint", ("require", "because")):
            condition = Condition.parse(table.get("require"), f"{self.path}: {where} require")
            because = self.get(table, "because", str, where)
            found.append(Constraint(condition, because))
        return tuple(found)

    def _merges(self, parameters: tuple[Parameter, ...]) -> tuple[Merge, ...]:
        found = []
        levels = {parameter.name: parameter for parameter in parameters}
        for where, table in self.tables("merge", ("when", "set", "because")):
            condition = Condition.parse(table.get("when"), f"{self.path}: {where} when")
            values = self.get(table, "set", dict, where)
            self.known(values, tuple(levels), f"{where} set")
            for name, value in values.items():
                self._level(levels[name], value, f"{where} set {name}")
            found.append(Merge(condition, tuple(values.items()), self.get(table, "because", str, where, "")))
        return tuple(found)

    def _default(self, parameters: tuple[Parameter, ...], note: str) -> Config | None:
        if "default" not in self.declared:
            return None
        values = self.get(self.declared, "default", dict, "")
        names = tuple(parameter.name for parameter in parameters)
        self.known(values, names, "default")
        if missing := [name for name in names if name not in values]:
            raise TemplateError(f"{self.path}: [default] has no value for {', '.join(missing)}")
        for parameter in parameters:
            self._level(parameter, values[parameter.name], f"[default] {parameter.name}{note}")
        return Config(values)

    def _level(self, parameter: Parameter, value: object, where: str) -> None:
        whole_or_text = isinstance(value, int | str) and not isinstance(value, bool)
        if not whole_or_text or value not in parameter.positions:
            raise self.bad(where, value, f"one of {parameter.describe()}")

    def _try_out(self, space: SearchSpace, template: Template) -> None:
        """Evaluate every rule once, so that type errors show now; check the default as far as that needs no device."""
        sample = space.default or Config({parameter.name: parameter.levels[0] for parameter in space.parameters})
        facts = problem_facts(GemmProblem(1, 1, 1, template.dtypes[0], template.layouts[0]))
        for condition in space.conditions:
            condition.holds({**dict.fromkeys(condition.names, 1), **facts, **sample})
        for rule in space.constraints:
            condition = rule.condition
            if space.default and condition.names <= set(space.names) and not condition.holds(sample):
                raise TemplateError(f"{self.path}: [default] violates '{condition.text}': {rule.because}")

    def _source(self, file: str) -> str:
        if not is_inside(file) or file == SPACE_FILE:
            raise self.bad("source/includes", file, "a file name relative to the folder, inside of it")
        if file not in self.sources:
            raise TemplateError(f"{self.path} names {file[:100]!r}, which is not in the folder of this template")
        return text_of(self.sources, file)

    def _backends(self) -> tuple[str, ...]:
        """Names alone: a project may bring a backend of its own (hook ``pytest_ascend_tune_backend``)."""
        words = self.words(self.declared, "backends")
        if not words or not all(map(_BACKEND.fullmatch, words)):
            raise self.bad("backends", words, "a list of names, as ascend, cpu, simulator or a backend of your own,")
        return tuple(words)
