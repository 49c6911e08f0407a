"""Draw the cards of the report and of workflows: panels of lying bars with their values at the end."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


@dataclass(frozen=True)
class Look:
    """A card's colours. `quiet` is for what stands beside, `loud` for what asks for a look."""

    card: str
    edge: str
    text: str
    quiet: str
    rule: str
    bar: str
    before: str
    loud: str
    limit: str


LIGHT = Look("#ffffff", "#d9dee0", "#1c2426", "#5b676b", "#c3cbcd", "#20756a", "#76a099", "#c0352b", "#8a5a00")
DARK = Look("#1d2326", "#3a4448", "#eef2f3", "#a3b0b4", "#4a565a", "#4fb3a3", "#3f8479", "#ff7a6b", "#e3b04b")

WIDTH, LEAST_HEIGHT = 800.0, 160.0
MARGIN, GAP = 28.0, 10.0
TITLE, HEADING, BODY, SMALL = 22.0, 16.0, 15.0, 13.0
"""Sizes of letters."""


@dataclass(frozen=True)
class Row:
    """One bar. `shown` is its value in words, `note` stands behind that; `before` is drawn as a slim bar beneath."""

    label: str
    value: float
    shown: str
    note: str = ""
    before: float | None = None
    loud: bool = False


@dataclass(frozen=True)
class Limit:
    """A value at which a line is drawn, and what it is called."""

    value: float
    shown: str


@dataclass(frozen=True)
class Panel:
    """Bars on one scale, under a heading."""

    heading: str
    rows: Sequence[Row]
    beside: str = ""
    limits: Sequence[Limit] = ()


DENSITY = 2
"""Dots of a pixel."""
BAR, MARK, RULE, DASHED = "bar", "mark", "rule", "dashed"
"""The kinds of shapes: something that counts, something that explains, and lines."""
STROKE, DASH, HOLE, FRAME, CAPITAL = 1.5, 5.6, 4.2, 2, 0.365
"""Widths of a line and of a dash, what is left out between two, the frame; and half of a capital's height as a part of the letters' size."""
ELLIPSIS = "…"
FONTS = Path(__file__).with_name("fonts")
FACES = {False: FONTS / "DejaVuSans.ttf", True: FONTS / "DejaVuSans-Bold.ttf"}
"""DejaVu has the letters of Europe and more; bold or not."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True)
class Shape:
    """A bar or a line. A line is as wide as its stroke."""

    kind: str
    box: Box
    colour: str


@dataclass(frozen=True)
class Word:
    """Words from the left end of their baseline; `box` is what their ink takes."""

    text: str
    x: float
    baseline: float
    size: float
    colour: str
    bold: bool
    box: Box


class Canvas:
    """Places words, bars and lines by pixels; y grows downwards."""

    def __init__(self, look: Look, width: float = WIDTH) -> None:
        self.look, self.width, self.height = look, width, LEAST_HEIGHT
        self.words: list[Word] = []
        self.shapes: list[Shape] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = BODY,
        colour: str = "",
        bold: bool = False,
        align: Literal["left", "right"] = "left",
    ) -> float:
        """Place words whose middle is at `y`. Return their width."""
        plain = one_line(words)
        wide, baseline = self.measure(plain, size, bold), y + CAPITAL * size
        left = x - wide if align == "right" else x
        ink = [side / DENSITY for side in _font(size, bold).getbbox(plain, anchor="ls")]
        box = (left + ink[0], baseline + ink[1], left + ink[2], baseline + ink[3])
        if plain:
            self.words.append(Word(plain, left, baseline, size, colour or self.look.text, bold, box))
        return wide

    def measure(self, words: str, size: float = BODY, bold: bool = False) -> float:
        """Return the width of words."""
        return _font(size, bold).getlength(one_line(words)) / DENSITY

    def lines(self, words: str, room: float, size: float = BODY, most: int = 2) -> list[str]:
        """Return words in at most so many lines that fit; what does not is cut, and the cut is shown."""
        found: list[str] = []
        left = one_line(words)
        while left and len(found) < most - 1 and self.measure(left, size) > room:
            n = self._longest(left, room, size)
            space = left.rfind(" ", 0, n + 1)  # the end of a word, where one ends
            head = left[:space] if space > 0 else left[:n]
            found.append(head.rstrip())
            left = left[len(head) :].lstrip()
        return [*found, self._cut(left, room, size)] if left else found or [""]

    def bar(self, x: float, y: float, width: float, height: float, colour: str, kind: str = BAR) -> None:
        """Draw a bar from `x`, of a width that may be negative."""
        self.shapes.append(Shape(kind, (min(x, x + width), y, max(x, x + width), y + height), colour))

    def line(self, x: float, top: float, bottom: float, colour: str, dashed: bool = False) -> None:
        """Draw an upright line."""
        box = (x - STROKE / 2, top, x + STROKE / 2, bottom)
        self.shapes.append(Shape(DASHED if dashed else RULE, box, colour))

    def close(self, bottom: float, least: float = LEAST_HEIGHT) -> None:
        """End the card at `bottom`, or further down where that is not its least height."""
        self.height = max(bottom, least)

    def png(self) -> bytes:
        """Return the closed card as a PNG file."""
        from PIL import Image, ImageDraw  # noqa: PLC0415  an extra

        size = (round(self.width * DENSITY), round(self.height * DENSITY))
        picture = Image.new("RGB", size, self.look.card)
        pen = ImageDraw.Draw(picture)
        for shape in sorted(self.shapes, key=lambda shape: shape.kind in (RULE, DASHED)):  # lines lie on bars
            for left, top, right, bottom in _strokes(shape):
                dots = [int(side * DENSITY) for side in (left, top, right, bottom)]
                if dots[0] < dots[2] and dots[1] < dots[3]:
                    pen.rectangle((dots[0], dots[1], dots[2] - 1, dots[3] - 1), fill=shape.colour)
        for word in self.words:
            place = (word.x * DENSITY, word.baseline * DENSITY)
            pen.text(place, word.text, word.colour, _font(word.size, word.bold), anchor="ls")
        pen.rectangle((0, 0, size[0] - 1, size[1] - 1), outline=self.look.edge, width=FRAME * DENSITY)
        out = BytesIO()
        picture.save(out, "PNG", optimize=True)
        return out.getvalue()

    def _cut(self, words: str, room: float, size: float) -> str:
        if self.measure(words, size) <= room:
            return words
        return words[: self._longest(words, room - self.measure(ELLIPSIS, size), size)].rstrip() + ELLIPSIS

    def _longest(self, words: str, room: float, size: float) -> int:
        """How many letters fit; at least one."""
        return 1 + bisect_right(range(2, len(words) + 1), room, key=lambda n: self.measure(words[:n], size))


def _strokes(shape: Shape) -> Iterator[Box]:
    """Yield what a shape fills: itself, or each dash of a dashed line."""
    left, top, right, bottom = shape.box
    while shape.kind == DASHED and top + DASH < bottom:
        yield left, top, right, top + DASH
        top += DASH + HOLE
    yield left, top, right, bottom


def one_line(words: str) -> str:
    """Return words without breaks, and without what cannot be shown."""
    return "".join(c for c in " ".join(words.split()) if c.isprintable())


@cache
def _font(size: float, bold: bool) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415  an extra

    return ImageFont.truetype(FACES[bold], size * DENSITY, layout_engine=ImageFont.Layout.BASIC)


ROW, THICK, THIN, ROW_LINE = 29.0, 14.0, 5.0, 18.0
"""Heights of a row, of its bar, of the slim bar beneath, and of a line of a name."""
LABELS = 0.34
"""The part of the width that names may take."""
TINY = 1e-300
"""Values no further apart have no scale: a pixel's worth of them is beyond all numbers."""
SEEN = 2.0
"""The least width of a bar that is not nothing."""


