"""Retention: each thing stays as long as its form says and no longer, once a day, by one replica."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.exports.erasure import Keeper, terms_of
from bot.root.installation import load_workflows
from state.stores.rights import months_before
from state.workflow.load import load_all
from tests.whole.steps import file_request, open_request
from tests.world import TEAM, World, settings, world

PERSON = f"{TEAM}:U0ALEX"


async def days_later(w: World, days: int) -> bool:
    """The daily work, so many days from now."""
    return await Keeper(w.bot.store, w.bot.workflows).tidy((await w.bot.store.now()) + timedelta(days=days))


@pytest.mark.behind(walk=file_request)
async def test_what_was_filed_stays_whole_for_five_years(plain: World) -> None:
    """The record, the draft that led to it and what was shown of it stay together until the record's years are over, and go together."""
    (record,) = await plain.records()
    assert await days_later(plain, 367) and (await plain.draft()).filed.number == record.number
    assert await days_later(plain, 365 * 5 - 3) and await plain.records() == [record]
    account = await plain.bot.store.account(record.number)
    assert account and account.events and any("Submit" in str(one.body) for one in account.shown)
    assert await days_later(plain, 365 * 5 + 5)
    assert await plain.bot.store.draft(record.draft) is None and await plain.bot.store.account(record.number) is None
    assert await plain.records() == [] and (await plain.bot.store.audit()).faults == []


@pytest.mark.behind(walk=open_request)
async def test_an_abandoned_request_leaves_nothing_after_its_audit(plain: World) -> None:
    """A draft that was never filed is empty after twelve months and gone after twenty-four."""
    await days_later(plain, 400)
    assert [(await plain.bot.store.draft(n)).body for n in await plain.bot.store.drafts()] == [{}]  # type: ignore[union-attr]
    await days_later(plain, 800)
    assert await plain.bot.store.drafts() == []
    assert [held async for held in plain.bot.store.everything(PERSON)] == []


@pytest.mark.behind(walk=open_request)
async def test_the_bot_goes_on_after_its_words_were_emptied(plain: World) -> None:
    """Who comes back after a year begins anew, whatever card they click."""
    old = plain.screen()[-1]
    await days_later(plain, 400)
    await plain.alex.click("No", old, stale=True)
    await plain.settled()
    await open_request(plain)
    assert (await plain.values())["quantity"] == 200
    assert await plain.bot.store.dead() == []


async def test_one_of_several_replicas_does_the_day(plain: World) -> None:
    """However many ask at once, one does the day's work; the next day again one."""
    for day in (1, 2):
        assert sum(await asyncio.gather(*(days_later(plain, day) for _ in range(4)))) == 1


async def test_a_running_bot_tidies_by_itself(tmp_path: Path) -> None:
    """The day of a bot that has started is claimed already."""
    async with world(tmp_path) as w:
        today = (await w.bot.store.now()).toordinal()
        await w.say("hello")
        assert not await w.bot.store.claim_day("retention", today)


def test_a_form_says_how_long(tmp_path: Path) -> None:
    """Months of a form's own, and years for which the law wants records kept, give the days."""
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "form.toml").write_text(
        'name = "odd"\ntitle = "Odd"\nversion = "1"\nprefix = "ODD"\nretention_months = 3\naudit_months = 6\n'
        'retain = { years = 10, why = "The tax law wants it." }\n'
        '[fields.what]\nkind = "text"\nlabel = "What"\nask = "What?"\n'
    )
    now = datetime(2026, 11, 21, tzinfo=UTC)
    terms = terms_of(load_all((folder,))["odd"].form, now)
    assert (terms.data, terms.audit, terms.records) == tuple(
        now.replace(year=y, month=m) for y, m in ((2026, 8), (2026, 5), (2016, 11))
    )
    shipped = load_workflows(settings(tmp_path))["pa_dealing"].form
    assert shipped.retain and (shipped.retain.years, shipped.retention_months, shipped.audit_months) == (5, 12, 24)


@pytest.mark.parametrize(
    ("months", "day"), [(1, (2026, 2, 28)), (13, (2025, 2, 28)), (25, (2024, 2, 29)), (3, (2025, 12, 31))]
)
def test_months_before_a_long_month_end_in_a_short_one(months: int, day: tuple[int, int, int]) -> None:
    """31 March less a month is the last day of February."""
    assert months_before(datetime(2026, 3, 31, tzinfo=UTC), months) == datetime(*day, tzinfo=UTC)
