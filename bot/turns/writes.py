"""Build what a turn writes: the draft, its events, its record and its tool calls; and effects as rows of the outbox.

Posts are rendered here, so that what was shown is stored with the change that wanted it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import structlog

from blocks.cards import build_card
from blocks.cards.decision import build_announcement
from blocks.elements import Message
from blocks.messages import FILLING, build_note
from blocks.page import Page, sentences
from blocks.text import escape, one_line
from bot.slack.places import person_key, place
from prompts.build import prompt_version
from state.advance import Outcome
from state.draft.changes import HandedOver
from state.draft.draft import Draft, Status
from state.draft.route import may_extend
from state.engine.cards import Act, CaseCard, Change, Confirm, DecisionCard, Notice, Read, Receipt, Review
from state.engine.codec import encode
from state.engine.context import JudgedCall
from state.engine.effects import (
    Announce,
    Attach,
    Begin,
    CallModel,
    Discard,
    Effect,
    Ephemeral,
    Fetch,
    File,
    Forward,
    Gather,
    LookUp,
    Operate,
    Post,
    Remind,
    Repaint,
)
from state.engine.events import Clicked, DraftEvent, OperationCompleted
from state.form import Form
from state.stores.figures import ERROR, ESCALATED, HANDED_OVER, OPERATE
from state.stores.rows import Body, Number, OutboxRow, Record, StoredDraft, StoredEvent, ToolLogEntry, TurnWrites
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.tools")


@dataclass
class Turn:
    """A turn as it is judged: what it writes, its drafts after it by name, and what waits for a record's number."""

    work: TurnWrites
    after: dict[str, Draft] = field(default_factory=dict)
    numbered: Callable[[Number], None] | None = None
    alone: Callable[[], bool] = lambda: False
    """Return True while nothing else of the conversation waits to be handled."""

    def write(self, number: Number) -> TurnWrites:
        """All that is to be written; run within the transaction."""
        if self.numbered:
            self.numbered(number)
        return self.work


def stored_draft(draft: Draft, stored: StoredDraft | None) -> StoredDraft:
    """Return the draft as it is stored."""
    if stored is not None:
        return replace(stored, status=draft.status, revision=draft.revision, body=encode(draft))
    person = person_key(draft.tenant, draft.owner)
    return StoredDraft(draft.id, person, draft.conversation, draft.form, draft.status, draft.revision, encode(draft))


def record_of(workflow: Workflow, before: Draft, outcome: Outcome, filing: File) -> Record:
    """Return the record, with the review's wording as it was shown when it was confirmed."""
    after = outcome.draft
    shown = (
        build_card(workflow.form_of(before), before, Review(), filing.card, before.began[:10]) if filing.card else None
    )
    versions = {**filing.body.get("versions", {}), "prompt": prompt_version(workflow.form)}
    body: dict[str, Any] = {
        **filing.body,
        "versions": versions,
        "owner": after.owner,
        "reasons": list(filing.reasons),
        "confirmed": {"text": shown.text, "blocks": list(shown.blocks)} if shown else None,
    }
    person = person_key(after.tenant, after.owner)
    return Record(after.filed.number, after.id, after.form, person, after.tenant, filing.state, before.hash, body)


def happened_as(workflow: Workflow, draft: Draft, kind: str, body: Body, changes: tuple[Body, ...] = ()) -> StoredEvent:
    """Return an event as stored, with the versions that judged it."""
    return StoredEvent(
        draft.id, kind, body, changes, draft.revision, form_version=workflow.form.version,
        rules_version=workflow.rules.version,
    )  # fmt: skip


CODE = "code"
"""Who handed over, where no reader did."""


