"""What is told above or instead of a question: sentences of the catalogue filled in, and words of models and forms made inert."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from blocks.page import Page, lowered
from blocks.text import escape, literal
from state.draft.utterance import Utterance, Verbatim

_PERSON = re.compile(r"[UW][A-Z0-9]{2,30}")
DAYS = {"filed_on": "day", "since_on": "since", "until_on": "until"}
"""Arguments that are days (ISO 8601), and the names under which sentences show them."""
_ARGUMENT, _WORDS = 1200, 2400
"""Characters of one argument, and of a model's words, that are shown."""


def mention(person: str) -> str:
    """Return a Slack user id as a mention; anything else as the words it is."""
    return f"<@{person}>" if _PERSON.fullmatch(person) else escape(person)


def sentence(page: Page, told: Utterance) -> str:
    """Return one thing told, as escaped text. Raises KeyError for a line whose key or arguments the catalogue does not know."""
    if isinstance(told, Verbatim):
        return escape(told.text, _WORDS)
    return fill(page, told.key, told.args)


def sentences(page: Page, told: Iterable[Utterance]) -> str:
    """Return several things told, one below the other, none of them twice."""
    return "\n".join(dict.fromkeys(text for one in told if (text := sentence(page, one))))


def fill(page: Page, key: str, args: Mapping[str, Any] | None = None) -> str:
    """Return a sentence of the catalogue as escaped text, with its arguments made inert."""
    if key == "not_yours":
        return _not_yours(page, args or {})
    filled = {name: _argument(name, str(value)) for name, value in _arguments(page, args or {}).items()}
    return page.words.fill(key, filled, literal)


def _argument(name: str, value: str) -> str:
    return mention(value) if name == "person" else escape(value, _ARGUMENT)


def _not_yours(page: Page, args: Mapping[str, Any]) -> str:
    name = str(args.get("name", "")) or page.draft.owner
    return (
        page.words.fill("not_yours", {"name": mention(name)}, literal)
        if name
        else literal(page.say("not_yours_unknown"))
    )


def _arguments(page: Page, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line's own arguments, and what any sentence may name: the form, the record, a field's label in both its cases."""
    whole = {"form": page.form.title, "number": page.draft.filed.number} | dict(args)
    field = page.form.fields.get(str(whole.get("field", "")))
    if field is not None:
        whole.setdefault("label", page.label(field))
    if "label" in whole:
        whole.setdefault("thing", lowered(str(whole["label"])))
    if "state_name" in whole:
        whole["state"] = page.state(str(whole["state_name"]))
    for name, shown in DAYS.items():
        if name in whole:
            whole[shown] = page.day(str(whole[name]))
    if "by_role" in whole:
        whole["role"] = page.role(str(whole["by_role"]))
    if "by_verdict" in whole:
        whole["verdict"] = page.verdict(str(whole["by_verdict"]))
    if not whole.get("introduction"):
        whole["introduction"] = page.say("introduction", form=page.form.title)
    return whole
