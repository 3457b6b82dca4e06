"""Which torch_npu goes with which CANN, and the pip line that installs it.

The extra ``[ascend]`` cannot pull torch_npu: pip would take the newest one, which loads only beside its own CANN.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_ascend_tune.model.word import Word

# Ascend/pytorch:COMPATIBILITY.md. CANN -> torch -> (first, newest) post-release of torch_npu that its revisions list, 0
# without ``.post``. A post-release in between, or after the newest, was made for the same CANN: the next CANN's first
# one of that torch has a higher number.
_PUBLISHED: dict[tuple[int, int], dict[str, tuple[int, int]]] = {
    (8, 1): {"2.5.1": (0, 0), "2.4.0": (4, 4), "2.3.1": (6, 6), "2.1.0": (12, 12)},
    (8, 2): {"2.6.0": (0, 0), "2.5.1": (1, 1), "2.1.0": (13, 13)},
    (8, 3): {"2.8.0": (0, 0), "2.7.1": (0, 0), "2.6.0": (3, 3), "2.1.0": (17, 17)},
    (8, 5): {"2.9.0": (0, 0), "2.8.0": (2, 2), "2.7.1": (2, 2), "2.6.0": (5, 5)},
    (9, 0): {"2.9.0": (2, 2), "2.8.0": (4, 4), "2.7.1": (4, 4)},
    (9, 1): {"2.12.0": (0, 0), "2.11.0": (0, 0), "2.10.0": (0, 4), "2.9.0": (3, 6), "2.7.1": (5, 8)},
}
# PyTorch's index of CPU builds, set by the reader: only there are builds of torch without CUDA for x86-64, and
# torch_npu refuses to load beside one with it.
CPU_INDEX = '"$TORCH_CPU_INDEX"'
_RELEASE = re.compile(r"(\d+\.\d+\.\d+)(?:\.post(\d+))?(?:\+.*)?")


class Match(Word):
    """Whether an installed pair goes with a CANN. ``unknown``: it was never published, or is a build of one's own."""

    FITS = "fits"
    MISFIT = "misfit"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Pairing:
    """A :class:`Match` and, where it does not fit or was not checked, a sentence that says why."""

    match: Match
    reason: str = ""


def torch_npu_for(cann: tuple[int, ...]) -> tuple[str, ...]:
    """Newest versions of torch_npu for a CANN, newest torch first; () when the table does not know it."""
    pairs = _PUBLISHED.get(_release(cann), {})
    return tuple(_spelled(torch, newest) for torch, (_, newest) in pairs.items())


def torch_for(torch_npu: str) -> str:
    """The torch that a released torch_npu needs: the same version without ``.postN``."""
    return torch_npu.partition(".post")[0]


def pip_line(cann: tuple[int, ...] | None, torch: str = "") -> str:
    """The command that installs a pair for this CANN, for the installed `torch` where there is one."""
    fitting = torch_npu_for(cann) if cann else ()
    if not fitting:
        return (
            f"pip install torch --index-url {CPU_INDEX}, and torch_npu from the default index, of the versions that "
            "Ascend/pytorch:COMPATIBILITY.md lists for this CANN"
        )
    base = torch.partition("+")[0]
    torch_npu = next((version for version in fitting if torch_for(version) == base), fitting[0])
    return (
        f"pip install torch=={torch_for(torch_npu)} --index-url {CPU_INDEX} && "
        f"pip install torch_npu=={torch_npu} numpy pyyaml"
    )


def check(cann: tuple[int, ...] | None, torch: str, torch_npu: str) -> Pairing:
    """Judge an installed pair. What the published table does not decide is "not checked", never wrong."""
    ours, theirs = _RELEASE.fullmatch(torch_npu), _RELEASE.fullmatch(torch)
    if ours is None or theirs is None:
        return Pairing(Match.UNKNOWN, f"torch_npu {torch_npu} with torch {torch}: not checked, not a released pair")
    base, post = ours[1], int(ours[2] or 0)
    if base != theirs[1]:
        return Pairing(Match.MISFIT, f"torch_npu {torch_npu} needs torch {base}, found {torch}")
    made_for = _cann_of(base, post)
    if cann is None or made_for is None or _release(cann) not in _PUBLISHED:
        return Pairing(Match.UNKNOWN, f"torch_npu {torch_npu}: not checked, not in the published table of pairs")
    if made_for != _release(cann):
        fitting = torch_npu_for(cann)
        return Pairing(
            Match.MISFIT,
            f"torch_npu {torch_npu} is published for CANN {made_for[0]}.{made_for[1]}, not for this one; "
            f"for this one: {', '.join(fitting)}",
        )
    return Pairing(Match.FITS)


def _cann_of(torch: str, post: int) -> tuple[int, int] | None:
    """The newest CANN whose first torch_npu for this torch is not newer than this one; None: not published."""
    firsts = [(pairs[torch][0], cann) for cann, pairs in _PUBLISHED.items() if torch in pairs]
    return max(((first, cann) for first, cann in firsts if first <= post), default=(0, None))[1]


def _release(cann: tuple[int, ...]) -> tuple[int, int]:
    major, minor, *_ = (*cann, 0, 0)
    return major, minor


def _spelled(torch: str, post: int) -> str:
    return f"{torch}.post{post}" if post else torch
