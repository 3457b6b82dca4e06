"""What is multiplied: a GEMM problem, its dtype and layout, and one configuration of a kernel's parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_ascend_tune.model.errors import ProblemError
from pytest_ascend_tune.model.word import Word

MAX_WHOLE = 2**63 - 1  # of any whole number in a file or option: numpy's, SQL's and C++'s


class Dtype(Word):
    """Type of A and B. hfloat32 is float32 data multiplied at the HF32 rate; int8 accumulates into int32."""

    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    HFLOAT32 = "hfloat32"
    INT8 = "int8"

    @property
    def element_bytes(self) -> int:
        """Size of one element of A or B."""
        return {"float16": 2, "bfloat16": 2, "float32": 4, "hfloat32": 4, "int8": 1}[self.value]

    @property
    def result_bytes(self) -> int:
        """Size of one element of C: the element type itself, int32 for int8."""
        return 4 if self is Dtype.INT8 else self.element_bytes

    @property
    def rate_unit(self) -> str:
        """TFLOPS, or TOPS for integers."""
        return "TOPS" if self is Dtype.INT8 else "TFLOPS"


class Layout(Word):
    """Storage of A and B, one letter each: n = row-major, t = transposed (column-major). C is row-major."""

    NN = "nn"
    NT = "nt"
    TN = "tn"
    TT = "tt"


@dataclass(frozen=True)
class GemmProblem:
    """C[m, n] = A[m, k] B[k, n] in one dtype and layout. Raises ProblemError for anything that is no such problem."""

    m: int
    n: int
    k: int
    dtype: Dtype
    layout: Layout = Layout.NN

    def __post_init__(self) -> None:
        for name in ("m", "n", "k"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ProblemError(f"{name}={value!r} is a {type(value).__name__}; a whole number >= 1 is needed")
            if not 1 <= value <= MAX_WHOLE:
                shown = value if abs(value) <= MAX_WHOLE else "(a number of more than 63 bits)"
                raise ProblemError(f"{name}={shown} is out of range; a whole number >= 1 is needed")
        for name, kind in (("dtype", Dtype), ("layout", Layout)):
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind(value))
            except ValueError:
                allowed = ", ".join(member.value for member in kind)
                raise ProblemError(f"{name}={value!r} is unknown; allowed: {allowed}") from None

    @property
    def id(self) -> str:
        """``4096x4096x4096-float16-nn``: stands in node ids, file names and JSON."""
        return f"{self.m}x{self.n}x{self.k}-{self.dtype}-{self.layout}"

    @property
    def flops(self) -> int:
        """Operations of one product: a multiply and an add per m n k."""
        return 2 * self.m * self.n * self.k

    @property
    def operand_bytes(self) -> int:
        """Bytes of A, B and C together."""
        inputs = (self.m * self.k + self.k * self.n) * self.dtype.element_bytes
        return inputs + self.m * self.n * self.dtype.result_bytes

    def tflops(self, time_us: float) -> float:
        """Rate in 1e12 operations a second when one product takes `time_us`."""
        return self.flops / time_us / 1e6

    @classmethod
    def from_id(cls, text: str) -> GemmProblem:
        """Inverse of :attr:`id`. Raises ProblemError."""
        shape, _, rest = text.partition("-")
        dtype, _, layout = rest.partition("-")
        sizes = shape.split("x")
        if len(sizes) != 3 or not all(size.isascii() and size.isdigit() and len(size) < 20 for size in sizes):
            raise ProblemError(
                f"{text[:100]!r} is no problem id; the form is MxNxK-dtype-layout: 4096x4096x4096-float16-nn"
            )
        m, n, k = map(int, sizes)
        return cls(m, n, k, Dtype(dtype) if dtype in set(Dtype) else dtype, layout)  # type: ignore[arg-type]


class Config(Mapping[str, "int | str"]):
    """One setting of every tunable parameter; hashable and independent of order."""

    __slots__ = ("_hash", "_values")

    def __init__(self, values: Mapping[str, int | str]) -> None:
        self._values = dict(sorted(values.items()))
        self._hash = hash(tuple(self._values.items()))

    def __getitem__(self, name: str) -> int | str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Config):
            return self._values == other._values
        return isinstance(other, Mapping) and self._values == dict(other)

    def __repr__(self) -> str:
        return f"Config({self})"

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self._values.items())

    def __reduce__(self) -> tuple[type[Config], tuple[dict[str, int | str]]]:
        return Config, (self._values,)
