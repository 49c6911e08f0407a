"""What the model is to do now: after an act the action summary, after open words the instruction to understand them."""

from prompts.marks import ACTION_SUMMARY, CLICKED, INSTRUCTION, UNREAD, cut, inert_act, one_line
from prompts.operations import NOW
from prompts.view import View
from prompts.window import heard
from state.engine.effects import CallModel
from state.understanding.evidence import unread_lines

_SHOWN = 3
"""Changed fields whose values are repeated."""
_BY_ACTS = "`say` what should be said, if anything."


def action_summary(view: View, call: CallModel, limit: int = 120) -> str:
    """What the person's act did and what comes next, as a block of text; `limit` cuts values, in characters."""
    lines = (
        ACTION_SUMMARY,
        _what_happened(call, limit),
        f"Changed: {_changed(view, call, limit)}." if call.changed else "",
        f"Locked: {_locked(view)}." if view.draft.locked_fields else "",
        "Do NOT re-ask any field already present in [GROUND TRUTH].",
        f"Fields still missing, in order: {view.labels(view.missing) or 'none'}.",
        f"Next action: {_next(view, _first(view))}",
    )
    return "\n".join(line for line in lines if line)


def instruction(view: View, call: CallModel) -> str:
    """How to take what is to be read: what was asked, what to call, what to write, as a block of text."""
    if view.form.conversational:
        return f"{INSTRUCTION}\n{NOW}"
    asked = view.form.fields.get(view.draft.asked)
    lines = (
        INSTRUCTION,
        _taken_already(view, call),
        f"The form had asked for {view.label(asked)}: {view.ask(asked)}" if asked else "",
        _calls(view),
        f"Then, or if there is nothing to call: {_next(view, f'the first field then missing (now {_first(view)})')}",
    )
    return "\n".join(line for line in lines if line)


def _taken_already(view: View, call: CallModel) -> str:
    """What code has just taken while older lines wait to be read."""
    fields = tuple(view.form.fields[name] for name in call.changed if name in view.form.fields)
    return f"Code has just taken: {view.labels(fields[:_SHOWN])}." if fields and unread_lines(view.draft) else ""


def _what_happened(call: CallModel, limit: int) -> str:
    act = cut(inert_act(one_line(call.act)[: limit + 1]), limit)
    if call.act.startswith(CLICKED):
        return f"The user just completed a UI interaction and the draft has been updated: {act}"
    return "The user just answered; code understood the words and the draft has been updated."


def _changed(view: View, call: CallModel, limit: int) -> str:
    """Labels with their new values; of more than a few the labels alone, since the values stand above."""
    fields = tuple(view.form.fields[name] for name in call.changed if name in view.form.fields)
    if len(fields) > _SHOWN:
        return view.labels(fields)
    return "; ".join(f"{view.label(field)}: {_now(view, field.name, limit)}" for field in fields)


def _now(view: View, name: str, limit: int) -> str:
    return view.value(name, limit) if name in view.draft.values else "no answer any more"


def _locked(view: View) -> str:
    return view.labels(tuple(f for f in view.form.fields.values() if f.name in view.draft.locked_fields))


def _calls(view: View) -> str:
    if not view.draft.open:
        return "The form is closed: set nothing."
    if heard(view.draft).waits:
        told = f"all that the user's lines marked {UNREAD} say, each under the question that it was typed to"
        return f"Call tools for {told}, and for nothing they do not say."
    return "Call tools for all that the newest user message says, and for nothing it does not say."


def _naming(view: View) -> str:
    """The words of which the question must hold one: code looks for them."""
    words = view.missing[0].words[:_SHOWN]
    return f", with one of these words in it: {', '.join(words)}" if words else ""


def _first(view: View) -> str:
    return view.label(view.missing[0]) if view.missing else "none"


def _next(view: View, field: str) -> str:
    """The one next step, in words that fit who asks: the form or the model."""
    if view.form.asked_by == "model" and view.draft.open and view.missing:
        return f"ask for {field}, ONE question only{_naming(view)}."
    return _BY_ACTS
