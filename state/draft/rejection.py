"""Refusals of a tool call: one shape, so that a model can read why and go on."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rejection:
    """Why a call was refused, and what to do instead. English: a model reads it, never a person."""

    reason: str
    hint: str
    code: str

    def result(self) -> dict[str, Any]:
        """Return the tool result: `{"status": "rejected", "reason": "REJECTED: …", "instructional_hint": "PROCEED: …"}`; `code` is for the log."""
        return {
            "status": "rejected",
            "reason": f"REJECTED: {self.reason}",
            "instructional_hint": f"PROCEED: {self.hint}",
            "code": self.code,
        }


def _of(reason: str, hint: str, code: str) -> Callable[..., Rejection]:
    """Return what makes a rejection; {0} is replaced by what the call is about."""
    return lambda *about: Rejection(reason.format(*about), hint.format(*about), code)


too_many = _of("too many calls.", "answer the user.", "many")
late = _of("the user has gone on meanwhile", "answer the newest message.", "late")
filed_already = _of("it is filed already", "answer the user.", "filed")
with_person = _of("a person has the conversation now", "say nothing more.", "handed")
none_open = _of("there is nothing open to finish in this conversation", "let the form say so.", "submit")
locked = _of(
    "'{0}' is locked. Move on to the next missing field.", "{0} is already set. Ask for the next missing field.", "lock"
)
filled = _of(
    "'{0}' already has a value. Move on to the next missing field.",
    "{0} is already set. Only if the newest message changes it, call correct with the words that do.",
    "filled",
)
bad_arguments = _of(
    "bad arguments: {0}.", "call the tool once more with arguments that fit its schema, or go on.", "schema"
)
ungrounded = _of(
    "the user's words do not say this for '{0}'.", "leave {0} open. The form asks for it in its turn.", "grounding"
)
doubtful = _of(
    "the user's words may say this for '{0}', and do not plainly.",
    "leave {0} to the user: the form puts their words back to them, and one click takes the value.",
    "doubt",
)
wrong_stage = _of("'{0}' is not asked in this stage.", "ask for the next missing field.", "stage")
unheard_way = _of(
    "the newest message does not ask for '{0}'.", "let the user choose; the form shows the ways.", "grounding"
)
closed = _of("this request is closed; nothing in it can change.", "answer the user.", "closed")
not_owner = _of("only the person who owns this request can answer.", "answer the user.", "owner")
compliance_words = _of(
    "this text is about something else; it is no answer for '{0}'.",
    "leave {0} as it is. What was asked for is set by the form.",
    "rules",
)
too_short = _of(
    "'{0}' holds a fuller text; this one is too short to replace it.",
    "{0} is already set. Ask for the next missing field.",
    "rules",
)
against_rule = _of("'{0}': {1}.", "leave {0} open and go on. The form asks for it in its turn.", "rules")
refund = _of("'{0}' adds what was spent, and this came back.", "ask which entry is to be changed.", "refund")
unordered = _of("the user's words do not ask for '{0}'.", "do what the newest message asks for, or ask.", "unasked")


def not_yet(field: str) -> Rejection:
    hint = f"ask for {field}." if field else "let the user choose the next step; the form shows the ways."
    return Rejection("the request cannot be submitted now.", hint, "submit")


def unknown_tool(tool: str) -> Rejection:
    return Rejection(
        f"there is no tool '{tool[:64]}'.", "use only the tools you were given, or answer without one.", "tool"
    )


def closed_way(ways: list[str]) -> Rejection:
    listed = (
        f"the ways that are open: {', '.join(ways)}."
        if ways
        else "no way is open now; go on with the next missing field."
    )
    return Rejection("the form does not allow this step now.", listed, "stage")


def unsayable(what: str, sayable: Iterable[str]) -> Rejection:
    named = ", ".join(sayable)
    return Rejection(
        what, f"say it about one of: {named}; or say cannot_answer." if named else "say cannot_answer.", "say"
    )


def words_unread() -> str:
    """Return why free words are wrong where only acts are shown, as a clause."""
    return "nobody reads what you write here; call `say`, or end without words"
