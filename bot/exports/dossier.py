"""Build the dossier of one record as data: everything that is stored of it at a moment. It judges nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from typing import Any

from blocks.messages import screen_lines
from blocks.page import Page
from state.draft import changes as made
from state.draft import record_changes as filed
from state.draft.draft import Draft
from state.draft.record import Record
from state.engine.codec import encode
from state.engine.timeline import Entry, Happening, entries
from state.form import Form
from state.stores.evidence.links import beside
from state.stores.proof import Account, Shown
from state.stores.rows import Link, StoredEvent

Json = dict[str, Any]
ERASED = "erased"
RECORD = frozenset({"number", "state", "valid_until", "receipt", "filed_at", "pending", "decisions"})
"""Attributes of a record that a dossier tells elsewhere; what one has beyond them is told under its own name."""


class TooEarly(ValueError):
    """Nothing had happened by then; the text says since when something has."""


@dataclass(frozen=True)
class Source:
    """The source of a dossier. `form` is the workflow's today, None where there is none any more; `links` are the chain's."""

    account: Account
    links: Sequence[Link]
    form: Form | None
    moment: datetime | None = None


def build(source: Source) -> Json:
    """Return the dossier as JSON. Raises TooEarly."""
    record, moment = source.account.record, source.moment
    events = [e for e in source.account.events if moment is None or (e.at is not None and e.at <= moment)]
    links = [link for link in source.links if moment is None or link.at <= moment]
    known = {event.body.get("id") for event in events}
    shown = [s for s in source.account.shown if moment is None or (s.at and s.at <= moment and s.event in known)]
    if not links:
        first = f"{source.links[0].at:%Y-%m-%d %H:%M:%S} UTC" if source.links else "never"
        raise TooEarly(f"{record.number} had not begun by then: its first event is of {first}.")
    story = list(entries(events))
    draft = story[-1].draft if story else None
    page = Page(source.form, draft, draft.began[:10]) if draft and source.form else None
    filing = _filing(source, links)
    confirmed = filing.body.get("confirmed") if filing else None
    return {
        "record": _head(source, draft, page, links, filing),
        "as_of": _iso(moment),
        "chain": {"events": len(links), "of": len(source.links), "head": links[-1].hash, "draft": record.draft},
        "versions": _versions(source, links, draft, filing),
        "answers": [*_answers(draft, page)] if draft else [],
        "disclosures": encode(draft)["disclosures"] if draft else [],
        "rules": _rules(filing, draft) if filing else {},
        "decisions": [
            {**one, "role_name": page.role(one["role"]) if page and one["role"] else one["role"]}
            for one in (encode(draft)["filed"]["decisions"] if draft else ())
        ],
        "further": _further(draft) if draft else {},
        "confirmed": {**confirmed, "lines": screen_lines(confirmed)} if confirmed else None,
        "story": [_story(one) for one in story],
        "shown": [_shown(one) for one in shown],
        "links": [{"n": link.n, "kind": link.kind, "at": _iso(link.at), "hash": link.hash} for link in links],
    }


@dataclass(frozen=True)
class Filing:
    """The last filing by then: the hash of what was confirmed, and the record's body as far as it is known."""

    hash: str
    body: Mapping[str, Any]


def _filing(source: Source, links: Sequence[Link]) -> Filing | None:
    """The record's body is that of its newest filing; of an earlier one, its event and the card that was confirmed say what there was."""
    record = source.account.record
    filings = {
        link.n: said.filed[record.number]
        for link in source.links
        if record.number in (said := beside(link.beside)).filed
    }
    known = [n for n in filings if n <= links[-1].n]
    if not known:
        return Filing(record.hash, record.body) if not filings else None
    if known[-1] == max(filings):
        return Filing(record.hash, record.body)
    return Filing(filings[known[-1]][HASH], _earlier(source, known[-1]))


def _earlier(source: Source, n: int) -> Json:
    events = [event for event in source.account.events if event.n <= n]
    draft = next((entry.draft for entry in reversed(list(entries(events)))), None)
    if draft is None:
        return {}
    began, facts = events[-1].body.get("id"), events[-1].body.get("facts") or {}
    ids = {event.body.get("id") for event in events}
    cards = [s.body for s in source.account.shown if s.kind == "post" and s.event in ids and s.event != began]
    confirmed = next((body for body in reversed(cards) if body.get("card") == draft.filed.receipt), None)
    versions = {"form": events[-1].form_version, "rules": events[-1].rules_version}
    told = {"reasons": list(draft.filed.pending.reasons), "facts": facts, "versions": versions, "owner": draft.owner}
    return {**told, "confirmed": confirmed and {"text": confirmed["text"], "blocks": confirmed["blocks"]}}


