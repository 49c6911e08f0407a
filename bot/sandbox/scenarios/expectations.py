"""What a step expects against what is there: one small check per expectation, each giving a sentence where it falls short."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from blocks.page import Page
from blocks.utterances import sentence
from state.draft.draft import Draft
from state.draft.route import sentence_of
from state.form import Form
from state.workflow.scenario import Expect


@dataclass(frozen=True)
class Seen:
    """After a step: the draft, texts that are new or repainted, changes that happened, the person's records (newest first)."""

    form: Form
    draft: Draft | None
    texts: tuple[str, ...]
    changes: list[dict[str, Any]]
    records: Sequence[Mapping[str, Any]]
    shown: tuple[str, ...] = ()
    """The same texts as they stand on the screen, without what is told aloud."""
    code: int = 0
    """The status of the newest call over HTTP, and below it its body."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    officers: tuple[str, ...] = ()
    """Texts that are new or repainted where reviewers read."""
    notes: tuple[str, ...] = ()
    """What only the one who clicked reads there."""


def shortfalls(expect: Expect, seen: Seen) -> list[str]:
    """Everything that is not as expected, in sentences."""
    given = expect.model_fields_set
    return [sentence for name in CHECKS if name in given for sentence in CHECKS[name](expect, seen)]


def _values(expect: Expect, seen: Seen) -> Iterator[str]:
    values = seen.draft.values if seen.draft else {}
    for name, wanted in expect.values.items():
        there = values[name].data if name in values else None
        if there != wanted or type(there) is not type(wanted):
            yield f"{name} is {there!r}, not {wanted!r}"


def _files(expect: Expect, seen: Seen) -> Iterator[str]:
    values = seen.draft.values if seen.draft else {}
    for name, wanted in expect.files.items():
        there = values[name].label if name in values else "nothing"
        if there != wanted:
            yield f"{name} holds {there}, not {wanted}"


def _read(expect: Expect, seen: Seen) -> Iterator[str]:
    readings = seen.draft.readings if seen.draft else ()
    waiting = {name: value.data for reading in readings for name, value in reading.values.items()}
    if waiting != dict(expect.read or {}):
        yield f"{waiting!r} waits for a click, not {dict(expect.read or {})!r}"


def _put_back(expect: Expect, seen: Seen) -> Iterator[str]:
    said = [o for o in seen.draft.offers if o.said] if seen.draft else []
    waiting = {o.field: o.data for o in reversed(said)}
    if waiting != dict(expect.put_back or {}):
        yield f"{waiting!r} is put back, not {dict(expect.put_back or {})!r}"


def _unset(expect: Expect, seen: Seen) -> Iterator[str]:
    values = seen.draft.values if seen.draft else {}
    yield from (f"{name} is set to {values[name].data!r}" for name in expect.unset if name in values)


def _asked(expect: Expect, seen: Seen) -> Iterator[str]:
    asked = seen.draft.asked if seen.draft else ""
    if asked != expect.asked:
        yield f"{asked or 'nothing'} is asked, not {expect.asked or 'nothing'}"


def _review(expect: Expect, seen: Seen) -> Iterator[str]:
    card = seen.draft.card if seen.draft else None
    if (card is not None and card.kind == "review") is not expect.review:
        yield "the review is not open" if expect.review else "the review is open"


def _not_asked(expect: Expect, seen: Seen) -> Iterator[str]:
    opened = {c.get("asked") for c in seen.changes if c.get("kind") == "CardOpened"}
    for name in expect.not_asked:
        words = seen.form.fields[name].ask
        if name in opened or any(words in text for text in seen.texts):
            yield f"{name} was asked"


def _locked(expect: Expect, seen: Seen) -> Iterator[str]:
    yield from (f"{n} is not locked" for n in expect.locked if not seen.draft or n not in seen.draft.locked_fields)


def _unlocked(expect: Expect, seen: Seen) -> Iterator[str]:
    yield from (f"{n} is locked" for n in expect.unlocked if seen.draft and n in seen.draft.locked_fields)


def _options(expect: Expect, seen: Seen) -> Iterator[str]:
    found = next(iter(seen.draft.options.values()), ()) if seen.draft else ()
    labels = tuple(o.label for o in found)
    if labels != expect.options:
        yield f"the results are {labels}, not {expect.options}"


def _disclosed(expect: Expect, seen: Seen) -> Iterator[str]:
    there = {d.field for d in seen.draft.disclosures} if seen.draft else set()
    yield from (f"{name} was not disclosed" for name in expect.disclosed if name not in there)


def _says(expect: Expect, seen: Seen) -> Iterator[str]:
    whole = "\n".join(seen.texts)
    yield from (f"nothing says {words!r}" for words in expect.says if words.casefold() not in whole.casefold())


def _says_once(expect: Expect, seen: Seen) -> Iterator[str]:
    whole = "\n".join(seen.shown).casefold()
    counts = ((words, whole.count(words.casefold())) for words in expect.says_once)
    yield from (f"{words!r} is said {n} times, not once" for words, n in counts if n != 1)


def _never_says(expect: Expect, seen: Seen) -> Iterator[str]:
    whole = "\n".join(seen.texts)
    yield from (f"something says {words!r}" for words in expect.never_says if words.casefold() in whole.casefold())


def _status(expect: Expect, seen: Seen) -> Iterator[str]:
    status = str(seen.draft.status) if seen.draft else None
    if status != expect.status:
        yield f"the draft is {status}, not {expect.status}"


def _record(expect: Expect, seen: Seen) -> Iterator[str]:
    wanted, newest = expect.record, seen.records[0] if seen.records else None
    if wanted is None or newest is None:
        yield "there is no record"
        return
    if newest["state"] != wanted.state:
        yield f"the record is {newest['state']}, not {wanted.state}"
    told = "\n".join(newest.get("reasons", ()))
    yield from (f"no reason says {reason!r}" for reason in wanted.reasons if reason.casefold() not in told.casefold())
    computed = newest.get("computed", {})
    for name, value in wanted.computed.items():
        if computed.get(name) != value:
            yield f"{name} came out as {computed.get(name)!r}, not {value!r}"


def _records(expect: Expect, seen: Seen) -> Iterator[str]:
    if len(seen.records) != expect.records:
        yield f"there are {len(seen.records)} records, not {expect.records}"


def _stage(expect: Expect, seen: Seen) -> Iterator[str]:
    stage = seen.draft.stage if seen.draft else None
    if stage != expect.stage:
        yield f"the stage is {stage}, not {expect.stage}"


def _handed(expect: Expect, seen: Seen) -> Iterator[str]:
    handed = bool(seen.draft and seen.draft.handed)
    if handed is not expect.handed:
        yield "a person has the conversation" if handed else "no person has the conversation"


def _code(expect: Expect, seen: Seen) -> Iterator[str]:
    if seen.code != expect.code:
        yield f"the call came back with {seen.code} {dict(seen.answer)}, not {expect.code}"


def _answer(expect: Expect, seen: Seen) -> Iterator[str]:
    for key, wanted in expect.answer.items():
        there = seen.answer.get(key)
        texts = isinstance(wanted, str) and isinstance(there, str)
        if there != wanted and not (texts and wanted.casefold() in str(there).casefold()):
            yield f"{key} of the answer is {there!r}, not {wanted!r}"


def _officers_read(expect: Expect, seen: Seen) -> Iterator[str]:
    whole = "\n".join(seen.officers).casefold()
    yield from (
        f"those who decide do not read {words!r}" for words in expect.officers_read if words.casefold() not in whole
    )


def _officers_never_read(expect: Expect, seen: Seen) -> Iterator[str]:
    whole = "\n".join(seen.officers).casefold()
    yield from (f"those who decide read {words!r}" for words in expect.officers_never_read if words.casefold() in whole)


def _told_off(expect: Expect, seen: Seen) -> Iterator[str]:
    whole, wanted = "\n".join(seen.notes), expect.told_off or ""
    if (wanted == "" and whole) or wanted.casefold() not in whole.casefold():
        yield f"who clicked is told {whole!r}" if whole else "who clicked is told nothing"


def _breaches(expect: Expect, seen: Seen) -> Iterator[str]:
    """As reviewers read them."""
    there = [b for b in seen.draft.filed.breaches if b.open] if seen.draft else []
    page = Page(seen.form, seen.draft, seen.draft.began[:10]) if seen.draft else None
    told = [unescape(sentence(page, sentence_of(b))) for b in there] if page else []
    wanted = expect.breaches or ()
    if len(told) != len(wanted) or any(w.casefold() not in t.casefold() for w, t in zip(wanted, told, strict=True)):
        yield f"the open breaches are {told}, not {list(wanted)}"


def _settled(expect: Expect, seen: Seen) -> Iterator[str]:
    settled = bool(seen.draft and seen.draft.filed.settled)
    if settled is not expect.settled:
        yield "a note bears out what was reported" if settled else "no note bears out what was reported"


CHECKS: Mapping[str, Callable[[Expect, Seen], Iterator[str]]] = {
    "values": _values,
    "unset": _unset,
    "files": _files,
    "read": _read,
    "put_back": _put_back,
    "asked": _asked,
    "review": _review,
    "not_asked": _not_asked,
    "locked": _locked,
    "unlocked": _unlocked,
    "options": _options,
    "disclosed": _disclosed,
    "says": _says,
    "says_once": _says_once,
    "never_says": _never_says,
    "status": _status,
    "record": _record,
    "records": _records,
    "stage": _stage,
    "handed": _handed,
    "code": _code,
    "answer": _answer,
    "officers_read": _officers_read,
    "officers_never_read": _officers_never_read,
    "told_off": _told_off,
    "breaches": _breaches,
    "settled": _settled,
}
