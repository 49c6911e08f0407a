"""People send a sentence in pieces: the running bot reads every piece, whatever the model does meanwhile."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, Dropped, call, overloaded, slow, text, tools
from bot.sandbox.models.scripts import newest_words, tool_results
from tests.patience import PATIENCE
from tests.whole.steps import open_request, play
from tests.world import World, world

BURST = ("I want to buy", "200 shares", "GBP 720.50", "from my pension account")
TOLD = {"direction": "buy", "quantity": 200, "value": "720.50", "currency": "GBP", "account": "pension"}
ONLY = {"only": "pa_dealing"}


async def burst(w: World, gap: float, *lines: str) -> None:
    """Lines so many seconds apart, and then quiet."""
    for line in lines:
        await w.alex.say(line)
        await asyncio.sleep(gap)
    await w.settled()


async def heard(w: World) -> dict[str, Any]:
    """What was taken, and what was read and waits for a click."""
    return {**{o.field: o.data for o in (await w.draft()).offers}, **await w.values()}


def understanding(request: dict[str, Any]) -> Answer:
    """A model that calls for whatever the newest turn shows of the burst."""
    words = newest_words(request)
    if tool_results(request):
        return text("Thank you.")
    trade = {
        "direction": "buy" if BURST[0] in words else None,
        "quantity": 200 if BURST[1] in words else None,
        "value": "720.50" if BURST[2] in words else None,
        "currency": "GBP" if BURST[2] in words else None,
        "account": "pension" if BURST[3] in words else None,
    }
    quotes = {"direction": BURST[0], "quantity": BURST[1], "value": BURST[2], "currency": BURST[2], "account": BURST[3]}
    wanted = [call("set_trade", **{n: v, "words": quotes[n]}) for n, v in trade.items() if v is not None]
    return tools(*wanted) if wanted else text("All right.")


READERS: dict[str, tuple[Any, tuple[float, ...]]] = {
    "without a model": (None, (0.0, 0.02, 0.2)),
    "a slow model": (lambda request: slow(0.2, understanding(request)), (0.0, 0.05, 0.3)),
    "a model that is away": (lambda _: overloaded(), (0.02,)),
}


@pytest.mark.parametrize(("reader", "gap"), [(name, gap) for name, (_, gaps) in READERS.items() for gap in gaps])
async def test_every_line_of_a_burst_counts(tmp_path: Path, reader: str, gap: float) -> None:
    """Pieces sent at once or shortly after each other are all read, by rules or by a model whose calls the next piece overtakes, and none twice."""
    async with world(tmp_path, READERS[reader][0], ONLY) as w:
        await burst(w, gap, *BURST)
        assert await heard(w) == TOLD
        assert not any(line.unread for line in (await w.draft()).window)


async def test_the_lines_that_wait_are_marked_with_the_question_they_were_typed_to(tmp_path: Path) -> None:
    """The request says which lines are unread, and which question stood when each was typed."""
    seen: list[str] = []

    def model(request: dict[str, Any]) -> Answer:
        seen.append(newest_words(request))
        return slow(0.3, understanding(request))

    async with world(tmp_path, model, ONLY) as w:
        await w.say("hello, a trade please")
        seen.clear()
        await burst(w, 0.05, *BURST[:2])
        both = next(words for words in seen if BURST[1] in words)
        assert re.search(rf"\[unread, asked for [^\]]+\] {BURST[0]}\n\[unread, asked for [^\]]+\] {BURST[1]}", both)


async def test_a_model_that_hangs_on_the_first_piece_costs_no_piece(tmp_path: Path) -> None:
    """The call that never ends is given up when the next piece comes, and its line is read with that piece."""
    left = [Dropped(hangs=True)]

    async with world(tmp_path, lambda request: left.pop() if left else understanding(request), ONLY) as w:
        await w.alex.say(BURST[0])
        await w.sandbox.until(lambda: not left, timeout=PATIENCE)
        await burst(w, 0.0, *BURST[1:])
        assert await heard(w) == TOLD


async def test_a_click_that_overtakes_a_reading_has_the_line_read(tmp_path: Path) -> None:
    """While the model thinks about a line, a button is clicked: the click counts at once, and the line is read after it."""
    asked, reason = asyncio.Event(), "because I expect steady dividends for years"

    def model(request: dict[str, Any]) -> Answer:
        words = newest_words(request)
        if reason not in words.splitlines()[-1]:
            return text("All right.")
        asked.set()
        return slow(PATIENCE, text("Too late."))

    async with world(tmp_path, model, ONLY) as w:
        await open_request(w)
        await w.alex.say(reason)
        await asyncio.wait_for(asked.wait(), PATIENCE)
        await w.click("No")
        values = await heard(w)
        assert values["is_derivative"] is False and values["justification"] == reason.removeprefix("because ")


async def test_a_plain_answer_counts_at_once_while_a_line_before_it_is_read(tmp_path: Path) -> None:
    """A typed answer is taken without waiting for the model, which is asked about the line that still waits."""
    async with world(tmp_path, lambda request: slow(0.3, understanding(request)), ONLY) as w:
        await play(w, "I'd like to buy Tesco", "[✓ Buy]", "[Use this]")
        assert (await w.draft()).asked == "quantity"
        await w.alex.say(BURST[3])
        await w.alex.say("200")
        await w.settled()
        assert (await w.values())["quantity"] == 200 and (await heard(w))["account"] == "pension"


async def test_what_was_unread_when_the_process_ended_is_read_by_the_next_one(tmp_path: Path) -> None:
    """A line whose call was superseded, and whose next reading was cut off, counts after the restart."""
    asked: list[str] = []

    def silent(request: dict[str, Any]) -> Answer:
        asked.append(newest_words(request))
        return Dropped(hangs=True)

    kept = {"database_url": f"sqlite:///{tmp_path / 'kept.db'}"}
    async with world(tmp_path, silent, ONLY, **kept) as w:
        await w.alex.say(BURST[0])
        await w.sandbox.until(lambda: len(asked) == 1, timeout=PATIENCE)
        await w.alex.say("help")
        await w.sandbox.until(lambda: len(asked) == 2, timeout=PATIENCE)
    async with world(tmp_path, None, ONLY, **kept) as w:
        await w.settled()
        assert await heard(w) == {"direction": "buy"}
