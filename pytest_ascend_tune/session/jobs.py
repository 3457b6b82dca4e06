"""From a request to a job: template, space and settings are found once, before measuring, and carried to the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pytest_ascend_tune.kernels.space import SearchSpace
from pytest_ascend_tune.kernels.template import builtin_templates, load_template, locate
from pytest_ascend_tune.model.errors import ProblemError, SettingsError
from pytest_ascend_tune.model.problem import GemmProblem
from pytest_ascend_tune.model.protocols import Backend, Job, Particular
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import BaselineKey
from pytest_ascend_tune.options.settings import Request, Settings
from pytest_ascend_tune.session.against import Against, read_against
from pytest_ascend_tune.session.places import Places


@dataclass(frozen=True)
class GateJob:
    """One problem to tune and gate, with all that was found for it.

    `search`: what the search needs. `place`: the template as an option names it, from rootdir. `constraints`: of the
    template's space, as text. `against`: the same kernel in the revision that it is compared with.
    """

    request: Request
    search: Job
    place: str
    constraints: tuple[str, ...]
    against: Against | None = None

    @property
    def problem(self) -> GemmProblem:
        """What is tuned."""
        return self.request.problem

    @property
    def settings(self) -> Settings:
        """What holds for it."""
        return self.request.settings

    @property
    def nodeid(self) -> str:
        """The test that asks, "" on the command line."""
        return self.request.nodeid

    @property
    def template(self) -> Template:
        """The kernel that is tuned."""
        return self.search.template

    @cached_property
    def key(self) -> BaselineKey:
        """Names its baseline."""
        device, variant = self.search.backend.device, self.request.variant
        return BaselineKey(self.settings.baseline, device, self.template.name, self.problem.id, variant)

    @property
    def id(self) -> str:
        """Names it in messages and paths."""
        return self.request.id


Claims = dict[tuple[str, str], str]  # who tunes a problem with a template


def claim(claims: Claims, job: GateJob) -> None:
    """A problem is tuned with a template once a run. Raises SettingsError naming the other who does."""
    what = (job.id, job.template.name)
    if what in claims:
        raise SettingsError(
            f"{job.id} with {job.template.name} is tuned by {claims[what]} already; each problem once a run"
        )
    claims[what] = job.nodeid or job.id


class Jobs:
    """Makes the jobs of one run; a template that several ask for is read once."""

    def __init__(self, backend: Backend, places: Places) -> None:
        self._backend, self._places = backend, places
        self._revisions: dict[tuple[str, str, Path], Against] = {}
        self._read: dict[tuple[str, Path], tuple[Template, SearchSpace]] = {}

    def of(self, request: Request) -> GateJob:
        """The job of a request. Raises InvalidInputError for what cannot be measured here."""
        settings, problem = request.settings, request.problem
        name = settings.template or self._backend.default_template
        template, space = self._template(name, self._places.base(settings, "template"))
        self._check(problem, template)
        bound = space.bind(self._backend.facts(), problem)
        if request.config is not None:
            bound = _only(space.bind(self._backend.facts()), request)
        elif bound.default is None:
            bound.candidates(problem, limit=1)  # raises when nothing is legal
        place = name if name in builtin_templates() else self._places.from_root(settings, "template", name)
        constraints = tuple(constraint.condition.text for constraint in space.constraints)
        against = None
        if settings.against is not None:
            against = self._against(settings.against, name, self._places.base(settings, "template")).bound(
                self._backend.facts(), problem
            )
        return GateJob(request, Job(problem, template, bound, self._backend), place, constraints, against)

    def template(self, place: str) -> Template:
        """The template that a result names."""
        return self._template(place, self._places.root)[0]

    def _against(self, revision: str, name: str, base: Path) -> Against:
        """A template in a revision, read once. Raises RevisionError, TemplateError."""
        asked = (revision, name, base)
        if asked not in self._revisions:
            self._revisions[asked] = read_against(
                revision, *locate(name, base), self._template(name, base)[0], root=self._places.root
            )
        return self._revisions[asked]

    def _template(self, name: str, base: Path) -> tuple[Template, SearchSpace]:
        if (name, base) not in self._read:
            template, space = load_template(name, base)
            if self._backend.name not in template.backends:
                raise SettingsError(
                    f"template {template.name} is made for {', '.join(template.backends)}, "
                    f"not for {self._backend.name}; choose another template or another backend"
                )
            if isinstance(self._backend, Particular):
                self._backend.check_template(template)
            self._read[name, base] = template, space
        return self._read[name, base]

    def _check(self, problem: GemmProblem, template: Template) -> None:
        available = self._backend.memory_bytes()
        if problem.operand_bytes > available:
            raise ProblemError(
                f"{problem.id} needs {problem.operand_bytes / 2**30:.1f} GiB of memory for A, B and C; "
                f"{self._backend.device} has {available / 2**30:.1f} GiB for them"
            )
        if problem.layout not in template.layouts:
            raise ProblemError(
                f"template {template.name} has no layout {problem.layout} (it has {', '.join(template.layouts)})"
            )


def _only(space: SearchSpace, request: Request) -> SearchSpace:
    """The space of the one configuration that a request names. Raises SettingsError."""
    config = space.default if isinstance(request.config, str) else request.config
    if config is None:
        raise SettingsError("config='default': the template declares no [default]; name the configuration itself")
    reason = space.why_illegal(config, request.problem)
    if reason is not None:
        raise SettingsError(f"config={request.config!r} cannot be gated: {reason}")
    return replace(SearchSpace.from_configs([config]), default=config, facts=space.facts)
