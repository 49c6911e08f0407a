"""What those who decide read in their channel: a record, a disclosure, a person asked for."""

from typing import Literal

from blocks.cards.rows import layouts
from blocks.elements import Message, actions, button, context, first_that_fits, header, message, section
from blocks.page import Page
from blocks.text import escape
from blocks.utterances import fill, mention
from state.draft.draft import Draft
from state.draft.missing import left_open
from state.form import Form

What = Literal["record", "disclosure", "person", "fault"]
_REASON, _REASONS, _WORDS = 400, 10, 300


def build_announcement(
    form: Form,
    draft: Draft,
    what: What,
    reasons: tuple[str, ...] = (),
    record: str = "",
    *,
    state: str = "",
    today: str = "",
) -> Message:
    """Who, what and why, then the answers: sensitive ones only say that they are on record.

    `reasons` are sentences of the rules, or "asked", "stuck", "disclosed:<field>". `state` is the record's.
    """
    page = Page(form, draft, today or draft.began[:10])
    title = page.say(f"announce_{what}", number=record or draft.filed.number, form=form.title)
    if what == "fault":
        said = "\n".join((*reasons_of(page, reasons), fill(page, "announce_where", {"what": record or draft.id})))
        return message(f"{escape(title)}\n{said}", [header(title), section(said)])
    said = "\n".join(_said(page, what, reasons, state))
    caption = [context(fill(page, "announce_filled"))] if page.answered and left_open(form, draft) else []
    above = [header(title), section(said), *caption]
    below = (
        [actions([button(page.say("hand_back"), page.press("hand_back"))])] if draft.handed and what == "person" else []
    )
    blocks = first_that_fits([*above, *table, *below] for table in layouts(page))
    return message(f"{escape(title)}\n{said}", blocks)


def _said(page: Page, what: What, reasons: tuple[str, ...], state: str) -> list[str]:
    """Return what it is about; from whom; how it stands; why; what is missing, where a person is to help."""
    lacking = ", ".join(page.label(f) for f in left_open(page.form, page.draft)) if what == "person" else ""
    return [
        *from_whom(page),
        *([fill(page, "announce_state", {"state": page.state(state)})] if state else []),
        *reasons_of(page, reasons),
        *([fill(page, "announce_missing", {"fields": lacking})] if lacking else []),
    ]


def from_whom(page: Page) -> list[str]:
    """Return what it is about, and from whom."""
    about = [f"*{escape(page.essence)}*"] if page.essence else []
    return [*about, page.words.fill("announce_from", {"name": mention(page.draft.owner)}, str)]


def reasons_of(page: Page, reasons: tuple[str, ...]) -> list[str]:
    """Why, a line each."""
    return [f"• {_reason(page, reason)}" for reason in reasons[:_REASONS]]


def _reason(page: Page, reason: str) -> str:
    code, _, name = reason.partition(":")
    if code == "disclosed" and name in page.form.fields:
        return _disclosed(page, name)
    return fill(page, f"why_{code}") if f"why_{reason}" in page.words else escape(reason, _REASON)


def _disclosed(page: Page, name: str) -> str:
    field = page.form.fields[name]
    words = next((d.provenance.words for d in reversed(page.draft.disclosures) if d.field == name), "")
    if field.sensitive or field.worse is None:
        return f"{escape(page.label(field))}: {fill(page, 'disclosed_later')}"
    was, now = page.answer(field) or "–", page.data(field, field.worse)
    told = fill(page, "why_disclosed", {"field": name, "was": was[:_WORDS], "now": now})
    return f"{told} {fill(page, 'disclosed_beside', {'words': words[:_WORDS]})}" if words else told