def tool_calls(outcome: Outcome, event: DraftEvent, nth: int = -1) -> list[ToolLogEntry]:
    """Return a row per call of the turn's `nth` event, and log its outcome; and a row for what the report counts beside them.

    That is each time that code gave the conversation to a person, with the reason, and an operation that could not be carried out.
    """
    draft, own = outcome.draft, list[JudgedCall]()
    for call in outcome.calls:
        log.info(
            "tool_call",
            tool=call.tool, status=call.status, reason=call.reason, reader=call.reader, form=draft.form, draft=draft.id,
            turn=call.turn, step=call.step, idempotent=call.idempotent,
        )  # fmt: skip
    for change in outcome.changes:
        if isinstance(change, HandedOver):
            own.append(JudgedCall(HANDED_OVER, ESCALATED, change.why, CODE, draft.turn, 0, False, False, {}, {}))
    if isinstance(event, OperationCompleted) and event.came == "refused":
        told = {"told": event.text}
        own.append(JudgedCall(OPERATE, ERROR, event.act, CODE, event.turn, 0, False, False, {}, told))
    return [
        ToolLogEntry(
            draft.id, person_key(draft.tenant, draft.owner), draft.tenant, draft.form, call.turn, call.step, call.reader,
            call.tool, call.status, call.reason, call.idempotent, call.finalizes,
            {"arguments": dict(call.arguments), "result": dict(call.result)}, nth,
        )
        for call in (*outcome.calls, *own)
    ]  # fmt: skip


RAISES = ("show", "begin")
"""Clicks by which a conversation may turn to another draft."""


def prompted(forms: Mapping[str, Form], draft: Draft | None) -> dict[str, Any]:
    """Return what may be prompted in a conversation about this draft: keys of sentences, and the form in whose language.

    Nothing where the conversation is at rest, as one of operations always is.
    """
    form = forms.get(draft.form) if draft is not None else None
    if draft is None or form is None or form.conversational:
        return {}
    keys: Sequence[str] = FILLING if draft.open else ()
    if draft.status is Status.SUBMITTED:
        state = form.filing.states.get(draft.filed.state)
        after = {"my_requests": True, "withdraw": bool(state and state.withdraw), "extend": may_extend(form, draft)}
        keys = [key for key, fits in after.items() if fits]
    return {"keys": list(keys), "language": form.language} if keys else {}


def chips(
    forms: Mapping[str, Form], before: Draft | None, after: Draft, event: DraftEvent, effects: Sequence[Effect]
) -> list[OutboxRow]:
    """Return the row that sets them, in a lane of its own so that no question waits for it. `before` is None for a new draft."""
    there = place(after.conversation)
    begun = before is None or (isinstance(event, Clicked) and event.act in RAISES)
    moved = before is not None and (before.open, before.filed.state) != (after.open, after.filed.state)
    again = any(isinstance(e, Begin) for e in effects) and not after.open
    if not there.direct or again or not (begun or moved):
        return []
    body = {"conversation": after.conversation, **prompted(forms, after)}
    person = person_key(after.tenant, after.owner)
    return [OutboxRow(f"{event.id}/prompts", f"prompts:{after.conversation}", "prompts", person, body)]


@dataclass(frozen=True)
class RenderContext:
    """The setting of an effect. `event` makes keys unique; `channel` is where this form's records are announced."""

    form: Form
    draft: Draft
    event: str
    today: str
    channel: str = ""
    at: str = ""
    """When the event happened (ISO 8601): what is due later counts from there."""
    channels: Mapping[str, str] = field(default_factory=dict)
    """Every channel by the name that its setting ends in."""
    clicked_at: str = ""
    """When the event happened by Slack's clock, where it is a click: what follows from it cannot have been seen before."""

    @property
    def lane(self) -> str:
        """The lane of posts in the draft's conversation."""
        return f"slack:{self.draft.conversation}"


SHOWN = frozenset({"post", "repaint", "attach", "forward", "whisper"})
"""Kinds of rows by which somebody is shown something."""
WAITED_FOR = (Receipt, Act, Change, Confirm, Read)
"""Cards that a person waits for, wherever they are painted."""


