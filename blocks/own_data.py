"""Everything held of a person, as a page that they can read: one HTML file that needs nothing else, in their language.

It names forms, fields and answers as the forms do, and no table or column of a database. Everything that people wrote is
escaped; the page runs no script and fetches nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from blocks.cards.answers import origin
from blocks.page import FORMATS, Page, moment_of
from blocks.phrases import Phrasebook
from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.money import show_money
from state.form import Field, Form
from state.language import babel_locale

STYLE = Path(__file__).with_suffix(".css").read_text("utf-8")
KILO = 1024
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class OfficerAct:
    """An act of another person about a request, in the words of the button."""

    at: str
    name: str
    label: str


@dataclass(frozen=True)
class OwnRequest:
    """A request with its answers. `number` is empty for one that was not filed; times are ISO 8601."""

    form: Form
    draft: Draft
    begun: str
    number: str = ""
    state: str = ""
    filed: str = ""
    reasons: tuple[str, ...] = ()
    deeds: tuple[OfficerAct, ...] = ()


@dataclass(frozen=True)
class OwnRow:
    """A row that an operation wrote."""

    form: Form
    number: int
    words: str
    made: str


@dataclass(frozen=True)
class OwnFile:
    """A file that the person sent. `size` is in bytes."""

    name: str
    size: int
    received: str
    until: str


@dataclass(frozen=True)
class SaidLine:
    """A line: the person's own where `who` is empty."""

    at: str
    who: str
    text: str


@dataclass(frozen=True)
class OwnData:
    """All of it, each list oldest first. `complete` names the file for machines, `unknown` the forms that are no more."""

    at: datetime
    zone: str
    complete: str
    requests: Sequence[OwnRequest] = ()
    begun: Sequence[OwnRequest] = ()
    rows: Sequence[OwnRow] = ()
    files: Sequence[OwnFile] = ()
    said: Sequence[SaidLine] = ()
    told: Sequence[SaidLine] = ()
    unknown: Sequence[str] = ()


class Markup(str):
    """HTML that is written; every other text is escaped."""

    __slots__ = ()


def tag(name: str, *inside: str, **attributes: str) -> Markup:
    """Return an element."""
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{given}>{joined(inside)}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Parts one after another."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))


