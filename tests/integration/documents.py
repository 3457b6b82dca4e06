"""Reads the project's Markdown: code blocks with the marker comment above them, and sections that are generated.

Markers, as HTML comments on the line above a block:

``<!-- file: NAME -->``       write the block to that file in the page's folder
``<!-- not run: REASON -->``  cannot run in CI
``<!-- exit: 0 or 1 -->``     exit codes that each command of the block may have (default 0)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pytest_ascend_tune.cli.commands import COMMANDS
from pytest_ascend_tune.options.table import options_table

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "README.zh-CN.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
)
NOT_CODE = ("", "text", "{toctree}", "toml")  # output, drawings, Sphinx directives


@dataclass(frozen=True)
class Block:
    """One fenced block; `marker` is what the comment above it says, split at the colon."""

    language: str
    text: str
    line: int
    marker: tuple[str, str] = ("", "")

    @property
    def commands(self) -> list[str]:
        """Commands of a shell block, one a logical line, without comments."""
        joined = re.sub(r"\\\n\s*", "", self.text)
        lines = (re.sub(r"\s+#\s.*", "", line).strip() for line in joined.splitlines())
        return [line for line in lines if line and not line.startswith("#")]

    @property
    def exit_codes(self) -> set[int]:
        """Exit codes that are fine."""
        kind, value = self.marker
        return {int(code) for code in value.split(" or ")} if kind == "exit" else {0}


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a page in order."""
    lines, found, number = path.read_text(encoding="utf-8").splitlines(), [], 0
    while number < len(lines):
        fence = re.match(r"```(\S*)", lines[number])
        if not fence:
            number += 1
            continue
        end = next(at for at in range(number + 1, len(lines)) if lines[at].startswith("```"))
        above = lines[number - 1] if number else ""
        comment = re.fullmatch(r"<!-- ([a-z ]+): (.+) -->", above)
        marker = (comment[1], comment[2]) if comment else ("", "")
        found.append(Block(fence[1], "\n".join(lines[number + 1 : end]) + "\n", number + 1, marker))
        number = end + 1
    return found


def commands_table() -> str:
    """The commands of ``ascend-tune`` as a Markdown table."""
    rows = [f"| `{command.name}` | {command.help} |" for command in COMMANDS]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


GENERATED = {
    ("README.md", "options"): options_table,
    ("docs/reference.md", "options"): options_table,
    ("docs/command-line.md", "commands"): commands_table,
}


def section(text: str, name: str) -> re.Match[str]:
    """A generated section: group 1 and 3 are its comments, group 2 what stands between."""
    match = re.search(rf"(<!-- {name}: generated.*?-->\n)(.*?)(<!-- /{name} -->)", text, re.DOTALL)
    assert match, f"no section {name!r}"
    return match
