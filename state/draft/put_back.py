"""Values that were read in a person's words and wait for their click, as the open card shows them."""

from collections import Counter
from collections.abc import Collection

from state.draft.draft import Draft, Offer
from state.fields import kind_of
from state.form import Form


def shown(form: Form, draft: Draft, fields: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return what a card for these fields shows (for none, the review): all that was just read, then what is about these fields or an answer.

    A declaration is shown with its own question alone.
    """
    here = (o for o in draft.offers if o.said and o.field in form.fields)
    return tuple(o for o in here if not fields or o.field in fields or o.field in draft.values or _is_fresh(form, o))


def usable(form: Form, draft: Draft, fields: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return those that one click takes together: one value for a field that has none yet, and never a declaration."""
    every = shown(form, draft, fields)
    count = Counter(o.field for o in every)
    return tuple(o for o in every if count[o.field] == 1 and o.field not in draft.values and not _declares(form, o))


def _is_fresh(form: Form, offer: Offer) -> bool:
    return not offer.heard and not _declares(form, offer)


def _declares(form: Form, offer: Offer) -> bool:
    return kind_of(form.fields[offer.field]).declaration
