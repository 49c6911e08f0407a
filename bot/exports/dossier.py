"""Build the dossier of one record as data: everything that is stored of it at a moment. It judges nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime
from typing import Any

from blocks.page import Page
from blocks.screen import screen_lines
from state.draft import changes as made
from state.draft.changes import fold
from state.draft.draft import Draft, Value
from state.engine.codec import decode_change, decode_draft, encode
from state.form import Form
from state.stores.evidence.links import beside
from state.stores.proof import Account, Shown
from state.stores.rows import Link, StoredEvent

BEGAN = "Began"


@dataclass(frozen=True)
class Move:
    """Something that changed. `what` is the kind of change; `text` says it where it is no answer."""

    what: str
    field: str = ""
    before: Value | None = None
    after: Value | None = None
    text: str = ""


@dataclass(frozen=True)
class Seen:
    """What was put before somebody: `where` is the channel, `who` the one person who reads it there, "" for all in it."""

    at: datetime | None
    kind: str
    where: str
    who: str
    card: str
    lines: tuple[str, ...]
    status: str


@dataclass(frozen=True)
class Moment:
    """One event. `who` is a Slack id, or a part of the bot; `reader` what read open words: a model's name, or "rules"."""

    n: int
    at: datetime
    kind: str
    who: str
    said: str
    reader: str
    moves: tuple[Move, ...]
    form_version: str
    rules_version: str
    hash: str


def until(events: Sequence[StoredEvent], moment: datetime | None) -> list[StoredEvent]:
    """Return the events that had been written down by then; all of them with None."""
    return [e for e in events if moment is None or (e.at is not None and e.at <= moment)]


def rebuilt(events: Sequence[StoredEvent]) -> Draft | None:
    """Return the draft after these events, by folding their changes; None where there is none to begin with."""
    draft: Draft | None = None
    for event in events:
        if event.kind == BEGAN:
            draft = decode_draft(event.body)
        elif draft is not None:
            draft = fold(draft, map(decode_change, event.changes))
    return draft


def retold(events: Sequence[StoredEvent]) -> tuple[list[Moment], Draft | None]:
    """Return everything that happened to a record, oldest first, and the draft at its end: both in one walk."""
    draft: Draft | None = None
    told = []
    for event in events:
        moves, draft = _moves(event, decode_draft(event.body) if event.kind == BEGAN else draft)
        told.append(_moment(event, moves))
    return told, draft


def seen(one: Shown) -> Seen:
    """Return what was shown, in words."""
    body = one.body
    name = f"[{body.get('name')}]" if one.kind in ("attach", "forward") else ""
    lines = screen_lines({"text": body.get("comment"), "files": []} if name else body)
    where, who = str(body.get("channel", "")), str(body.get("user", ""))
    return Seen(one.at, one.kind, where, who, str(body.get("card", "")), (*lines, *filter(None, [name])), one.status)


def _moment(event: StoredEvent, moves: Sequence[Move]) -> Moment:
    body = event.body
    who = str(body.get("owner") if event.kind == BEGAN else body.get("who", ""))
    assert event.at is not None  # noqa: S101  the store sets it
    return Moment(
        event.n, event.at, event.kind, who, _said(event), str(body.get("reader") or ""), tuple(moves),
        event.form_version, event.rules_version, event.hash,
    )  # fmt: skip


def _said(event: StoredEvent) -> str:
    """Return what was typed, clicked or decided, in the words of whoever did it."""
    body = event.body
    files = [f"[{file.get('name')}]" for file in body.get("files") or ()]
    words = body.get("text") if event.kind == "MessageReceived" else body.get("label") or body.get("verdict")
    act = body.get("act") or body.get("purpose") or body.get("what") or ""
    return " ".join(filter(None, (str(words or act or ""), *files)))


