"""The devices of a Ray cluster: one actor for each NPU, or for each node; a lost node is a lost device.

The only import of ray. What travels is plain data (problem, template with the text of its files, configurations), by
Ray's own transport; each node builds for itself and needs this package and the tool chain.
"""

from __future__ import annotations

import itertools
import logging
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_ascend_tune import __version__, backends
from pytest_ascend_tune.execute.locks import private_folder
from pytest_ascend_tune.execute.multi_device import LONGEST_END_S, Device, LocalDevice, MultiDevice
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.problem import Config
from pytest_ascend_tune.model.protocols import (
    Backend,
    BackendRecipe,
    Clustered,
    Executor,
    Restartable,
    TrialRun,
    TrialSetup,
)
from pytest_ascend_tune.model.secreturl import SecretUrl
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import Fingerprint

INSTALL = "install it: pip install 'ray[client] >= 2.44'"
OPEN_LIMIT_S = 600.0  # opening an NPU and compiling the first kernel there


def connect(url: SecretUrl | None, backend: Backend, recipe: BackendRecipe) -> Executor:
    """An executor on the devices of the cluster at `url` (None: the one that runs on this machine).

    Raises SettingsError without ray, BackendUnavailableError when no device of the cluster is like `backend`.
    """
    try:
        ray = _ray()
    except ImportError as error:
        raise SettingsError(f"{switch('executor')}=ray: Ray cannot be imported ({error}); {INSTALL}") from error
    if isinstance(backend, Clustered) and recipe.options.devices:
        raise SettingsError(
            f"{switch('devices')}: Ray hands out each {backend.cluster_resource} of its nodes itself; leave the option"
            " out"
        )
    joined = not ray.is_initialized()
    if joined:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns of what it raises, too
                ray.init(url.reveal() if url else "auto", log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # of Ray, of gRPC, of whatever reads the address
            place, reason = (f"at {url}", url.hide_in(str(error))) if url else ("of this machine", str(error))
            raise BackendUnavailableError(
                f"the Ray cluster {place} cannot be reached: {reason}\n"
                "Start one (ray start --head; on other nodes ray start --address=HEAD:6379), or give the address of "
                f"its client server: {switch('executor')}=ray://HEAD:10001"
            ) from None  # what Ray says holds the address
    devices: list[_RayDevice] = []
    try:
        for label, node_id, resources in _places(ray.nodes(), backend, len(recipe.options.devices or ())):
            devices.append(_RayDevice(label, node_id, resources, recipe))
        deadline = time.monotonic() + OPEN_LIMIT_S
        reasons = {device: device.why_not(backend, deadline) for device in devices}
        taken = [device for device, reason in reasons.items() if reason is None]
        notes = [
            Text.of("device {device} is not used: {reason}", device=device.label, reason=reason)
            for device, reason in reasons.items()
            if reason is not None
        ]
        if not taken:
            raise BackendUnavailableError("\n".join(["no device of the Ray cluster can be used", *map(str, notes)]))
    except BaseException:
        _leave(devices, joined=joined)
        raise
    for device in devices:
        if device not in taken:
            device.close()
    return _Cluster(taken, notes, joined=joined)


def _places(
    nodes: Sequence[Mapping[str, Any]], backend: Backend, count: int
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Label, node and reserved resources of each actor. `count`: so many in turn on all nodes; 0: one on each."""
    alive = sorted(
        (node for node in nodes if node["Alive"]), key=lambda node: (node["NodeManagerAddress"], node["NodeID"])
    )
    reserved: dict[str, Any]
    if isinstance(backend, Clustered):
        resource = backend.cluster_resource
        reserved = {"num_cpus": 0, "resources": {resource: 1}}
        alive = [node for node in alive for _ in range(int(node["Resources"].get(resource, 0)))]
        if not alive:
            raise BackendUnavailableError(f"no node of the Ray cluster has a resource {resource}")
    else:
        reserved = {"num_cpus": 0 if backend.simulated else 1}
        alive = list(itertools.islice(itertools.cycle(alive), count or len(alive)))
    numbers: Counter[str] = Counter()
    for node in alive:
        address = node["NodeManagerAddress"]
        yield f"{address}/{numbers[address]}", node["NodeID"], reserved
        numbers[address] += 1


@dataclass(frozen=True)
class _Introduction:
    """What a node says of its device before it may take part."""

    version: str
    unavailable: str | None
    fingerprint: Fingerprint | None


class _Actor:
    """In the process of an actor, on its node: the device and its backend."""

    def __init__(self, recipe: BackendRecipe) -> None:
        options = replace(recipe.options, cache_dir=private_folder() / "cache", devices=None)
        self._backend = backends.create(recipe.name, options=options)
        self._device = LocalDevice("", self._backend)

    def introduce(self) -> _Introduction:
        reason = self._backend.unavailable_because()
        return _Introduction(__version__, reason, None if reason else self._backend.fingerprint())

    def begin(self, setup: TrialSetup) -> float | None:
        return self._device.begin(setup)

    def run(self, config: Config, best_us: float | None) -> TrialRun:
        return self._device.run(config, best_us)

    def end(self) -> None:
        if isinstance(self._backend, Restartable):  # it may be the NPU on which the driver confirms now
            self._backend.restart()


class _RayDevice:
    """Implements multi_device.Device by an actor; `resources` are what Ray reserves for it on the node."""

    def __init__(self, label: str, node_id: str, resources: dict[str, Any], recipe: BackendRecipe) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # start-up: an extra, slow to import

        self.label = label
        there = NodeAffinitySchedulingStrategy(node_id, soft=False)
        self._actor = (
            _ray().remote(_Actor).options(scheduling_strategy=there, max_restarts=0, **resources).remote(recipe)
        )
        self._introduction = self._actor.introduce.remote()

    def why_not(self, backend: Backend, deadline: float) -> str | None:
        """Why its numbers cannot stand beside those of `backend`, None when they can."""
        try:
            found: _Introduction = self._answer(self._introduction, deadline - time.monotonic())
        except BackendUnavailableError as error:
            return str(error)
        if found.fingerprint is None:
            return found.unavailable
        there = {"pytest-ascend-tune": found.version, **_facts(found.fingerprint)}
        here = {"pytest-ascend-tune": __version__, **_facts(backend.fingerprint())}
        different = [
            f"{name} is {there.get(name)}, here {here[name]}" for name in here if there.get(name) != here[name]
        ]
        return "; ".join(different) or None

    def begin(self, setup: TrialSetup) -> float | None:
        """Measure the reference there."""
        nominal_us: float | None = self._answer(self._actor.begin.remote(setup), OPEN_LIMIT_S)
        return nominal_us

    def run(self, config: Config, best_us: float | None) -> TrialRun:
        """Build, verify and measure there."""
        ran: TrialRun = self._answer(self._actor.run.remote(config, best_us), LONGEST_END_S)
        return ran

    def end(self) -> None:
        """Let go of the device's kernels."""
        self._answer(self._actor.end.remote(), OPEN_LIMIT_S)

    def close(self) -> None:
        """End the actor."""
        _ray().kill(self._actor)

    def _answer(self, promised: Any, limit_s: float) -> Any:
        ray = _ray()
        try:
            return ray.get(promised, timeout=limit_s)
        except ray.exceptions.RayTaskError as error:  # raised by our own code there
            raise error.cause from error
        except (ray.exceptions.RayError, ConnectionError) as error:
            raise BackendUnavailableError(str(error).partition("\n")[0]) from error


def _facts(fingerprint: Fingerprint) -> dict[str, str]:
    """What must be equal for numbers to be comparable."""
    return {"device": fingerprint.device, **dict(fingerprint.identity)}


class _Cluster(MultiDevice):
    """The devices of a cluster. `joined`: the connection to it ends with them."""

    def __init__(self, devices: Sequence[_RayDevice], notes: Sequence[Text], *, joined: bool) -> None:
        super().__init__(devices, notes)
        self._joined = joined
        self._left = False

    def close(self) -> None:
        """End the actors."""
        if not self._left:
            self._left = True
            _leave(self._devices, joined=self._joined)


def _leave(devices: Sequence[Device], *, joined: bool) -> None:
    for device in devices:
        device.close()
    if joined:
        _ray().shutdown()


def _ray() -> Any:
    """The package: loaded when it is chosen, and the same to the type checker whether it is installed or not."""
    import ray  # start-up: an extra, slow to import

    return ray
