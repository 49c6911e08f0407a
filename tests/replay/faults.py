"""The ways in which the scripted model misbehaves: one function a kind, each gives the calls that it makes of one message."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field, Form
from state.form.field import Data
from tests.replay.data import Turn, Write
from tests.replay.gold import stands

Proposed = tuple[str, dict[str, Any]]
UNKNOWN = ("approve_request", "set_everything", "submit_form", "finalize", "unlock_field")
PLAIN = ("no", "nope", "yes", "yeah", "yep", "yup", "sure")
"""Words that one question has for an answer, of which a bad reader makes two."""
TODAY = "2019-03-01"
CONTEXT = Context("en", TODAY)


@dataclass(frozen=True)
class Moment:
    """What a faulty call is made from: the message, the good calls, the tools on offer, the values that stand, and values to invent from."""

    form: Form
    turn: Turn
    good: tuple[Proposed, ...]
    last: tuple[Proposed, ...]
    offered: Callable[[str], bool]
    values: Mapping[str, Data]
    pool: Mapping[str, Sequence[str]]
    said: str
    rng: random.Random

    @property
    def told(self) -> list[Write]:
        """What this message told in words of its own, the last of each field."""
        here = {w.field: w for w in self.turn.writes if stands(w.quote, self.turn.text) and w.quote != self.turn.text}
        return list(here.values())

    @property
    def untold(self) -> list[Field]:
        """Open fields of which this message says nothing."""
        meant = {w.field for w in self.turn.writes}
        return [f for n, f in self.form.fields.items() if n not in meant and self.offered(f"set_{n}")]

    def quote(self, words: str) -> str:
        """The words, or the whole message."""
        return self.rng.choice((words, self.turn.text))

    def setting(self, name: str, value: object, words: str) -> Iterator[Proposed]:
        """The call that sets or corrects a field."""
        if self.offered(f"set_{name}"):
            yield f"set_{name}", {name: value, "words": words}
        elif self.offered("correct"):
            yield "correct", {"field": name, "value": str(value), "words": words}

    def invented(self, name: str) -> str:
        """A value of this field that nobody in the dialogue ever says, and that this message does not hold in other words."""
        field = self.form.fields[name]
        here = {c.data for c in kind_of(field).find(field, self.turn.text, CONTEXT)}
        unsaid = (v for v in self.pool.get(name, ()) if v.casefold() not in self.said)
        strange = [v for v in unsaid if canonical(field, v) not in here]
        return self.rng.choice(strange or ["Nowhere at all"])

    def fits(self, name: str, value: object) -> bool:
        """Return True if the field could take the value."""
        return canonical(self.form.fields[name], value) is not None


def canonical(field: Field, value: object) -> Data | None:
    """A call's value as the draft would hold it; None where it cannot be read."""
    try:
        return kind_of(field).parse(field, value, CONTEXT)
    except Unreadable:
        return None


def swap(m: Moment) -> Iterator[Proposed]:
    """Two values of one message, each given to the other's field, as far as that field takes it."""
    pairs = [(a, b) for a in m.told for b in m.told if a.field < b.field and a.value != b.value]
    alike = [p for p in pairs if m.form.fields[p[0].field].kind == m.form.fields[p[1].field].kind]
    if pairs:
        one, other = m.rng.choice(alike or pairs)
        yield from _given_to(m, one, other)
        yield from _given_to(m, other, one)


def _given_to(m: Moment, write: Write, other: Write) -> Iterator[Proposed]:
    if m.fits(other.field, write.value):
        yield from m.setting(other.field, write.value, m.quote(write.quote))


def wrong_slot(m: Moment) -> Iterator[Proposed]:
    """A value of the message given to a field of which it says nothing, with the words that say it."""
    pairs = [(w, f) for w in m.told for f in m.untold if m.fits(f.name, w.value)]
    alike = [(w, f) for w, f in pairs if m.form.fields[w.field].kind == f.kind]
    if pairs:
        write, field = m.rng.choice(alike or pairs)
        yield from m.setting(field.name, write.value, m.quote(write.quote))


def off_by_one(m: Moment) -> Iterator[Proposed]:
    """A number, a day or a time beside the one that the words say."""
    near = [(w, v) for w in m.told for v in _beside(m.form.fields[w.field], w.value) if m.fits(w.field, v)]
    if near:
        write, value = m.rng.choice(near)
        yield from m.setting(write.field, value, m.quote(write.quote))


