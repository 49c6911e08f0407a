"""Effects as rows of the outbox: posts are rendered here, so that what was shown is stored with the change that wanted it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from blocks.cards import build_card
from blocks.cards.announcement import build_announcement
from blocks.elements import Message
from blocks.note import build_comment, build_note
from blocks.text import escape, one_line
from bot.slack.places import person_key, place
from state.draft.draft import Draft
from state.engine.cards import Act, Card, CaseCard, Change, Confirm, DecisionCard, Notice, Read, Receipt
from state.engine.codec import encode
from state.engine.effects import (
    Announce,
    Attach,
    Begin,
    CallModel,
    Discard,
    Effect,
    Fetch,
    Forward,
    Gather,
    LookUp,
    Operate,
    Post,
    Remind,
    Repaint,
    Whisper,
)
from state.form import Form
from state.stores.rows import OutboxRow


@dataclass(frozen=True)
class RenderContext:
    """What rendering needs beside the effect. `event` makes keys unique; `channel` is where this form's records are announced."""

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


SHOWN = frozenset({"post", "repaint", "attach", "forward", "whisper"})
"""Kinds of rows by which somebody is shown something."""
WAITED_FOR = (Receipt, Act, Change, Confirm, Read)
"""Cards that a person waits for, wherever they are painted."""


def outbox_rows(effects: tuple[Effect, ...], setting: RenderContext) -> list[OutboxRow]:
    """One row per effect, in order, and what is cosmetic behind all others; filings and amendments are rows of other tables."""
    made = ((i, RENDER[type(e)](e, setting)) for i, e in enumerate(effects) if type(e) in RENDER)
    person = person_key(setting.draft.tenant, setting.draft.owner)
    rows = [
        OutboxRow(
            f"{setting.event}/{i}", lane, kind, person, body, due_at=_due(effects[i], setting), over=_over(effects[i]),
            draft=setting.draft, of=setting.draft.id if kind in SHOWN else "",
        )
        for i, row in made if row is not None for lane, kind, body in (row,)
    ]  # fmt: skip
    return sorted(rows, key=lambda row: "behind" in row.body)


Row = tuple[str, str, dict[str, Any]] | None


def _slack(setting: RenderContext) -> str:
    return f"slack:{setting.draft.conversation}"


def _where(setting: RenderContext) -> dict[str, Any]:
    there = place(setting.draft.conversation)
    return {"team": there.team, "channel": there.channel, "thread": there.thread} | _about(setting, "message")


def _about(setting: RenderContext, what: str) -> dict[str, Any]:
    """Whom to tell where it cannot be delivered: whose conversation, and what they wait for."""
    return {"about": {"draft": setting.draft.id, "conversation": setting.draft.conversation, "what": what}}


def _post(effect: Post, setting: RenderContext) -> Row:
    message = build_card(setting.form, setting.draft, _for(effect.card, setting), effect.id, setting.today)
    body = {**_where(setting), "card": effect.id, "text": message.text, "blocks": list(message.blocks)}
    return _slack(setting), "post", body | ({"into": effect.into, "after": setting.clicked_at} if effect.into else {})


def _for(card: Card, setting: RenderContext) -> Card:
    """Where reviewers have a channel, they hand a conversation back, not the person who is in it."""
    if isinstance(card, Notice) and setting.channel:
        return replace(card, acts=tuple(act for act in card.acts if act != "hand_back"))
    return card


def _repaint(effect: Repaint, setting: RenderContext) -> Row:
    """What is cosmetic has a lane of its own, behind the posts that are there already: no question waits for it."""
    if isinstance(effect.card, DecisionCard | CaseCard):
        return _repaint_decision(effect.id, effect.card, setting)
    message = build_card(setting.form, setting.draft, effect.card, effect.id, setting.today)
    body = {"card": effect.id, "text": message.text, "blocks": list(message.blocks)}
    if isinstance(effect.card, WAITED_FOR):
        return _slack(setting), "repaint", body
    return _cosmetic(effect.id), "repaint", {**body, "behind": _slack(setting)}


def _repaint_decision(name: str, card: DecisionCard | CaseCard, setting: RenderContext) -> Row:
    """Reviewers read the house's language, in their own channel: behind the post that it paints."""
    channel = _channel(setting, setting.draft.filed.pending.channel)
    message = build_card(setting.form.house, setting.draft, card, name, setting.today)
    body = {"card": name, "text": message.text, "blocks": list(message.blocks)}
    return (f"slack:{channel}", "repaint", body) if channel else None


def _channel(setting: RenderContext, name: str) -> str:
    """Return the channel of a name, else the form's own; empty where there is none."""
    return setting.channels.get(name) or setting.channel


def _cosmetic(card: str) -> str:
    return f"cosmetic:{card}"


def _over(effect: Effect) -> str:
    """An earlier paint of the same card that still waits is pointless with a newer one, and with another card in its message."""
    if isinstance(effect, Post):
        return _cosmetic(effect.into) if effect.into else ""
    return _cosmetic(effect.id) if isinstance(effect, Repaint) else ""


def _whisper(effect: Whisper, setting: RenderContext) -> Row:
    form = setting.form.house if effect.channel else setting.form
    note = build_note(form, setting.draft, effect.line, setting.today)
    if effect.channel:
        there = {"team": setting.draft.tenant, "channel": effect.channel, "thread": ""}
        return f"slack:{effect.channel}", "whisper", {**there, "user": effect.who, "text": note.text}
    return _slack(setting), "whisper", {**_where(setting), "user": effect.who, "text": note.text}


def _attach(effect: Attach, setting: RenderContext) -> Row:
    comment = build_comment(setting.form, setting.draft, effect.comment, setting.today)
    file = {"name": effect.name, "title": effect.title, "text": effect.text, "data": effect.data, "alt": effect.alt}
    return _slack(setting), "attach", {**_where(setting), **file, "comment": comment}


def _call_model(effect: CallModel, setting: RenderContext) -> Row:
    return f"model:{setting.draft.id}:{effect.turn}", "model", _inner(effect, setting)


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


def _remind(effect: Remind, setting: RenderContext) -> Row:
    """A timer is a row that is due later, in a lane of its own: it survives restarts, and nothing waits behind it."""
    return f"timer:{setting.draft.id}:{effect.what}:{setting.event}", "remind", _inner(effect, setting)


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
    waited = {} if effect.what == "fault" else _about(setting, effect.what)  # its person waits for no word of operators
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
    Whisper: _whisper,
    CallModel: _call_model,
    LookUp: _for_draft("facts", "look_up"),
    Gather: _for_draft("facts", "gather"),
    Operate: _operate,
    Begin: _for_draft("facts", "begin"),
    Remind: _remind,
    Announce: _announce,
    Forward: _forward,
    Fetch: _for_draft("documents", "fetch"),
    Discard: _for_draft("documents", "discard"),
}