@dataclass(frozen=True)
class _Scale:
    """Where values stand: nothing is at `zero`, and one more is `unit` pixels on."""

    zero: float
    unit: float

    def at(self, value: float) -> float:
        return self.zero + value * self.unit

    def reach(self, value: float) -> float:
        """How far a bar goes; what is not nothing is seen."""
        far = value * self.unit
        return far if not value or abs(far) >= SEEN else SEEN if value > 0 else -SEEN


def draw_panel(canvas: Canvas, panel: Panel, x: float, y: float, width: float) -> float:
    """Draw from the upper left corner; the y at which the panel ends."""
    top = _head(canvas, panel, x, y, width)
    names = [canvas.lines(row.label, width * LABELS) for row in panel.rows]
    widest = max((canvas.measure(line) for lines in names for line in lines), default=0.0)
    left = x + widest + GAP
    right = x + width
    values = [v for row in panel.rows for v in (row.value, row.before or 0.0)]
    low, high = min([0.0, *values]), max([0.0, *values, *(limit.value for limit in panel.limits)])
    before = max((_wide(canvas, row) for row in panel.rows if row.value < 0), default=0.0)
    behind = max((_wide(canvas, row) for row in panel.rows if row.value >= 0), default=0.0)
    room = max(right - left - before - behind, SEEN)
    unit = room / (high - low) if high - low > TINY else 0.0
    scale = _Scale(left + before - low * unit, unit)
    bottom = top + sum(_height(lines) for lines in names)
    canvas.line(scale.zero, top, bottom, canvas.look.rule)
    for limit in panel.limits:
        canvas.line(scale.at(limit.value), top, bottom, canvas.look.limit, dashed=True)
    for row, lines in zip(panel.rows, names, strict=True):
        middle = top + _height(lines) / 2
        for n, line in enumerate(lines):
            canvas.text(x + widest, middle + (n - (len(lines) - 1) / 2) * ROW_LINE, line, align="right")
        _bar(canvas, row, scale, middle, [scale.at(limit.value) for limit in panel.limits])
        top += _height(lines)
    return bottom


