"""Answers of a draft in the shapes that the rules need."""

from typing import Any

from state.draft.draft import Draft


def answer(draft: Draft, name: str) -> Any:
    """A field's canonical value; None while there is none."""
    return draft.values[name].data if name in draft.values else None


def elements(draft: Draft) -> tuple[str, ...]:
    """The elements that were changed, in the form's order."""
    return tuple(answer(draft, "elementos") or ())