def _beside(field: Field, value: str) -> Iterator[str]:
    data = canonical(field, value)
    for way in (1, -1) if data is not None else ():
        if field.kind == "date":
            yield (date.fromisoformat(str(data)) + timedelta(days=way)).isoformat()
        elif field.kind == "time":
            yield f"{datetime.fromisoformat(f'{TODAY}T{data}') + timedelta(hours=way):%H:%M}"
        elif field.kind in ("integer", "money"):
            yield _number_beside(value, way)


def _number_beside(value: str, step: int) -> str:
    return re.sub(r"\d+", lambda digits: str(int(digits[0]) + step), value, count=1)


def wrong_word(m: Moment) -> Iterator[Proposed]:
    """Another word of the message as a text, or another choice than the words name."""
    told = {w.field: w for w in m.told}
    texts = [f for n, f in m.form.fields.items() if f.kind == "text" and (n in told or f in m.untold)]
    choices = [f for n, f in m.form.fields.items() if f.choices and n in told]
    if not texts and not choices:
        return
    field = m.rng.choice(texts + choices)
    if field.kind != "text":
        other = [c.value for c in field.choices if str(c.value) != told[field.name].value]
        yield from m.setting(field.name, m.rng.choice(other), m.quote(told[field.name].quote))
    elif words := _words_beside(m, [w.quote for w in told.values()]):
        word = m.rng.choice(words)
        yield from m.setting(field.name, word, m.quote(word))


def _words_beside(m: Moment, quotes: list[str]) -> list[str]:
    """Words of the message that no told value holds."""
    held = {word for quote in quotes for word in re.findall(r"\w+", quote.casefold())}
    return [w for w in re.findall(r"[^\W\d_]{4,}", m.turn.text) if w.casefold() not in held]


def whole_quote(m: Moment) -> Iterator[Proposed]:
    """The right values, each with the whole message for a quote."""
    for tool, arguments in m.good:
        if "words" in arguments:
            yield tool, {**arguments, "words": m.turn.text}


def one_for_two(m: Moment) -> Iterator[Proposed]:
    """One "no" or "yes" of the message as the answer to two questions."""
    found = next((w for w in re.findall(r"\w+", m.turn.text) if w.casefold() in PLAIN), "")
    fields = [f for f in m.form.fields.values() if f.kind == "yes_no" and f.name not in {w.field for w in m.told}]
    if found and len(fields) > 1:
        for field in m.rng.sample(fields, 2):
            yield from m.setting(field.name, found.casefold() not in ("no", "nope"), m.quote(found))


def overwrites(m: Moment) -> Iterator[Proposed]:
    """Finished answers replaced by something invented."""
    for name in m.rng.sample(sorted(m.values), min(2, len(m.values))):
        wrong = m.invented(name)
        yield "correct", {"field": name, "value": wrong, "words": m.turn.text}
        yield f"set_{name}", {name: wrong, "words": m.turn.text}


def repeats(m: Moment) -> Iterator[Proposed]:
    """What it called for the message before, once more."""
    yield from m.last


def doubles(m: Moment) -> Iterator[Proposed]:
    """Every call twice."""
    yield from m.good


def unknown(m: Moment) -> Iterator[Proposed]:
    """A tool that there is not."""
    yield m.rng.choice(UNKNOWN), {"value": "x", "words": m.turn.text}


def invents(m: Moment) -> Iterator[Proposed]:
    """Open fields filled with what nobody said."""
    known = [f.name for f in m.untold if f.name in m.pool]
    for name in m.rng.sample(known, min(2, len(known))):
        yield f"set_{name}", {name: m.invented(name), "words": m.turn.text}


KINDS: Mapping[str, Callable[[Moment], Iterator[Proposed]]] = {
    "swap within a message": swap,
    "right value, wrong slot": wrong_slot,
    "off by one": off_by_one,
    "wrong word": wrong_word,
    "whole message as quote": whole_quote,
    "one no or yes for two": one_for_two,
    "overwrites": overwrites,
    "repeats": repeats,
    "doubles": doubles,
    "unknown tool": unknown,
    "invents": invents,
}
OFTEN: Mapping[str, int] = {
    "swap within a message": 9, "right value, wrong slot": 3, "off by one": 3, "one no or yes for two": 3
}  # fmt: skip
"""How many times as often as the others a kind is tried, as not every message has room for it."""
INSTEAD = frozenset(
    ("swap within a message", "right value, wrong slot", "off by one", "wrong word", "whole message as quote")
)
"""Kinds that may stand in the place of the right calls for the same fields or words, and not only beside them."""


def in_any_order(rng: random.Random) -> list[str]:
    """Every kind, the likelier ones sooner."""
    return sorted(KINDS, key=lambda kind: rng.random() ** (1 / OFTEN.get(kind, 1)), reverse=True)
