"""Every outside name that the backend uses stands in one table, with the public source that shows it."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_ascend_tune.backends import ascend
from pytest_ascend_tune.backends.ascend.runtime import CALLS
from tests.fakes.cann import TEMPLATE

FOLDER = Path(ascend.__file__).parent
TEXTS = {path.name: path.read_text() for path in [*FOLDER.glob("*.py"), TEMPLATE / "timing.hpp"]}


def used_names() -> set[str]:
    code = "\n".join(text.partition("CALLS = {")[0] + text.partition("\n}\n")[2] for text in TEXTS.values())
    native = set(re.findall(r"\b(acl(?:rt)?[A-Z]\w+|hal[A-Z]\w+)\b(?=\(|\"|\.)", code))
    return native | {f"torch.npu.{name}" for name in re.findall(r"torch\.npu\.(\w+)", code)}


def test_every_call_is_listed():
    assert used_names() - set(CALLS) == set()


def test_nothing_is_listed_that_is_not_used():
    assert set(CALLS) - used_names() == set()


def test_each_has_a_public_source():
    assert all(re.match(r"[\w-]+/[\w-]+:\S+", source) for source in CALLS.values())


def test_torch_is_imported_by_the_runtime_only():
    importing = [
        name for name, text in TEXTS.items() if re.search(r"import_module\(\"torch|^\s*import torch", text, re.M)
    ]
    assert importing == ["runtime.py"]