def _moves(event: StoredEvent, draft: Draft | None) -> tuple[list[Move], Draft | None]:
    """Return what changed for whoever reads the record, and the draft after it; the machinery of the conversation is left out."""
    if draft is None or not event.changes:
        return [], draft
    moves, revision = [], draft.revision + 1
    for change in map(decode_change, event.changes):
        kind = type(change)
        if kind not in MACHINERY:
            moves.append(TOLD.get(kind, _other)(change, draft))
        draft = made.apply(draft, change)
    return moves, replace(draft, revision=revision)


def _answered(change: made.ValueSet, draft: Draft) -> Move:
    return Move("answer", change.field, draft.values.get(change.field), change.value)


def _retired(change: made.ValueRetired, draft: Draft) -> Move:
    return Move("retired", change.field, draft.values.get(change.field), text=change.why)


def _disclosed(change: made.Disclosed, draft: Draft) -> Move:
    one = change.disclosure
    return Move("disclosure", one.field, draft.values.get(one.field), text=one.provenance.words)


def _moved(change: made.RecordMoved, draft: Draft) -> Move:
    good = f", good until {change.until}" if change.until else ""
    return Move("state", text=f"{draft.state or '–'} → {change.to} ({change.on}){good}")


def _decided(change: made.Decided, _: Draft) -> Move:
    one = change.decision
    given = {
        "as": one.role,
        "in the place of": one.deputy_of,
        "reason": one.reason,
        "conditions": one.conditions,
        "note": one.note,
    }
    told = "; ".join(f"{name} {text}" for name, text in given.items() if text)
    return Move("decision", text=f"{one.verdict} by {one.who} in {one.state} → {one.to}{'; ' if told else ''}{told}")


def _reported(change: made.Reported, draft: Draft) -> Move:
    """Return what was done, and what was reported before it."""
    before = f"; before: {_figures(draft.report.figures)}" if draft.report else ""
    return Move("report", text=f"{_figures(change.report.figures)}{before}")


def _figures(figures: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in figures.items())


def _note(change: made.NoteSet, _: Draft) -> Move:
    one = change.note
    held = ", ".join(f"{f.name} {f.noted} ({'as' if f.same else 'not'} {f.reported})" for f in one.figures)
    told = (f"{one.name}: {one.came}", held, *_by(one.by, one.role, one.deputy_of, one.reason))
    return Move("note", text="; ".join(filter(None, told)))


def _breach(change: made.BreachSet, _: Draft) -> Move:
    one = change.breach
    said = one.words or f"{one.kind} {_figures(one.said)}".strip()
    if one.open:
        return Move("breach", text=f"opened by {one.by or 'a rule'}: {said}")
    return Move("breach", text="; ".join((f"closed: {said}", *_by(one.closed_by, one.role, one.deputy_of, one.reason))))


def _by(who: str, role: str, deputy_of: str, reason: str) -> tuple[str, ...]:
    given = {"by": who, "as": role, "in the place of": deputy_of, "reason": reason}
    return tuple(f"{name} {text}" for name, text in given.items() if text)


def _other(change: Any, _: Draft) -> Move:
    """Whatever else there is: its name, and what it says."""
    return Move(type(change).__name__, text=_plainly({n: v for n, v in encode(change).items() if n != "kind"}))


def _plainly(told: Any) -> str:
    """Data in a line: what is there, under its name."""
    if isinstance(told, Mapping):
        return "; ".join(f"{name} {_plainly(one)}" for name, one in told.items() if one not in ("", None, [], {}))
    return ", ".join(map(_plainly, told)) if isinstance(told, list) else str(told)


