"""Refusals of a tool call: one shape, so that a model can read why and go on."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rejection:
    """Why a call was refused, and what to do instead. English: a model reads it, never a person."""

    reason: str
    hint: str
    code: str

    def result(self) -> dict[str, Any]:
        """The tool result: `{"status": "rejected", "reason": "REJECTED: …", "instructional_hint": "PROCEED: …"}`; `code` is for the log."""
        return {
            "status": "rejected",
            "reason": f"REJECTED: {self.reason}",
            "instructional_hint": f"PROCEED: {self.hint}",
            "code": self.code,
        }


def too_many() -> Rejection:
    return Rejection("too many calls.", "answer the user.", "many")


def late() -> Rejection:
    return Rejection("the user has gone on meanwhile", "answer the newest message.", "late")


def filed_already() -> Rejection:
    return Rejection("it is filed already", "answer the user.", "filed")


def with_person() -> Rejection:
    return Rejection("a person has the conversation now", "say nothing more.", "handed")


def none_open() -> Rejection:
    return Rejection("there is nothing open to finish in this conversation", "let the form say so.", "submit")


def not_yet(field: str) -> Rejection:
    hint = f"ask for {field}." if field else "let the user choose the next step; the form shows the ways."
    return Rejection("the request cannot be submitted now.", hint, "submit")


def locked(field: str) -> Rejection:
    return Rejection(
        f"'{field}' is locked. Move on to the next missing field.",
        f"{field} is already set. Ask for the next missing field.",
        "lock",
    )


def filled(field: str) -> Rejection:
    return Rejection(
        f"'{field}' already has a value. Move on to the next missing field.",
        f"{field} is already set. Only if the newest message changes it, call correct with the words that do.",
        "filled",
    )


def unknown_tool(tool: str) -> Rejection:
    return Rejection(
        f"there is no tool '{tool[:64]}'.", "use only the tools you were given, or answer without one.", "tool"
    )


def bad_arguments(what: str) -> Rejection:
    return Rejection(
        f"bad arguments: {what}.", "call the tool once more with arguments that fit its schema, or go on.", "schema"
    )


def ungrounded(field: str) -> Rejection:
    return Rejection(
        f"the user's words do not say this for '{field}'.",
        f"leave {field} open. The form asks for it in its turn.",
        "grounding",
    )


def doubtful(field: str) -> Rejection:
    return Rejection(
        f"the user's words may say this for '{field}', and do not plainly.",
        f"leave {field} to the user: the form puts their words back to them, and one click takes the value.",
        "doubt",
    )


def wrong_stage(field: str) -> Rejection:
    return Rejection(f"'{field}' is not asked in this stage.", "ask for the next missing field.", "stage")


def closed_way(ways: list[str]) -> Rejection:
    listed = (
        f"the ways that are open: {', '.join(ways)}."
        if ways
        else "no way is open now; go on with the next missing field."
    )
    return Rejection("the form does not allow this step now.", listed, "stage")


def unheard_way(trigger: str) -> Rejection:
    return Rejection(
        f"the newest message does not ask for '{trigger}'.",
        "let the user choose; the form shows the ways.",
        "grounding",
    )


def closed() -> Rejection:
    return Rejection("this request is closed; nothing in it can change.", "answer the user.", "closed")


def not_owner() -> Rejection:
    return Rejection("only the person who owns this request can answer.", "answer the user.", "owner")


def compliance_words(field: str) -> Rejection:
    return Rejection(
        f"this text is about something else; it is no answer for '{field}'.",
        f"leave {field} as it is. What was asked for is set by the form.",
        "rules",
    )


def too_short(field: str) -> Rejection:
    return Rejection(
        f"'{field}' holds a fuller text; this one is too short to replace it.",
        f"{field} is already set. Ask for the next missing field.",
        "rules",
    )


def against_rule(field: str, rule: str) -> Rejection:
    return Rejection(f"'{field}': {rule}.", f"leave {field} open and go on. The form asks for it in its turn.", "rules")


def unordered(operation: str) -> Rejection:
    return Rejection(
        f"the user's words do not ask for '{operation}'.", "do what the newest message asks for, or ask.", "unasked"
    )


def unsayable(what: str, sayable: Iterable[str]) -> Rejection:
    named = ", ".join(sayable)
    return Rejection(
        what, f"say it about one of: {named}; or say cannot_answer." if named else "say cannot_answer.", "say"
    )


def words_unread() -> str:
    """What is wrong with free words where only acts are rendered; a clause."""
    return "nobody reads what you write here; call `say`, or end without words"
