"""A card to draw on, from the top down; its height is known at the end. Drawn without a screen and without global state."""

from io import BytesIO
from typing import Literal

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, Rectangle

from bot.charts.panel import BODY, LEAST_HEIGHT, WIDTH, Look

INCH, DENSITY, POINT = 100, 2, 0.72
"""Pixels of an inch, dots of a pixel, points of a pixel."""
BAR, MARK = "bar", "mark"
"""What a shape is, for whoever looks at the figure: something that counts, or something that explains."""
ELLIPSIS = "…"


class Canvas:
    """Places words, bars and lines by pixels; y grows downwards."""

    def __init__(self, look: Look, width: float = WIDTH) -> None:
        self.look, self.width = look, width
        self.figure = Figure(figsize=(width / INCH, LEAST_HEIGHT / INCH), dpi=INCH * DENSITY, facecolor=look.card)
        self._renderer = FigureCanvasAgg(self.figure).get_renderer()  # type: ignore[no-untyped-call]  # matplotlib leaves it without
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()

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
        """Return words whose middle stands at `y`; their width. Nothing in them is taken for a formula."""
        plain = one_line(words)
        self._axes.text(
            x, y, plain, color=colour or self.look.text, ha=align, va="center_baseline", parse_math=False,
            fontproperties=_font(size, bold),
        )  # fmt: skip
        return self.measure(plain, size, bold)

    def measure(self, words: str, size: float = BODY, bold: bool = False) -> float:
        """How wide words are."""
        if not words:
            return 0.0
        wide, _, _ = self._renderer.get_text_width_height_descent(one_line(words), _font(size, bold), ismath=False)
        return float(wide) / DENSITY

    def lines(self, words: str, room: float, size: float = BODY, most: int = 2) -> list[str]:
        """Return words in at most so many lines that fit; what does not is cut, and the cut is shown."""
        found: list[str] = []
        left = one_line(words)
        while left and len(found) < most - 1 and self.measure(left, size) > room:
            head = self._fitting(left, room, size)
            found.append(head.rstrip())
            left = left[len(head) :].lstrip()
        return [*found, self._cut(left, room, size)] if left else found or [""]

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A bar from `x`, of a width that may be negative."""
        left = min(x, x + width)
        self._axes.add_patch(Rectangle((left, y), abs(width), height, facecolor=colour, linewidth=0, gid=BAR))

    def swatch(self, x: float, y: float, side: float, colour: str) -> None:
        """A small square that says what a colour means."""
        self._axes.add_patch(Rectangle((x, y), side, side, facecolor=colour, linewidth=0, gid=MARK))

    def line(self, x: float, top: float, bottom: float, colour: str, dashed: bool = False) -> None:
        """An upright line."""
        style = (0, (4, 3)) if dashed else "-"
        self._axes.plot([x, x], [top, bottom], color=colour, linewidth=1.4 * POINT, linestyle=style)

    def close(self, bottom: float, least: float = LEAST_HEIGHT) -> None:
        """The card ends at `bottom`, or further down where that is not its least height."""
        height = max(bottom, least)
        self.figure.set_size_inches(self.width / INCH, height / INCH)
        self._axes.set_xlim(0, self.width)
        self._axes.set_ylim(height, 0)
        self._edge(height)

    def png(self) -> bytes:
        """Return the closed card as a PNG file."""
        out = BytesIO()
        self.figure.savefig(out, format="png", facecolor=self.look.card)
        return out.getvalue()

    def _edge(self, height: float) -> None:
        """A thin frame, so that a card is one whatever it lies upon."""
        frame = FancyBboxPatch(
            (1, 1), self.width - 2, height - 2, boxstyle="square,pad=0", fill=False, edgecolor=self.look.edge,
            linewidth=2 * POINT, gid=MARK,
        )  # fmt: skip
        self._axes.add_patch(frame)

    def _fitting(self, words: str, room: float, size: float) -> str:
        """As much of the beginning as fits, to the end of a word where one ends."""
        n = self._longest(words, room, size)
        space = words.rfind(" ", 0, n + 1)
        return words[:space] if space > 0 else words[:n]

    def _cut(self, words: str, room: float, size: float) -> str:
        if self.measure(words, size) <= room:
            return words
        return words[: self._longest(words, room - self.measure(ELLIPSIS, size), size)].rstrip() + ELLIPSIS

    def _longest(self, words: str, room: float, size: float) -> int:
        """How many letters fit; at least one."""
        low, high = 1, len(words)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.measure(words[:middle], size) <= room else (low, middle - 1)
        return low


def one_line(words: str) -> str:
    """Return words without breaks, and without what cannot be shown."""
    return "".join(c for c in " ".join(words.split()) if c.isprintable())


def _font(size: float, bold: bool) -> FontProperties:
    return FontProperties(size=size * POINT, weight="bold" if bold else "normal")
