"""What the model is to do now: after an act the action summary, after open words the instruction to understand them."""

from prompts.marks import ACTION_SUMMARY, CLICKED, INSTRUCTION, UNREAD
from prompts.operations import NOW
from prompts.view import View
from prompts.window import heard
from state.engine.effects import CallModel
from state.fields import kind_of
from state.form import Field
from state.understanding.evidence import unread_lines

_SHOWN = 3
"""Words of a field that are named."""


def action_summary(view: View, call: CallModel) -> str:
    """Return what the person's act changed, what is locked, what is missing, and what comes next, as a block of text."""
    locked = tuple(f for f in view.form.fields.values() if f.name in view.draft.locked_fields)
    lines = (
        ACTION_SUMMARY,
        "The user just completed a UI interaction."
        if call.act.startswith(CLICKED)
        else "Code took what the user gave.",
        f"Changed: {_changed(view, call)}." if call.changed else "",
        f"Locked: {view.labels(locked)}." if locked else "",
        f"Missing, in order: {view.labels(view.missing) or 'none'}.",
        f"Next: {_coming(view)}{_next(view, _first(view))}",
    )
    return "\n".join(filter(None, lines))


def _coming(view: View) -> str:
    """Return what code does next, where code asks."""
    if view.form.asked_by == "model" or view.form.conversational or not view.draft.open:
        return ""
    return "the form asks for the first of these. " if view.missing else "the user reviews and submits. "


def instruction(view: View, call: CallModel) -> str:
    """How to take what is to be read: what was asked, what to call, what to write, as a block of text."""
    if view.form.conversational:
        return f"{INSTRUCTION}\n{NOW}"
    asked = view.form.fields.get(view.draft.asked)
    lines = (
        INSTRUCTION,
        _taken_already(view, call),
        _asked(view, asked, again=bool(call.exchange)) if asked else "",
        _calls(view),
        f"Then {_next(view, f'the first field then missing (now {_first(view)})')}",
    )
    return "\n".join(filter(None, lines))


def _taken_already(view: View, call: CallModel) -> str:
    """Return what code has just taken while older lines wait to be read."""
    return f"Code has just taken: {_changed(view, call)}." if call.changed and unread_lines(view.draft) else ""


def _changed(view: View, call: CallModel) -> str:
    """Labels alone: the values stand in [GROUND TRUTH]."""
    fields = (f for f in view.form.fields.values() if f.name in call.changed)
    return ", ".join(view.label(f) + (" (no answer any more)" * (f.name not in view.draft.values)) for f in fields)


def _asked(view: View, asked: Field, *, again: bool) -> str:
    """Return the question that stands: in the form's words, unless the model is asked `again` or the conversation ends in them."""
    said = next((line.text for line in reversed(heard(view.draft).lines) if line.role == "assistant"), "")
    words = f" for {view.label(asked)}." if again or view.ask(asked) in said else f": {view.ask(asked)}"
    alone = " Its yes or no sets nothing else." if kind_of(asked).polar else ""
    return f"The form had asked{words}{alone}"


def _calls(view: View) -> str:
    if not view.draft.open:
        return "The form is closed: set nothing."
    if heard(view.draft).waits:
        told = f"all that the user's lines marked {UNREAD} say, each under the question that it was typed to"
        return f"Call tools for {told}, and nothing else."
    return "Call tools for all that the newest user message says, and nothing else."


def _first(view: View) -> str:
    return view.label(view.missing[0]) if view.missing else "none"


def _next(view: View, field: str) -> str:
    """Return the one next step: the model's own question, of which code looks for a word, or an act."""
    if view.form.asked_by == "code" or not view.missing or not view.draft.open:
        return "`say` what should be said, if anything."
    words = ", ".join(view.missing[0].words[:_SHOWN])
    return f"ask for {field}{f', with one of these words in it: {words}' if words else ''}."
