"""The Ascend 910B: kernels compiled with CANN and CATLASS, run and timed on the device by one worker process.

Come here to change: cann.py (finding the tool chain, command lines), pairing.py (torch_npu), chip.py (facts of the
device, neighbours), codes.py (what return codes mean), shape_notes.py (waves, roof, alignment), and, in the worker
process, runtime.py (all calls of torch_npu, AscendCL, driver), operands.py, worker.py (loading, timing).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_ascend_tune import backends
from pytest_ascend_tune.backends.ascend import cann, chip
from pytest_ascend_tune.backends.ascend.checks import checks
from pytest_ascend_tune.backends.ascend.shape_notes import shape_notes
from pytest_ascend_tune.backends.build_cache import CachedFile
from pytest_ascend_tune.backends.built import Builder, BuiltKernel, compiled_files
from pytest_ascend_tune.backends.toolchain import compile_to
from pytest_ascend_tune.backends.worker import Worker
from pytest_ascend_tune.model.errors import (
    AscendTuneError,
    BackendUnavailableError,
    BuildError,
    BuildTimeoutError,
    SettingsError,
    TrialError,
)
from pytest_ascend_tune.model.measurement import Health, Sample
from pytest_ascend_tune.model.problem import Config, Dtype, GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions
from pytest_ascend_tune.model.readiness import Check, Status
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Fingerprint

# Raise it when samples of the same kernel would come out differently: it makes old numbers not comparable.
PROTOCOL = "1"
OPEN_TIMEOUT_S = 300.0  # importing torch_npu and opening the device
PREPARE_TIMEOUT_S = 600.0  # large operands take a while to fill and check
RESERVED_BYTES = 2 << 30  # of the device: its context and the memory that empties L2
# What the worker may take beyond the kernel's own time-out (its check on the host), before it is killed from outside.
HOST_TIMEOUT_S = {"sample": 15.0, "verify": 600.0}

# Compiled once per tool chain before anything else: a broken set-up is one clear error, not fifty failed trials.
_PROBE = """\
#include "kernel_operator.h"
#include "acl/acl.h"
extern "C" __global__ __aicore__ KERNEL_TYPE void KERNEL_NAME(GM_ADDR a) { (void)a; }
extern "C" int ascend_tune_probe(void* stream, void* a) {
    KERNEL_NAME<<<1, nullptr, stream>>>((uint8_t*)a);
    return (int)aclrtSynchronizeStreamWithTimeout(stream, 1000);
}
"""


class AscendBackend:
    """Implements protocols.Backend and all its optional parts for measured backends but Batching.

    Uses the first of the options' devices.
    """

    name = "ascend"
    simulated = False
    default_dtype = Dtype.FLOAT16
    dtypes: tuple[Dtype, ...] = tuple(Dtype)
    default_template = "catlass_gemm"
    old_option = "old_cann"
    max_devices: int | None = None  # what the machine has
    cluster_resource = "NPU"  # Ray's name of the resource

    def __init__(self, options: BackendOptions) -> None:
        """Raises SettingsError for options that make no sense here; starts nothing."""
        if options.l2 not in (None, "cold", "hot"):
            raise SettingsError(f"l2={options.l2!r} is unknown; allowed: cold, hot")
        self._options = options
        self._l2 = options.l2 or "cold"
        self._index = options.devices[0] if options.devices else 0
        self._builder = Builder(options)
        # Expandable segments make the device's task scheduler fail (507001) with raw launches.
        self._worker = Worker(
            "pytest_ascend_tune.backends.ascend.worker",
            environment={"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:False"},
        )
        self._lock = chip.DeviceLock(chip.physical_number(self._index, os.environ))
        self._prepared: set[tuple[int, str]] = set()
        self._last_mhz: int | None = None
        self._old_toolchain: cann.AscendToolchain | None = None
        self._probed = False
        self._probe_guard = threading.Lock()

    @property
    def device(self) -> str:
        """The chip's name, ``Ascend910B2``."""
        return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in self._device.soc)

    @cached_property
    def _toolchain(self) -> cann.AscendToolchain:
        return cann.find()

    @cached_property
    def _device(self) -> chip.Device:
        answer = self._worker.request("open", timeout_s=OPEN_TIMEOUT_S, device=self._index)
        if "unavailable" in answer:
            raise BackendUnavailableError(answer["unavailable"])
        self._lock.take()
        return chip.device_of(self._index, answer, self._toolchain.cann.home)

    def unavailable_because(self) -> str | None:
        """Tool chain, device and a trial compilation; the cheap checks first."""
        try:
            _ = self._toolchain, self._device
            self._probe()
        except AscendTuneError as error:
            return str(error)
        return None

    def facts(self) -> Mapping[str, int]:
        """Buffer sizes and cores of the chip that was found."""
        return self._device.spec.facts()

    def memory_bytes(self) -> int:
        """The device's memory without what is reserved."""
        return max(0, self._device.memory_bytes - RESERVED_BYTES)

    def fingerprint(self) -> Fingerprint:
        """Chip, cores, L2 mode and protocol identify; tool chain, driver and torch are versions."""
        tools = self._toolchain
        return Fingerprint(
            self.device,
            identity=(
                ("soc", self._device.soc),
                ("cores", str(self._device.spec.cube_cores)),
                ("clock", "AscendCL events"),
                ("l2", self._l2),
                ("protocol", PROTOCOL),
            ),
            versions=(
                ("catlass", tools.catlass.label),
                *_cann_versions(tools.cann),
                *self._device.versions,
            ),
        )

    def build(self, template: Template, problem: GemmProblem, config: Config) -> BuiltKernel:
        """Compile for the problem's dtype and layout; every shape is served by the same build.

        Raises BuildError, BuildTimeoutError, and BackendUnavailableError when the tool chain cannot compile anything.
        """
        self._probe()
        return self._build(self._toolchain, template, problem, config)

    def use_old(self, place: str) -> None:
        """`place`: folder of a CANN; CATLASS stays that of today (protocols.TwoToolchains)."""
        if not Path(place).is_dir():
            raise SettingsError(f"{place!r} is not a folder; the folder of an installed CANN (>= 8.2) is needed")
        try:
            old = cann.find({**os.environ, "ASCEND_HOME_PATH": place})
            self._compile(old, "probe.cpp", {"probe.cpp": _PROBE}, ())
        except (BackendUnavailableError, BuildError, BuildTimeoutError) as error:
            raise SettingsError(f"the old CANN in {place} cannot be used: {error}") from None
        self._old_toolchain = old

    def old_versions(self) -> tuple[tuple[str, str], ...]:
        """Of the old CANN and its compiler."""
        return _cann_versions(self._old.cann)

    def build_old(self, template: Template, problem: GemmProblem, config: Config) -> BuiltKernel:
        """As `build`, with the old CANN."""
        return self._build(self._old, template, problem, config)

    @property
    def _old(self) -> cann.AscendToolchain:
        assert self._old_toolchain is not None, "use_old comes first"
        return self._old_toolchain

    def _build(
        self, tools: cann.AscendToolchain, template: Template, problem: GemmProblem, config: Config
    ) -> BuiltKernel:
        macros = (
            *template.macros(config),
            f"-DGEMM_DTYPE={problem.dtype.name}",
            f"-DGEMM_LAYOUT={problem.layout.name}",
        )
        key, file = self._compile(tools, template.source, compiled_files(template), macros)
        return BuiltKernel(key, config, template, file, old_toolchain=tools is not self._toolchain)

    def verify(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        """Random check of all rows and a float64 product of some; `thorough`: of all, or many random checks."""
        self._run("verify", artifact, problem, timeout_s, thorough=thorough)

    def sample(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float) -> Sample:
        """Device time of one launch, by events; as many launches as last a millisecond."""
        cold = max(self._device.spec.l2_bytes, 1) if self._l2 == "cold" else 0
        answer = self._run("sample", artifact, problem, timeout_s, cold_bytes=cold)
        self._last_mhz = answer["mhz"]
        return Sample(us=answer["us"], wall_us=answer["wall_us"])

    def reference(self, problem: GemmProblem) -> BuiltKernel | None:
        """torch.matmul on the NPU; None for int8, which it does not multiply."""
        if problem.dtype is Dtype.INT8:
            return None
        versions = dict(self._device.versions)
        return BuiltKernel(f"torch_npu {versions['torch_npu']}, CANN {self._toolchain.cann.label}", None)

    def peak_tflops(self, problem: GemmProblem) -> float:
        """Of the chip: cores x rated clock x multiply-adds."""
        return self._device.spec.peak_tflops(problem.dtype)

    def anchors(self, problem: GemmProblem) -> tuple[tuple[str, float], ...]:
        """TFLOPS of torch.matmul of a fixed size and GB/s of a copy in the device's memory (protocols.Anchored)."""
        answer = self._worker.request("anchors", timeout_s=OPEN_TIMEOUT_S, device=self._index)
        return (("torch_matmul", float(answer["tflops"])), ("memory_copy", float(answer["gbytes_per_s"])))

    def health(self) -> Health:
        """Other runs and processes on the NPU, and its clock in the last sample."""
        number = chip.physical_number(self._index, os.environ)
        notes = []
        if not self._lock.take():
            notes.append(Text.of("another ascend-tune run uses NPU {number}", number=number))
        rated = self._device.rated_mhz or self._device.spec.clock_mhz
        slow_clock = self._last_mhz is not None and self._last_mhz < chip.CLOCK_SHARE * rated
        if slow_clock:
            notes.append(Text.of("the clock ran at {now} of {rated} MHz", now=self._last_mhz, rated=rated))
        table = chip.npu_smi_at_rest(number)
        if table is not None:
            notes += chip.neighbours(table, number, self._worker.pid)
        return Health(bool(notes), tuple(notes), slow_clock)

    def notes(self, problem: GemmProblem, config: Config | None = None) -> tuple[Text, ...]:
        """Chip facts that differ from the table, waves of cores, roof, slow loads (protocols.Advising)."""
        return self._device.notes + shape_notes(problem, config, self._device.spec)

    def device_notes(self) -> tuple[Text, ...]:
        """Where the device differs from the table of chips."""
        return self._device.notes

    def restart(self) -> None:
        """New process, new buffers (protocols.Restartable)."""
        self._worker.discard()

    def resolution_us(self) -> float:
        """Jitter of an empty pair of events (protocols.ClockLimits)."""
        return float(self._worker.request("jitter", timeout_s=OPEN_TIMEOUT_S, device=self._index)["us"])

    def close(self) -> None:
        """End the worker process and free the device. May be called twice."""
        self._worker.close()
        self._lock.release()

    def warm_starts(self, problem: GemmProblem, configs: Sequence[Config], count: int) -> tuple[Config, ...]:
        """What the simulator thinks best, spread out (protocols.WarmStarting)."""
        from pytest_ascend_tune.backends.simulator import top_candidates  # start-up: the model, for searches only

        return top_candidates(problem, configs, self.device, count)

    @staticmethod
    def devices_here() -> int:
        """NPUs of this machine (protocols.Numbered)."""
        return len(backends.npu_device_nodes())

    @staticmethod
    def checks(options: BackendOptions, *, by_name: bool) -> Iterator[Check]:
        """For doctor (protocols.Examined); where no NPU is and none was asked for, only that."""
        nodes = AscendBackend.devices_here()
        if not nodes and not by_name:
            why, fix = "the ascend backend", "to see what it would need here: ascend-tune doctor --backend ascend"
            yield Check("NPU", Status.SKIPPED, "none (no /dev/davinci*)", why, fix)
            return
        backend = AscendBackend(options)
        try:
            yield from checks(backend, nodes)
        finally:
            backend.close()

    def _run(
        self, action: str, artifact: BuiltKernel, problem: GemmProblem, timeout_s: float, **arguments: Any
    ) -> dict[str, Any]:
        file = artifact.file_now(self.build_old if artifact.old_toolchain else self.build, problem)
        cores = self._device.spec.cube_cores
        try:
            # Filling the operands is not the kernel's time.
            if (self._worker.generation, problem.id) not in self._prepared:
                self._worker.request("prepare", timeout_s=PREPARE_TIMEOUT_S, device=self._index, problem=problem.id)
                self._prepared.add((self._worker.generation, problem.id))
            return self._worker.request(
                action,
                timeout_s=timeout_s + HOST_TIMEOUT_S[action],
                device=self._index,
                kernel=None if file is None else {"path": str(file.path), "sha256": file.sha256},
                problem=problem.id,
                blocks=cores,
                kernel_timeout_s=timeout_s,
                **arguments,
            )
        except BuildError:
            raise  # it could not be loaded: nothing ran
        except TrialError:
            # After a fault everything later in that process fails, too; after a wrong result who knows what it wrote.
            self._worker.discard()
            raise

    def _probe(self) -> None:
        with self._probe_guard:
            if self._probed:
                return
            try:
                self._compile(self._toolchain, "probe.cpp", {"probe.cpp": _PROBE}, ())
            except (BuildError, BuildTimeoutError) as error:
                raise BackendUnavailableError(
                    f"CANN {self._toolchain.cann.label} cannot compile even an empty kernel: {error}"
                ) from error
            self._probed = True

    def _compile(
        self, tools: cann.AscendToolchain, source: str, files: Mapping[str, str], macros: tuple[str, ...]
    ) -> tuple[str, CachedFile]:

        def compile_in(key: str, folder: Path, output: Path) -> None:
            command = tools.command(Path(source), Path(output.name), macros, f"ascend_tune_{key[:16]}")
            compile_to(command, output, timeout_s=self._options.build_timeout_s, cwd=folder)

        command = tools.command(Path(source), Path("kernel.so"), macros, "KERNEL")
        return self._builder.build(("ascend", tools.identity, *command), files, compile_in)


def _cann_versions(installed: cann.Cann) -> tuple[tuple[str, str], ...]:
    banner = installed.compiler_banner.partition("\n")[0].strip()
    return (("cann", installed.label), ("compiler", banner or "unknown"))