HASH = 3
"""Where `record_facts` has the hash of what was confirmed."""


def _head(
    source: Source, draft: Draft | None, page: Page | None, links: Sequence[Link], filing: "Filing | None"
) -> Json:
    record = source.account.record
    state = (
        draft.filed.state if draft and (draft.filed.state or not draft.filed.number) else _state(links, record.number)
    )
    return {
        "number": record.number,
        "form": record.form,
        "title": source.form.title if source.form else record.form,
        "tenant": record.tenant,
        "owner": draft.owner if draft else str(record.body.get("owner") or ERASED),
        "about": page.essence if page else "",
        "status": str(draft.status) if draft else ERASED,
        "state": state,
        "state_name": page.state(state) if page and state else state,
        "valid_until": draft.filed.valid_until if draft else "",
        "filed_at": _iso(record.filed_at) if state else "",
        "hash": filing.hash if filing else "",
        "erased": draft is None,
        "kept": source.account.kept,
    }


def _state(links: Sequence[Link], number: str) -> str:
    """Return the record's state as links say it: readable also where its words are gone, or a draft from before did not keep it."""
    state = ""
    for link in links:
        said = beside(link.beside)
        state = str(said.filed[number][-1]) if number in said.filed else state
        state = said.states[number][1] if number in said.states else state
    return state


def _versions(source: Source, links: Sequence[Link], draft: Draft | None, filing: Filing | None) -> Json:
    told = filing.body.get("versions", {}) if filing else {}
    values = draft.values.values() if draft else ()
    readers = {v.provenance.reader for v in values} | {str(e.body.get("reader") or "") for e in source.account.events}
    return {
        "filed_under": dict(told),
        "form": list(dict.fromkeys(link.form_version for link in links)),
        "rules": list(dict.fromkeys(link.rules_version for link in links)),
        "readers": sorted(readers - {""}),
        "form_today": source.form.version if source.form else "",
    }


def _answers(draft: Draft, page: Page | None) -> Iterator[Json]:
    fields_of = page.form.fields if page else {}
    for name in sorted(draft.values, key=lambda n: [*fields_of, n].index(n)):
        value, field = draft.values[name], fields_of.get(name)
        yield {
            "field": name,
            "label": page.label(field) if page and field else name,
            "shown": page.whole_answer(field) if page and field else str(value.data),
            "locked": name in draft.locked_fields,
            "value": value.data,
            "label_then": value.label,
            "declared": value.declared,
            "sure": value.sure,
            "grade": value.grade,
            **{name: getattr(value.provenance, name) for name in ("who", "at", "how", "message", "words", "reader")},
        }


def _rules(filing: Filing, draft: Draft | None) -> Json:
    body = filing.body
    told = {name: body[name] for name in ("reasons", "computed", "facts") if name in body}
    filed = body.get("filed") or {}
    return told | {
        "state": filed.get("state", ""),
        "told": filed.get("told", []),
        "until": filed.get("until", ""),
        "background": list(draft.filed.pending.background) if draft else [],
    }


def _further(draft: Draft) -> Json:
    """Return what there is beyond that: documents, executions, breaches and the like, under their own names."""
    usual = {f.name: None if f.default is MISSING else f.default for f in fields(Record) if f.name not in RECORD}
    told = encode(draft)
    held = {n: v for n, v in told["filed"].items() if n in usual and v not in ("", [], {}, None, usual[n])}
    return {**({"documents": told["documents"]} if told["documents"] else {}), **held}


def _shown(one: Shown) -> Json:
    """Return what was put before somebody, in words: `where` is the channel, `who` the one person who reads it there, "" for all in it."""
    body = one.body
    name = f"[{body.get('name')}]" if one.kind in ("attach", "forward") else ""
    lines = screen_lines({"text": body.get("comment"), "files": []} if name else body)
    return {
        "event": one.event, "kind": one.kind, "status": one.status, "at": _iso(one.at), "where": str(body.get("channel", "")),
        "who": str(body.get("user", "")), "card": str(body.get("card", "")), "lines": [*lines, *filter(None, [name])],
        "text": body.get("text", ""), "blocks": body.get("blocks", []),
    }  # fmt: skip


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def _story(entry: Entry[StoredEvent]) -> Json:
    """Return one event: who did what, what reader read open words, and what it changed."""
    event = entry.event
    return {
        "n": event.n, "kind": event.kind, "who": entry.who, "said": _said(event), "reader": str(event.body.get("reader") or ""),
        "form_version": event.form_version, "rules_version": event.rules_version, "hash": event.hash, "at": _iso(event.at),
        "moves": [_move(one) for one in entry.happenings if one.before is not None and one.what not in DIALOGUE],
    }  # fmt: skip


