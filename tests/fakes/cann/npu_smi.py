"""Test double of `npu-smi info`.

Files in $FAKE_CANN_DIR: `processes` (lines: npu pid name), `use` (percent), `devices`, `soc`, `smi_broken`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

STATE = Path(os.environ["FAKE_CANN_DIR"])


def state(name: str, default: str = "") -> str:
    path = STATE / name
    return path.read_text().strip() if path.exists() else default


if (STATE / "smi_broken").exists():
    print("DrvMngGetConsoleLogLevel failed", file=sys.stderr)
    sys.exit(1)
name = state("soc", "Ascend910B2").removeprefix("Ascend")
use = state("use", "0")
line = "+---------------------------+---------------+----------------------------------------------------+"
print("+------------------------------------------------------------------------------------------------+")
print("| npu-smi 24.1.0                   Version: 24.1.0                                               |")
print(line)
print("| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|")
print("| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |")
print("+===========================+===============+====================================================+")
for npu in range(int(state("devices", "1"))):
    print(f"| {npu:<5} {name:<19} | OK            | 94.5        48                0    / 0             |")
    print(f"| 0                         | 0000:C{npu}:00.0  | {use:<11} 0    / 0          3411 / 65536         |")
    print("+===========================+===============+====================================================+")
print(line)
print("| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |")
print("+===========================+===============+====================================================+")
lines = state("processes").splitlines()
for entry in lines:
    npu_text, pid, process = entry.split()
    print(f"| {npu_text:<7} 0                 | {pid:<13} | {process:<24} | 1200                    |")
if not lines:
    print("| No running processes found in NPU 0                                                            |")
print(line)