def outbox_rows(effects: tuple[Effect, ...], setting: RenderContext) -> list[OutboxRow]:
    """One row per effect, in order, and what is cosmetic behind all others; filings and amendments are rows of other tables.

    An earlier paint of the same card that still waits is pointless with a newer one, and with another card in its message.
    """
    person, rows = person_key(setting.draft.tenant, setting.draft.owner), []
    for i, effect in enumerate(effects):
        row = RENDER[type(effect)](effect, setting) if type(effect) in RENDER else None
        if row is None:
            continue
        lane, kind, body = row
        over = effect.into if isinstance(effect, Post) else effect.id if isinstance(effect, Repaint) else ""
        rows.append(
            OutboxRow(
                f"{setting.event}/{i}", lane, kind, person, body, due_at=_due(effect, setting), over=f"cosmetic:{over}" if over else "",
                draft=setting.draft, of=setting.draft.id if kind in SHOWN else "",
            )
        )  # fmt: skip
    return sorted(rows, key=lambda row: "behind" in row.body)


Row = tuple[str, str, dict[str, Any]] | None


def _where(setting: RenderContext) -> dict[str, Any]:
    there = place(setting.draft.conversation)
    return {"team": there.team, "channel": there.channel, "thread": there.thread} | _about(setting, "message")


def _about(setting: RenderContext, what: str) -> dict[str, Any]:
    """Name the person to tell where it cannot be delivered: whose conversation, and what they wait for."""
    return {"about": {"draft": setting.draft.id, "conversation": setting.draft.conversation, "what": what}}


def _post(effect: Post, setting: RenderContext) -> Row:
    card = effect.card
    if isinstance(card, Notice) and setting.channel:  # reviewers hand a conversation back, not the person who is in it
        card = replace(card, acts=tuple(act for act in card.acts if act != "hand_back"))
    message = build_card(setting.form, setting.draft, card, effect.id, setting.today)
    body = {**_where(setting), "card": effect.id, "text": message.text, "blocks": list(message.blocks)}
    return setting.lane, "post", body | ({"into": effect.into, "after": setting.clicked_at} if effect.into else {})


def _repaint(effect: Repaint, setting: RenderContext) -> Row:
    """Give what is cosmetic a lane of its own, behind the posts that are there already: no question waits for it."""
    if isinstance(effect.card, DecisionCard | CaseCard):
        return _repaint_decision(effect.id, effect.card, setting)
    message = build_card(setting.form, setting.draft, effect.card, effect.id, setting.today)
    body = {"card": effect.id, "text": message.text, "blocks": list(message.blocks)}
    if isinstance(effect.card, WAITED_FOR):
        return setting.lane, "repaint", body
    return f"cosmetic:{effect.id}", "repaint", {**body, "behind": setting.lane}


def _repaint_decision(name: str, card: DecisionCard | CaseCard, setting: RenderContext) -> Row:
    """Reviewers read the house's language, in their own channel: behind the post that it paints."""
    pending = setting.draft.filed.pending
    channel = _channel(setting, pending.named[0] if pending.named and pending.card == name else pending.channel)
    message = build_card(setting.form.house, setting.draft, card, name, setting.today)
    body = {"card": name, "text": message.text, "blocks": list(message.blocks)}
    return (f"slack:{channel}", "repaint", body) if channel else None


def _channel(setting: RenderContext, name: str) -> str:
    """Return a person's id as it is, and the channel of any other name, else the form's own; empty where there is none."""
    return name if name.isupper() else setting.channels.get(name) or setting.channel


def _whisper(effect: Ephemeral, setting: RenderContext) -> Row:
    form = setting.form.house if effect.channel else setting.form
    note = build_note(form, setting.draft, effect.line, setting.today)
    if effect.channel:
        there = {"team": setting.draft.tenant, "channel": effect.channel, "thread": ""}
        return f"slack:{effect.channel}", "whisper", {**there, "user": effect.who, "text": note.text}
    return setting.lane, "whisper", {**_where(setting), "user": effect.who, "text": note.text}


