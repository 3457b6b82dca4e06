"""The Python API without pytest: search one problem and confirm the result; no baseline, no verdict, no files but
the cache."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_ascend_tune import backends
from pytest_ascend_tune.execute.confirm import ConfirmPlan
from pytest_ascend_tune.kernels.template import load_template
from pytest_ascend_tune.model.errors import BackendUnavailableError, ProblemError, SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Backend, BackendOptions, Job, Strategy
from pytest_ascend_tune.model.search import ConvergenceState, TuningResult
from pytest_ascend_tune.options.settings import check_arguments
from pytest_ascend_tune.session.confirm import confirm_search, with_confirmation
from pytest_ascend_tune.session.search import Observer, search, unsupported
from pytest_ascend_tune.tuning.convergence import ConvergenceRule

if TYPE_CHECKING:
    from os import PathLike


def tune(  # noqa: PLR0913 - keywords of the public contract
    problem: GemmProblem,
    *,
    backend: str | Backend = "auto",
    template: str | PathLike[str] | None = None,
    max_iter: int = 50,
    seed: int = 42,
    patience: int | None = None,
    time_budget: float | None = None,
    folder: str | PathLike[str] = ".ascend-tune",
    observe: Observer | None = None,
) -> TuningResult:
    """Tune `problem` and confirm the winner on fresh samples (``result.confirmed``, None when nothing valid ran).

    A winner far above the peak of the device is nothing valid: its trial is a wrong result, and a note says so.
    `backend`: a name as of --ascend-tune-backend, or an object that implements protocols.Backend (left open).
    `template`: built-in name or folder, default the backend's. `max_iter`: trials. `time_budget`: seconds.
    `folder`: built kernels are cached below it. `observe(trial, convergence)` sees each trial.
    Raises InvalidInputError and BackendUnavailableError before anything is measured; Ctrl-C in the search returns what
    there is, with the state ``interrupted`` and nothing confirmed.
    """
    if not isinstance(problem, GemmProblem):
        raise ProblemError(f"problem={problem!r} is a {type(problem).__name__}; a GemmProblem is needed")
    given = {"max_iter": max_iter, "seed": seed, "patience": patience, "time_budget": time_budget, "template": template}
    checked = check_arguments(given, tuple(given))
    for name, lowest in (("max_iter", 1), ("seed", 0)):
        if checked[name] is None or checked[name] < lowest:
            raise SettingsError(f"{name}: {given[name]!r} is not allowed; a whole number >= {lowest} is needed")
    used = (
        backends.create(backend, options=BackendOptions(Path(folder) / "cache"))
        if isinstance(backend, str)
        else backend
    )
    try:
        reason = used.unavailable_because()
        if reason:
            raise BackendUnavailableError(f"backend {used.name!r} cannot run here: {reason}")
        lack = unsupported(used, problem)
        if lack:
            raise SettingsError(lack)
        loaded, space = load_template(Path(template) if template is not None else used.default_template)
        job = Job(problem, loaded, space.bind(used.facts(), problem), used)
        result = search(
            job,
            Strategy(max_trials=max_iter, seed=seed),
            ConvergenceRule(max_trials=max_iter, patience=patience),
            observe=observe or (lambda trial, convergence: None),
            time_budget_s=time_budget,
        )
        if result.convergence.state is ConvergenceState.INTERRUPTED:
            return result
        return with_confirmation(result, confirm_search(job, result, None, None, ConfirmPlan(seed=seed)))
    finally:
        if isinstance(backend, str):
            used.close()
