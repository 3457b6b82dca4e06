"""The Ray executor without Ray: which nodes get actors, which are refused, what becomes of those that are lost."""

import sys
import traceback
import types
from pathlib import Path

import pytest

from pytest_ascend_tune.execute import executors
from pytest_ascend_tune.execute import ray as ray_executor
from pytest_ascend_tune.model.errors import BackendUnavailableError, SettingsError
from pytest_ascend_tune.model.protocols import BackendOptions, BackendRecipe, Strategy
from pytest_ascend_tune.model.secreturl import SecretUrl
from pytest_ascend_tune.tuning import loop
from tests.fakes.backend import FakeBackend, with_devices
from tests.unit.tuning.doubles import bowl, job

RECIPE = BackendRecipe("fake", BackendOptions(Path("cache")))


class RayError(Exception):
    pass


class RayActorError(RayError):
    pass


class GetTimeoutError(RayError, TimeoutError):
    pass


class RayTaskError(RayError):
    def __init__(self, cause):
        super().__init__(f"the traceback of {cause}")
        self.cause = cause


class FakeRay:
    """As much of Ray as the executor uses; actors live in this process. ``lost``: node -> error of all its answers."""

    def __init__(self, nodes, lost):
        self._nodes, self.lost = nodes, lost
        self.address, self.placed, self.killed, self.timeouts, self.ends = None, [], [], [], 0
        self.exceptions = types.SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
        self.refuses = None

    def is_initialized(self):
        return self.address is not None

    def init(self, address, **options):
        if self.refuses:
            raise self.refuses
        self.address = address

    def nodes(self):
        return self._nodes

    def remote(self, kind):
        return FakeActorClass(self, kind, None)

    def get(self, promise, *, timeout):
        assert timeout > 0
        self.timeouts.append(timeout)
        return promise()

    def kill(self, actor):
        self.killed.append(actor)

    def shutdown(self):
        self.ends += 1
        self.address = None


class FakeActorClass:
    def __init__(self, ray, kind, options):
        self._ray, self._kind, self._options = ray, kind, options

    def options(self, **options):
        return FakeActorClass(self._ray, self._kind, options)

    def remote(self, *arguments):
        node = self._options.pop("scheduling_strategy")
        self._ray.placed.append((node, self._options))
        return FakeActor(self._ray, node, self._kind(*arguments))


class FakeActor:
    def __init__(self, ray, node, instance):
        self._ray, self._node, self._instance = ray, node, instance

    def __getattr__(self, name):
        return types.SimpleNamespace(remote=lambda *arguments: lambda: self._answer(name, arguments))

    def _answer(self, name, arguments):
        if self._node in self._ray.lost:
            raise self._ray.lost[self._node]
        try:
            return getattr(self._instance, name)(*arguments)
        except Exception as error:
            raise RayTaskError(error) from error


def node(name, address="10.0.0.1", alive=True, **resources):
    return {"NodeID": name, "Alive": alive, "NodeManagerAddress": address, "Resources": {"CPU": 4.0, **resources}}


def device(name="fake-1", **backend):
    return FakeBackend(time_us=lambda problem, config: 1e4 / bowl(config), device=name, **backend)


@pytest.fixture
def cluster(monkeypatch):
    """cluster(nodes, backends): Ray with these nodes, whose actors make these backends, in turn."""

    def make(nodes, backends, lost=()):
        ray, waiting = FakeRay(nodes, dict(lost)), iter(backends)
        strategies = types.ModuleType("ray.util.scheduling_strategies")
        strategies.NodeAffinitySchedulingStrategy = lambda node_id, soft: node_id
        for name, module in (("ray", ray), ("ray.util", ray), ("ray.util.scheduling_strategies", strategies)):
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(ray_executor.backends, "create", lambda name, options: next(waiting))
        return ray

    return make


def run(executor, count=12):
    search = loop.trials(job(), Strategy(count, seed=3), executor)
    trials = [trial for trial, _ in zip(search, range(count), strict=False)]
    search.close()
    return trials


def test_one_actor_for_each_node_and_the_search_runs_there(cluster):
    ray = cluster([node("b", "10.0.0.2"), node("a"), node("dead", alive=False)], [device(), device()])
    executor = executors.connect("ray", device(), RECIPE, None)
    assert ray.address == "auto"
    assert [name for name, _ in ray.placed] == ["a", "b"]
    assert {trial.device for trial in run(executor)} == {"10.0.0.1/0", "10.0.0.2/0"}
    executor.close()
    executor.close()
    assert len(ray.killed) == 2
    assert ray.ends == 1


def test_a_cluster_that_the_caller_joined_is_not_left(cluster):
    ray = cluster([node("a")], [device()])
    ray.address = "10.0.0.1:6379"
    executors.connect("ray", device(), RECIPE, None).close()
    assert ray.ends == 0


