"""The part of a space.toml about how a kernel is built and called: its own build system, its own entry point."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

from pytest_ascend_tune.kernels.declared import Declared
from pytest_ascend_tune.kernels.sources import Sources, is_inside, text_of
from pytest_ascend_tune.model.errors import TemplateError
from pytest_ascend_tune.model.search import BuildRecipe, EntryPoint

BUILDER_KEYS = ("build", "library", "sources", "environment")
LIMIT_BYTES = 5 << 20  # of all sources together: they are kept with every baseline
INTEGERS = ("m", "n", "k", "lda", "ldb", "ldc", "a_transposed", "b_transposed", "threads")
POINTERS = ("a", "b", "c")
FACTORS = ("alpha", "beta")
RETURNS = ("status", "void")
_OWN_PLACEHOLDERS = ("builddir", "dtype")
_ARGUMENT = re.compile(rf"(?:{'|'.join(INTEGERS)})(?::int64)?|{'|'.join((*POINTERS, *FACTORS))}")
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_build(told: Declared, parameters: Iterable[str], backends: tuple[str, ...]) -> BuildRecipe | None:
    """``build``, ``library`` and ``[environment]``; None for a template that the backend compiles itself.

    Raises TemplateError.
    """
    if "build" not in told.declared:
        for key in (key for key in BUILDER_KEYS if key in told.declared):
            raise TemplateError(f"{told.path}: {key} belongs to a template with a build of its own; give build, too")
        return None
    for key in ("source", "includes"):
        if key in told.declared:
            raise TemplateError(f"{told.path}: build and {key} exclude each other; name the files in sources")
    _check_backends(told, backends)
    commands = _commands(told)
    library = told.get(told.declared, "library", str, "")
    if not is_inside(library):
        raise told.bad("library", library, "a file name relative to the folder of the build, as build/libmy.so,")
    environment = told.get(told.declared, "environment", dict, "", {})
    for name, value in environment.items():
        if not _VARIABLE.fullmatch(name) or not isinstance(value, str) or "\0" in value:
            raise told.bad(f"[environment] {name}", value, "a text under the name of a variable")
    _check_placeholders(told, parameters, [word for words in commands for word in words], environment)
    return BuildRecipe(commands, library, tuple(sorted(environment.items())))


def read_entry(told: Declared, backends: tuple[str, ...]) -> EntryPoint | None:
    """``[entry]``; None for ``ascend_tune_gemm``. Raises TemplateError."""
    if "entry" not in told.declared:
        return None
    _check_backends(told, backends)
    table = told.get(told.declared, "entry", dict, "")
    told.known(table, ("symbol", "arguments", "returns"), "entry")
    symbol = told.get(table, "symbol", str, "[entry]")
    if not _SYMBOL.fullmatch(symbol):
        raise told.bad("[entry] symbol", symbol, "the name of a C function")
    arguments = told.get(table, "arguments", list, "[entry]")
    words = [argument for argument in arguments if isinstance(argument, str) and _ARGUMENT.fullmatch(argument)]
    if words != arguments:
        allowed = f"some of {', '.join((*INTEGERS, *POINTERS, *FACTORS))}; integers also as m:int64; each"
        raise told.bad("[entry] arguments", next(a for a in arguments if a not in words), allowed)
    if missing := [name for name in ("m", "n", "k", *POINTERS) if name not in {w.partition(":")[0] for w in words}]:
        raise told.bad("[entry] arguments", arguments, f"m, n, k, a, b and c (here without {', '.join(missing)})")
    returns = told.get(table, "returns", str, "[entry]", "status")
    if returns not in RETURNS:
        raise told.bad("[entry] returns", returns, f"one of {', '.join(RETURNS)}")
    return EntryPoint(symbol, tuple(arguments), returns)


def read_globbed(told: Declared, sources: Sources) -> dict[str, str]:
    """Texts of all files that ``sources`` names, by name. Raises TemplateError."""
    patterns = told.words(told.declared, "sources")
    if not patterns:
        raise told.bad("sources", patterns, "at least one file name or glob, as src/**/*.cpp,")
    files, size = {}, 0
    for pattern in patterns:
        if not is_inside(pattern) or pattern.endswith("**"):
            raise told.bad("sources", pattern, "a glob of files relative to the folder, inside of it, as src/**/*.cpp,")
        names = sorted(sources.find(pattern))
        if not names:
            raise TemplateError(f"{told.path}: sources {pattern!r} matches no file beside it")
        for name in names:
            files[name] = text_of(sources, name)
            size += len(files[name])
            if size > LIMIT_BYTES:
                raise TemplateError(
                    f"{told.path}: sources hold more than {LIMIT_BYTES >> 20} MiB together (at {name}); they are kept "
                    "with each baseline: name the kernel's own files alone"
                )
    return files


def _check_backends(told: Declared, backends: tuple[str, ...]) -> None:
    for backend in ("ascend", "simulator"):
        if backend in backends:
            allowed = f"with build or [entry], a backend that calls C functions, as cpu, not {backend},"
            raise told.bad("backends", list(backends), allowed)


def _commands(told: Declared) -> tuple[tuple[str, ...], ...]:
    """One command is a list of words, several are a list of such lists."""
    given = told.get(told.declared, "build", list, "")
    commands = given if given and all(isinstance(one, list) for one in given) else [given]
    for command in commands:
        if not command or not all(isinstance(word, str) and "\0" not in word for word in command) or not command[0]:
            raise told.bad(
                "build", given, 'a command as a list of words, ["make", "-C", "src"], or a list of such lists'
            )
    return tuple(tuple(command) for command in commands)


def _check_placeholders(
    told: Declared, parameters: Iterable[str], words: list[str], environment: dict[str, str]
) -> None:
    """Every placeholder is known, and every parameter reaches the build: else all configurations were one kernel."""
    allowed, used = (*parameters, *_OWN_PLACEHOLDERS), set()
    for text in (*words, *environment.values()):
        try:
            fields = [(name, form, how) for _, name, form, how in string.Formatter().parse(text) if name is not None]
        except ValueError as error:
            raise told.bad(
                "build", text, f"a text whose braces pair ({error}); a brace itself is {{{{ or }}}}; this"
            ) from None
        for name, form, how in fields:
            if name not in allowed or form or how:
                shown = ", ".join(f"{{{one}}}" for one in allowed)
                raise told.bad("build", text, f"placeholders among {shown}; a brace itself is {{{{ or }}}}; this")
            used.add(name)
    if unused := [name for name in parameters if name not in used]:
        raise TemplateError(
            f"{told.path}: the build does not use {', '.join(unused)}: give each parameter to it as a placeholder, "
            f"as -D{unused[0].upper()}={{{unused[0]}}} in build or in [environment]"
        )