TOLD: Mapping[type, Callable[[Any, Draft], Move]] = {
    made.ValueSet: _answered,
    made.ValueRetired: _retired,
    made.Disclosed: _disclosed,
    made.RecordMoved: _moved,
    made.Decided: _decided,
    made.StatusMoved: lambda change, draft: Move("status", text=f"{draft.status} → {change.to}"),
    made.RecordGiven: lambda change, _: Move("record", text=change.number),
    made.DecisionsVoided: lambda change, _: Move("decisions void", text=change.why),
    made.Reopened: lambda change, draft: Move("reopened", change.field, draft.values.get(change.field)),
    made.Locked: lambda change, _: Move("locked", change.field),
    made.Unlocked: lambda change, _: Move("unlocked", change.field),
    made.HandedOver: lambda change, _: Move("handed to a person", text=change.why),
    made.Reported: _reported,
    made.NoteSet: _note,
    made.BreachSet: _breach,
    made.HandedBack: lambda change, _: Move("handed back", text=change.who),
}
MACHINERY: frozenset[type] = frozenset({
    made.CardOpened, made.CardAnswered, made.OptionsFound, made.OffersMade, made.Proposed, made.UndoKept, made.ChatLineAdded, made.LinesRead,
    made.TurnBegun, made.Counted, made.WayTaken, made.Spoken, made.FileWaits, made.ZoneKnown, made.ReadingsChanged, made.FormsWished,
    made.LastTimeKnown, made.Closed, made.SubmissionChosen, made.Receipted, made.DocketSet, made.DeliveryNoted, made.OperationWaits,
    made.OperationKept, made.OperationEnded, made.SubmissionKept, made.ReportRead,
})  # fmt: skip
"""Changes of the conversation alone; one that is neither here nor in `TOLD` is told by its own name."""


Json = dict[str, Any]
ERASED = "erased"
CONVERSATION = frozenset({
    "id", "form", "tenant", "owner", "conversation", "form_version", "began", "zone", "language", "revision", "turn", "status", "stage", "values",
    "locked_fields", "reopened", "asked", "card", "answered_cards", "options", "proposal", "offers", "undo", "undo_card", "pending_operations",
    "deed_turn", "last_time", "wished", "disclosures", "opening", "window", "earlier", "turns_in_vain", "failures", "submissions_failed",
    "boxes_closed", "model_away", "shown_turn", "stood_turn", "gained_turn", "phase_chosen", "ways_taken", "last_entry", "files_waiting",
    "spoken", "submitted", "record", "state", "valid_until", "receipt", "filed_at", "docket", "decisions", "going", "handed", "came_from", "readings",
    "undelivered",
})  # fmt: skip
"""What is told elsewhere in a dossier, or is of the conversation alone; what a draft has beyond it is told under its own name."""


class TooEarly(ValueError):
    """Nothing had happened by then; the text says since when something has."""


@dataclass(frozen=True)
class Source:
    """What a dossier is made from. `form` is the workflow's today, None where there is none any more; `links` are the chain's."""

    account: Account
    links: Sequence[Link]
    form: Form | None
    moment: datetime | None = None


def build(source: Source) -> Json:
    """Return the dossier as JSON. Raises TooEarly."""
    record, events = source.account.record, until(source.account.events, source.moment)
    links = [link for link in source.links if source.moment is None or link.at <= source.moment]
    if not links:
        first = f"{source.links[0].at:%Y-%m-%d %H:%M:%S} UTC" if source.links else "never"
        raise TooEarly(f"{record.number} had not begun by then: its first event is of {first}.")
    moments, draft = retold(events)
    page = Page(source.form, draft, draft.began[:10]) if draft and source.form else None
    filing = _filing(source, links)
    return {
        "record": _head(source, draft, page, links, filing),
        "as_of": _iso(source.moment),
        "chain": {"events": len(links), "of": len(source.links), "head": links[-1].hash, "draft": record.draft},
        "versions": _versions(source, links, draft, filing),
        "answers": [*_answers(draft, page)] if draft else [],
        "disclosures": encode(draft)["disclosures"] if draft else [],
        "rules": _rules(filing, draft) if filing else {},
        "decisions": [_decision(one, page) for one in encode(draft)["decisions"]] if draft else [],
        "further": _further(draft) if draft else {},
        "confirmed": _confirmed(filing.body) if filing else None,
        "story": [_told(one) for one in moments],
        "shown": [_shown(one) for one in source.account.shown if _in_time(one, source.moment, events)],
        "links": [{"n": link.n, "kind": link.kind, "at": _iso(link.at), "hash": link.hash} for link in links],
    }


