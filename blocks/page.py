"""A page of a form: draft, day and language, and what is told on it as safe text."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from babel.dates import format_date, format_datetime

from blocks.ids import Press
from blocks.phrases import Phrasebook, catalogue
from blocks.text import escape, line, lines, linked, literal, size
from state.draft.display import display_value, display_whole, plainly, stands_with_amount, stated
from state.draft.draft import Draft, Sentences, Value
from state.draft.essence import essence
from state.draft.missing import progress, reachable
from state.draft.utterance import Utterance, Verbatim
from state.draft.working_days import zone_of
from state.engine.events import Act
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form
from state.form.field import Data

FORMATS = "d MMM y"


def read_in(form: Form, language: str) -> Form:
    """Return the form as a list shows it to somebody of this language: in theirs its title, its purpose and its records' states."""
    if form.language[:2] == language[:2]:
        return form
    name, known = form.name_in(language), catalogue(language)
    states = {
        f"state_{one}": "state_waiting" if state.waits else "state_received"
        for one, state in form.filing.states.items()
    }
    says = {key: known[general] for key, general in states.items() if key not in known}
    return form.model_copy(update={"title": name.title, "purpose": name.purpose, "language": language, "says": says})


def moment_of(at: str) -> datetime:
    """Return an ISO 8601 time; without an offset it is UTC."""
    parsed = datetime.fromisoformat(at)
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)


def moment_text(at: datetime, language: str) -> str:
    """Return a time as text: "20 Nov 2026 14:32 UTC"."""
    return format_datetime(at, f"{FORMATS} HH:mm", locale=language.replace("-", "_")) + " UTC"


def day_text(at: datetime, language: str) -> str:
    """Return a day as text: "20 Nov 2026"."""
    return format_date(at, FORMATS, locale=language.replace("-", "_"))


def moment(at: datetime, language: str) -> str:
    """Return Slack's date token, in the reader's own time zone (https://docs.slack.dev/messaging/formatting-message-text#date-formatting)."""
    return f"<!date^{int(at.timestamp())}^{{date_short}} {{time}}|{moment_text(at, language)}>"


NAMED, ESSENCE = 120, 150
"""Characters of another field's value inside a question, and of the line that a request is known by."""
_NAME = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Page:
    """`today` is an ISO date. Everything that it says is plain text, still to be escaped."""

    form: Form
    draft: Draft
    today: str
    card_id: str = ""

    @cached_property
    def words(self) -> Phrasebook:
        """Return the catalogue in the form's language, with the form's own sentences."""
        return Phrasebook(self.form.language, self.form.says)

    @property
    def context(self) -> Context:
        """Return the language and the day by which values are shown."""
        return Context(self.form.language, self.today)

    @property
    def progress(self) -> str:
        """Return the form's title and how far it is: "Personal account dealing · 5 of 13"."""
        done, total = progress(self.form, self.draft)
        return f"{self.form.title} · {self.say('progress', done=str(done), total=str(total))}"

    @cached_property
    def essence(self) -> str:
        """Return the line that tells requests apart: "Buy 200 Tesco PLC · GBP 720.00 · pension"; empty while nothing of it is known."""
        return line(essence(self.form, self.draft, self.context), ESSENCE)

    def day(self, iso: str) -> str:
        """Return a day as people read it: "24 Nov 2026"."""
        return day_text(moment_of(iso), self.form.language)

    def clock(self, iso: str) -> str:
        """Return a time by its owner's own clock: "24 Nov 2026, 14:05"; in UTC, and said so, where their zone is not known."""
        at = moment_of(iso).astimezone(zone_of(self.draft.zone))
        shown = format_datetime(at, f"{FORMATS}, HH:mm", at.tzinfo, self.form.language.replace("-", "_"))
        return shown if self.draft.zone else f"{shown} UTC"

    def moment(self, iso: str) -> str:
        """Return a time as each reader's own clock shows it."""
        return moment(moment_of(iso), self.form.language)

    def say(self, key: str, **args: str) -> str:
        """Return a sentence of the catalogue."""
        return self.words.say(key, **args)

    def label(self, field: Field) -> str:
        """Return a field's label, with the values that it names."""
        return self._filled(field.label)

    def question(self, field: Field, *, again: bool = False) -> str:
        """Return the form's question, with the values that it names, opened like a persona's; `again` after a thin answer."""
        asked = self._filled((field.again if again else "") or field.ask)
        return " ".join((*self.form.persona.shape[-1:], asked))

    def answer(self, field: Field, value: Value | None = None) -> str:
        """Return a field's value as people read it; the draft's where none is given."""
        value = value or self.draft.values.get(field.name)
        return display_value(field, value, self.context) if value else ""

    @cached_property
    def answered(self) -> tuple[Field, ...]:
        """Return fields that count and have an answer, in the form's order; a currency stands with its amount."""
        fields = (f for f in reachable(self.form, self.draft) if f.name in self.draft.values)
        return tuple(f for f in fields if not stands_with_amount(self.form, self.draft, f))

    def whole_answer(self, field: Field) -> str:
        """Return a field's value as people read it: an amount with its currency, a declaration with its sentence."""
        return display_whole(self.form, self.draft, field, self.context)

    def cut_answer(self, field: Field, width: int) -> str:
        """Return a whole answer on one line of at most `width` characters; a declared sentence is never cut."""
        return line(self.whole_answer(field), width + size(self.draft.values[field.name].declared))

    def stated(self, field: Field, value: Value) -> str:
        """Return any value of a field with the sentence that it declares."""
        return stated(field, self.answer(field, value), value.declared)

    def declared(self, field: Field, sentences: Sentences) -> str:
        """Return what each answer to a field would declare, a line each, as escaped text; empty where none does."""
        declared = zip(sentences.get(field.name, ()), (True, False), strict=False)
        return lines(*(escape(stated(field, self.data(field, data), text)) for text, data in declared if text))

    def opened(self, field: Field, shown: str) -> str:
        """Return a field's answer, shown as escaped text, as a link where it is the address of a web page."""
        return linked(self.whole_answer(field), shown) if kind_of(field).opens else shown

    def data(self, field: Field, data: Data) -> str:
        """Return a bare value of a field as people read it."""
        return plainly(field, data, self.context)

    def state(self, name: str) -> str:
        """Return a record's state as people read it; of one in which nobody can decide, that."""
        return self.say("undecided") if name in self.draft.filed.pending.lacking else self._name_of("state", name)

    def role(self, name: str) -> str:
        """Return a role as people read it."""
        return self._name_of("role", name)

    def verdict(self, name: str) -> str:
        """Return a verdict as its button says it."""
        return self._name_of("verdict", name)

    def _name_of(self, sort: str, name: str) -> str:
        """Return the catalogue's name for a state, a role or a verdict, else its own in plain letters."""
        return self.say(key) if (key := f"{sort}_{name}") in self.words else name.replace("_", " ").capitalize()

    def press(self, act: Act, field: str = "", value: Data | None = None, hash: str = "") -> Press:  # noqa: A002  Slack's reader names it so
        """Return what a button of this card means."""
        return Press(act, self.draft.id, field, value, self.card_id, hash)

    def menu_press(self, field: str) -> Press:
        """Return what a menu, a calendar or radio buttons mean. Slack keeps the choice there: where it did not count, the next id is another one."""
        return self.press("answer", field, hash=str(self.draft.boxes_closed))

    def _filled(self, text: str) -> str:
        return _NAME.sub(lambda m: self._named(m[1]) or m[0], text)

    def _named(self, name: str) -> str:
        field = self.form.fields.get(name)
        if field is None:
            return ""
        value = self.draft.values.get(name)
        return line(short(self.answer(field), value), NAMED) if value else lowered(field.label)


