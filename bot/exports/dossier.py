"""The dossier of one record as data: everything that is stored of it at a moment, for people and for machines. It judges nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from typing import Any

from blocks.page import Page
from blocks.screen import screen_lines
from bot.exports.timeline import Moment, rebuilt, retold, seen, until
from state.draft.draft import Draft, Value
from state.engine.codec import encode
from state.form import Form
from state.stores.evidence.links import beside
from state.stores.proof import Account, Shown
from state.stores.rows import Link, StoredEvent

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
        "background": list(draft.filed.pending.background) if draft else [],
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
