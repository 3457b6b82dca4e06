"""Which torch_npu goes with which CANN, and the pip line that installs it.

The extra ``[ascend]`` cannot pull torch_npu: pip would take the newest one, which loads only beside its own CANN.
"""

from __future__ import annotations

# Ascend/pytorch:COMPATIBILITY.md, newest torch first.
_TABLE: dict[tuple[int, ...], tuple[str, ...]] = {
    (8, 2): ("2.6.0", "2.5.1.post1"),
    (8, 3): ("2.8.0", "2.7.1", "2.6.0.post3"),
    (8, 5): ("2.9.0", "2.8.0.post2", "2.7.1.post2"),
    (9, 0): ("2.9.0.post2", "2.8.0.post4", "2.7.1.post4"),
    (9, 1): ("2.12.0", "2.11.0", "2.10.0.post4", "2.9.0.post6"),
}


def torch_npu_for(cann: tuple[int, ...]) -> tuple[str, ...]:
    """Versions of torch_npu for a CANN, () when the table does not know it."""
    return _TABLE.get(cann[:2], ())


def torch_for(torch_npu: str) -> str:
    """The torch that a torch_npu needs: the same version without ``.postN``."""
    return torch_npu.partition(".post")[0]


def pip_line(cann: tuple[int, ...] | None, torch: str = "") -> str:
    """The command that installs a pair for this CANN, for the installed `torch` where there is one."""
    fitting = torch_npu_for(cann) if cann else ()
    if not fitting:
        return "pip install torch torch_npu of the versions that Ascend/pytorch:COMPATIBILITY.md lists for this CANN"
    base = torch.partition("+")[0]
    torch_npu = next((version for version in fitting if torch_for(version) == base), fitting[0])
    return f"pip install torch=={torch_for(torch_npu)} torch_npu=={torch_npu} numpy pyyaml"


def misfit(cann: tuple[int, ...] | None, torch: str, torch_npu: str) -> str:
    """What is wrong with an installed pair, "" when nothing is known to be."""
    base = torch.partition("+")[0]
    if torch_for(torch_npu) != base:
        return f"torch_npu {torch_npu} needs torch {torch_for(torch_npu)}, found {torch}"
    fitting = torch_npu_for(cann) if cann else ()
    if fitting and torch_npu not in fitting and not torch_npu.startswith(tuple(f"{one}.post" for one in fitting)):
        return f"torch_npu {torch_npu} is not listed for this CANN; listed are {', '.join(fitting)}"
    return ""