def lowered(label: str) -> str:
    """Return a label as it stands inside a sentence: "leveraged product", but "ISIN"."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


def short(shown_value: str, value: Value) -> str:
    """Return a value inside a question: without the code in brackets that its card shows."""
    return shown_value.removesuffix(f" ({value.data})")


_PERSON = re.compile(r"[UW][A-Z0-9]{2,30}")
DAYS = {"filed_on": "day", "since_on": "since", "until_on": "until"}
"""Arguments that are days (ISO 8601), and the names under which sentences show them."""
TIMES = {"since_at": "since", "due_at": "due"}
"""The same for times (ISO 8601, UTC)."""
BUTTONS = ("submit", "edit_one", "withdraw", "extend", "unused", "correct", "person_button")
"""Buttons that a sentence may name."""
_ARGUMENT, _WORDS = 1200, 2400
"""Characters of one argument, and of a model's words, that are shown."""


def mention(person: str) -> str:
    """Return a Slack user id as a mention; anything else as escaped text."""
    return f"<@{person}>" if _PERSON.fullmatch(person) else escape(person)


def sentence(page: Page, said: Utterance) -> str:
    """Return an utterance as escaped text. Raises KeyError where the catalogue does not know its key or arguments."""
    return escape(said.text, _WORDS) if isinstance(said, Verbatim) else fill(page, said.key, said.args)


def sentences(page: Page, said: Iterable[Utterance]) -> str:
    """Return several utterances, one below the other, none of them twice."""
    return "\n".join(dict.fromkeys(text for one in said if (text := sentence(page, one))))


def fill(page: Page, key: str, args: Mapping[str, Any] | None = None) -> str:
    """Return a sentence of the catalogue as escaped text, with its arguments made inert."""
    given, wanted = args or {}, page.words.names(key)
    if key == "not_yours":
        name = str(given.get("name", "")) or page.draft.owner
        return page.words.fill(key if name else "not_yours_unknown", {"name": mention(name)}, literal)
    texts = {name: str(value) for name, value in _arguments(page, given, wanted).items() if name in wanted}
    shown = {name: mention(text) if name == "person" else escape(text, _ARGUMENT) for name, text in texts.items()}
    return page.words.fill(key, shown, literal)


def _arguments(page: Page, args: Mapping[str, Any], wanted: Collection[str]) -> dict[str, Any]:
    """Add what a sentence may name to its own arguments: the form, the record, a review's buttons, a field's label in both its cases."""
    buttons = {name: page.say(name.removesuffix("_button")) for name in BUTTONS if name in wanted}
    whole = {"form": page.form.title, "number": page.draft.filed.number} | buttons | dict(args)
    field = page.form.fields.get(str(whole.get("field", "")))
    if field is not None:
        whole.setdefault("label", page.label(field))
    if "label" in whole:
        whole.setdefault("thing", lowered(str(whole["label"])))
    for name, shown, read in (
        ("state_name", "state", page.state),
        ("by_role", "role", page.role),
        ("by_roles", "roles", lambda names: ", ".join(map(page.role, names.split(",")))),
        ("by_verdict", "verdict", page.verdict),
        *((name, shown, page.day) for name, shown in DAYS.items()),
        *((name, shown, page.clock) for name, shown in TIMES.items()),
    ):
        if name in whole:
            whole[shown] = read(str(whole[name]))
    if "introduction" in wanted and not whole.get("introduction"):
        whole["introduction"] = page.say("introduction", form=page.form.title)
    return whole
