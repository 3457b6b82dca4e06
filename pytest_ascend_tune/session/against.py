"""The kernel of a git revision, which today's is compared with in place of a stored baseline."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_ascend_tune.execute.confirm import ConfirmPlan, race
from pytest_ascend_tune.files.git import Repository, short
from pytest_ascend_tune.kernels.sources import builtin_root
from pytest_ascend_tune.kernels.space import SearchSpace
from pytest_ascend_tune.kernels.template import SPACE_FILE, builtin_templates, read_template
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import InvalidInputError, RevisionError, TrialError
from pytest_ascend_tune.model.measurement import Failure
from pytest_ascend_tune.model.problem import Config, GemmProblem
from pytest_ascend_tune.model.protocols import Artifact, Job
from pytest_ascend_tune.model.search import Template, TuningResult
from pytest_ascend_tune.model.verdict import Baseline, Revision
from pytest_ascend_tune.session.confirm import DEFAULT, finalist_configs, own_build

BASELINE, SEARCH = "baseline", "search"  # where a revision's configuration is from, beside DEFAULT


@dataclass(frozen=True)
class Against:
    """A template as it is in a revision; the other members are Revision's."""

    template: Template
    space: SearchSpace
    asked: str
    commit: str
    today: str
    changed: bool
    pages: tuple[str, str] = ("", "")

    def bound(self, facts: Mapping[str, int], problem: GemmProblem) -> Against:
        """For one problem on one device. Raises SpaceError."""
        return replace(self, space=self.space.bind(facts, problem))

    def revision(self, config: Config, config_from: str) -> Revision:
        """As a result tells of it."""
        return Revision(self.asked, self.commit, self.today, self.changed, config, config_from, self.pages)


def read_against(revision: str, folder: Path, grid: str, today: Template, *, root: Path) -> Against:
    """The template of `folder` as it is in `revision`; where it was renamed since, by its name there.

    `root`: rootdir, whose repository a built-in template has to be part of.

    Raises RevisionError, which says what to do.
    """
    try:
        if today.name in builtin_templates() and folder == builtin_root() / today.name:
            _check_versioned(folder, root)
        repository = Repository.of(folder)
        commit, head = repository.commit(revision), repository.commit("HEAD")
        there = _folder_in(repository, commit, today.name)
        template, space = read_template(repository.files(commit, there), today.name, grid)
        pages = repository.page(commit), repository.page(head)
        return Against(template, space, revision, commit, head, _changed(repository, head, grid, today), pages)
    except InvalidInputError as error:
        raise RevisionError(f"{switch('against')}={revision}: {error}") from None


def _folder_in(repository: Repository, commit: str, name: str) -> str:
    """Where the template is in a commit, relative to the root."""
    place = repository.prefix
    if SPACE_FILE in repository.files(commit, place):
        return place
    earlier = repository.earlier_name(commit, f"{place}/{SPACE_FILE}".lstrip("/"))
    if earlier:
        return os.path.dirname(earlier)
    raise RevisionError(
        f"template {name} is not there: {short(commit)} has no {place or '.'}/{SPACE_FILE}, under no earlier name that "
        "git sees either (a renaming must be committed); choose a revision that has it"
    )


def _changed(repository: Repository, head: str, grid: str, today: Template) -> bool:
    """Whether today's sources are others than those of HEAD."""
    try:
        template, _ = read_template(repository.files(head, repository.prefix), today.name, grid)
    except InvalidInputError:
        return True
    return template.source_hash != today.source_hash


def _check_versioned(folder: Path, root: Path) -> None:
    """Raise RevisionError for a built-in template, unless rootdir is a checkout of pytest-ascend-tune itself."""
    try:
        ours, repository = Repository.of(folder), Repository.of(root)
        if ours.root == repository.root and SPACE_FILE in ours.files(ours.commit("HEAD"), ours.prefix):
            return
    except RevisionError:
        pass
    raise RevisionError(
        f"template {folder.name} is part of pytest-ascend-tune, not of your repository, and has no revisions there; "
        f"name a template of your own with {switch('template')}"
    )


def opponent(
    job: Job, against: Against, tuning: TuningResult, baseline: Baseline | None, plan: ConfirmPlan
) -> tuple[Revision, Artifact | Failure]:
    """What today's best is compared with, and its build; why there is none, when it does not build or is wrong.

    Its configuration is the stored baseline's, where there is one; else, without a search, the revision's own default;
    else the fastest there of the search's best configurations and that default: one search serves both sides.
    """
    config, source = _configuration(job, against, tuning, baseline, plan)
    return against.revision(config, source), _checked(job, against, config, plan)


def _configuration(
    job: Job, against: Against, tuning: TuningResult, baseline: Baseline | None, plan: ConfirmPlan
) -> tuple[Config, str]:
    space, problem = against.space, job.problem
    if baseline is not None and space.why_illegal(baseline.config, problem) is None:
        return baseline.config, BASELINE
    default = space.default_for(problem)
    if not tuning.trials:
        return default, DEFAULT
    found = [config for config in finalist_configs(job, tuning, None) if space.why_illegal(config, problem) is None]
    builds = [_checked(job, against, config, plan) for config in dict.fromkeys([*found, default])]
    working = [build for build in builds if not isinstance(build, Failure)]
    fastest = race(job.backend, problem, working, plan, preferred=found[0] if found else default)
    if fastest is None or fastest.config is None:
        return default, DEFAULT
    return fastest.config, SEARCH if fastest.config in found else DEFAULT


def _checked(job: Job, against: Against, config: Config, plan: ConfirmPlan) -> Artifact | Failure:
    """A build of the revision's sources, its result verified: nobody has ever, and a wrong one may be quick."""
    build = own_build(job, against.template, config)
    if isinstance(build, Failure):
        return build
    try:
        job.backend.verify(build, job.problem, timeout_s=plan.timeout_s)
    except TrialError as error:
        return Failure(error.kind, str(error))
    return build