def _head(canvas: Canvas, panel: Panel, x: float, y: float, width: float) -> float:
    """Return the heading and what stands beside it, or below where there is no room; the y at which rows begin."""
    wide = canvas.text(x, y + ROW_LINE / 2, panel.heading, HEADING, bold=True)
    below = y + ROW_LINE + GAP / 2
    beside = (*([panel.beside] if panel.beside else []), *(limit.shown for limit in panel.limits))
    if not beside:
        return below
    words, colour = " · ".join(beside), canvas.look.limit if panel.limits else canvas.look.quiet
    if wide + 2 * GAP + canvas.measure(words, SMALL) <= width:
        canvas.text(x + width, y + ROW_LINE / 2, words, SMALL, colour, align="right")
        return below
    lines = canvas.lines(words, width, SMALL)
    for n, line in enumerate(lines):
        canvas.text(x, below + (n + 0.5) * ROW_LINE, line, SMALL, colour)
    return below + len(lines) * ROW_LINE + GAP / 2


def _bar(canvas: Canvas, row: Row, scale: _Scale, middle: float, lines: list[float]) -> None:
    """The bar, the slim one, and the words beyond both."""
    slim = row.before is not None
    top = middle - (THICK + (THIN + 1 if slim else 0)) / 2
    colour = canvas.look.loud if row.loud else canvas.look.bar
    canvas.bar(scale.zero, top, scale.reach(row.value), THICK, colour)
    if row.before is not None:
        canvas.bar(scale.zero, top + THICK + 1, scale.reach(row.before), THIN, canvas.look.before)
    ends = [scale.reach(row.value), scale.reach(row.before or 0.0)]
    wide = _wide(canvas, row)
    if row.value < 0:
        _words(canvas, row, scale.zero + min(ends) - wide, middle)
    else:
        _words(canvas, row, _free(scale.zero + max(0.0, *ends), wide, lines), middle)


def _free(end: float, wide: float, lines: list[float]) -> float:
    """Where words behind a bar begin so that no line crosses them."""
    for line in sorted(lines):
        if end <= line < end + wide:
            end = line
    return end


def _words(canvas: Canvas, row: Row, x: float, middle: float) -> None:
    colour = canvas.look.loud if row.loud else canvas.look.text
    x += GAP / 2
    x += canvas.text(x, middle, row.shown, BODY, colour, bold=row.loud)
    if row.note:
        canvas.text(x + GAP / 2, middle, row.note, SMALL, colour if row.loud else canvas.look.quiet)


def _wide(canvas: Canvas, row: Row) -> float:
    """Return what the words beside a bar take, with the gaps around them."""
    note = canvas.measure(row.note, SMALL) + GAP / 2 if row.note else 0.0
    return GAP + canvas.measure(row.shown, BODY, row.loud) + note


def _height(lines: list[str]) -> float:
    return ROW if len(lines) == 1 else len(lines) * ROW_LINE + GAP


SWATCH, LINE = 11.0, 22.0


def draw_card(title: str, legend: Sequence[str], panels: Sequence[Panel], look: Look = LIGHT) -> Canvas:
    """Return the card, 800 pixels wide at twice their density. `legend` says what a bar is, and the slim one beneath it."""
    canvas = Canvas(look)
    y = draw_title(canvas, title)
    y = _legend(canvas, legend, y)
    for panel in panels:
        y = draw_panel(canvas, panel, MARGIN, y + GAP, canvas.width - 2 * MARGIN) + GAP
    canvas.close(y + MARGIN - GAP)
    return canvas


def draw_title(canvas: Canvas, title: str) -> float:
    """Return the title in at most two lines; the y below it."""
    y = MARGIN - GAP / 2
    for line in canvas.lines(title, canvas.width - 2 * MARGIN, TITLE * 1.1):
        canvas.text(MARGIN, y + TITLE / 2, line, TITLE, bold=True)
        y += TITLE + GAP / 2
    return y


def _legend(canvas: Canvas, names: Sequence[str], y: float) -> float:
    """Return a square and a word for each; nothing where there is only one colour."""
    if len(names) == 1 or not names:
        return y
    x, middle = MARGIN, y + LINE / 2
    for name, colour in zip(names, (canvas.look.bar, canvas.look.before), strict=True):
        canvas.bar(x, middle - SWATCH / 2, SWATCH, SWATCH, colour, MARK)
        x += SWATCH + GAP / 2
        x += canvas.text(x, middle, name, SMALL, canvas.look.quiet) + 2 * GAP
    return y + LINE
