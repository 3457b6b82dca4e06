"""Outputs of `npu-smi info` in the layouts that public logs show, written anew with made-up numbers.

Widths and headings by release: 23.0 and 24.1 (Atlas A2: 910B1, 910B2C, 910B4), 25.0 (910B3), 25.2 and 24.1.rc3 (Atlas
A3: two dies an NPU, ``Phy-ID``), 26.0 (wider, ``Process id in container``).
"""

from __future__ import annotations

from collections.abc import Sequence

NARROW, WIDE = 52, 70  # width of the third column


def dies(
    name: str, use: Sequence[int], *, version: str = "24.1.0", per_npu: int = 1, phy: bool = False, wide: bool = False
) -> str:
    """The upper table. `use`: percent of each die; `per_npu`: dies an NPU; `phy`: with the column Phy-ID."""
    width = WIDE if wide else NARROW
    rule = f"+{'-' * 27}+{'-' * 15}+{'-' * width}+"
    double = rule.replace("-", "=")
    lines = [
        f"+{'-' * (44 + width)}+",
        f"| npu-smi {version:<24} Version: {version:<{width + 1}}|",
        rule,
        "| NPU   Name                | Health        | "
        f"{'Power(W)    Temp(C)           Hugepages-Usage(page)':<{width - 1}}|",
        f"| {'Chip  Phy-ID' if phy else 'Chip':<26}| Bus-Id        | "
        f"{'AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)':<{width - 1}}|",
        double,
    ]
    for number, percent in enumerate(use):
        npu, chip = divmod(number, per_npu)
        power = "-   " if chip else "94.5"
        lines += [
            f"| {npu:<5} {name:<20}| OK            | {power + '        48                0    / 0':<{width - 1}}|",
            f"| {f'{chip:<5} {number}' if phy else str(chip):<26}| 0000:{0xC0 + number:02X}:00.0  | "
            f"{f'{percent:<11} 0    / 0          34110/ 65536':<{width - 1}}|",
            rule if chip + 1 < per_npu else double,
        ]
    return "\n".join(lines) + "\n"


def processes(
    rows: Sequence[tuple[int, int, int, str, str]], idle: Sequence[int] = (), *, container: bool = False
) -> str:
    """The lower table. Rows: npu, chip, pid, name, number in the container (with `container`); `idle`: NPUs without."""
    width = WIDE if container else NARROW
    double = f"+{'=' * 27}+{'=' * 15}+{'=' * width}+"
    heading = "| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |"
    if container:
        heading = "| NPU     Chip              | Process id    | Process name       | Process memory(MB)    | "
        heading += "Process id in container |"
    lines = [double.replace("=", "-"), heading, double]
    for npu, chip, pid, name, inside in rows:
        last = (
            f"| {name:<18} | 1234                  | {inside:<23} |"
            if container
            else f"| {name:<24} | 1234                    |"
        )
        lines += [f"| {npu:<7} {chip:<18}| {pid:<13} {last}", double]
    lines += [f"| {f'No running processes found in NPU {npu}':<{42 + width}} |" for npu in idle]
    return "\n".join(lines) + "\n"


LAYOUTS = {
    "910B1, nobody": dies("910B1", [0] * 8) + processes([], range(8)),
    "910B1": dies("910B1", [37, 0]) + processes([(0, 0, 12345, "python3", ""), (1, 0, 99, "train", "")]),
    "910B2C, without names": dies("910B2C", [0, 6], version="25.0.rc1.1") + processes([(1, 0, 99976, "", "")], [0]),
    "910B3, with numbers in containers": dies("910B3", [0, 42], version="26.0.rc2", wide=True)
    + processes([(0, 0, 485946, "pytest", "NA"), (1, 0, 485947, "python3.1", "113")], container=True),
    "910B4, on one board": dies("910B4", [0], version="25.5.3") + processes([], [0]),
    "A3": dies("Ascend910", [0, 1, 0, 100], version="25.2.1", per_npu=2, phy=True)
    + processes([(0, 1, 555, "python", ""), (1, 1, 556, "vllm", "")]),
    "A3, with numbers in containers": dies("Ascend910", [12, 0], version="26.0.rc1", per_npu=2, phy=True, wide=True)
    + processes([(0, 0, 632268, "python3.1", "NA")], [1], container=True),
}
