"""A small matplotlib renderer: figures become compact SVG that is readable, themeable and safe to put into a page.

matplotlib's own SVG of the convergence picture is 18 kB and has fixed colours; this one is half. Colours stand twice:
as presentation attributes, which survive a content security policy that forbids styles, and as the class of the thing
(its artist's gid), which the page's style sheet maps to its light and dark palette.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import Any
from unicodedata import east_asian_width

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform

_LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
FONT_SIZE = 10  # points; what a figure's texts have when they say nothing else
_ASCENT_EM, _WIDTH_EM = 0.76, 0.56  # of a common sans-serif font; the viewer's font is not known here


def to_svg(figure: Figure, *, name: str, title: str, description: str, tips: Mapping[str, Sequence[str]] = {}) -> str:
    """The figure as one ``<svg>`` element. `name` prefixes its ids (unique in a page).

    `description`: what it shows, "" where the page has an element with the id `name`-d that says so.
    `tips`: hover texts of the markers that carry a gid, one each, in their order.
    """
    width, height = figure.get_size_inches() * 72
    figure.set_dpi(72)
    renderer = _Renderer(float(width), float(height), tips)
    figure.draw(renderer)
    return (
        f'<svg role="img" aria-labelledby="{name}-t {name}-d" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="system-ui,sans-serif" font-size="{FONT_SIZE}">'
        f'<title id="{name}-t">{escape(title)}</title>'
        + (f'<desc id="{name}-d">{escape(description)}</desc>' if description else "")
        + f"{''.join(renderer.elements())}</svg>"
    )


def text_width(words: str, size: float = FONT_SIZE) -> float:
    """About how many points a text takes; wide characters take a whole em."""
    return size * sum(1 if east_asian_width(character) in "WF" else _WIDTH_EM for character in words)


class _Renderer(RendererBase):
    def __init__(self, width: float, height: float, tips: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.width, self.height = width, height
        self.tips = tips
        self._shapes: list[tuple[str, str]] = []  # look, and either path data or, for what is none, elements
        self._groups: list[str] = []

    def elements(self) -> Iterator[str]:
        """What was drawn; neighbours that look the same share an element."""
        for look, shapes in groupby(self._shapes, key=itemgetter(0)):
            data = "".join(shape for _, shape in shapes)
            yield f"<g{look}>{data}</g>" if data.startswith("<") else f"<path{look} d='{data}'/>"

    def flipy(self) -> bool:
        return True

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self.width, self.height

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        size = prop.get_size_in_points()
        return text_width(s, size), size, size * (1 - _ASCENT_EM)

    def open_group(self, s: str, gid: str | None = None) -> None:
        self._groups.append(gid or "")

    def close_group(self, s: str) -> None:
        self._groups.pop()

    def draw_path(self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Any = None) -> None:  # noqa: N803
        if data := self._data(path, transform):
            self._shapes.append((self._look(gc, rgbFace), data))

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Any = None,  # noqa: N803
    ) -> None:
        group, look = self._group(), self._look(gc, rgbFace)
        tips = self.tips.get(group, ())
        places = [(x, y) for x, y in trans.transform(path.vertices).tolist() if math.isfinite(y)]
        radius = marker_trans.transform(marker_path.vertices)[:, 0].max() if _is_round(marker_path) else None
        if not places:
            return
        if tips:
            marks = (
                f"{self._mark(marker_path, marker_trans, radius, x, y)}><title>{escape(tip)}</title></{_tag(radius)}>"
                for (x, y), tip in zip(places, tips, strict=True)
            )
            self._shapes.append((look, "".join(marks)))
        elif radius is not None:
            # Zero-length strokes with round caps: a dot in a dozen characters.
            dots = "".join(f"M{_short(x)} {_short(self.height - y)}h0" for x, y in places)
            stroke = f" stroke='{to_hex(rgbFace)}' stroke-width='{2 * radius:.1f}' stroke-linecap='round'"
            self._shapes.append((f" class='s-{group}'{stroke}", dots))
        else:
            data = "".join(self._data(marker_path, marker_trans + Affine2D().translate(x, y)) for x, y in places)
            self._shapes.append((look, data))

    def draw_image(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError("plots of this package hold no images")

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        size = prop.get_size_in_points()
        anchor = ""
        if mtext is not None:
            # The anchor as given, so that the viewer's font and not the guess above decides where the text ends.
            x = mtext.get_transform().transform(mtext.get_unitless_position())[0]
            anchor = {"center": " text-anchor='middle'", "right": " text-anchor='end'"}.get(mtext.get_ha(), "")
        size_attribute = "" if size == FONT_SIZE else f" font-size='{size:g}'"
        weight = " font-weight='bold'" if prop.get_weight() == "bold" else ""
        look = f" class='f-{self._group()}' fill='{to_hex(gc.get_rgb())}'{size_attribute}{anchor}{weight}"
        self._shapes.append((look, f"<text x='{_short(x)}' y='{_short(y)}'>{escape(s, quote=False)}</text>"))

    def _group(self) -> str:
        return next((name for name in reversed(self._groups) if name), "ink")

    def _mark(self, marker: Path, transform: Transform, radius: float | None, x: float, y: float) -> str:
        """The open start of one marker's element: a circle where it has a radius, a path where not."""
        if radius is not None:
            return f"<circle cx='{_short(x)}' cy='{_short(self.height - y)}' r='{_short(radius)}'"
        return f"<path d='{self._data(marker, transform + Affine2D().translate(x, y))}'"

    def _look(self, gc: GraphicsContextBase, face: Any) -> str:
        group = self._group()
        classes, attributes = [], []
        alpha = gc.get_alpha()
        if face is not None and len(face) == 4 and face[3] == 0:
            face = None
        if face is None:
            attributes.append(" fill='none'")
        else:
            classes.append(f"f-{group}")
            attributes.append(f" fill='{to_hex(face)}'")
            opacity = face[3] if len(face) == 4 else alpha
            if opacity < 1:
                attributes.append(f" fill-opacity='{opacity:g}'")
        width = gc.get_linewidth()
        if width and gc.get_rgb()[3] > 0:
            classes.append(f"s-{group}")
            attributes.append(f" stroke='{to_hex(gc.get_rgb())}'")
            if width != 1:
                attributes.append(f" stroke-width='{width:g}'")
            dashes = gc.get_dashes()[1]
            if dashes is not None:
                lengths: list[float] = np.ravel(np.asarray(dashes, dtype=float)).tolist()
                attributes.append(f" stroke-dasharray='{' '.join(f'{length:g}' for length in lengths)}'")
        return f" class='{' '.join(classes)}'" + "".join(attributes)

    def _data(self, path: Path, transform: Transform) -> str:
        parts, last = [], ["", ""]
        for points, code in path.iter_segments(transform, simplify=False, curves=True):
            letter = _LETTERS[code]
            if letter != "Z":
                values: list[float] = np.ravel(np.asarray(points, dtype=float)).tolist()
                flipped = (self.height - value if place % 2 else value for place, value in enumerate(values))
                words = [_short(value) for value in flipped]
                if letter == "L" and words == last:
                    continue
                if letter == "L" and words[1] == last[1]:
                    letter = f"H{words[0]}"
                elif letter == "L" and words[0] == last[0]:
                    letter = f"V{words[1]}"
                else:
                    letter += " ".join(words)
                last = words[-2:]
            parts.append(letter)
        return "".join(parts)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _is_round(marker: Path) -> bool:
    return marker.codes is not None and bool((np.asarray(marker.codes) == Path.CURVE4).any())


def _tag(radius: float | None) -> str:
    return "path" if radius is None else "circle"