def test_one_actor_for_each_npu_on_nodes_that_have_some(cluster):
    ray = cluster([node("a", NPU=2.0), node("b", "10.0.0.2"), node("c", "10.0.0.3", NPU=1.0)], [device()] * 3)
    backend = with_devices(device())
    assert executors.connect("ray://10.0.0.1:10001", backend, RECIPE, None).devices == 3
    assert ray.address == "ray://10.0.0.1:10001"
    assert [name for name, _ in ray.placed] == ["a", "a", "c"]
    assert all(options["resources"] == {"NPU": 1} for _, options in ray.placed)


def test_simulated_devices_are_spread_over_the_nodes(cluster):
    ray = cluster([node("a"), node("b")], [device()] * 3)
    backend = with_devices(device(), 8, resource=None)
    backend.simulated = True
    recipe = BackendRecipe("simulator", BackendOptions(Path("cache"), devices=(0, 1, 2)))
    assert executors.connect("ray", backend, recipe, (0, 1, 2)).devices == 3
    assert [name for name, _ in ray.placed] == ["a", "b", "a"]


def test_nodes_with_another_device_are_refused_by_name(cluster, monkeypatch):
    broken = device()
    broken.unavailable = "no compiler"
    nodes = [node(name, f"10.0.0.{number}") for number, name in enumerate("abcd", 1)]
    ray = cluster(nodes, [device(), device("fake-2"), broken, device()], {"d": RayActorError("it died\nat once")})
    executor = executors.connect("ray", device(), RECIPE, None)
    assert executor.devices == 1
    assert [str(note) for note in executor.notes] == [
        "device 10.0.0.2/0 is not used: device is fake-2, here fake-1",
        "device 10.0.0.3/0 is not used: no compiler",
        "device 10.0.0.4/0 is not used: it died",
    ]
    assert len(ray.killed) == 3


def test_a_lost_node_is_given_up_and_its_trial_done_elsewhere(cluster):
    ray = cluster([node("a"), node("b", "10.0.0.2")], [device(), device()])
    executor = executors.connect("ray", device(), RECIPE, None)
    ray.lost["b"] = GetTimeoutError("Get timed out")
    trials = run(executor)
    assert len({trial.config for trial in trials}) == 12
    assert {trial.device for trial in trials} == {"10.0.0.1/0"}
    assert [str(note) for note in executor.notes] == ["device 10.0.0.2/0 was lost: Get timed out"]


def test_after_a_search_nothing_of_it_is_left_on_a_device_where_the_driver_may_confirm(cluster):
    class Restarted(FakeBackend):
        restarts = 0

        def restart(self):
            self.restarts += 1

    actor, driver = Restarted(), Restarted()
    ray = cluster([node("a"), node("b", "10.0.0.2")], [actor, Restarted()])
    executor = executors.connect("ray", driver, RECIPE, None)
    run(executor, 4)
    assert (actor.restarts, driver.restarts) == (1, 0)
    ray.lost["b"] = RayActorError("gone")
    run(executor, 4)
    assert actor.restarts == 2
    assert executor.devices == 1


def test_what_our_own_code_raises_there_is_raised_here(cluster):
    def broken(problem, config):
        raise ZeroDivisionError

    cluster([node("a")], [FakeBackend(time_us=broken)])
    executor = executors.connect("ray", device(), RECIPE, None)
    with pytest.raises(ZeroDivisionError):
        run(executor)


@pytest.mark.parametrize(
    ("nodes", "backends", "numbered", "message"),
    [
        ([node("a")], [device("fake-2")], False, "(?s)no device of the Ray cluster can be used.*10.0.0.1/0.*fake-2"),
        ([node("a")], [], True, "no node of the Ray cluster has a resource NPU"),
    ],
)
def test_a_cluster_without_a_fitting_device_is_an_error_and_left(cluster, nodes, backends, numbered, message):
    ray = cluster(nodes, backends)
    backend = with_devices(device()) if numbered else device()
    with pytest.raises(BackendUnavailableError, match=message):
        executors.connect("ray", backend, RECIPE, None)
    assert ray.ends == 1


def test_bad_requests_say_what_to_do(cluster, monkeypatch):
    ray = cluster([node("a")], [])
    ray.refuses = ConnectionError("could not find any running Ray instance")
    with pytest.raises(BackendUnavailableError, match=r"(?s)of this machine cannot be reached: could not.*ray start"):
        executors.connect("ray", device(), RECIPE, None)
    url = SecretUrl("ray://me:S3cr3t@head:10001?token=S3cr3t2")
    ray.refuses = OSError(f"cannot resolve me:S3cr3t@head, nor {url.reveal()}")
    with pytest.raises(BackendUnavailableError, match=r"Ray cluster at ray://\*\*\*@head:10001\?token=") as caught:
        executors.connect(url, device(), RECIPE, None)
    assert "S3cr3t" not in "".join(traceback.format_exception(caught.value))
    backend = with_devices(device())
    recipe = BackendRecipe("ascend", BackendOptions(Path("cache"), devices=(0, 1)))
    with pytest.raises(SettingsError, match="Ray hands out each NPU"):
        executors.connect("ray", backend, recipe, (0, 1))
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingsError, match=r"pip install 'ray\[client\] >= 2.44'"):
        executors.connect("ray", device(), RECIPE, None)
