"""Compare what a step expects with what is there; each expectation gives a sentence where it falls short."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from blocks.page import Page, sentence
from state.draft.draft import Draft
from state.draft.route import sentence_of
from state.form import Form
from state.workflow.scenario import Expect, ExpectedRecord


@dataclass(frozen=True)
class Observation:
    """After a step: the draft, texts that are new or repainted, changes that happened, the person's records (newest first)."""

    form: Form
    draft: Draft | None
    texts: tuple[str, ...]
    changes: list[dict[str, Any]]
    records: Sequence[Mapping[str, Any]]
    shown: tuple[str, ...] = ()
    """The same texts as they are on the screen, without screen-reader text."""
    code: int = 0
    """The status of the newest call over HTTP, and below it its body."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    officers: tuple[str, ...] = ()
    """Texts that are new or repainted where reviewers read."""
    notes: tuple[str, ...] = ()
    """Private notes to the one who clicked there."""

    def of_draft(self, name: str, otherwise: Any = ()) -> Any:
        """Return an attribute of the draft, `otherwise` where there is no draft."""
        return getattr(self.draft, name) if self.draft else otherwise


def shortfalls(expect: Expect, seen: Observation) -> list[str]:
    """Return all that is not as expected, in sentences."""
    given = expect.model_fields_set
    return [told for name, check in CHECKS.items() if name in given for told in check(getattr(expect, name), seen)]


Check = Callable[[Any, Observation], Iterable[str]]


def _values(expected: Mapping[str, object], seen: Observation) -> Iterator[str]:
    values = seen.of_draft("values", {})
    for name, wanted in expected.items():
        there = values[name].data if name in values else None
        if there != wanted or type(there) is not type(wanted):
            yield f"{name} is {there!r}, not {wanted!r}"


def _unset(fields: Sequence[str], seen: Observation) -> Iterator[str]:
    values = seen.of_draft("values", {})
    yield from (f"{name} is set to {values[name].data!r}" for name in fields if name in values)


def _files(expected: Mapping[str, str], seen: Observation) -> Iterator[str]:
    values = seen.of_draft("values", {})
    for name, wanted in expected.items():
        there = values[name].label if name in values else "nothing"
        if there != wanted:
            yield f"{name} holds {there}, not {wanted}"


def _not_asked(fields: Sequence[str], seen: Observation) -> Iterator[str]:
    opened = {c.get("asked") for c in seen.changes if c.get("kind") == "CardOpened"}
    for name in fields:
        if name in opened or any(seen.form.fields[name].ask in text for text in seen.texts):
            yield f"{name} was asked"


def _says_once(expected: Sequence[str], seen: Observation) -> Iterator[str]:
    whole = "\n".join(seen.shown).casefold()
    counts = ((words, whole.count(words.casefold())) for words in expected)
    yield from (f"{words!r} is said {n} times, not once" for words, n in counts if n != 1)


def _record(wanted: ExpectedRecord | None, seen: Observation) -> Iterator[str]:
    newest = seen.records[0] if seen.records else None
    if wanted is None or newest is None:
        yield "there is no record"
        return
    if newest["state"] != wanted.state:
        yield f"the record is {newest['state']}, not {wanted.state}"
    reasons = "\n".join(newest.get("reasons", ())).casefold()
    yield from (f"no reason says {reason!r}" for reason in wanted.reasons if reason.casefold() not in reasons)
    computed = newest.get("computed", {})
    for name, value in wanted.computed.items():
        if computed.get(name) != value:
            yield f"{name} came out as {computed.get(name)!r}, not {value!r}"


def _code(wanted: int, seen: Observation) -> Iterator[str]:
    if seen.code != wanted:
        yield f"the call came back with {seen.code} {dict(seen.answer)}, not {wanted}"


def _answer(expected: Mapping[str, Any], seen: Observation) -> Iterator[str]:
    for key, wanted in expected.items():
        there = seen.answer.get(key)
        texts = isinstance(wanted, str) and isinstance(there, str)
        if there != wanted and not (texts and wanted.casefold() in str(there).casefold()):
            yield f"{key} of the answer is {there!r}, not {wanted!r}"


def _told_off(words: str | None, seen: Observation) -> Iterator[str]:
    whole, wanted = "\n".join(seen.notes), words or ""
    if (wanted == "" and whole) or wanted.casefold() not in whole.casefold():
        yield f"who clicked is told {whole!r}" if whole else "who clicked is told nothing"


def _breaches(expected: Sequence[str] | None, seen: Observation) -> Iterator[str]:
    """Compare the open breaches as reviewers read them."""
    page = Page(seen.form, seen.draft, seen.draft.began[:10]) if seen.draft else None
    told = (
        [unescape(sentence(page, sentence_of(b))) for b in (seen.draft.filed.breaches if seen.draft else ()) if b.open]
        if page
        else []
    )
    wanted = expected or ()
    if len(told) != len(wanted) or any(w.casefold() not in t.casefold() for w, t in zip(wanted, told, strict=True)):
        yield f"the open breaches are {told}, not {list(wanted)}"


def _same(told: str, there: Callable[[Observation], Any]) -> Check:
    """Return a check that expects a value as it is; `told` names it, as {there}, and the {wanted} one."""

    def check(wanted: Any, seen: Observation) -> Iterator[str]:
        found = there(seen)
        wanted = dict(wanted or {}) if isinstance(found, dict) else wanted
        if found != wanted:
            yield told.format(there="nothing" if found == "" else found, wanted="nothing" if wanted == "" else wanted)

    return check


def _flag(holds: str, fails: str, there: Callable[[Observation], Any]) -> Check:
    """Return a check that something holds or does not; the sentences say that it does, and that it does not."""

    def check(wanted: bool, seen: Observation) -> Iterator[str]:
        if bool(there(seen)) is not wanted:
            yield fails if wanted else holds

    return check


def _each(told: str, falls_short: Callable[[str, Observation], bool]) -> Check:
    """Return a check of names or words, one by one; `told` has {} for the one that falls short."""
    return lambda expected, seen: (told.format(one) for one in expected if falls_short(one, seen))


def _found(words: str, texts: tuple[str, ...]) -> bool:
    return words.casefold() in "\n".join(texts).casefold()


def _read(seen: Observation) -> dict[str, Any]:
    return {name: value.data for reading in seen.of_draft("readings") for name, value in reading.values.items()}


def _is_reviewed(seen: Observation) -> bool:
    card = seen.of_draft("card", None)
    return card is not None and card.kind == "review"


CHECKS: Mapping[str, Check] = {
    "values": _values,
    "unset": _unset,
    "files": _files,
    "read": _same("{there!r} waits for a click, not {wanted!r}", _read),
    "put_back": _same(
        "{there!r} is proposed, not {wanted!r}",
        lambda seen: {o.field: o.data for o in reversed(seen.of_draft("offers")) if o.said},
    ),
    "asked": _same("{there} is asked, not {wanted}", lambda seen: seen.of_draft("asked", "")),
    "review": _flag("the review is open", "the review is not open", _is_reviewed),
    "not_asked": _not_asked,
    "locked": _each("{} is not locked", lambda name, seen: name not in seen.of_draft("locked_fields")),
    "unlocked": _each("{} is locked", lambda name, seen: name in seen.of_draft("locked_fields")),
    "options": _same(
        "the results are {there}, not {wanted}",
        lambda seen: tuple(o.label for o in next(iter(seen.of_draft("options", {}).values()), ())),
    ),
    "disclosed": _each(
        "{} was not disclosed", lambda name, seen: name not in {d.field for d in seen.of_draft("disclosures")}
    ),
    "says": _each("nothing says {!r}", lambda words, seen: not _found(words, seen.texts)),
    "says_once": _says_once,
    "never_says": _each("something says {!r}", lambda words, seen: _found(words, seen.texts)),
    "status": _same("the draft is {there}, not {wanted}", lambda seen: seen.of_draft("status", None)),
    "record": _record,
    "records": _same("there are {there} records, not {wanted}", lambda seen: len(seen.records)),
    "stage": _same("the stage is {there}, not {wanted}", lambda seen: seen.of_draft("stage", None)),
    "handed": _flag(
        "a person has the conversation", "no person has the conversation", lambda seen: seen.of_draft("handed")
    ),
    "code": _code,
    "answer": _answer,
    "officers_read": _each("reviewers do not read {!r}", lambda words, seen: not _found(words, seen.officers)),
    "officers_never_read": _each("reviewers read {!r}", lambda words, seen: _found(words, seen.officers)),
    "told_off": _told_off,
    "breaches": _breaches,
    "settled": _flag(
        "a note matches what was reported",
        "no note matches what was reported",
        lambda seen: seen.draft is not None and seen.draft.filed.settled,
    ),
}
