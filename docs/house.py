"""Draws the house from the imports: ``python docs/house.py`` makes images/house.svg and the table in architecture.md.

Floors come from the import contract in pyproject.toml, rooms from the folders, sentences from their doors, arrows from
the import graph (grimp, which import-linter uses too). Nothing in the picture is kept by hand.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import grimp

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
PACKAGE = "pytest_ascend_tune"
PICTURE = ROOT / "docs/images/house.svg"
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- made by docs/house.py -->\n", "<!-- end -->\n"


@dataclass(frozen=True)
class Room:
    """A folder of the package: its floor (0 is the lowest), the first sentence of its door, and its size."""

    name: str
    floor: int
    sentence: str
    modules: int
    lines: int


def floors() -> list[list[str]]:
    """Rooms by floor, lowest first, as the import contract says."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
    layers = [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    return [[name for name in layer if name != "__main__"] for layer in reversed(layers) if layer != ["__main__"]]


def rooms() -> list[Room]:
    """All rooms, lowest floor first."""
    found = []
    for floor, names in enumerate(floors()):
        for name in names:
            files = sorted((ROOT / PACKAGE / name).rglob("*.py"))
            door = ast.get_docstring(ast.parse((ROOT / PACKAGE / name / "__init__.py").read_text("utf-8"))) or ""
            sentence = " ".join(door.split("\n\n")[0].split()).split(". ")[0].rstrip(".") + "."
            lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
            found.append(Room(name, floor, sentence, len(files), lines))
    return found


def ways() -> Counter[tuple[str, str]]:
    """How many imports lead from a room to another."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    counted: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            here, there = (name.split(".")[1] if "." in name else "" for name in (module, imported))
            if here != there and "__main__" not in (here, there) and here and there:
                counted[here, there] += 1
    return counted


def table(all_rooms: list[Room], counted: Counter[tuple[str, str]]) -> str:
    """The rooms as a Markdown table, highest floor first."""
    rows = ["| floor | room | what it is for | modules | lines | uses |", "|---|---|---|---|---|---|"]
    for room in sorted(all_rooms, key=lambda room: (-room.floor, room.name)):
        used = ", ".join(f"{there} {count}" for (here, there), count in sorted(counted.items()) if here == room.name)
        rows.append(
            f"| {room.floor} | `{room.name}/` | {room.sentence} | {room.modules} | {room.lines} | {used or '-'} |"
        )
    total = sum(counted.values())
    rows.append("")
    rows.append(
        f"{len(all_rooms)} rooms on {len({room.floor for room in all_rooms})} floors, {len(counted)} ways between them "
        f"({total} imports), none of which leads up."
    )
    return "\n".join(rows) + "\n"


def draw(all_rooms: list[Room], counted: Counter[tuple[str, str]]) -> None:
    """Write the picture: floors as rows, an arrow for each way, thicker for more imports."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "house", "svg.fonttype": "none", "font.family": "sans-serif"})
    from matplotlib import pyplot
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

    top = max(room.floor for room in all_rooms)
    figure, axes = pyplot.subplots(figsize=(11, 1.5 * (top + 1)))
    places: dict[str, tuple[float, float]] = {}
    for floor in range(top + 1):
        row = [room for room in all_rooms if room.floor == floor]
        for number, room in enumerate(row):
            places[room.name] = ((number + 0.5) / len(row) * 10, floor * 1.5)
    for (here, there), count in sorted(counted.items()):
        if there == "model":  # every room speaks in its values: thirteen arrows would say no more
            continue
        (x1, y1), (x2, y2) = places[here], places[there]
        arrow = FancyArrowPatch(
            (x1, y1 - 0.3),
            (x2, y2 + 0.3),
            arrowstyle="-|>",
            mutation_scale=8,
            linewidth=0.4 + min(count, 60) / 25,
            color="#5a7184",
            alpha=0.45,
            connectionstyle="arc3,rad=0.06",
        )
        axes.add_patch(arrow)
    for room in all_rooms:
        x, y = places[room.name]
        box = FancyBboxPatch(
            (x - 0.72, y - 0.28),
            1.44,
            0.56,
            boxstyle="round,pad=0.02",
            facecolor="#eef3f7",
            edgecolor="#2f4858",
            zorder=3,
        )
        axes.add_patch(box)
        axes.text(
            x, y + 0.08, room.name, ha="center", va="center", fontsize=11, weight="bold", color="#12202b", zorder=4
        )
        size = f"{room.modules} modules, {room.lines} lines"
        axes.text(x, y - 0.14, size, ha="center", va="center", fontsize=7, color="#3b4d5a", zorder=4)
    axes.set_xlim(-0.1, 10.1)
    axes.set_ylim(-0.6, top * 1.5 + 0.6)
    axes.axis("off")
    figure.patch.set_facecolor("white")
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": None})


def page_with(text: str, made: str) -> str:
    """`text` of the page with the generated part replaced."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + made + END + rest.partition(END)[2]


def main() -> None:
    """Rewrite the picture and the table."""
    all_rooms, counted = rooms(), ways()
    draw(all_rooms, counted)
    PAGE.write_text(page_with(PAGE.read_text("utf-8"), table(all_rooms, counted)), encoding="utf-8")


if __name__ == "__main__":
    main()
