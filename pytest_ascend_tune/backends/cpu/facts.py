"""Facts about the host's CPU and memory: psutil's, and from sysfs, procfs and cgroups what it does not know.

`root` is where /proc and /sys are looked for; tests give a folder of their own.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path("/")
# When neither sysfs nor sysconf knows the caches (some containers and aarch64 machines): small ones, so that tiles
# chosen for them fit on any server CPU of the last ten years.
FALLBACK_CACHES = {"l1d_bytes": 32 << 10, "l2_bytes": 512 << 10, "l3_bytes": 8 << 20}
_SYSCONF = {
    "l1d_bytes": "SC_LEVEL1_DCACHE_SIZE",
    "l2_bytes": "SC_LEVEL2_CACHE_SIZE",
    "l3_bytes": "SC_LEVEL3_CACHE_SIZE",
}
# Widest vector extension, as in the kernel template; (flag in /proc/cpuinfo, our word), widest first.
_EXTENSIONS = (("avx512f", "avx512"), ("avx2", "avx2"), ("avx", "avx"), ("sse2", "sse2"), ("asimd", "neon"))


@dataclass(frozen=True)
class CpuModel:
    """What stays the same whatever the load. ``identity`` is a hash of everything that a native build depends on."""

    name: str
    extension: str
    identity: str

    @property
    def device(self) -> str:
        """``cpu-x86_64-avx512-intel-xeon-platinum-8488c-6-143``."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")
        return f"cpu-{platform.machine() or 'unknown'}-{self.extension}-{slug}"


def cpu_model(root: Path = ROOT) -> CpuModel:
    """Model name with family and model number: virtual machines often hide the former."""
    fields = _first_processor(root)
    flags = fields.get("flags", fields.get("Features", "")).split()
    extension = next((word for flag, word in _EXTENSIONS if flag in flags), "scalar")
    if "model name" in fields:
        name = re.sub(r"\(R\)|\(TM\)|\bCPU\b|@.*", "", fields["model name"], flags=re.IGNORECASE)
        numbers = [fields[key] for key in ("cpu family", "model") if key in fields]
    else:  # aarch64 names its cores by number only
        name = "arm" if "CPU part" in fields else platform.processor() or platform.machine() or "unknown"
        numbers = [fields[key] for key in ("CPU implementer", "CPU part", "CPU variant") if key in fields]
    name = " ".join([*name.split(), *numbers])
    identity = hashlib.sha256("\n".join([platform.machine(), name, *sorted(set(flags))]).encode()).hexdigest()
    return CpuModel(name, extension, identity)


def cache_bytes(root: Path = ROOT) -> dict[str, int]:
    """Sizes of the first core's data caches: ``l1d_bytes``, ``l2_bytes``, ``l3_bytes`` (without L3: that of L2)."""
    found: dict[str, int] = {}
    for index in sorted((root / "sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (_read(index / name) for name in ("level", "type", "size"))
        if kind in ("Data", "Unified") and re.fullmatch(r"\d+[KMG]?", size):
            name = "l1d_bytes" if level == "1" else f"l{level}_bytes"
            found[name] = int(size.rstrip("KMG")) << {"K": 10, "M": 20, "G": 30}.get(size[-1], 0)
    if root == ROOT:
        for name, key in _SYSCONF.items():
            try:
                size_bytes = os.sysconf(key)
            except (ValueError, OSError):
                continue
            if name not in found and size_bytes > 0:
                found[name] = size_bytes
    if "l2_bytes" in found:
        found.setdefault("l3_bytes", found["l2_bytes"])
    return {name: found.get(name, fallback) for name, fallback in FALLBACK_CACHES.items()}


def usable_cpus() -> list[int]:
    """Numbers of the CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def memory_bytes(root: Path = ROOT) -> int:
    """Memory that can still be used: what the system calls available, or less where a cgroup limits us."""
    candidates = [psutil.virtual_memory().available]
    for limit, used in _cgroup_memory(root):
        candidates.append(max(0, limit - used))
    return int(min(candidates))


def address_space_bytes() -> int:
    """Size of this process's address space now."""
    return int(psutil.Process().memory_info().vms)


def load_average() -> float:
    """One-minute load average."""
    return float(psutil.getloadavg()[0])


@dataclass(frozen=True)
class CpuTimes:
    """Seconds that some CPUs spent busy, and were withheld by the hypervisor, since boot."""

    busy_s: float
    steal_s: float


def cpu_times(cpus: list[int], root: Path = ROOT) -> CpuTimes | None:
    """From /proc/stat (columns: proc(5)); None when it cannot be read.

    Not by psutil: its list has no numbers, and CPUs that are switched off would shift it.
    """
    busy = steal = 0
    wanted = {f"cpu{number}" for number in cpus}
    lines = [line.split() for line in _read(root / "proc/stat").splitlines() if line.partition(" ")[0] in wanted]
    for _, *ticks in lines:
        user, nice, system, _idle, _iowait, irq, softirq, stolen = map(int, (ticks + ["0"] * 8)[:8])
        busy += user + nice + system + irq + softirq
        steal += stolen
    hertz = os.sysconf("SC_CLK_TCK")
    return CpuTimes(busy / hertz, steal / hertz) if lines else None


def process_cpu_s(pid: int) -> float:
    """CPU time of a process so far; 0 when it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _first_processor(root: Path) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in _read(root / "proc/cpuinfo").splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip(), value.strip())
    return fields


def _cgroup_memory(root: Path) -> list[tuple[int, int]]:
    """(limit, used) of every memory cgroup from ours up to the root, versions 2 and 1."""
    pairs = []
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers == "":
            base, names = root / "sys/fs/cgroup", ("memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            base, names = root / "sys/fs/cgroup/memory", ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        group = Path(path.lstrip("/"))
        for folder in [group, *group.parents]:
            limit, used = (_read(base / folder / name) for name in names)
            if limit.isdigit() and used.isdigit():
                pairs.append((int(limit), int(used)))
    return pairs


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
