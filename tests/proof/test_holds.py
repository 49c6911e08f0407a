"""Legal holds and retention as an operator sees them: what goes when, what may not, and that no hold is taken away unseen."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.exports.erasure import Keeper, terms_of
from bot.root.installation import load_workflows
from state.form.filing import FilingTable, RecordState
from tests.command import holdfast
from tests.proof.conftest import NUMBER
from tests.proof.test_show import ask
from tests.world import TEAM, settings


def keeper_of(var: Path) -> Any:
    """The daily work, six years from now."""
    workflows = load_workflows(settings(var))

    async def work(store: Any) -> bool:
        return await Keeper(store, workflows).tidy(await store.now() + timedelta(days=366 * 6))

    return work


def test_a_record_on_hold_outlasts_its_years(var: Path) -> None:
    """Placed with a reason, listed in the report, kept by the daily work, lifted with a reason: then it goes, and verify finds all well."""
    words = ("erase", "--hold", "--record", NUMBER)
    assert holdfast(*words, var=var).returncode == 2
    assert "stands" in holdfast(*words, "--reason", "A claim", var=var).stdout
    assert holdfast(*words, "--reason", "A claim", var=var).returncode == 1
    ask(var, keeper_of(var))
    assert "decline by U0DANA" in holdfast("show", NUMBER, var=var).stdout
    told = holdfast("report", "--retention", var=var).stdout
    assert (
        f"record {NUMBER}" in told
        and "A claim" in told
        and "pa_dealing, declined: 1, 60 months" in told
        and "show: record" in told
    )
    assert holdfast("verify", var=var).returncode == 0
    assert "is lifted" in holdfast("erase", "--lift", "--record", NUMBER, "--reason", "Settled", var=var).stdout
    ask(var, lambda store: store.claim_day("retention", 0))

    async def next_day(store: Any) -> bool:
        return await Keeper(store, load_workflows(settings(var))).tidy(await store.now() + timedelta(days=366 * 6 + 1))

    ask(var, next_day)
    assert holdfast("show", NUMBER, var=var).returncode == 2 and holdfast("verify", var=var).returncode == 0


def test_a_hold_that_is_taken_from_the_database_is_found(var: Path) -> None:
    """Whoever ends a hold by hand, so that the daily work empties the record, is found by the links."""
    holdfast("erase", "--hold", "--record", NUMBER, "--reason", "A claim", var=var)
    with closing(sqlite3.connect(var / "holdfast.db")) as database, database:
        database.execute("UPDATE holds SET lifted_at='2026-01-01 00:00:00.000000'")

    async def years_pass(store: Any) -> None:
        now = await store.now()
        form = load_workflows(settings(var))["pa_dealing"].form
        await store.expire(terms_of(form.model_copy(update={"audit_months": 999}), now + timedelta(days=366 * 6)))

    ask(var, years_pass)
    told = holdfast("verify", var=var)
    assert (
        told.returncode == 1 and f"Record {NUMBER}: Its body was emptied while a legal hold stood on it" in told.stderr
    )


def test_a_person_on_hold_is_not_erased(var: Path) -> None:
    """The command says so, and nothing goes; an unknown record and a hold on nothing are told in a sentence."""
    who = ("--team", TEAM, "--user", "U0ALEX")
    holdfast("erase", "--hold", *who, "--reason", "A claim", var=var)
    told = holdfast("erase", *who, "--yes", var=var)
    assert told.returncode == 2 and "A legal hold keeps everything" in told.stderr
    assert holdfast("erase", "--hold", "--reason", "x", var=var).returncode == 2
    assert holdfast("erase", "--hold", "--record", "PA-1", "--reason", "x", var=var).returncode == 2
    holdfast("erase", "--lift", *who, "--reason", "Settled", var=var)
    assert "Erased: 1 drafts" in holdfast("erase", *who, "--yes", var=var).stdout


def test_a_state_may_be_kept_for_years_of_its_own(var: Path) -> None:
    """A class of records is a state; without years of its own it has the form's, and without any the form's months."""
    form = load_workflows(settings(var))["pa_dealing"].form
    classes = FilingTable(
        states={"declined": RecordState(years=7, basis="The regulator may ask for seven."), "approved": RecordState()}
    )
    odd = form.model_copy(update={"filing": classes})
    assert (odd.years_kept("declined"), odd.years_kept("approved")) == (7, 5)
    assert (
        odd.why_kept("declined") == "The regulator may ask for seven." and odd.why_kept("approved") == form.retain.why
    )  # type: ignore[union-attr]
    assert odd.keeps == {"pa_dealing": 5, "pa_dealing/declined": 7}
    now = ask(var, lambda store: store.now())
    terms = terms_of(odd, now)
    assert (now.year - terms.records.year, now.year - terms.states["declined"].year) == (5, 7)
