"""Gather all that is held of a person: a page that they read, and a file for machines without what reviewers alone may know."""

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from io import StringIO
from typing import Any

from blocks.own_data import OfficerAct, OwnData, OwnFile, OwnRequest, OwnRow, SaidLine
from blocks.text import unescape
from bot.slack.places import person_key, place
from state.draft.display import plainly
from state.draft.draft import Draft, Status
from state.engine.codec import decode_draft
from state.fields import kind_of
from state.fields.base import Context
from state.fields.money import show_money
from state.form import Field, Form
from state.stores.ledger import OPEN, Pending
from state.stores.rights import Held
from state.stores.store import Store
from state.workflow.load import Workflow

Row = Mapping[str, Any]
NameOf = Callable[[str], Awaitable[str]]
"""A Slack user id to a name."""
BOT = "Holdfast"
TOKEN = re.compile(r"<((?:[@#!]|https?:|mailto:|tel:)[^<>]*)>")
MENTION = re.compile(r"<@([A-Z0-9]+)")


async def gather(
    store: Store, workflows: Mapping[str, Workflow], person: str, now: datetime, complete: str, name_of: NameOf
) -> OwnData:
    """Everything, read a page at a time; `complete` is the name of the file for machines."""
    tables: dict[str, list[Row]] = {}
    async for held in store.everything(person):
        if held.row.get("sealed"):  # others can be read no more
            tables.setdefault(held.table, []).append(held.row)
    mine = PersonRows(person.partition(":")[2], workflows, tables)
    mine.names = {user: await name_of(user) for user in sorted(mine.others())}
    to_others, to_them = mine.posts()
    documents = await store.documents_of(person)
    return OwnData(
        at=now,
        zone=next((draft.zone for draft in reversed(mine.drafts) if draft.zone), ""),
        complete=complete,
        requests=[mine.filed(row) for row in mine.rows("records") if row["form"] in workflows],
        begun=[*mine.begun()],
        rows=[_own_row(row, workflows[row["form"]].form) for row in mine.rows("entries") if row["form"] in workflows],
        files=[OwnFile(d.name, d.size, _iso(d.received_at), _iso(d.keep_until)) for d in documents],
        said=sorted([*mine.lines(), *to_them], key=lambda line: line.at),
        told=to_others,
        unknown=sorted({draft.form for draft in mine.drafts} - set(workflows)),
    )


