"""Pages in docs/zh say what their English twins say: headings, code blocks, links, and code and numbers in the prose.

Blocks of a translation are not run: they are those of the English page, marker and comments included. Code and numbers
in prose are compared a section at a time, as sets, because the order of words differs between the languages.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.integration.documents import ROOT, Block, blocks

FOLDER = ROOT / "docs/zh"
INDEX = FOLDER / "index.md"  # a table of contents of its own, without a twin
TRANSLATED = sorted(page.stem for page in FOLDER.glob("*.md") if page != INDEX)
CODE = re.compile(r"`((?:[^`\n]|\n(?! *\n))+)`")  # may go on in the next line, not in the next paragraph
LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Section:
    """A heading, its line, and what stands below it up to the next one; prose is text outside of code blocks."""

    level: int
    title: str
    line: int
    prose: str

    @property
    def code(self) -> set[str]:
        """Inline code."""
        return {" ".join(found.split()) for found in CODE.findall(f"{self.title}\n{self.prose}")}

    @property
    def numbers(self) -> set[str]:
        """Numbers in digits, with their decimals; those in code, links and ordered lists' marks left out."""
        text = re.sub(rf"{CODE.pattern}|{LINK.pattern}|(?m:^ *\d+\. )", " ", f"{self.title}\n{self.prose}")
        return set(re.findall(r"(?<![A-Za-z\d.])\d+(?:[.,]\d+)*", text))


def sections(page: Path) -> list[Section]:
    """Sections of a page in order; what stands above the first heading belongs to none."""
    found: list[tuple[int, str, int, list[str]]] = []
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = line.startswith("```")
        fenced ^= fence
        heading = None if fenced or fence else re.match(r"(#+) (.+)", line)
        if heading:
            found.append((len(heading[1]), heading[2], number, []))
        elif found and not fenced and not fence:
            found[-1][3].append(line)
    return [Section(level, title, line, "\n".join(prose)) for level, title, line, prose in found]