@dataclass(frozen=True)
class Filing:
    """What was filed last by then: the hash of what was confirmed, and the record's body as far as it is known."""

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
    draft = rebuilt(events)
    if draft is None:
        return {}
    began, facts = events[-1].body.get("id"), events[-1].body.get("facts") or {}
    ids = {event.body.get("id") for event in events}
    cards = [s.body for s in source.account.shown if s.kind == "post" and s.event in ids and s.event != began]
    confirmed = next((body for body in reversed(cards) if body.get("card") == draft.receipt), None)
    versions = {"form": events[-1].form_version, "rules": events[-1].rules_version}
    told = {"reasons": list(draft.docket.reasons), "facts": facts, "versions": versions, "owner": draft.owner}
    return {**told, "confirmed": confirmed and {"text": confirmed["text"], "blocks": confirmed["blocks"]}}


HASH = 3
"""Where `record_facts` has the hash of what was confirmed."""


def _head(
    source: Source, draft: Draft | None, page: Page | None, links: Sequence[Link], filing: "Filing | None"
) -> Json:
    record = source.account.record
    state = draft.state if draft and (draft.state or not draft.record) else _state(links, record.number)
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
        "valid_until": draft.valid_until if draft else "",
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
            **_value(value),
        }


def _value(value: Value) -> Json:
    came = value.provenance
    told = {"value": value.data, "label_then": value.label, "sure": value.sure, "grade": value.grade}
    return told | {
        "who": came.who,
        "at": came.at,
        "how": came.how,
        "message": came.message,
        "words": came.words,
        "reader": came.reader,
    }


def _rules(filing: Filing, draft: Draft | None) -> Json:
    body = filing.body
    told = {name: body[name] for name in ("reasons", "computed", "facts") if name in body}
    filed = body.get("filed") or {}
    return told | {
        "state": filed.get("state", ""),
        "told": filed.get("told", []),
        "until": filed.get("until", ""),
        "background": list(draft.docket.background) if draft else [],
    }


def _decision(told: Json, page: Page | None) -> Json:
    return {**told, "role_name": page.role(told["role"]) if page and told["role"] else told["role"]}


def _further(draft: Draft) -> Json:
    """What a draft holds beyond what every draft does: executions, breaches and the like, under their own names."""
    told, plain = encode(draft), {f.name: f for f in fields(Draft)}
    return {
        n: v
        for n, v in told.items()
        if n in plain and n not in CONVERSATION and v not in ("", [], {}, None, _default(plain[n]))
    }


def _default(field: Any) -> Any:
    return None if field.default is MISSING else field.default


def _confirmed(body: Mapping[str, Any]) -> Json | None:
    shown = body.get("confirmed")
    return {**shown, "lines": screen_lines(shown)} if shown else None


def _told(moment: Moment) -> Json:
    moves = [
        {
            "what": m.what,
            "field": m.field,
            "before": m.before and m.before.data,
            "after": m.after and m.after.data,
            "text": m.text,
        }
        for m in moment.moves
    ]
    plain = {
        name: getattr(moment, name)
        for name in ("n", "kind", "who", "said", "reader", "form_version", "rules_version", "hash")
    }
    return {**plain, "at": _iso(moment.at), "moves": moves}


def _shown(one: Shown) -> Json:
    told = seen(one)
    return {
        "event": one.event, "kind": one.kind, "status": one.status, "at": _iso(one.at), "where": told.where, "who": told.who, "card": told.card,
        "lines": list(told.lines), "text": one.body.get("text", ""), "blocks": one.body.get("blocks", []),
    }  # fmt: skip


def _in_time(one: Shown, moment: datetime | None, events: Sequence[StoredEvent]) -> bool:
    if moment is None:
        return True
    return one.at is not None and one.at <= moment and any(event.body.get("id") == one.event for event in events)


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at else ""
