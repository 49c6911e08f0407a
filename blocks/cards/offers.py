"""What the bot offers on the card that is open: a line each, with the button that takes it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from blocks.elements import Block, Element, actions, button, section
from blocks.page import Page, short
from blocks.text import escape, line
from blocks.utterances import fill
from state.draft.draft import Offer
from state.draft.missing import takeable
from state.draft.put_back import shown, usable
from state.form.field import Data

_SHOWN, _TAKEN = 200, 60


def offers(page: Page, field: str = "") -> list[Block]:
    """Return what is offered on a question's card (or, with no `field`, on the review's), each with the button that takes it.

    What was just read in the person's words stands together, all of it used by one click; where the words leave open which value is
    meant, every one of them has its own.
    """
    fields = (field,) if field else ()
    back, together = shown(page.form, page.draft, fields), usable(page.form, page.draft, fields)
    fresh = [o for o in page.draft.offers if o.field in page.form.fields and not o.said and not o.heard]
    together = together if len(together) > 1 else ()
    numbers = count(1)
    single = dict.fromkeys(o.field for o in back if o not in together)
    return [
        *(_read(page, together) if together else []),
        *(block for name in single for block in _put_back(page, name, field, back, numbers)),
        *(_offer(page, o.field, o.data, line(o.label, _SHOWN), next(numbers)) for o in fresh),
        *_last_time(page, field),
        *other_forms(page),
    ]


def _read(page: Page, together: tuple[Offer, ...]) -> list[Block]:
    """Return what was read, a row a value, with the words beside it and a button that takes it out; and one that uses all of it."""
    rows = [
        section(_row(page, o), button(page.say("words_not"), page.press("leave", o.field), o.field)) for o in together
    ]
    every = button(page.say("words_use"), page.press("take_all"), style="primary")
    return [section(fill(page, "words_read")), *rows, actions([every])]


def _row(page: Page, offer: Offer) -> str:
    label = escape(page.label(page.form.fields[offer.field]), _SHOWN)
    return f"*{label}:* {escape(line(offer.label, _SHOWN))}\n_“{escape(line(offer.said, _SHOWN))}”_"


def _last_time(page: Page, field: str) -> list[Block]:
    """With a question that the last record answers: what a click would take of it, all of it named; not beside results for the person's words."""
    names = takeable(page.form, page.draft)
    if page.draft.last_time is None or field not in names or page.draft.options.get(field):
        return []
    values = ((page.form.fields[n], page.draft.last_time.values[n]) for n in names)
    shown = (line(short(page.answer(f, value), value), _TAKEN) for f, value in values)
    label = page.say("same_again_take", now=" · ".join(shown))
    return [actions([button(label, page.press("again"))])]


def other_forms(page: Page) -> list[Block]:
    """Return the forms that the person's words wished for, a button each: it takes those words along."""
    wished = page.draft.wished
    if wished is None:
        return []
    press = [(form, replace(page.press("begin", value=form.name), hash=wished.message)) for form in wished.forms]
    return [actions([button(page.say("prompt_begin", form=line(f.title, _TAKEN)), p, f.name) for f, p in press])]


def _offer(page: Page, name: str, data: Data, label: str, n: int) -> Block:
    said = fill(page, "offer_ask", {"label": page.label(page.form.fields[name]), "now": label})
    return section(said, button(page.say("offer_yes", now=label), page.press("accept", name, data), n))


def _put_back(page: Page, name: str, asked: str, back: tuple[Offer, ...], numbers: Iterator[int]) -> list[Block]:
    some = [o for o in back if o.field == name]
    texts = {"said": line(some[0].said, _SHOWN), "label": page.label(page.form.fields[name]), "now": some[0].label}
    takers = [_take(page, o, next(numbers)) for o in some if len(some) == 1 or not isinstance(o.data, tuple)]
    if len(some) == 1:
        if not some[0].heard and name not in (asked, *page.draft.values):
            return [section(_row(page, some[0]), takers[0])]
        key = "put_back_change" if name in page.draft.values else "put_back"
        return [section(fill(page, key, texts), takers[0])]
    return [section(fill(page, "put_back_which", texts)), actions(takers)] if takers else []


def _take(page: Page, offer: Offer, n: int) -> Element:
    """Return the button with a value; several choices, which no button carries, are all that was read."""
    several = isinstance(offer.data, tuple)
    press = page.press("take_all") if several else page.press("accept", offer.field, offer.data)
    return button(page.say("put_back_take", now=line(offer.label, _TAKEN)), press, n)