def anchor(title: str) -> str:
    """The anchor that GitHub and MyST make of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def aims(page: Path, prose: str, aim_of: dict[Path, Path]) -> list[str]:
    """What the links in `prose` lead to: a URL, or a path and the number of the heading there; `aim_of` names twins."""
    found = []
    for target in LINK.findall(prose):
        path, _, name = target.partition("#")
        if re.match(r"https?:", target):
            found.append(target)
            continue
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: the link {target} leads nowhere: the path is relative to {page.parent}"
        titles = [anchor(section.title) for section in sections(file)] if name else []
        assert not name or name in titles, f"{page.name}: no heading has the anchor of {target}; there are {titles}"
        place = os.path.relpath(aim_of.get(file, file), ROOT)
        found.append(f"{place}, heading {titles.index(name) + 1}" if name else place)
    return sorted(found)


def heading_that_differs(english: Path, chinese: Path) -> str:
    """Where levels or number of the headings differ: the first pair whose level, inline code or numbers do."""
    ours, theirs = sections(english), sections(chinese)
    if [section.level for section in ours] == [section.level for section in theirs]:
        return ""
    end = Section(0, "end of the page", 0, "")
    pairs = zip_longest(ours, theirs, fillvalue=end)
    one, other = next((x, y) for x, y in pairs if (x.level, x.code, x.numbers) != (y.level, y.code, y.numbers))
    return (
        f"{len(ours)} headings in English, {len(theirs)} in Chinese; they part at '{'#' * one.level} {one.title}' "
        f"(line {one.line}) and '{'#' * other.level} {other.title}' (line {other.line}): "
        f"have the same headings in the same order"
    )


def block_that_differs(english: Path, chinese: Path) -> str:
    """The first code block that is not the same to the byte, the marker above it included."""
    none = Block("none", "", 0)
    for number, (one, other) in enumerate(zip_longest(blocks(english), blocks(chinese), fillvalue=none), start=1):
        if (one.marker, one.language, one.text) != (other.marker, other.language, other.text):
            lines = zip_longest(*([str(x.marker), x.language, *x.text.splitlines()] for x in (one, other)))
            here, there = next(pair for pair in lines if pair[0] != pair[1])
            return (
                f"code block {number} (English line {one.line}, Chinese line {other.line}): "
                f"{here!r} is not {there!r}: copy the English block with the comment above it"
            )
    return ""


def section_that_differs(english: Path, chinese: Path) -> str:
    """The first section whose links, inline code or numbers are not the same; headings have to be."""
    twins = {FOLDER / f"{name}.md": ROOT / f"docs/{name}.md" for name in TRANSLATED} | {chinese: english}
    for one, other in zip(sections(english), sections(chinese), strict=True):
        for what, here, there in (
            ("links", aims(english, one.prose, {}), aims(chinese, other.prose, twins)),
            ("inline code", sorted(one.code), sorted(other.code)),
            ("numbers", sorted(one.numbers), sorted(other.numbers)),
        ):
            if here != there:
                missing, extra = list(Counter(here) - Counter(there)), list(Counter(there) - Counter(here))
                return (
                    f"{what} below '{one.title}' (English line {one.line}; "
                    f"Chinese '{other.title}', line {other.line}): "
                    f"missing in Chinese {missing}, only there {extra}: translate what was changed in English"
                )
    return ""


def difference(english: Path, chinese: Path) -> str:
    """The first thing in which two pages differ, and what to do; empty where they are in step."""
    checks = (heading_that_differs, block_that_differs, section_that_differs)
    return next((found for check in checks if (found := check(english, chinese))), "")


def test_the_index_names_every_translation():
    listed = re.findall(r"^\w+$", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == TRANSLATED, "the list in docs/zh/index.md must be that of the pages in docs/zh"


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translation_is_in_step(name):
    english = ROOT / f"docs/{name}.md"
    assert english.exists(), f"docs/zh/{name}.md has no twin docs/{name}.md: name it as the English page is named"
    found = difference(english, FOLDER / f"{name}.md")
    assert not found, f"docs/zh/{name}.md is not in step with docs/{name}.md: {found}"


@pytest.mark.parametrize("page", [INDEX, ROOT / "README.zh-CN.md"], ids=lambda page: page.name)
def test_links_of_the_ways_in_lead_somewhere_in_chinese(page):
    text = page.read_text(encoding="utf-8")
    english = {(ROOT / f"docs/{name}.md") for name in TRANSLATED}
    for section in sections(page):
        aims(page, section.prose, {})
    for target in LINK.findall(text):
        assert (page.parent / target.partition("#")[0]).resolve() not in english, (
            f"{page.name}: {target} has a Chinese page"
        )


PAGE = """# One
See [two](#two-things) and `code`, 2.5 % of 910B.

## Two things
<!-- file: x.py -->
```python
# not a heading
x = 1
```
"""
CHINESE = PAGE.replace("One\nSee [two](#two-things) and", "一\n见[二](#两件事)和").replace("Two things", "两件事")


@pytest.mark.parametrize(
    ("was", "is_now", "words"),
    [
        ("", "", ""),
        ("## 两件事", "### 两件事", "they part at '## Two things' (line 4) and '### 两件事' (line 4)"),
        ("## 两件事", "两件事", "2 headings in English, 1 in Chinese; they part at '## Two things' (line 4) and ' end"),
        ("## 两件事", "## 新 `x`\n## 两件事", "they part at '## Two things' (line 4) and '## 新 `x`' (line 4)"),
        ("x = 1\n```\n", "x = 1\n```\n## 三\n", "' end of the page' (line 0) and '## 三' (line 10)"),
        ("x = 1", "x = 2", "code block 1 (English line 6, Chinese line 6): 'x = 1' is not 'x = 2'"),
        ("x.py", "y.py", "code block 1"),
        ("x = 1\n```\n", "x = 1\n```\n```bash\nls\n```\n", "code block 2 (English line 0, Chinese line 10)"),
        (
            "`code`",
            "`kode`",
            "inline code below 'One' (English line 1; Chinese '一', line 1): missing in Chinese ['code']",
        ),
        ("2.5", "2.4", "numbers below 'One'"),
        ("[二](#两件事)", "二", "links below 'One'"),
    ],
)
def test_each_kind_of_difference_is_named(was, is_now, words, tmp_path):
    english, chinese = tmp_path / "page.md", tmp_path / "zh.md"
    english.write_text(PAGE, encoding="utf-8")
    assert CHINESE.count(was) >= 1
    chinese.write_text(CHINESE.replace(was, is_now) if was else CHINESE, encoding="utf-8")
    found = difference(english, chinese)
    assert words in found
    assert bool(found) == bool(words)


@pytest.mark.parametrize(("link", "words"), [("#nowhere", "no heading has the anchor"), ("gone.md", "leads nowhere")])
def test_a_dead_link_is_named(link, words, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# One\n[x]({link})\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=words):
        aims(page, f"[x]({link})", {})
