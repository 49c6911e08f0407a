"""The [GROUND TRUTH] block: the draft as the model sees it. Every field with a value, what is missing, what waits for the person."""

import json
from collections.abc import Iterator

from prompts.marks import GROUND_TRUTH, brief
from prompts.operations import operations_truth
from prompts.view import View
from state.draft.draft import Option
from state.draft.stages import chosen_ways
from state.form import Transition
from state.understanding.evidence import newest_line

_LABEL = 40
"""Characters of a step's label that are told."""
_LINES = 4
"""Lines from before the form that are told."""
_OPTIONS = 5
"""Search results that are told; the person sees all of them."""


def ground_truth(view: View, limit: int = 120, *, summed: bool = False) -> str:
    """Return the block as text; `limit` is the longest a value may be, in characters. No value is ever left out.

    `summed`: an action summary says beside it what is locked and missing. Elsewhere setters name what is missing, but where the model asks.
    """
    return "\n".join(
        (
            GROUND_TRUTH,
            _head(view),
            *_filled(view, limit, locks=not summed),
            *_missing(view, summed=summed),
            *operations_truth(view),
            *_waiting(view, limit),
            *_before(view, limit),
        )
    )


def _head(view: View) -> str:
    draft = view.draft
    stage = view.form.stages.get(draft.stage)
    parts = [f"Form: {view.form.title}, {draft.status.value}", f"Today: {view.today}"]
    parts += [f"Record: {draft.filed.number}"] if draft.filed.number else []
    parts += [f"Stage: {stage.name}"] if stage else []
    parts += [f"Goal: {stage.goal.rstrip('.')}"] if stage and stage.goal else []
    return ". ".join(parts) + "."


def _filled(view: View, limit: int, *, locks: bool) -> Iterator[str]:
    """Yield answers; one that the person opened again stands until there is another."""
    again = tuple(f for f in view.missing if f.name in view.draft.values)
    for field in (*view.filled, *again):
        locked = " locked" if locks and field.name in view.draft.locked_fields else ""
        opened = " opened again" if field in again else ""
        yield f"{view.title(field)} = {view.value(field.name, limit)}{locked}{opened}"


def _missing(view: View, *, summed: bool) -> Iterator[str]:
    if view.form.asked_by == "model" and view.draft.open and not summed:
        yield f"Missing, in order: {', '.join(map(view.title, view.missing)) or 'nothing'}"


def _waiting(view: View, limit: int) -> Iterator[str]:
    draft = view.draft
    ways = chosen_ways(view.form, draft) if draft.open else ()
    if ways:
        yield f"Steps that the user may choose: {', '.join(_way(w) for w in ways)}"
    if draft.going:
        yield f"The review is on screen for the step {draft.going}; only the user's click confirms it"
    if draft.handed:
        yield "A person has the conversation; say nothing"
    yield from _papers(view, limit)
    for name, options in draft.options.items():
        yield f"On screen for {name}, the user picks by a click: {'; '.join(_option(o, limit) for o in options[:_OPTIONS])}"
    if draft.proposal and draft.proposal.field in view.form.fields:
        value = draft.proposal.value
        to = f" to {view.quoted(draft.proposal.field, value, limit)}" if value else ""
        yield f"Waits for a click: {draft.proposal.act} {draft.proposal.field}{to}"
    said = newest_line(draft)
    for offer in draft.offers:
        if not offer.heard or (said and offer.heard == said.message):
            yield f"Offered, set it only if the newest message accepts: {offer.field} = {json.dumps(brief(offer.label, limit), ensure_ascii=False)}"
    if draft.disclosures:
        yield f"Disclosed beside the answer: {', '.join(dict.fromkeys(d.field for d in draft.disclosures))}"


def _papers(view: View, limit: int) -> Iterator[str]:
    """Documents by their ids, and what was read from them and waits for the person."""
    named = (f"{d.id} = {json.dumps(brief(d.name, limit), ensure_ascii=False)}" for d in view.draft.documents.values())
    held = [n for n, i in zip(named, view.draft.documents, strict=True) if i in view.draft.held]
    if held:
        yield f"Documents: {', '.join(held)}"
    for reading in view.draft.readings:
        read = ", ".join(f"{n} {view.quoted(n, v, limit)}" for n, v in reading.values.items())
        yield f"Read from {reading.document}, the user confirms by a click: {read}"


def _way(way: Transition) -> str:
    return f"{way.on} ({brief(way.label, _LABEL)})" if way.label else way.on


def _before(view: View, limit: int) -> Iterator[str]:
    """Yield the newest lines that the person said for another form, while something is open that they could be about."""
    lines = [s.text for s in view.draft.earlier if s.before][-_LINES:] if view.draft.open and view.missing else []
    if lines:
        quoted = "; ".join(json.dumps(brief(text, limit), ensure_ascii=False) for text in lines)
        yield f"Said before this form, quote it only where the newest message refers to it: {quoted}"


def _option(option: Option, limit: int) -> str:
    text = f"{option.label} · {option.detail}" if option.detail else option.label
    return json.dumps(brief(text, limit), ensure_ascii=False)