@dataclass
class PersonRows:
    """A person's rows by table, oldest first, and the names of others in them by their Slack id."""

    me: str
    workflows: Mapping[str, Workflow]
    tables: Mapping[str, list[Row]]
    names: Mapping[str, str] = field(default_factory=dict)

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table."""
        return self.tables.get(table, [])

    @cached_property
    def drafts(self) -> list[Draft]:
        """Every draft."""
        return [decode_draft(row["sealed"]["body"]) for row in self.rows("drafts")]

    @cached_property
    def happened(self) -> list[Row]:
        """Every event that anybody caused, once, oldest first: those of drafts, and those that came to none."""
        found = [row["sealed"]["body"] | {"draft": row["draft"]} for row in self.rows("events")]
        found += [{"draft": "", **row["sealed"]["body"].get("event", {})} for row in self.rows("inbox")]
        each = {
            str(event["id"]): event for event in reversed(found) if event.get("kind") in ("MessageReceived", "Clicked")
        }
        return sorted(each.values(), key=lambda event: str(event["at"]))

    def others(self) -> set[str]:
        """Return the other people who acted or are mentioned."""
        texts = (str(row["sealed"]["body"].get("text", "")) for row in self.rows("outbox"))
        mentioned = {user for text in texts for user in MENTION.findall(text)}
        return (mentioned | {str(event["who"]) for event in self.happened}) - {"", self.me}

    def begun(self) -> Iterator[OwnRequest]:
        """Yield requests that were not filed."""
        filed = {str(row["draft"]) for row in self.rows("records")}
        for d in self.drafts:
            workflow = self.workflows.get(d.form)
            if workflow and workflow.form.fields and d.id not in filed and d.status is not Status.SUBMITTED:
                yield OwnRequest(workflow.form_of(d), d, d.began, deeds=self._deeds(d.id))

    def filed(self, row: Row) -> OwnRequest:
        """Return a request that was filed. Its reasons stay out: they may name what only reviewers know."""
        body = row["sealed"]["body"]
        began = next((draft.began for draft in self.drafts if draft.id == row["draft"]), "")
        draft = decode_draft({
            "kind": "Draft", "id": row["draft"], "form": row["form"], "tenant": row["tenant"], "owner": self.me,
            "conversation": "", "values": body.get("values", {}), "language": body.get("language", ""),
        })  # fmt: skip
        told, deeds = tuple(map(str, (body.get("filed") or {}).get("told", ()))), self._deeds(draft.id)
        number, state, filed = str(row["number"]), str(row["state"]), str(row["filed_at"] or "")
        return OwnRequest(self.workflows[draft.form].form_of(draft), draft, began, number, state, filed, told, deeds)

    def _deeds(self, draft: str) -> tuple[OfficerAct, ...]:
        """Return what others clicked on a request."""
        theirs = (e for e in self.happened if e["draft"] == draft and e["kind"] == "Clicked" and e["who"] != self.me)
        return tuple(
            OfficerAct(str(e["at"]), self.names.get(e["who"], e["who"]), str(e["label"] or e["act"])) for e in theirs
        )

    def lines(self) -> Iterator[SaidLine]:
        """Yield what the person typed, with the names of files, and the words of the buttons that they clicked."""
        for event in self.happened:
            files = [f"“{file['name']}”" for file in event.get("files") or ()]
            typed = "\n".join(filter(None, (in_words(str(event.get("text", "")), {}), *files)))
            clicked = f"[{event['label']}]" if event.get("label") else ""
            text = clicked if event["kind"] == "Clicked" else typed
            if event["who"] == self.me and text:
                yield SaidLine(str(event["at"]), "", text)

    def posts(self) -> tuple[list[SaidLine], list[SaidLine]]:
        """Return when the bot told others of the person, and about what; and all that it said to them.

        What others were told is not repeated: it may name what only reviewers know.
        """
        mine = {place(str(row["conversation"])).channel for row in (*self.rows("inbox"), *self.rows("drafts"))}
        to_others: list[SaidLine] = []
        to_them: list[SaidLine] = []
        for row in self.rows("outbox"):
            body = row["sealed"]["body"]
            if row["kind"] == "post" and row["status"] == "done":
                at, text = str(row["ended_at"] or row["due_at"]), in_words(str(body.get("text", "")), self.names)
                if body.get("channel") in mine:
                    to_them.append(SaidLine(at, BOT, text))
                else:
                    to_others.append(SaidLine(at, BOT, text.partition("\n")[0]))
        return to_others, to_them


def _own_row(row: Row, form: Form) -> OwnRow:
    made = str(row["made_at"] or "")
    words = columns_in_words(_fields(form), row["sealed"]["body"], Context(form.language, made[:10]))
    return OwnRow(form, int(row["number"]), words, made)


def in_words(text: str, names: Mapping[str, str]) -> str:
    """Return Slack's markup as plain words: people by name, dates and links by what they show."""

    def shown(found: re.Match[str]) -> str:
        target, _, words = found[1].partition("|")
        return words or names.get(target.removeprefix("@"), target)

    return unescape(TOKEN.sub(shown, text))


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at else ""


SHOWN = 50
"""Rows on the panel; how many there are in all is told beside them."""
Json = dict[str, Any]
Body = Mapping[str, Any]


