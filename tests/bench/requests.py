"""PA requests as a person files them: what they do next follows from what is on their screen."""

from collections.abc import AsyncIterator, Iterator
from itertools import count

from tests.bench.acts import Act, Seat
from tests.whole.steps import DECLARATIONS, OPENING, REASON

SENTENCES = ("actually make it 250 shares", "actually make it 200 shares")
CLICKS = ("Change to 250", "Change to 200", "Use all of it", "Use this", "No", "I understand", "Submit")
WHY = "why do you want to make this trade"


def clicked(words: str) -> Act:
    """A click on what reads like this, which is answered in the message that was clicked."""
    return Act("submit" if words == "Submit" else "click", words, clicks=True, changes=True)


def answer(words: str, typed: bool) -> Act:
    """The answer to what is asked; a declaration may be typed."""
    if words == WHY:
        return Act("text", REASON)
    return Act("typed", words) if typed and words == "No" else clicked(words)


def plan(typed: bool, corrected: bool) -> Iterator[Act]:
    """The acts of a request in order, for a peer that shows the same question always."""
    yield Act("opening", OPENING)
    yield clicked("Use all of it")
    yield answer("Use this", typed)
    yield from (Act("sentence", words) for words in (SENTENCES if corrected else ()))
    for words in ("No",) * len(DECLARATIONS) + ("I understand", WHY, "Submit"):
        yield answer(words, typed)


async def request(seat: Seat, typed: bool = False, corrected: bool = False) -> AsyncIterator[Act]:
    """A whole request; its declarations are clicked or typed, and the quantity may be corrected twice in a sentence."""
    if seat.side.bare:
        for act in plan(typed, corrected):
            yield act
        return
    yield Act("opening", OPENING)
    sentences = list(SENTENCES if corrected else ())
    while True:
        words = await seat.asked((*CLICKS, WHY))
        if words == "No" and sentences:
            yield Act("sentence", sentences.pop(0))
            continue
        yield answer(words, typed)
        if words == "Submit":
            return


async def requests(seat: Seat, typed: bool = False, corrected: bool = False) -> AsyncIterator[Act]:
    """One request after the other."""
    for _ in count():
        async for act in request(seat, typed, corrected):
            yield act


async def mixed(seat: Seat, first: int) -> AsyncIterator[Act]:
    """One request after the other, clicked and typed by turns; people begin with one or the other."""
    for n in count(first):
        async for act in request(seat, typed=n % 2 == 1):
            yield act
