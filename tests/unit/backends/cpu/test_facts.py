"""Facts of the host, read from made-up /proc and /sys trees."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from pytest_ascend_tune.backends.cpu import facts as cpu_facts


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def cache(index: int, level: int, kind: str, size: str) -> dict[str, str]:
    folder = f"sys/devices/system/cpu/cpu0/cache/index{index}"
    return {f"{folder}/level": f"{level}\n", f"{folder}/type": f"{kind}\n", f"{folder}/size": f"{size}\n"}


XEON = """\
processor\t: 0
vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 143
model name\t: Intel(R) Xeon(R) Platinum 8488C CPU @ 2.40GHz
stepping\t: 8
cpu MHz\t\t: %s
bogomips\t: %s
flags\t\t: fpu sse2 avx avx2 %s

processor\t: 1
model name\t: another
"""
KUNPENG = "processor\t: 0\nBogoMIPS\t: 200.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x48\nCPU variant\t: 0x1\nCPU part\t: 0xd01\n"  # noqa: E501


def test_the_device_is_named_after_the_model_without_speed(tmp_path, monkeypatch):
    monkeypatch.setattr(cpu_facts.platform, "machine", lambda: "x86_64")
    one = cpu_facts.cpu_model(write(tmp_path / "1", {"proc/cpuinfo": XEON % ("2400.0", "4800.00", "avx512f")}))
    later = cpu_facts.cpu_model(write(tmp_path / "2", {"proc/cpuinfo": XEON % ("3199.9", "4800.01", "avx512f")}))
    assert one == later
    assert one.device == "cpu-x86_64-avx512-intel-xeon-platinum-8488c-6-143"


def test_other_instructions_are_another_cpu(tmp_path):
    with_, without = (
        cpu_facts.cpu_model(write(tmp_path / flag, {"proc/cpuinfo": XEON % ("1", "1", flag)}))
        for flag in ("avx512f", "fma")
    )
    assert with_.identity != without.identity
    assert (with_.extension, without.extension) == ("avx512", "avx2")


def test_aarch64_has_numbers_only(tmp_path, monkeypatch):
    monkeypatch.setattr(cpu_facts.platform, "machine", lambda: "aarch64")
    model = cpu_facts.cpu_model(write(tmp_path, {"proc/cpuinfo": KUNPENG}))
    assert model.device == "cpu-aarch64-neon-arm-0x48-0xd01-0x1"


def test_without_proc_there_is_still_a_name(tmp_path):
    assert re.fullmatch(r"cpu-[A-Za-z0-9_]+-scalar-[a-z0-9-]+", cpu_facts.cpu_model(tmp_path).device)


def test_caches_from_sysfs(tmp_path):
    files = {
        **cache(0, 1, "Data", "48K"),
        **cache(1, 1, "Instruction", "32K"),
        **cache(2, 2, "Unified", "2048K"),
        **cache(3, 3, "Unified", "105M"),
    }
    assert cpu_facts.cache_bytes(write(tmp_path, files)) == {
        "l1d_bytes": 48 << 10,
        "l2_bytes": 2 << 20,
        "l3_bytes": 105 << 20,
    }


def test_without_an_l3_the_last_level_is_l2(tmp_path):
    files = {**cache(0, 1, "Data", "64K"), **cache(1, 2, "Unified", "1M")}
    assert cpu_facts.cache_bytes(write(tmp_path, files))["l3_bytes"] == 1 << 20


@pytest.mark.parametrize("size", ["", "unknown", "-1"])
def test_unreadable_caches_fall_back(tmp_path, size):
    assert cpu_facts.cache_bytes(write(tmp_path, cache(0, 1, "Data", size))) == cpu_facts.FALLBACK_CACHES


@pytest.fixture
def four_gib(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=4 << 30))


@pytest.mark.usefixtures("four_gib")
def test_memory_is_what_the_system_calls_available(tmp_path):
    assert cpu_facts.memory_bytes(tmp_path) == 4 << 30


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, 4 << 30),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/b/memory.max": "max\n",
                "sys/fs/cgroup/a/b/memory.current": "1\n",
                "sys/fs/cgroup/a/memory.max": "1000000\n",
                "sys/fs/cgroup/a/memory.current": "400000\n",
            },
            600_000,
        ),
        (
            {
                "proc/self/cgroup": "9:cpu,memory:/box\n3:cpuset:/\n",
                "sys/fs/cgroup/memory/box/memory.limit_in_bytes": "500\n",
                "sys/fs/cgroup/memory/box/memory.usage_in_bytes": "700\n",
            },
            0,
        ),
        ({"proc/self/cgroup": "damaged\n"}, 4 << 30),
    ],
    ids=["unlimited", "limit of a parent", "version 1, over its limit", "damaged"],
)
@pytest.mark.usefixtures("four_gib")
def test_a_cgroup_may_leave_less(tmp_path, files, expected):
    assert cpu_facts.memory_bytes(write(tmp_path, files)) == expected


def test_times_are_summed_over_our_cpus_only(tmp_path):
    stat = "cpu  999 0 0 0 0 0 0 0\ncpu0 100 10 20 5000 7 1 2 50 0 0\ncpu1 1000 0 0 0 0 0 0 0\ncpu10 1 1 1\nintr 5\n"
    root = write(tmp_path, {"proc/stat": stat})
    hertz = os.sysconf("SC_CLK_TCK")
    assert cpu_facts.cpu_times([0, 10], root) == cpu_facts.CpuTimes(136 / hertz, 50 / hertz)
    assert cpu_facts.cpu_times([7], root) is None
    assert cpu_facts.cpu_times([0], tmp_path / "nowhere") is None


def test_cpu_time_of_a_process():
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    deadline = time.monotonic() + 20
    while cpu_facts.process_cpu_s(busy.pid) == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert cpu_facts.process_cpu_s(busy.pid) > 0
    busy.kill()
    busy.wait()
    assert cpu_facts.process_cpu_s(busy.pid) == 0


def test_this_machine():
    assert cpu_facts.memory_bytes() > 0
    assert cpu_facts.address_space_bytes() > 1 << 20
    assert cpu_facts.usable_cpus()
    assert cpu_facts.load_average() >= 0
    assert cpu_facts.cache_bytes()["l1d_bytes"] >= 1 << 12
