"""The weekly digest: once a week and form, at an hour of work, from the index alone, and nobody is named in it."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from blocks.page import Page
from blocks.phrases import LANGUAGES, Phrasebook
from bot.officers.digest import Digest, comment, draw, due, lasted, lines, panels
from state.draft.draft import Draft
from state.stores.index import Week
from state.stores.opener import memory_store
from tests.shipped import shipped
from tests.whole.officers import file_large, press
from tests.world import World, world

MONDAY = date(2026, 11, 16)
WEEK = Digest(
    "2026-11-09", "2026-11-15", Week(12, {"approve": 7, "decline": 2, "withdraw": 1}, 5 * 3600, 50 * 3600, 1, 2),
    Week(9, {"approve": 8}, 3 * 3600, 9 * 3600), 4, 1,
)  # fmt: skip


def page() -> Page:
    return Page(shipped("pa_dealing").form, Draft("", "pa_dealing", "", "", ""), "2026-11-16")


def at(day: int, hour: int) -> datetime:
    """A moment of the week of this Monday, in UTC."""
    return datetime(2026, 11, 16, hour, tzinfo=UTC) + timedelta(days=day)


@pytest.mark.parametrize(
    ("now", "zone", "expected"),
    [
        (at(-2, 12), "", at(0, 9)), (at(0, 3), "", at(0, 9)), (at(0, 11), "", at(0, 11)), (at(0, 23), "", at(1, 9)),
        (at(4, 16), "", at(4, 16)), (at(4, 18), "", None), (at(-2, 12), "America/New_York", at(0, 14)), (at(0, 1), "Asia/Tokyo", at(0, 1)),
    ],
)  # fmt: skip
def test_it_comes_on_monday_morning_or_in_the_next_hours_of_work(
    now: datetime, zone: str, expected: datetime | None
) -> None:
    """By the officers' own clock; a bot that was down catches up in its week, and not after it."""
    assert due(MONDAY, now, zone) == expected


def test_it_tells_the_figures_in_words() -> None:
    """Counts beside the week before, verdicts by name, the middle and the longest time, what waits, and breaches."""
    told = comment(page(), WEEK)
    for words in ("Requests: 12 (the week before: 9)", "Decided: 9 (the week before: 8)", "Decline: 2", "Withdrawn: 1"):
        assert words in told
    assert (
        "median 5 hrs, longest 2.1 days" in told
        and "Waiting now: 4, overdue: 1" in told
        and "Breaches: 1 opened, 2 open now" in told
    )
    assert [panel.heading for panel in panels(page(), WEEK)] == [
        "Requests and decisions",
        "Time to decide",
        "Right now",
    ]
    assert draw(page(), WEEK).startswith(b"\x89PNG")
    assert WEEK.empty is False and Digest("", "", Week(), Week(filed=3)).empty
    assert "Breaches" not in " ".join(lines(page(), Digest("2026-11-09", "2026-11-15", Week(), Week())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_durations_are_told_in_every_language(language: str) -> None:
    """Minutes, hours and days as the language writes them."""
    words = Phrasebook(language)
    told = [lasted(words, seconds) for seconds in (300, 5400, 86_400 * 3)]
    assert [text.split()[0].replace("\xa0", " ").split()[0] for text in told] == [
        "5",
        "1,5" if language in ("it", "es", "de") else "1.5",
        "3",
    ]


async def test_a_week_is_posted_once_whoever_plans_it(tmp_path: Path) -> None:
    """Planned twice, it is posted once on its Monday morning, with its figures and a picture that says them, and with nobody's name."""
    now = [datetime(2026, 11, 18, 10, tzinfo=UTC)]
    async with world(tmp_path, options={"store": memory_store(lambda: now[0])}) as w:
        await file_large(w)
        await press(w, "U0ROBIN", "Approve")
        assert w.bot.digests is not None
        for _ in range(2):
            await w.bot.digests.look()
        await w.settled()
        assert _files(w) == []
        now[0] = datetime(2026, 11, 23, 9, 1, tzinfo=UTC)
        await w.bot.digests.look()
        await w.settled()
        (file,) = _files(w)
        assert file["name"] == "pa_dealing-2026-11-23.png" and "Requests: 1 (the week before: 0)" in file["alt_txt"]
        post = next(m for m in w.sandbox.person("U0ROBIN").messages("C0COMPLIANCE") if m.get("files"))
        assert "Waiting now: 1, overdue: 1" in post["text"] and "U0" not in post["text"] and "Tesco" not in post["text"]


def _files(w: World) -> list[dict[str, Any]]:
    """What was shared where officers read."""
    found = (m.get("files") or [] for m in w.sandbox.person("U0ROBIN").messages("C0COMPLIANCE"))
    return [file for files in found for file in files]
