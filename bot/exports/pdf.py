"""Dossiers on paper. A letter that the font lacks is written as its code point."""

import logging
from collections.abc import Iterable
from datetime import datetime
from functools import cache

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from bot.exports.dossier import Json
from bot.exports.sections import Section, sections
from bot.operations.charts import FACES

FAMILY, SIZE, SMALL, HEADING, TITLE = "DejaVu", 8.5, 7.0, 10.5, 15.0
LINE, GAP, MARGIN, BAR = 4.2, 2.5, 15.0, 3.0
SHOWN = "Shown "

logging.getLogger("fontTools").setLevel(logging.ERROR)


class Paper(FPDF):
    """A4, with what it is and the page's number at the foot of each page."""

    def __init__(self, foot: str, made: datetime) -> None:
        super().__init__(format="A4")
        self.foot = foot
        for bold, file in FACES.items():
            self.add_font(FAMILY, "B" if bold else "", file)
        self.set_creation_date(made)
        self.set_title(foot)
        self.set_creator("Holdfast")
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, MARGIN + LINE)
        self.alias_nb_pages()

    def footer(self) -> None:
        """Called by the library at the end of each page."""
        self.set_y(-MARGIN)
        self.set_font(FAMILY, "", SMALL)
        self.cell(0, LINE, f"{self.foot} · {self.page_no()}/{{nb}}", align="C")

    def say(self, text: str, size: float = SIZE, style: str = "", *, indent: float = 0.0) -> None:
        """A paragraph."""
        self.set_font(FAMILY, style, size)
        self.set_x(MARGIN + indent)
        self.multi_cell(0, LINE * size / SIZE, written(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")


@cache
def _letters() -> frozenset[int]:
    from fontTools.ttLib import TTFont  # noqa: PLC0415  comes with fpdf2

    with TTFont(FACES[False], lazy=True) as font:
        return frozenset(font.getBestCmap())


def written(text: str) -> str:
    """Return the text with every letter that the font has; any other as its code point, so that nothing is left out unseen."""
    return "".join(
        c if ord(c) in _letters() or c in "\n" else " " if c.isspace() else f"[U+{ord(c):04X}]" for c in text
    )


def dossier_pdf(
    dossiers: Iterable[Json], title: str, about: Iterable[str], made: datetime, *, whole: bool = True
) -> bytes:
    """Return a PDF file of dossiers: what this is, then the records, each further one on a page of its own.

    Not `whole`: what was shown is left to the data.
    """
    paper = Paper(title, made)
    paper.add_page()
    paper.say(title, TITLE, "B")
    paper.ln(GAP)
    for line in about:
        paper.say(line)
    for number, dossier in enumerate(dossiers):
        if number:
            paper.add_page()
        for place, section in enumerate(sections(dossier)):
            if whole or not section.heading.startswith(SHOWN):
                _section(paper, section, HEADING if place else TITLE)
        if not whole:
            paper.say("What was shown of it stands whole in records.json.", SMALL)
    return bytes(paper.output())


def _section(paper: Paper, section: Section, size: float) -> None:
    if paper.will_page_break(3 * LINE):
        paper.add_page()
    paper.say(section.heading, size, "B")
    for line in filter(None, section.lines):
        indent = (len(line) - len(line.lstrip())) * 1.0
        paper.say(line.strip(), SMALL if section.quoted else SIZE, indent=BAR + indent)
    paper.ln(GAP)
