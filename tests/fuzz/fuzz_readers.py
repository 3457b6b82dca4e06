"""Coverage-guided fuzzing of everything that reads what users and repositories bring, besides stored records.

    python tests/fuzz/fuzz_readers.py [CORPUS] [-max_total_time=60]     (needs atheris; options are libFuzzer's)

Shapes files, space.toml and its conditions, options and marker arguments, problem ids, URLs, text for terminals.
The first byte of an input says which reader gets the rest. Only our own errors may come out, of a readable length.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed: pip install pytest-ascend-tune[fuzz]")
    instrumented = atheris.instrument_imports(include=["pytest_ascend_tune", "csv", "json", "tomllib", "tomli"])
else:  # the tests read the corpus without atheris
    instrumented = contextlib.nullcontext()

with instrumented:
    from pytest_ascend_tune.kernels.constraints import Condition
    from pytest_ascend_tune.kernels.template import from_source
    from pytest_ascend_tune.model.errors import InvalidInputError
    from pytest_ascend_tune.model.printable import printable
    from pytest_ascend_tune.model.problem import Dtype, GemmProblem
    from pytest_ascend_tune.model.secreturl import SecretUrl
    from pytest_ascend_tune.options.settings import check_arguments, resolve
    from pytest_ascend_tune.options.shapes import read_shapes
    from pytest_ascend_tune.options.table import OPTIONS

LONGEST_MESSAGE = 20_000  # characters; an input may have as many, and some repeat their part of it
SPACE = b"""title = "t"
source = "k.cpp"
backends = ["cpu"]
dtypes = ["float32"]
[default]
tile = 4
[params]
tile = { pow2 = [4, 64] }
[[constraint]]
require = "tile * tile <= m * 4 or not (tile > n) + (m > 0) == 2"
because = "it must fit"
"""
GOOD = (
    b"m,n,k,dtype,layout,min_efficiency,threshold\n1,2,3,float16,nt,50%,0.1\n",
    b'[{"m": 1, "n": 2, "k": 3, "threshold": "4%"}, [4, 5, 6]]',
    SPACE,
    b"min(tile_m, 5) // 2 + cdiv(m, tile_m) % 3 <= -l1 and not dtype == 'int8'",
    b"512x512x512-float32-nn",
    b"postgresql://user:secret@host:5432/db?sslmode=require&password=x",
    b"::error::no\x1b[31m\n",
    *(f"{number}\n{option.default}".encode() for number, option in enumerate(OPTIONS)),
)


class Readers:
    """One method of reading per kind of input."""

    def __init__(self, folder: Path) -> None:
        self.csv, self.json, self.template = folder / "shapes.csv", folder / "shapes.json", folder / "own"
        self.template.mkdir()
        (self.template / "k.cpp").write_text("int x;\n")
        self.kinds: tuple[Callable[[bytes], object], ...] = (
            lambda data: self.shapes(self.csv, data),
            lambda data: self.shapes(self.json, data),
            self.space,
            self.condition,
            lambda data: GemmProblem.from_id(data.decode("utf-8", "surrogateescape")),
            self.url,
            self.text,
            self.option,
        )

    def read(self, data: bytes) -> None:
        """Give one reader the bytes."""
        try:
            self.kinds[data[0] % len(self.kinds)](data[1:])
        except InvalidInputError as error:
            if len(str(error)) > LONGEST_MESSAGE:
                raise AssertionError("a message that nobody can read") from error

    def shapes(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        read_shapes(path, Dtype.FLOAT32)

    def space(self, data: bytes) -> None:
        (self.template / "space.toml").write_bytes(data)
        template, space = from_source(self.template)
        problem = GemmProblem(64, 64, 64, template.dtypes[0], template.layouts[0])
        if space.raw_size < 10_000:
            len(space.bind({"l1_bytes": 1 << 19}, problem).candidates(problem, limit=100))

    def condition(self, data: bytes) -> None:
        condition = Condition.parse(data.decode("utf-8", "surrogateescape"), "space.toml: require")
        for value in (0, 1, 2**62):
            condition.holds(dict.fromkeys(condition.names, value))

    def url(self, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        str(SecretUrl(text)), repr(SecretUrl(text))

    def text(self, data: bytes) -> None:
        printable(data.decode("utf-8", "surrogateescape")).encode("utf-8")

    def option(self, data: bytes) -> None:
        number, _, value = data.decode("utf-8", "surrogateescape").partition("\n")
        option = OPTIONS[sum(map(ord, number)) % len(OPTIONS)]
        with contextlib.suppress(InvalidInputError):
            resolve({}, {option.name: value})
        check_arguments({option.name: value}, [option.name])


def make_corpus(folder: Path) -> None:
    """One good input of each kind, so that mutation starts from something that is read to its end."""
    for number, good in enumerate(GOOD):
        (folder / f"good-{number}").write_bytes(bytes([min(number, 7)]) + good)


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-readers-"))
    try:
        readers = Readers(folder)
        corpus = folder / "corpus"
        corpus.mkdir()
        make_corpus(corpus)

        def one_input(data: bytes) -> None:
            if data:
                readers.read(data)

        atheris.Setup([*sys.argv, str(corpus), "-max_len=6000"], one_input)
        atheris.Fuzz()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