async def ledger(store: Store, form: Form, draft: Draft, context: Context) -> Json | None:
    """{"rows": [{"number", "words"}], "count", "waiting": [{"words": […], "until"}]}, newest first; None without operations."""
    if not form.operations:
        return None
    person = person_key(draft.tenant, draft.owner)
    rows = await store.entries(draft.tenant, form.name, person)
    waiting = [p for p in await store.proposals_of(person, form.name) if p.status == OPEN and not p.late]
    return {
        "rows": [
            {"number": entry.number, "words": columns_in_words(_fields(form), entry.body, context)}
            for entry in rows[:SHOWN]
        ],
        "count": len(rows),
        "waiting": [_waiting(form, pending, context) for pending in waiting],
    }


def _waiting(form: Form, pending: Pending, context: Context) -> Json:
    words = []
    for call in pending.body["calls"]:
        operation = form.operations[call["operation"]]
        told = columns_in_words(operation.fields, call["arguments"], context)
        words.append(f"{operation.title}: {told}" if told else operation.title)
    return {"words": words, "until": pending.expires_at.isoformat() if pending.expires_at else ""}


def _fields(form: Form) -> dict[str, Field]:
    """Return what the operations call the columns of a row; the first that names one counts."""
    found: dict[str, Field] = {}
    for operation in form.operations.values():
        for name, column in operation.fields.items():
            found.setdefault(name, column)
    return found


def columns_in_words(fields: Mapping[str, Field], body: Body, context: Context) -> str:
    """ "coffee · EUR 3.50 · 21 Nov 2026 · Food": the known columns that hold something, a sum with its currency."""
    known = {name: field for name, field in fields.items() if body.get(name) not in (None, "")}
    code = next((str(body[n]) for n, f in known.items() if kind_of(f).money == "currency"), "")
    return " · ".join(filter(None, (_cell(field, body[name], code, context) for name, field in known.items())))


def _cell(field: Field, data: Any, code: str, context: Context) -> str:
    kind = kind_of(field)
    if kind.by_file:
        return field.label  # that there is one: its document has an id and no words
    if kind.money == "amount" and code:
        return show_money(str(data), code, context.locale)
    return "" if kind.money == "currency" else plainly(field, data, context)


NAME = "holdfast-{day}.json"
PAGE = "holdfast-{day}.html"
EVERY = 1_000_000


async def collect(store: Store, person: str, day: str, confidential: Collection[str] = ()) -> str:
    """Return a JSON document: whose it is, how many rows each table holds, and all rows, as they come from the store page by page.

    Of `confidential` forms it leaves out what only reviewers know, and says where.
    """
    mine = await store.drafts_of(person, EVERY)
    drafts = frozenset(draft.id for draft in mine if draft.form in confidential)
    direct = frozenset(place(draft.conversation).channel for draft in mine if draft.conversation)
    rows, counted = StringIO(), Counter[str]()
    async for held in store.everything(person):
        rows.write(",\n    " if counted else "    ")
        rows.write(
            json.dumps({"table": held.table, **withhold(held, drafts, direct, confidential)}, ensure_ascii=False)
        )
        counted[held.table] += 1
    head = {"person": person, "day": day, "rows": dict(counted)}
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "held": [\n{rows.getvalue()}\n]}}\n'


WITHHELD = "withheld: known to those who decide"
PAINTED = ("post", "repaint")
PENDING = ("pending", "docket")
"""The pending decision by its name, and by that of versions before."""
DIRECT = "D"
"""How the id of a direct message begins."""


