"""What a run would record as a baseline, kept in its folder: it can be accepted later without measuring again."""

from __future__ import annotations

from pathlib import Path

from pytest_ascend_tune.files import atomic, jsontext
from pytest_ascend_tune.model.errors import BaselineError
from pytest_ascend_tune.model.search import Template
from pytest_ascend_tune.model.verdict import Baseline
from pytest_ascend_tune.records.baselines.sources import read_sources, write_sources
from pytest_ascend_tune.records.format.codec import read_record, to_json

SCHEMA = 1
FILE_NAME = "candidate.json"
SOURCES = "sources"


def write_candidate(folder: Path, baseline: Baseline, sources: Template) -> Path:
    """Keep the baseline that the result in `folder` would make. Not for failed or interrupted searches."""
    write_sources(folder / SOURCES, sources.files)
    return atomic.write_text(folder / FILE_NAME, jsontext.dump({"schema": SCHEMA, **to_json(baseline)}))


def read_candidate(folder: Path) -> tuple[Baseline, tuple[tuple[str, str], ...]]:
    """The kept baseline and its source files (relative name, text). Raises BaselineError."""
    path = folder / FILE_NAME
    if not path.is_file():
        raise BaselineError(
            f"{folder}: holds no {FILE_NAME}: the run was interrupted, failed, or its backend cannot make a baseline"
        )
    document = jsontext.read_document(path, error=BaselineError)
    return read_record(Baseline, document, SCHEMA), read_sources(folder / SOURCES)