def _attach(effect: Attach, setting: RenderContext) -> Row:
    comment = sentences(Page(setting.form, setting.draft, setting.today), effect.comment)
    file = {"name": effect.name, "title": effect.title, "text": effect.text, "data": effect.data, "alt": effect.alt}
    return setting.lane, "attach", {**_where(setting), **file, "comment": comment}


def _operate(effect: Operate, setting: RenderContext) -> Row:
    lane = f"expire:{effect.proposal}" if effect.act == "expire" else f"operate:{setting.draft.id}"
    return lane, "operate", _inner(effect, setting)


def _due(effect: Effect, setting: RenderContext) -> datetime | None:
    """Not before its time; None is at once."""
    if isinstance(effect, Operate) and effect.after and setting.at:
        return datetime.fromisoformat(setting.at) + timedelta(seconds=effect.after)
    if isinstance(effect, Remind):
        return datetime.fromisoformat(effect.at)
    return None


def _forward(effect: Forward, setting: RenderContext) -> Row:
    """Return a stored file before reviewers, behind the card that is about it; its content is read when it is sent."""
    channel = _channel(setting, effect.to)
    if not channel:
        return None
    comment = f"{setting.draft.filed.number}: {one_line(effect.name)}"
    body = {"team": setting.draft.tenant, "channel": channel, "thread": "", "document": effect.document}
    file = {"name": effect.name, "title": comment, "comment": escape(comment), "alt": ""}
    return f"slack:{channel}", "forward", {**body, **file}


def _announce(effect: Announce, setting: RenderContext) -> Row:
    channel = _channel(setting, effect.to)
    if not channel:
        return None
    message = _announced(effect, setting)
    to_operators = effect.what in ("fault", "nobody")  # its person waits for no word of theirs
    waited = {} if to_operators else _about(setting, effect.what)
    body = {"team": setting.draft.tenant, "channel": channel, "thread": ""} | waited
    body |= {"card": effect.id, "text": message.text, "blocks": list(message.blocks)}
    return f"slack:{channel}", "post", body


def _announced(effect: Announce, setting: RenderContext) -> Message:
    form, draft, today = setting.form.house, setting.draft, setting.today
    if effect.case:
        return build_card(form, draft, CaseCard(effect.case), effect.id, today)
    if effect.id:
        return build_card(form, draft, DecisionCard(effect.state), effect.id, today)
    return build_announcement(form, draft, effect.what, effect.reasons, effect.record, state=effect.state, today=today)


def _for_draft(lane: str, kind: str) -> Callable[[Effect, RenderContext], Row]:
    """Return what renders an effect as a row of this kind, in a lane of the draft's."""
    return lambda effect, setting: (f"{lane}:{setting.draft.id}", kind, _inner(effect, setting))


def _inner(effect: Effect, setting: RenderContext) -> dict[str, Any]:
    return {"draft": setting.draft.id, "conversation": setting.draft.conversation, "effect": encode(effect)}


RENDER: Mapping[type, Callable[[Any, RenderContext], Row]] = {
    Post: _post,
    Repaint: _repaint,
    Attach: _attach,
    Ephemeral: _whisper,
    CallModel: lambda effect, at: (f"model:{at.draft.id}:{effect.turn}", "model", _inner(effect, at)),
    LookUp: _for_draft("facts", "look_up"),
    Gather: _for_draft("facts", "gather"),
    Operate: _operate,
    Begin: _for_draft("facts", "begin"),
    # due later, in a lane of its own: it survives restarts, and nothing waits behind it
    Remind: lambda effect, at: (f"timer:{at.draft.id}:{effect.what}:{at.event}", "remind", _inner(effect, at)),
    Announce: _announce,
    Forward: _forward,
    Fetch: _for_draft("documents", "fetch"),
    Discard: _for_draft("documents", "discard"),
}
