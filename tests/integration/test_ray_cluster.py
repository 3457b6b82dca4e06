"""A real Ray cluster of two nodes on this machine: both work, one is killed in the middle of a search."""

import contextlib
import shutil
import tempfile
import time
from pathlib import Path

import pytest

from pytest_ascend_tune import backends
from pytest_ascend_tune.execute import executors
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import BackendOptions, BackendRecipe, Job, Strategy
from pytest_ascend_tune.session.search import search
from pytest_ascend_tune.tuning.convergence import ConvergenceRule

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]  # older Rays leave files open
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'ray[client]'")
BUDGET = 16
PROBLEMS = {
    "simulator": GemmProblem(2048, 2048, 2048, "float16"),
    "cpu": GemmProblem(128, 128, 128, "float32"),
}


@pytest.fixture
def cluster(monkeypatch):
    from ray.cluster_utils import Cluster

    folder = tempfile.mkdtemp(prefix="ray")  # pytest's own is too long for the names of sockets
    monkeypatch.setenv("TMPDIR", folder)  # Ray's session, and the actors' cache of kernels
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    cluster.second = cluster.add_node(num_cpus=1)
    yield cluster
    cluster.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def connected(name, folder, devices=None):
    """Job and executor on the cluster."""
    recipe = BackendRecipe(name, BackendOptions(Path(folder), devices=devices))
    backend = backends.create(name, options=recipe.options)
    template, space = load_template(backend.default_template)
    problem = PROBLEMS[name]
    return (
        Job(problem, template, space.bind(backend.facts(), problem), backend),
        executors.connect("ray", backend, recipe, devices),
    )


def run(job, executor, observe=lambda trial, convergence: None):
    rule = ConvergenceRule(max_trials=BUDGET, patience=BUDGET)
    return search(job, Strategy(BUDGET, seed=3), rule, executor=executor, observe=observe)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_node_that_is_killed_costs_no_trial(cluster, tmp_path, name):
    job, executor = connected(name, tmp_path)

    def kill(trial, convergence):
        if trial.index == 5:
            cluster.remove_node(cluster.second, allow_graceful=False)
            deadline = time.monotonic() + 60.0
            while sum(node["Alive"] for node in ray.nodes()) > 1 and time.monotonic() < deadline:
                time.sleep(0.2)

    with contextlib.closing(job.backend), contextlib.closing(executor):
        assert executor.devices == 2
        result = run(job, executor, kill)
        assert executor.devices == 1
    assert [trial.index for trial in result.trials] == list(range(1, BUDGET + 1))
    assert len({trial.config for trial in result.trials}) == BUDGET
    assert len({trial.device for trial in result.trials[:5]}) == 2
    (note,) = map(str, result.notes)
    lost = {trial.device for trial in result.trials[:5]} - {result.trials[-1].device}
    assert note.startswith(f"device {lost.pop()} was lost: ")


def test_simulated_devices_on_two_nodes_give_the_values_of_one(cluster, tmp_path):
    job, executor = connected("simulator", tmp_path, devices=(0, 1, 2, 3))
    with contextlib.closing(executor):
        result = run(job, executor)
    assert len({trial.device for trial in result.trials}) == 4
    problem, backend = job.problem, job.backend
    for trial in result.trials:
        artifact = backend.build(job.template, problem, trial.config)
        assert trial.time_us == pytest.approx(backend.sample(artifact, problem, timeout_s=60.0).us)
