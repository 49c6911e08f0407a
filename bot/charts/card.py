"""A whole card: a title, what the colours mean, and panels below each other."""

from collections.abc import Sequence

from bot.charts.bars import draw_panel
from bot.charts.canvas import Canvas
from bot.charts.look import GAP, LIGHT, MARGIN, SMALL, TITLE, Look
from bot.charts.panel import Panel

SWATCH, LINE = 11.0, 22.0


def draw_card(title: str, legend: Sequence[str], panels: Sequence[Panel], look: Look = LIGHT) -> Canvas:
    """The card, 800 pixels wide at twice their density. `legend` says what a bar is, and the slim one beneath it."""
    canvas = Canvas(look)
    y = draw_title(canvas, title)
    y = _legend(canvas, legend, y)
    for panel in panels:
        y = draw_panel(canvas, panel, MARGIN, y + GAP, canvas.width - 2 * MARGIN) + GAP
    canvas.close(y + MARGIN - GAP)
    return canvas


def draw_title(canvas: Canvas, title: str) -> float:
    """The title in at most two lines; the y below it."""
    y = MARGIN - GAP / 2
    for line in canvas.lines(title, canvas.width - 2 * MARGIN, TITLE * 1.1):
        canvas.text(MARGIN, y + TITLE / 2, line, TITLE, bold=True)
        y += TITLE + GAP / 2
    return y


def _legend(canvas: Canvas, names: Sequence[str], y: float) -> float:
    """A square and a word for each; nothing where there is only one colour."""
    if len(names) == 1 or not names:
        return y
    x, middle = MARGIN, y + LINE / 2
    for name, colour in zip(names, (canvas.look.bar, canvas.look.before), strict=True):
        canvas.swatch(x, middle - SWATCH / 2, SWATCH, colour)
        x += SWATCH + GAP / 2
        x += canvas.text(x, middle, name, SMALL, canvas.look.quiet) + 2 * GAP
    return y + LINE
