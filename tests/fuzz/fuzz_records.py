"""Coverage-guided fuzzing of everything that reads stored files: only our own errors may come out.

    python tests/fuzz/fuzz_records.py [CORPUS] [-max_total_time=60]     (needs atheris; options are libFuzzer's)

The first byte of an input says which reader gets the rest. `make_corpus` puts one good file of each kind into a folder.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed: pip install pytest-ascend-tune[fuzz]")
    parts = ["pytest_ascend_tune.records", "pytest_ascend_tune.model", "json"]
    instrumented = atheris.instrument_imports(include=parts)
else:  # the tests read the corpus without atheris
    instrumented = contextlib.nullcontext()

with instrumented:
    from pytest_ascend_tune.model.errors import RecordError
    from pytest_ascend_tune.records.baselines.candidates import read_candidate, write_candidate
    from pytest_ascend_tune.records.baselines.store import BaselineStore
    from pytest_ascend_tune.records.runs.journal import Journal, JournalHeader, read_journal
    from pytest_ascend_tune.records.runs.results import read_history, read_run, write_run

from tests import factories
from tests.contracts.store_contract import SOURCES, baseline

KEY = baseline().key
RESULT = factories.gate_result(count=3)
SEED_LIST = b'[{"config": {"tile_m": 64}, "time_ms": 0.6, "gflops": 229064922, "success": true}]'


class Readers:
    """One method of reading per kind of file, each from a folder of good files in which one is replaced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = BaselineStore(folder / "store")
        self.baseline = self.store.save(baseline(), SOURCES)
        self.candidate = write_candidate(folder / "candidate", baseline(), SOURCES)
        self.run = folder / "run"
        write_run(self.run, RESULT)
        self.journal = folder / "journal.jsonl"
        header = JournalHeader(RESULT.tuning.problem, "tiny", "ab", "cpu", "cpu-x", simulated=False, seed=1)
        with Journal.create(self.journal, header) as journal:
            for trial in RESULT.tuning.trials:
                journal.append(trial)
        self.seed_list = folder / "list.json"
        self.seed_list.write_bytes(SEED_LIST)
        read_whole_run = lambda: read_run(self.run)  # noqa: E731
        self.kinds: list[tuple[Path, Callable[[], object]]] = [
            (self.baseline, lambda: self.store.load(KEY)),
            (self.candidate, lambda: read_candidate(folder / "candidate")),
            (self.journal, lambda: read_journal(self.journal)),
            (self.seed_list, lambda: read_history(self.seed_list)),
            *((self.run / name, read_whole_run) for name in ("history.json", "convergence.json", "best_config.json")),
        ]
        self.good = [path.read_bytes() for path, _ in self.kinds]

    def read(self, data: bytes) -> None:
        """Give one reader the bytes, then put the good file back."""
        number = data[0] % len(self.kinds)
        path, reader = self.kinds[number]
        path.write_bytes(data[1:])
        try:
            with contextlib.suppress(RecordError):
                reader()
        finally:
            path.write_bytes(self.good[number])


def make_corpus(readers: Readers, folder: Path) -> None:
    """One good input of each kind, so that mutation starts from something that is read to its end."""
    for number, good in enumerate(readers.good):
        (folder / f"good-{number}").write_bytes(bytes([number]) + good)


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-records-"))
    try:
        readers = Readers(folder)
        corpus = folder / "corpus"
        corpus.mkdir()
        make_corpus(readers, corpus)

        def one_input(data: bytes) -> None:
            if data:
                readers.read(data)

        atheris.Setup([*sys.argv, str(corpus), "-max_len=20000"], one_input)
        atheris.Fuzz()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
