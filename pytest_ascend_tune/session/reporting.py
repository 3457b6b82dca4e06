"""What a run says when it is over: reports, the terminal's summary, GitHub's annotations, a failed test's message."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pytest_ascend_tune.gate.verdict import no_baseline_here
from pytest_ascend_tune.kernels.template import builtin_folder, builtin_templates
from pytest_ascend_tune.model.door import switch
from pytest_ascend_tune.model.errors import RecordError
from pytest_ascend_tune.model.text import Text
from pytest_ascend_tune.model.verdict import BaselineKey, GateResult
from pytest_ascend_tune.records.runs.prune import prune_runs
from pytest_ascend_tune.records.runs.results import write_missed
from pytest_ascend_tune.reports.messages import translate
from pytest_ascend_tune.reports.text.markdown import failure_annotations
from pytest_ascend_tune.reports.text.terminal import failure_message, summary_lines
from pytest_ascend_tune.reports.view import report_view
from pytest_ascend_tune.session.context import Context
from pytest_ascend_tune.session.publish import Publication, publish_all


class Reporting:
    """Speaks of what stands in the ledger."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._published = False
        self._complete = True  # False when the run was interrupted

    def publish(self, environment: Mapping[str, str] | None = None, *, interrupted: bool = False) -> None:
        """Write report, results.json and the Markdown summary of all results. `environment`: more facts to show.

        Raises RecordError when they cannot be written; the folders of the run hold all that was measured.
        """
        context, places, ledger = self._context, self._context.places, self._context.ledger
        self._complete = not interrupted
        if ledger.missed:
            write_missed(places.run(), ledger.missed)
        what = Publication(
            ledger.results,
            ledger.missed,
            context.now(),
            context.screen.language,
            context.history,
            environment,
            self._complete,
        )
        publish_all(what, places.report, places.json, places.markdown)
        self._published = True
        self._prune()
        step_summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if step_summary:
            with open(step_summary, "a", encoding="utf-8") as file:
                file.write(places.markdown.read_text(encoding="utf-8"))

    def _prune(self) -> None:
        """Delete runs beyond those to keep, and say so; what goes wrong with it costs nothing that was measured."""
        context, keep = self._context, self._context.settings.keep_runs
        if not keep or not context.places.has_run:
            return
        try:
            deleted = prune_runs(context.places.folder, keep).deleted
        except (RecordError, OSError) as error:
            context.trouble(str(error))
            return
        if deleted:
            template = "{count} old runs were deleted; the newest {keep} are kept ({switch})"
            text = Text.of(template, count=len(deleted), keep=keep, switch=switch("keep_runs"))
            context.trouble(translate(text, context.screen.language))

    def annotations(self, lines: Mapping[str, int]) -> list[str]:
        """On GitHub: workflow commands that show each failure beside the code. `lines`: of the tests, by node id."""
        if os.environ.get("GITHUB_ACTIONS") != "true":
            return []
        context, ledger = self._context, self._context.ledger
        view = report_view(ledger.results, ledger.missed, now=context.now(), language=context.screen.spoken)
        nodeids = [result.nodeid for result in ledger.results] + [one.nodeid for one in ledger.missed]
        files = {nodeid.partition("::")[0] for nodeid in nodeids}
        return failure_annotations(view, [name for name in files if (context.places.root / name).is_file()], lines)

    def summary(self, width: int) -> list[str]:
        """What stands at the end of the terminal output; nothing when nothing was asked for."""
        context, ledger = self._context, self._context.ledger
        if not ledger:
            return []
        lines = summary_lines(
            ledger.results,
            ledger.missed,
            width=width,
            encoding=context.screen.encoding,
            language=context.screen.spoken,
            report=str(context.places.report) if self._published else "",
            complete=self._complete,
        )
        if context.compared_nothing:
            lines.append(translate(no_baseline_here(ledger.results[0].tuning.device), context.screen.spoken))
        lines += [translate(note, context.screen.spoken) for note in self._not_yours()]
        lines += context.troubles
        orphans = self._orphans()
        if orphans:
            text = Text.of("baselines that no collected test matches: {names}", names=", ".join(orphans))
            lines.append(translate(text, context.screen.spoken))
        return lines

    def _not_yours(self) -> list[Text]:
        """Built-in templates that were gated from where they are installed: no change of the repository can show."""
        template = (
            "template {name}: this kernel is part of pytest-ascend-tune, not of your repository; to gate one of your "
            "own, copy it with: ascend-tune init --template {name}"
        )
        places = {result.template_place for result in self._context.ledger.results} & set(builtin_templates())
        root = self._context.places.root.resolve()
        foreign = [name for name in sorted(places) if not builtin_folder(name).resolve().is_relative_to(root)]
        return [Text.of(template, name=name) for name in foreign]

    def sentence(self, result: GateResult) -> str:
        """The verdict's sentence, for people."""
        return translate(result.verdict.reason, self._context.screen.spoken)

    def failure_message(self, result: GateResult) -> str:
        """What a failed test says; it goes into files too, so paths are spelt from rootdir."""
        context, places = self._context, self._context.places
        inside = places.report.is_relative_to(places.root)
        report = places.report.relative_to(places.root) if inside else places.report
        return failure_message(result, language=context.screen.spoken, report=str(report))

    def _orphans(self) -> list[str]:
        """Problem ids of stored baselines that nothing asked for, when all that the suite holds is known."""
        context, ledger = self._context, self._context.ledger
        if not ledger.whole_suite or not all(one.problem_id for one in ledger.missed):
            return []
        asked = {one.problem_id for one in ledger.missed}
        wanted = [
            BaselineKey(
                context.settings.baseline,
                result.tuning.device,
                result.tuning.template,
                result.tuning.problem.id,
                result.variant,
            )
            for result in ledger.results
        ]
        return [key.id for key in context.store.orphans(wanted) if key.id not in asked]