def _said(event: StoredEvent) -> str:
    """Return what was typed, clicked or decided, in the words of whoever did it."""
    body = event.body
    files = [f"[{file.get('name')}]" for file in body.get("files") or ()]
    words = body.get("text") if event.kind == "MessageReceived" else body.get("label") or body.get("verdict")
    act = body.get("act") or body.get("purpose") or body.get("what") or ""
    return " ".join(filter(None, (str(words or act or ""), *files)))


def _move(one: Happening) -> Json:
    """Return what changed. Data that nothing more is known of is told by its name, and by what it says."""
    kind = type(one.change)
    what, text = MOVES.get(kind, (kind.__name__, _plainly))
    return {
        "what": what, "field": one.field, "before": one.was and one.was.data, "after": one.now and one.now.data,
        "text": text(one.change, one.before),
    }  # fmt: skip


def _moved(change: filed.RecordMoved, draft: Draft) -> str:
    good = f", good until {change.until}" if change.until else ""
    return f"{draft.filed.state or '–'} → {change.to} ({change.on}){good}"


def _decided(change: filed.Decided, _: Draft) -> str:
    one = change.decision
    given = _given({
        "as": one.role, "in the place of": one.deputy_of, "reason": one.reason, "conditions": one.conditions, "note": one.note,
    })  # fmt: skip
    return "; ".join((f"{one.verdict} by {one.who} in {one.state} → {one.to}", *given))


def _reported(change: filed.Reported, draft: Draft) -> str:
    """Return what was done, and what was reported before it."""
    before = f"; before: {_figures(draft.filed.report.figures)}" if draft.filed.report else ""
    return f"{_figures(change.report.figures)}{before}"


def _note(change: filed.NoteSet, _: Draft) -> str:
    one = change.note
    held = ", ".join(f"{f.name} {f.noted} ({'as' if f.same else 'not'} {f.reported})" for f in one.figures)
    by = _given({"by": one.by, "as": one.role, "in the place of": one.deputy_of, "reason": one.reason})
    return "; ".join(filter(None, (f"{one.name}: {one.came}", held, *by)))


def _breach(change: filed.BreachSet, _: Draft) -> str:
    one = change.breach
    said = one.words or f"{one.kind} {_figures(one.said)}".strip()
    if one.open:
        return f"opened by {one.by or 'a rule'}: {said}"
    by = _given({"by": one.closed_by, "as": one.role, "in the place of": one.deputy_of, "reason": one.reason})
    return "; ".join((f"closed: {said}", *by))


def _figures(figures: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in figures.items())


def _given(parts: Mapping[str, str]) -> list[str]:
    return [f"{name} {text}" for name, text in parts.items() if text]


def _plainly(change: Any, _: Draft) -> str:
    """Return data in a line: what is there, under its name."""

    def plain(told: Any) -> str:
        if isinstance(told, Mapping):
            return "; ".join(f"{name} {plain(one)}" for name, one in told.items() if one not in ("", None, [], {}))
        return ", ".join(map(plain, told)) if isinstance(told, list) else str(told)

    return plain({name: value for name, value in encode(change).items() if name != "kind"})


def _why(change: Any, _: Draft) -> str:
    return str(change.why)


def _nothing(_change: object, _: Draft) -> str:
    return ""


DIALOGUE = frozenset({"shown", "asked", "review", "undelivered", "delivered"})
"""Happenings of the conversation, which a dossier shows as it was sent."""
MOVES: Mapping[type, tuple[str, Callable[[Any, Any], str]]] = {
    made.ValueSet: ("answer", _nothing),
    made.ValueRetired: ("retired", _why),
    made.Disclosed: ("disclosure", lambda change, _: str(change.disclosure.provenance.words)),
    filed.RecordMoved: ("state", _moved),
    filed.Decided: ("decision", _decided),
    made.StatusMoved: ("status", lambda change, draft: f"{draft.status} → {change.to}"),
    filed.RecordGiven: ("record", lambda change, _: str(change.number)),
    filed.DecisionsVoided: ("decisions void", _why),
    made.Reopened: ("reopened", _nothing),
    made.Locked: ("locked", _nothing),
    made.Unlocked: ("unlocked", _nothing),
    made.HandedOver: ("handed to a person", _why),
    made.HandedBack: ("handed back", lambda change, _: str(change.who)),
    filed.Reported: ("report", _reported),
    filed.NoteSet: ("note", _note),
    filed.BreachSet: ("breach", _breach),
}
"""Changes with their name in a dossier, and what they say; one that is not here is told by its own name."""