@dataclass(frozen=True)
class Writer:
    """Writes the page; each method gives a part of it, or nothing where nothing is held."""

    words: Phrasebook
    language: str
    data: OwnData

    def page(self) -> str:
        """Return the whole document."""
        title = self.words.say("my_data_title")
        head = tag("title", title) + tag("style", Markup(STYLE))
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        view = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        main = tag("main", tag("h1", title), *self._opening(), *self._parts())
        body = Markup(f"<head>{view}{policy}{head}</head>{tag('body', main)}")
        return f"<!doctype html>\n{tag('html', body, lang=self.language)}\n"

    def _opening(self) -> list[Markup]:
        held = any((self.data.requests, self.data.begun, self.data.rows, self.data.files, self.data.said))
        zone = self.data.zone or "UTC"
        lines = [
            self.words.say("my_data_as_of", at=self._moment(self.data.at.isoformat()), zone=zone),
            "" if held else self.words.say("my_data_nothing"),
            self.words.say("my_data_complete", file=self.data.complete),
            *(self.words.say("my_data_unknown", form=form) for form in self.data.unknown),
        ]
        return [tag("p", line, **{"class": "quiet"}) for line in lines if line]

    def _parts(self) -> list[Markup]:
        data, say = self.data, self.words.say
        return [
            *self._part(say("my_data_requests"), [self._request(one) for one in reversed(data.requests)]),
            *self._part(say("my_data_begun"), [self._request(one) for one in reversed(data.begun)]),
            *self._rows(),
            *self._files(),
            *self._lines(say("my_data_said"), data.said),
            *self._lines(say("my_data_told"), data.told),
        ]

    def _part(self, title: str, articles: Sequence[Markup]) -> list[Markup]:
        return [tag("section", tag("h2", title), *articles)] if articles else []

    def _request(self, one: OwnRequest) -> Markup:
        page = Page(one.form, one.draft, (one.filed or one.begun)[:10])
        title = " · ".join(filter(None, (one.number, one.form.title)))
        return tag("article", tag("h3", title), self._facts(page, one), self._answers(page))

    def _facts(self, page: Page, one: OwnRequest) -> Markup:
        say = self.words.say
        acted = [f"{self._moment(deed.at)} · {deed.name} · {deed.label}" for deed in one.deeds]
        facts = [
            (say("my_data_when_begun"), self._moment(one.begun)),
            (say("my_data_when_filed"), self._moment(one.filed)),
            (say("my_data_state"), page.state(one.state) if one.number else self._status(one.draft)),
            (say("my_data_reasons"), "\n".join(one.reasons)),
            (say("my_data_decided"), "\n".join(acted) or (say("my_data_nobody") if one.number else "")),
        ]
        return tag("dl", *(part for name, value in facts if value for part in (tag("dt", name), tag("dd", value))))

    def _status(self, draft: Draft) -> str:
        names = {
            "open": self.words.say("my_data_open"),
            "cancelled": self.words.say("my_data_cancelled"),
            "escalated": self.words.say("my_data_escalated"),
        }
        return names.get(draft.status, self.words.say("my_data_ended"))

    def _answers(self, page: Page) -> Markup:
        fields = [f for f in page.form.fields.values() if f.name in page.draft.values]
        if not fields:
            return tag("p", self.words.say("my_data_no_answer"), **{"class": "quiet"})
        say = self.words.say
        head = tag("tr", *(tag("th", say(key)) for key in ("my_data_what", "my_data_answer", "my_data_how")))
        rows = [
            tag("tr", tag("th", page.label(f)), tag("td", _answer(page, f)), tag("td", *self._how(page, f.name)))
            for f in fields
            if not (_is(f, "currency") and any(_is(other, "amount") for other in fields))
        ]
        return tag("table", tag("thead", head), tag("tbody", *rows))

    def _how(self, page: Page, name: str) -> tuple[str, ...]:
        value = page.draft.values[name]
        return origin(page, page.form.fields[name], value), Markup("<br>"), self._when(value.provenance.at)

    def _rows(self) -> list[Markup]:
        forms = {row.form.name: row.form for row in self.data.rows}
        parts = []
        for name, form in forms.items():
            mine = [row for row in self.data.rows if row.form.name == name]
            lines = [tag("tr", tag("th", f"{r.number} ", self._when(r.made)), tag("td", r.words)) for r in mine]
            parts += self._part(form.title, [self._listed(lines)])
        return parts

    def _files(self) -> list[Markup]:
        lines = [
            tag(
                "li",
                f"{one.name} ({_bytes(one.size)}), {self._moment(one.received)}",
                Markup("<br>"),
                tag("span", self.words.say("my_data_until", until=self._moment(one.until)), **{"class": "quiet"}),
            )
            for one in self.data.files
        ]
        return self._part(self.words.say("my_data_files"), [tag("article", tag("ul", *lines))] if lines else [])

    def _lines(self, title: str, said: Sequence[SaidLine]) -> list[Markup]:
        you = self.words.say("my_data_you")
        rows = [
            tag("tr", tag("th", one.who or you, Markup("<br>"), self._when(one.at)), tag("td", one.text))
            for one in said
        ]
        return self._part(title, [self._listed(rows)] if rows else [])

    def _listed(self, rows: Sequence[Markup]) -> Markup:
        return tag("article", tag("table", tag("tbody", *rows), **{"class": "listed"}))

    def _when(self, at: str) -> Markup:
        return tag("span", self._moment(at), **{"class": "quiet"})

    def _moment(self, at: str) -> str:
        if not at:
            return ""
        zone = ZoneInfo(self.data.zone or "UTC")
        return format_datetime(moment_of(at), f"{FORMATS} HH:mm", tzinfo=zone, locale=babel_locale(self.language))


def _is(field: Field, part: str) -> bool:
    """Return True if a field is the "amount" or the "currency" of a sum."""
    return kind_of(field).money == part


def _answer(page: Page, field: Field) -> str:
    """Return an answer; a sum with its currency."""
    codes = (
        v.data for n, v in page.draft.values.items() if n in page.form.fields and _is(page.form.fields[n], "currency")
    )
    code = str(next(codes, ""))
    if _is(field, "amount") and code:
        return show_money(str(page.draft.values[field.name].data), code, page.context.locale)
    return page.whole_answer(field)


def _bytes(size: int) -> str:
    return f"{size} B" if size < KILO else f"{size / KILO:.0f} kB" if size < KILO**2 else f"{size / KILO**2:.1f} MB"
