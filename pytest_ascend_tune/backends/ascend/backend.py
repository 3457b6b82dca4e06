"""The Ascend 910B: kernels compiled with CANN and CATLASS, run and timed on the device by one worker process.

Come here to change: cann.py (finding the tool chain, command lines), pairing.py (torch_npu), chip.py (facts of the
device), own_kernels.py (device code of our own), smi.py (what npu-smi prints), neighbours.py (which device is ours, who
else is on it), codes.py (what return codes mean), faultbundle.py (what is kept of a failed trial), shape_notes.py
(waves, roof, alignment), and, in the worker process, runtime.py (all calls of torch_npu, AscendCL, driver),
operands.py, kernel_clock.py (MSPTI), worker.py (loading, timing).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_ascend_tune import backends
from pytest_ascend_tune.backends.ascend import cann, chip, faultbundle, kernel_clock, neighbours, smi
from pytest_ascend_tune.backends.ascend.checks import checks
from pytest_ascend_tune.backends.ascend.own_kernels import CLEAR_L2, CLEAR_PIECE_BYTES, PROBE
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
PROTOCOL = "2"
OPEN_TIMEOUT_S = 300.0  # importing torch_npu and opening the device
PREPARE_TIMEOUT_S = 600.0  # large operands take a while to fill and check
RESERVED_BYTES = 2 << 30  # of the device: its context and the memory that empties L2
# What the worker may take beyond the kernel's own time-out (its check on the host), before it is killed from outside.
HOST_TIMEOUT_S = {"sample": 15.0, "verify": 600.0}


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
        self._prepared: set[tuple[int, str]] = set()
        self._last_mhz: int | None = None
        self._old_toolchain: cann.AscendToolchain | None = None
        self._probed = False
        self._clock = kernel_clock.EVENTS  # what tells the time of a kernel; the probe finds out
        self._trial_tools: cann.AscendToolchain | None = None  # with the spelling that the compiler understood
        self._probe_guard = threading.Lock()

    @property
    def device(self) -> str:
        """The chip's name, ``Ascend910B2``."""
        return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in self._device.soc)

    @cached_property
    def _toolchain(self) -> cann.AscendToolchain:
        return cann.find()

    @property
    def _tools(self) -> cann.AscendToolchain:
        return self._trial_tools or self._toolchain

    @cached_property
    def _device(self) -> chip.Device:
        answer = self._worker.request("open", timeout_s=OPEN_TIMEOUT_S, device=self._index)
        if "unavailable" in answer:
            raise BackendUnavailableError(answer["unavailable"])
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
        self._probe()
        tools = self._toolchain
        return Fingerprint(
            self.device,
            identity=(
                ("soc", self._device.soc),
                ("cores", str(self._device.spec.cube_cores)),
                ("clock", self._clock),
                ("l2", self._l2 if self._l2 == "hot" else f"cold: {self._cold_bytes >> 20} MiB read by an own kernel"),
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
        return self._build(self._tools, template, problem, config)

    def use_old(self, place: str) -> None:
        """`place`: folder of a CANN; CATLASS stays that of today (protocols.TwoToolchains)."""
        if not Path(place).is_dir():
            raise SettingsError(f"{place!r} is not a folder; the folder of an installed CANN (>= 8.2) is needed")
        try:
            self._old_toolchain, _ = self._understood(cann.find({**os.environ, "ASCEND_HOME_PATH": place}))
        except (BackendUnavailableError, BuildError, BuildTimeoutError) as error:
            raise SettingsError(f"the old CANN in {place} cannot be used: {error}") from None

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
        macros = _macros(template, problem, config)
        try:
            key, file = self._compile(tools, template.source, compiled_files(template), macros)
        except TrialError as error:
            raise self._documented(error, problem, template, config, tools=tools) from error
        return BuiltKernel(key, config, template, file, old_toolchain=tools is self._old_toolchain)

    def verify(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float, thorough: bool = False) -> None:
        """Random check of all rows and a float64 product of some; `thorough`: of all, or many random checks."""
        self._run("verify", artifact, problem, timeout_s, thorough=thorough)

    def sample(self, artifact: BuiltKernel, problem: GemmProblem, *, timeout_s: float) -> Sample:
        """Device time of one launch, by MSPTI or events; as many launches as last a millisecond."""
        cold = None
        if self._l2 == "cold":
            self._probe()
            _, file = self._compile(self._tools, "clear.cpp", {"clear.cpp": CLEAR_L2}, ())
            cold = {"path": str(file.path), "sha256": file.sha256, "bytes": self._cold_bytes}
        answer = self._run("sample", artifact, problem, timeout_s, way={"cold": cold, "clock": self._clock})
        clock = answer["clock_mhz"]
        self._last_mhz = min(clock) if clock else None
        return Sample(us=answer["us"], wall_us=answer["wall_us"], clock_mhz=tuple(clock) if clock else None)

    @property
    def _cold_bytes(self) -> int:
        """As much memory as L2 holds, in whole pieces."""
        return -(-self._device.spec.l2_bytes // CLEAR_PIECE_BYTES) * CLEAR_PIECE_BYTES

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
        """Other processes on the NPU, and its clock in the last sample."""
        notes = []
        rated = self._device.rated_mhz or self._device.spec.clock_mhz
        slow_clock = self._last_mhz is not None and self._last_mhz < chip.CLOCK_SHARE * rated
        if slow_clock:
            notes.append(Text.of("the clock ran at {now} of {rated} MHz", now=self._last_mhz, rated=rated))
        table = smi.ask()
        if table is not None:
            place = self._place(table)
            notes += neighbours.neighbours(neighbours.at_rest(place, table), place, self._worker.pid)
        return Health(bool(notes), tuple(notes), slow_clock)

    def notes(self, problem: GemmProblem, config: Config | None = None) -> tuple[Text, ...]:
        """Chip facts that differ from the table, waves of cores, roof, slow loads (protocols.Advising)."""
        return self.device_notes() + shape_notes(problem, config, self._device.spec)

    def device_notes(self) -> tuple[Text, ...]:
        """Where the device differs from the table of chips, and whether its neighbours can be told."""
        table = None if self._device.physical else smi.ask()
        return self._device.notes + (neighbours.uncertainty(self._place(table)) if table is not None else ())

    def lock_names(self, devices: tuple[int, ...] | None) -> tuple[str, ...]:
        """Names by which every container and session knows `devices` (protocols.Placed): by the host's numbers."""
        nodes = neighbours.device_nodes() if neighbours.in_container() else ()
        numbers = set()
        for index in devices or (self._index,):
            number = neighbours.driver_number(index, os.environ)
            number = nodes[number] if number < len(nodes) else number
            numbers.add(self._device.physical[index] if index < len(self._device.physical) else number)
        return tuple(f"npu-{number}" for number in sorted(numbers))

    def restart(self) -> None:
        """New process, new buffers (protocols.Restartable)."""
        self._worker.discard()

    def resolution_us(self) -> float:
        """Jitter of an empty pair of events (protocols.ClockLimits)."""
        return float(self._worker.request("jitter", timeout_s=OPEN_TIMEOUT_S, device=self._index)["us"])

    def close(self) -> None:
        """End the worker process. May be called twice."""
        self._worker.close()

    def _place(self, table: smi.SmiTable) -> neighbours.Place:
        known = self._device.physical
        physical = known[self._index] if self._index < len(known) else None
        return neighbours.find_place(table, self._index, physical, self._worker.pid, os.environ)

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
        pid = None
        try:
            # Filling the operands is not the kernel's time.
            if (self._worker.generation, problem.id) not in self._prepared:
                self._worker.request("prepare", timeout_s=PREPARE_TIMEOUT_S, device=self._index, problem=problem.id)
                self._prepared.add((self._worker.generation, problem.id))
            pid = self._worker.pid
            return self._worker.request(
                action,
                timeout_s=timeout_s + HOST_TIMEOUT_S[action],
                device=self._index,
                kernel=None
                if file is None
                else {"path": str(file.path), "sha256": file.sha256, "symbol": _symbol(artifact.build_id)},
                problem=problem.id,
                blocks=cores,
                kernel_timeout_s=timeout_s,
                **arguments,
            )
        except TrialError as error:
            if not isinstance(error, BuildError):  # one that could not be loaded: nothing ran
                # After a fault everything later in that process fails; after a wrong result who knows what it wrote.
                self._worker.discard()
            tools = self._old if artifact.old_toolchain else self._tools
            raise self._documented(error, problem, artifact.template, artifact.config, pid, tools=tools) from error

    def _documented(
        self,
        error: TrialError,
        problem: GemmProblem,
        template: Template | None,
        config: Config | None,
        pid: int | None = None,
        *,
        tools: cann.AscendToolchain,
    ) -> TrialError:
        """The error, with all that is known in a file beside the cache."""
        command: list[str] = []
        if template is not None and config is not None:
            macros = _macros(template, problem, config)
            command = tools.command(Path(template.source), Path("kernel.so"), macros, "KERNEL")
        opened = "_device" in self.__dict__
        versions, device = (dict(self.fingerprint().versions), self.device) if opened else ({}, "not opened")
        versions |= _cann_versions(tools.cann)
        what = faultbundle.Circumstances(problem, config, command, versions, device, pid)
        return faultbundle.write(self._options.cache_dir.parent / "faults", error, what)

    def _probe(self) -> None:
        with self._probe_guard:
            if self._probed:
                return
            try:
                self._trial_tools, file = self._understood(self._toolchain)
            except (BuildError, BuildTimeoutError) as error:
                raise BackendUnavailableError(
                    f"CANN {self._toolchain.cann.label} cannot compile even an empty kernel: {error}"
                ) from error
            self._run_probe(file)
            self._probed = True

    def _understood(self, found: cann.AscendToolchain) -> tuple[cann.AscendToolchain, CachedFile]:
        """The tools with the spelling that their compiler understands, and the probe that it compiled.

        A broken set-up is one clear error, not fifty failed trials; raises that of the first spelling.
        """
        failures = []
        for tools in found.spellings():
            try:
                _, file = self._compile(tools, "probe.cpp", {"probe.cpp": PROBE}, ())
            except (BuildError, BuildTimeoutError) as error:
                failures.append(error)
                continue
            return tools, file
        raise failures[0]

    def _run_probe(self, file: CachedFile) -> None:
        """Load and launch it: a folder without permission to execute, or a broken driver, shows here."""
        try:
            answer = self._worker.request(
                "probe", timeout_s=OPEN_TIMEOUT_S, device=self._index, path=str(file.path), sha256=file.sha256
            )
            self._clock = answer["clock"]
        except TrialError as error:
            raise BackendUnavailableError(f"an empty kernel compiles, but does not run: {error}") from error

    def _compile(
        self, tools: cann.AscendToolchain, source: str, files: Mapping[str, str], macros: tuple[str, ...]
    ) -> tuple[str, CachedFile]:

        def compile_in(key: str, folder: Path, output: Path) -> None:
            command = tools.command(Path(source), Path(output.name), macros, _symbol(key))
            compile_to(command, output, timeout_s=self._options.build_timeout_s, cwd=folder)

        command = tools.command(Path(source), Path("kernel.so"), macros, "KERNEL")
        return self._builder.build(("ascend", tools.identity, *command), files, compile_in)


def _cann_versions(installed: cann.Cann) -> tuple[tuple[str, str], ...]:
    banner = installed.compiler_banner.partition("\n")[0].strip()
    return (("cann", installed.label), ("compiler", banner or "unknown"))


def _symbol(build_id: str) -> str:
    """The kernel's name in a build: no two loaded libraries share it."""
    return f"{kernel_clock.OWN_PREFIX}{build_id[:16]}"


def _macros(template: Template, problem: GemmProblem, config: Config) -> tuple[str, ...]:
    """What a build is told on the command line; the shape is an argument of the kernel."""
    return (*template.macros(config), f"-DGEMM_DTYPE={problem.dtype.name}", f"-DGEMM_LAYOUT={problem.layout.name}")
