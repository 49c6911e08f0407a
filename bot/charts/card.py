"""Draw a whole card: a title, what the colours mean, and panels of lying bars. No word is ever put on a bar or across a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.charts.canvas import Canvas
from bot.charts.panel import BODY, GAP, HEADING, LIGHT, MARGIN, SMALL, TITLE, Look, Panel, Row

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
    scale = _scale(canvas, panel, left, x + width)
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


def _scale(canvas: Canvas, panel: Panel, left: float, right: float) -> _Scale:
    """Return the scale on which the longest bar and its words have room on both sides of nothing."""
    values = [v for row in panel.rows for v in (row.value, row.before or 0.0)]
    low, high = min([0.0, *values]), max([0.0, *values, *(limit.value for limit in panel.limits)])
    before = max((_wide(canvas, row) for row in panel.rows if row.value < 0), default=0.0)
    behind = max((_wide(canvas, row) for row in panel.rows if row.value >= 0), default=0.0)
    room = max(right - left - before - behind, SEEN)
    unit = room / (high - low) if high - low > TINY else 0.0
    return _Scale(left + before - low * unit, unit)


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
        canvas.swatch(x, middle - SWATCH / 2, SWATCH, colour)
        x += SWATCH + GAP / 2
        x += canvas.text(x, middle, name, SMALL, canvas.look.quiet) + 2 * GAP
    return y + LINE
