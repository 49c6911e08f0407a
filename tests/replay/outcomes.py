"""What came of a value: taken into the draft, put back to the person for a click, or neither. Read off the draft as it stands after a message.

A value is *put back* where an offer holds it with the person's words beside it, where a card proposes it as a change, or where a document's
reading or a list of results for its field is on screen. What the model offers of its own accord quotes nobody and is no putting back.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from state.draft.draft import Data, Draft

TAKEN, BACK, REFUSED = "taken", "put back", "refused"
Fits = Callable[[Data], bool]


@dataclass(frozen=True)
class Took:
    """A value that reading put into the draft. `meant` is what the person meant, empty where they told nothing of this field.

    `by` is who read it: "rules", "model", or the kind of the fault that proposed it.
    """

    form: str
    field: str
    kind: str
    data: str
    meant: str
    right: bool
    by: str
    sure: bool
    text: str
    asked: str
    astray: bool = False
    """Whether the message answers another question than ours, one that the data set's bot had put."""


@dataclass(frozen=True)
class Told:
    """A value that the person told, and what came of it: `TAKEN`, `BACK`, or `REFUSED` where neither."""

    form: str
    field: str
    kind: str
    value: str
    end: str
    text: str
    asked: str
    correction: bool
    how: str


@dataclass(frozen=True)
class Injected:
    """A wrong call's value on its way: the kind of the fault, the field and the value in canonical form. No field: a tool that there is not."""

    kind: str
    field: str = ""
    data: Data | None = None
    asked: str = ""


@dataclass(frozen=True)
class Fault:
    """An injected value and its end; `harm` where it was taken and is not what the person meant."""

    kind: str
    end: str
    harm: bool
    form: str
    field: str
    data: str
    text: str


def came_in(before: Draft, after: Draft) -> Iterator[str]:
    """Fields that have another value than before, but for those that the form takes for granted."""
    for name, value in after.values.items():
        if value.provenance.how != "rule" and (name not in before.values or before.values[name].data != value.data):
            yield name


def is_put_back(draft: Draft, field: str, fits: Fits) -> bool:
    """Whether the person sees this value of the field put back, or results to pick it from."""
    offers = any(o.field == field and getattr(o, "said", "") and fits(o.data) for o in draft.offers)
    readings = any(field in r.values and fits(r.values[field].data) for r in draft.readings)
    return offers or readings or bool(draft.options.get(field)) or _proposed(draft, field, fits)


def _proposed(draft: Draft, field: str, fits: Fits) -> bool:
    proposed = draft.proposal
    if proposed is None or proposed.act != "change" or proposed.value is None:
        return False
    return proposed.field == field and fits(proposed.value.data)


def end_of(before: Draft, after: Draft, field: str, fits: Fits) -> str:
    """What came of a value that a message told or a call proposed."""
    if field in after.values and fits(after.values[field].data) and field in set(came_in(before, after)):
        return TAKEN
    return BACK if is_put_back(after, field, fits) else REFUSED
