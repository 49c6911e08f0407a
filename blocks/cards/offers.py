"""What the bot offers on the card that is open: a line each, with the button that takes it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from blocks.elements import Element, actions, button, section
from blocks.message import Block
from blocks.page import Page, short
from blocks.text import line
from blocks.utterances import fill
from state.draft.draft import Data, Offer
from state.draft.missing import takeable

_SHOWN, _TAKEN = 200, 60


def offers(page: Page, field: str = "") -> list[Block]:
    """What is offered on a question's card (or, with no `field`, on the review's), each with the button that takes it.

    An answer that was put back shows the person's own words; where they leave open which value is meant, every one of them.
    """
    shown = [o for o in page.draft.offers if o.field in page.form.fields]
    fresh = [o for o in shown if not o.said and not o.heard]
    back = [o for o in shown if o.said and (field in ("", o.field) or o.field in page.draft.values)]
    numbers = count(1)
    return [
        *(block for name in dict.fromkeys(o.field for o in back) for block in _put_back(page, name, back, numbers)),
        *(_offer(page, o.field, o.data, line(o.label, _SHOWN), next(numbers)) for o in fresh),
        *_last_time(page, field),
        *other_forms(page),
    ]


def _last_time(page: Page, field: str) -> list[Block]:
    """With a question that the last record answers: what a click would take of it, all of it named."""
    names = takeable(page.form, page.draft)
    if page.draft.last_time is None or field not in names:
        return []
    values = ((page.form.fields[n], page.draft.last_time.values[n]) for n in names)
    shown = (line(short(page.answer(f, value), value), _TAKEN) for f, value in values)
    label = page.say("same_again_take", now=" · ".join(shown))
    return [actions([button(label, page.press("again"))])]


def other_forms(page: Page) -> list[Block]:
    """The forms that the person's words wished for, a button each: it takes those words along."""
    wished = page.draft.wished
    if wished is None:
        return []
    press = [(form, replace(page.press("begin", value=form.name), hash=wished.message)) for form in wished.forms]
    return [actions([button(page.say("prompt_begin", form=line(f.title, _TAKEN)), p, f.name) for f, p in press])]


def _offer(page: Page, name: str, data: Data, label: str, n: int) -> Block:
    said = fill(page, "offer_ask", {"label": page.label(page.form.fields[name]), "now": label})
    return section(said, button(page.say("offer_yes", now=label), page.press("accept", name, data), n))


def _put_back(page: Page, name: str, back: list[Offer], numbers: Iterator[int]) -> list[Block]:
    some = [o for o in back if o.field == name]
    texts = {"said": line(some[0].said, _SHOWN), "label": page.label(page.form.fields[name]), "now": some[0].label}
    takers = [_take(page, o, next(numbers)) for o in some]
    if len(some) == 1:
        key = "put_back_change" if name in page.draft.values else "put_back"
        return [section(fill(page, key, texts), takers[0])]
    return [section(fill(page, "put_back_which", texts)), actions(takers)]


def _take(page: Page, offer: Offer, n: int) -> Element:
    return button(
        page.say("put_back_take", now=line(offer.label, _TAKEN)), page.press("accept", offer.field, offer.data), n
    )
