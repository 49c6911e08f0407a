"""Answers of a draft in the shapes that the rules need."""

from typing import Any

from state.draft.draft import Draft


def answer(draft: Draft, name: str) -> Any:
    """Return a field's canonical value; None while there is none."""
    return draft.values[name].data if name in draft.values else None


def elements(draft: Draft) -> tuple[str, ...]:
    """Return the elements that were changed, in the form's order."""
    return tuple(answer(draft, "elementos") or ())