def withhold(
    held: Held, drafts: frozenset[str], direct: frozenset[str], forms: Collection[str] = ()
) -> Mapping[str, Any]:
    """Return the row without what a submission of these drafts is judged by, and without what posts elsewhere say of it below their heading.

    `direct` are the channels of the person's conversations: what stands there they have seen. `forms` are the confidential ones: a record
    that outlived an erasure has no draft of the person's any more, and its story is theirs who decide.
    """
    if held.table == "records" and held.row.get("form") in forms:
        drafts = drafts | {str(held.row["draft"])}
        sealed = held.row.get("sealed")
        if isinstance(sealed, Mapping) and "account" in sealed:
            held = Held(held.table, {**held.row, "sealed": {**sealed, "account": WITHHELD}})
    row, sealed = held.row, held.row.get("sealed") if drafts else None
    body = sealed.get("body") if isinstance(sealed, Mapping) else None
    if not isinstance(sealed, Mapping) or not isinstance(body, Mapping):
        return row
    kept = _without(held.table, row, body, drafts, direct)
    changes = [_change(one) for one in sealed.get("changes") or ()] if _is_of(row, body, drafts) else None
    if kept is body and (changes is None or changes == list(sealed.get("changes") or ())):
        return row
    return {**row, "sealed": {**sealed, "body": kept, **({"changes": changes} if changes else {})}}


def _without(
    table: str, row: Mapping[str, Any], body: Mapping[str, Any], drafts: frozenset[str], direct: frozenset[str]
) -> Mapping[str, Any]:
    if table == "outbox":
        channel = str(body.get("channel"))
        if row["kind"] not in PAINTED or channel.startswith(DIRECT) or channel in direct:
            return body
        return {**body, "text": str(body.get("text", "")).partition("\n")[0], "blocks": WITHHELD}
    if not _is_of(row, body, drafts):
        return body
    if table == "drafts":
        return {**_record(body), **({"filed": _record(body["filed"])} if body.get("filed") else {})}
    if table == "records":
        told = tuple((body.get("filed") or {}).get("told", ()))
        reasons = [reason for reason in body.get("reasons", ()) if reason in told]
        return {**body, **{name: WITHHELD for name in ("facts", "computed") if name in body}, "reasons": reasons}
    if table == "inbox":
        return {**body, "event": _unjudged(body.get("event") or {})}
    return _unjudged(body) if table == "events" else body


def _is_of(row: Mapping[str, Any], body: Mapping[str, Any], drafts: frozenset[str]) -> bool:
    return (row.get("draft") or body.get("draft") or body.get("id")) in drafts


def _record(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a stored record, or a draft from before records were apart, without what reviewers alone know."""
    pending = {name: _pending(body[name]) for name in PENDING if body.get(name)}
    given = {name: [_decision(one) for one in body[name]] for name in ("decisions", "notes") if body.get(name)}
    breaches = {"breaches": [_breach(one) for one in body["breaches"]]} if body.get("breaches") else {}
    return {**body, **pending, **given, **breaches}


def _pending(decision: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**decision, **{name: WITHHELD for name in ("reasons", "background") if decision.get(name)}}


def _decision(decision: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**decision, "reason": WITHHELD} if decision.get("reason") else decision


def _breach(breach: Mapping[str, Any]) -> Mapping[str, Any]:
    """Why somebody opened it, and why it was closed; what a rule says of it the person was told."""
    return _decision({**breach, "words": WITHHELD} if breach.get("by") and breach.get("words") else breach)


def _change(change: Mapping[str, Any]) -> Mapping[str, Any]:
    if change.get("kind") in ("PendingDecisionSet", "DocketSet"):
        return {**change, **{name: _pending(change[name]) for name in PENDING if change.get(name)}}
    name = {"Decided": "decision", "NoteSet": "note", "BreachSet": "breach"}.get(str(change.get("kind")), "")
    if not name:
        return change
    return {**change, name: (_breach if name == "breach" else _decision)(change.get(name) or {})}


def _unjudged(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the event, without the facts that rules were given."""
    if event.get("kind") in ("DecisionMade", "CaseJudged"):
        return _decision(event)
    if event.get("kind") == "ReportMade":
        return {**event, "facts": WITHHELD} if event.get("facts") else event
    judged = event.get("kind") == "FactsGathered" and event.get("who") == "rules"
    return {**event, "facts": WITHHELD} if judged else event
