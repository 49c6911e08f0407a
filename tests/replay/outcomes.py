"""What came of a value: taken into the draft, put back to the person for a click, or neither. Read off the draft as it stands after a message.

A value is *put back* where an offer holds it with the person's words beside it, where a card proposes it as a change, or where a document's
reading or a list of results for its field is on screen. What the model offers of its own accord quotes nobody and is no putting back.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from state.draft.display import shown, usable
from state.draft.draft import Draft, Offer
from state.form import Form
from state.form.field import Data

TAKEN, BACK, REFUSED = "taken", "put back", "refused"
Fits = Callable[[Data], bool]


@dataclass(frozen=True)
class Took:
    """A value that reading put into the draft. `meant` is what the person meant, empty where they told nothing of this field.

    `by` is who read it: "rules", "model", the kind of the fault that proposed it, or "a yes" to what was offered or put back.
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
    """True if the message answers another question than ours, one that the data set's bot had put."""


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


def said_of(offer: Offer) -> str:
    """The person's own words, where an offer puts back what they may mean."""
    return str(getattr(offer, "said", ""))


def on_screen(form: Form, draft: Draft) -> list[Offer]:
    """Offers whose buttons the open card has, in its order, but for those that one click takes together."""
    apart = [o for o in shown(form, draft, _asked(draft)) if o not in together(form, draft)]
    names = list(dict.fromkeys(o.field for o in apart))
    fresh = [o for o in draft.offers if not said_of(o) and not o.heard]
    return [*sorted(apart, key=lambda o: names.index(o.field)), *fresh]


def together(form: Form, draft: Draft) -> list[Offer]:
    """What was read and stands together on the open card, all of it used by one click."""
    found = usable(form, draft, _asked(draft))
    return list(found) if len(found) > 1 else []


def _asked(draft: Draft) -> tuple[str, ...]:
    card = draft.card
    return (card.field, *card.fields) if card is not None and card.kind == "question" else ()


def fresh_offers(before: Draft, after: Draft) -> set[str]:
    """Fields for which a value is put back that was not before."""
    known = {(o.field, o.data) for o in before.offers if said_of(o)}
    return {o.field for o in after.offers if said_of(o) and (o.field, o.data) not in known}


def is_put_back(draft: Draft, field: str, fits: Fits) -> bool:
    """Return True if the person sees this value of the field put back, or results to pick it from."""
    offers = any(o.field == field and said_of(o) and fits(o.data) for o in draft.offers)
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
