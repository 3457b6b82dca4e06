"""A Store in memory (its sources in a folder, because a Store hands out folders)."""

from __future__ import annotations

from pathlib import Path

from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import Baseline, BaselineKey


class FakeStore:
    """Keeps the rules of a Store in their plainest form: a number below the stored one is a loss."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.baselines: dict[BaselineKey, Baseline] = {}

    def load(self, key: BaselineKey) -> Baseline | None:
        return self.baselines.get(key)

    def save(self, baseline: Baseline, sources: Template, *, accept_regression: bool = False) -> Path:
        old = self.load(baseline.key)
        if sources.source_hash != baseline.source_hash:
            raise BaselineError("other sources than those of the baseline")
        if old and old.simulated != baseline.simulated:
            raise BaselineError("simulated and measured baselines do not replace each other")
        if old and baseline.measurement.tflops < old.measurement.tflops and not accept_regression:
            raise BaselineError("lower; record again with --ascend-tune-accept-regression")
        for name, text in sources.files:
            path = self.folder / sources.source_hash / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        self.baselines[baseline.key] = baseline
        return self.folder / baseline.key.problem_id

    def load_sources(self, source_hash: str) -> Path | None:
        folder = self.folder / source_hash
        return folder if folder.is_dir() else None
