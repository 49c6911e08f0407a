"""Requester, manager and compliance in Slack: a request is decided on, more is asked for, and claims go before the manager."""

import asyncio
from pathlib import Path

import pytest

from state.draft.draft import Status
from tests.chain import verify_all
from tests.whole.officers import BETTER, CHANNEL, NUMBER, ask, cards, desk, file_large, notes, officer, press, state
from tests.whole.steps import REASON, file_request, play
from tests.world import World, shown

pytestmark = pytest.mark.behind(walk=file_large)


async def test_a_request_goes_through_manager_and_compliance(w: World) -> None:
    """Each card turns into its verdict, the next one comes, the requester is told by role, and the chain holds."""
    (card,) = cards(w)
    assert "Waiting for: Manager." in card and "Risk: LOW." in card and "GBP 50,000.00" in card
    await press(w, "U0ROBIN", "Approve")
    first, second = cards(w)
    assert "Approved by <@U0ROBIN> (Manager)" in first and "Waiting for" not in first
    assert "Waiting for: Compliance." in second
    assert (
        "approved (Manager)" in w.last()
        and "It still needs further approval" in w.last()
        and "Robin" not in w.transcript()
        and "U0ROBIN" not in w.transcript()
    )
    await press(
        w, "U0DANA", "Approve with conditions…", conditions="Not before Monday", reason="A client trades on Friday"
    )
    assert "Not before Monday" in w.last() and "valid until" in w.last() and "Friday" not in w.transcript()
    last = cards(w)[-1]
    assert "A client trades on Friday" in last and "Not before Monday" in last and await state(w) == "approved"
    assert "Withdraw" not in w.transcript()
    checked, broken = await verify_all(w.bot.store)
    assert checked and broken == []


VERDICTS = {
    "<@U0HOLDFAST> approve": "Decisions are made with the buttons on the card, so nothing was decided.",
    "approved, thanks": "Decisions are made with the buttons",
    "approvo": "Decisions are made with the buttons",
    "va bene, approvata": "Decisions are made with the buttons",
    "no, too risky": "Decisions are made with the buttons",
    "ok from my side": "Decisions are made with the buttons",
}


async def test_a_verdict_that_is_typed_is_told_of_the_buttons(w: World) -> None:
    """In the thread of a card that waits, an officer reads so in private and nothing is decided; others, and other words, are as ever."""
    robin, alex = officer(w, "U0ROBIN"), w.sandbox.person("U0ALEX")
    w.sandbox.workspace.channels[CHANNEL].members.append("U0ALEX")
    thread = robin.messages(CHANNEL)[-1]["ts"]
    for said, told in VERDICTS.items():
        before = len(notes(w, "U0ROBIN"))
        await robin.say(said, CHANNEL, thread)
        await w.settled()
        assert [note.startswith(told) for note in notes(w, "U0ROBIN")[before:]] == [True], said
    await robin.say("who approved the last one?", CHANNEL, thread)
    await alex.say("approved", CHANNEL, thread)
    await w.settled()
    assert len(notes(w, "U0ROBIN")) == len(VERDICTS) and notes(w, "U0ALEX") == []
    assert await state(w) == "pending_manager" and len(cards(w)) == 1 + len(VERDICTS) + 2
    await press(w, "U0ROBIN", "Approve")
    await robin.say("approve", CHANNEL, thread)
    await w.settled()
    assert len(notes(w, "U0ROBIN")) == len(VERDICTS)


@pytest.mark.parametrize("text", ["what's waiting for me?", f"approve {NUMBER}", "approved", "cosa devo approvare?"])
async def test_an_officer_who_asks_in_their_messages_what_waits_is_told_where(w: World, text: str) -> None:
    """How much waits for them, and that only buttons decide; anybody else is answered as ever."""
    robin, alex = officer(w, "U0ROBIN"), w.sandbox.person("U0ALEX")
    for person in (robin, alex):
        await person.say(text)
        await w.settled()
    told = [note["text"] for note in robin.ephemerals(robin.dm)]
    assert [one.startswith("Waiting for your decision: 1.") and "Only the buttons" in one for one in told] == [True]
    assert alex.ephemerals(alex.dm) == [] and await state(w) == "pending_manager"


async def test_a_person_is_asked_from_the_receipt(w: World) -> None:
    """Reviewers are told with the record's number, the requester reads that they were asked, and the request waits as before."""
    await w.click("Ask a person")
    told = cards(w)[-1]
    assert f"Request: {NUMBER}" in told and "They asked to talk to a person." in told
    assert "I've told compliance that you'd like to talk." in w.last() and await state(w) == "pending_manager"


async def test_a_decline_has_a_reason_that_the_requester_does_not_read(w: World) -> None:
    """They read what happens now, and the officer's words to them; who decided a stage before is refused in private."""
    await press(w, "U0DANA", "Approve")
    assert "Only this role can decide here: Manager" in notes(w, "U0DANA")[-1]
    await press(w, "U0ROBIN", "Approve")
    await press(w, "U0ROBIN", "Approve")
    assert "already decided" in notes(w, "U0ROBIN")[-1] and await state(w) == "pending_compliance"
    await press(w, "U0DANA", "Decline…", reason="On the restricted list", note="Not this quarter.")
    assert "Not this quarter." in w.last() and "restricted" not in w.transcript()
    assert "On the restricted list" in cards(w)[-1] and await state(w) == "declined"


@pytest.mark.behind(walk=None)
async def test_nobody_decides_their_own_in_slack(w: World, tmp_path: Path) -> None:
    """A manager's own request waits for another manager; whoever holds the role by then decides, whoever lost it does not."""
    await file_large(w, "U0ROBIN")
    await press(w, "U0ROBIN", "Approve")
    assert "your own request" in notes(w, "U0ROBIN")[-1]
    (tmp_path / "roles.toml").write_text(
        '[roles.manager]\nusers = ["U0ROBIN"]\n[[delegates]]\nof = "U0ROBIN"\nto = "U0SASHA"\n'
    )
    await press(w, "U0SASHA", "Approve")
    assert "Only this role" in notes(w, "U0SASHA")[-1]
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0SASHA"]\n')
    await press(w, "U0SASHA", "Approve")
    record = (await w.records(officer(w, "U0ROBIN")))[0]
    assert record.state == "pending_compliance"
    (tmp_path / "roles.toml").write_text("[roles\n")
    await press(w, "U0DANA", "Approve")
    assert "couldn't check" in notes(w, "U0DANA")[-1]


async def test_of_approval_and_withdrawal_at_the_same_moment_one_wins(w: World) -> None:
    """The other one is told so, the record has one end, and both screens show it."""
    await w.click("Withdraw")
    await asyncio.gather(officer(w, "U0ROBIN").click("Approve", channel=CHANNEL), w.alex.click("Yes, withdraw it"))
    await w.settled()
    draft = await w.draft()
    if draft.filed.decisions[0].verdict == "approve":  # the withdrawal came to the state after it
        assert [d.verdict for d in draft.filed.decisions] == ["approve", "withdraw"]
    else:
        assert "your decision changed nothing" in notes(w, "U0ROBIN")[-1] and len(draft.filed.decisions) == 1
    assert await state(w) == draft.filed.state == "withdrawn"
    assert "Withdrawn by <@U0ALEX>" in cards(w)[-1] and "has been withdrawn" in w.transcript()


async def test_what_was_erased_is_decided_by_nobody(w: World) -> None:
    """A request that waited is withdrawn, whoever clicks on the card that is left is told so, and nothing waits for anybody."""
    await play(w, "erase my data", "[Yes, erase everything]")
    await w.sandbox.until(lambda: "is erased" in w.last())
    assert await state(w) == "withdrawn" and (await verify_all(w.bot.store))[1] == []
    assert await w.bot.store.undecided() == [] and NUMBER not in await desk(w, "U0ROBIN")
    await press(w, "U0ROBIN", "Approve")
    assert "has ended: its data was erased" in notes(w, "U0ROBIN")[-1]


async def test_what_was_asked_back_is_withdrawn_with_its_persons_data(w: World) -> None:
    """A request that waited for an answer of theirs waits for none any more."""
    await ask(w, "U0ROBIN", "quantity")
    await play(w, "erase my data", "[Yes, erase everything]")
    await w.sandbox.until(lambda: "is erased" in w.last())
    assert await state(w) == "withdrawn" and (await verify_all(w.bot.store))[1] == []


@pytest.mark.behind(walk=file_request)
@pytest.mark.parametrize("filed", ["auto_approved"])
async def test_what_nobody_decides_on_is_announced_as_before(w: World, filed: str) -> None:
    """A record that waits for nobody has no buttons and no way back."""
    assert await state(w) == filed and "Withdraw" not in w.transcript()
    assert all("Waiting for" not in card for card in cards(w))


async def test_more_is_asked_and_the_same_record_comes_back(w: World) -> None:
    """One number, one record, its body as it was confirmed last, with the earlier one in the chain; the officers see what is different."""
    number, first = (await w.records())[0].number, (await w.records())[0]
    await press(w, "U0ROBIN", "Approve")
    await ask(w, "U0DANA", "justification")
    assert await state(w) == "asked" and "<@U0DANA> (Compliance) asked for more" in cards(w)[-1]
    assert "Who advised you?" in w.last() and "Open again: Justification" in w.last() and "Dana" not in w.transcript()
    await w.say(BETTER)
    assert (await w.draft()).card.kind == "review"  # type: ignore[union-attr]
    await w.click("Submit")
    (record,) = await w.records()
    assert (record.number, record.state) == (number, "pending_manager")
    assert record.body["values"]["justification"]["data"] == BETTER and record.hash != first.hash
    assert record.filed_at == first.filed_at and first.body["values"]["justification"]["data"] == REASON
    last = cards(w)[-1]
    assert (
        "was: A long-term holding" in last and "Question: Who advised you?" in last and "Waiting for: Manager." in last
    )
    assert "was submitted again" in w.transcript() and len(cards(w)) == 3
    checked, broken = await verify_all(w.bot.store)
    assert checked and broken == []


async def test_another_form_that_is_being_filled_in_stays_within_reach(w: World) -> None:
    """The question that comes last is the one that is answered; the other form has its button above it, and goes on from there."""
    await play(w, "/gifts", "[Received]")
    gift = await w.draft()
    await ask(w, "U0ROBIN", "quantity", note="Why so many?")
    assert (await w.draft()).form == "pa_dealing" and "Why so many?" in w.last()
    assert "“Gifts and entertainment” stays open" in w.last(2)
    await w.say("100")
    assert (await w.values())["quantity"] == 100
    await w.click("Continue", w.screen()[-4] if "stays as it is" in shown(w.screen()[-4]) else None)
    there = await w.draft()
    assert (there.id, there.values, there.asked) == (gift.id, gift.values, gift.asked)
    home = await home_of(w)
    assert "Answer needed" in home and home.count("Continue") == 2


async def home_of(w: World) -> str:
    """What the Home tab says."""
    await w.alex.open_home()
    await w.settled()
    return shown(w.alex.home or {})


async def test_an_approval_and_a_question_at_the_same_moment(w: World, tmp_path: Path) -> None:
    """One wins, the other officer is told, and the request is where the winner put it."""
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0ROBIN", "U0SASHA"]\n')
    robin, sasha = officer(w, "U0ROBIN"), officer(w, "U0SASHA")
    await robin.click("Ask for more…", channel=CHANNEL)
    box = robin.submit(values={"fields": ["quantity"], "note": "Why?"})
    await asyncio.gather(box, sasha.click("Approve", channel=CHANNEL))
    await w.settled()
    verdicts = [d.verdict for d in (await w.draft()).filed.decisions]
    assert len(verdicts) == 1 and await state(w) == {"ask": "asked", "approve": "pending_compliance"}[verdicts[0]]
    loser = "U0SASHA" if verdicts == ["ask"] else "U0ROBIN"
    assert "your decision changed nothing" in notes(w, loser)[-1]


async def test_new_answers_may_block_it(w: World) -> None:
    """Rules judge anew: inside information that is declared now blocks the same record, with its reasons, and nobody decides."""
    await ask(w, "U0ROBIN", "has_inside_info", note="Is that still so?")
    await play(w, "[Yes]", "[Submit]")
    (record,) = await w.records()
    assert record.state == "blocked" and "Inside information" in str(record.body["reasons"])
    assert (await w.draft()).status is Status.SUBMITTED and "Waiting for" not in cards(w)[-1]


async def test_what_came_back_and_is_given_up_is_withdrawn(w: World) -> None:
    """Cancelling what was asked for takes the request back: the record stays, and those who asked see it."""
    await ask(w, "U0ROBIN", "quantity", note="Why?")
    await play(w, "cancel", "[Yes, withdraw it]")
    assert await state(w) == "withdrawn" and "has been withdrawn" in w.last()
    assert "Withdrawn by <@U0ALEX>" in cards(w)[-1]
    assert "Withdraw\n" not in w.transcript()
    assert (await verify_all(w.bot.store))[1] == []


SPENT = ("lunch with a customer 42,50 EUR", "taxi 18 EUR", "train to Leeds 96 GBP")


async def spend(w: World) -> None:
    """Three expenses of today."""
    await w.say("/expenses")
    for line in SPENT:
        await w.say(line)
        if "Confirm" in w.last():
            await w.click("Confirm")


async def claim(w: World, which: str = "all") -> None:
    """A claim up to its record."""
    await w.say("/claim")
    await w.say(which)
    await play(w, "[Use this]", "The trip to Leeds in November", "[✓ The trip to Leeds in November]", "[Submit]")


@pytest.mark.behind(walk=None)
async def test_a_claim_goes_before_the_manager_and_holds_its_expenses(w: World) -> None:
    """What waits and what is approved is neither changed nor deleted, and is not claimed twice; the manager reads every line."""
    await spend(w)
    await claim(w, "all of them please")
    (record,) = await w.records()
    assert (record.form, record.state) == ("reimbursement", "pending_manager") and record.number.startswith("CLM-")
    assert record.body["computed"]["total"] == {"EUR": "60.50", "GBP": "96.00"}
    (card,) = cards(w)
    assert "Waiting for: Manager." in card and "taxi" in card and "3 expenses, EUR 60.50 + GBP 96.00" in card
    for order in ("/expenses change 2 to 20 EUR", "/expenses delete 2"):
        await w.say(order)
        assert f"Number 2 is part of {record.number}" in w.last()
    await press(w, "U0ROBIN", "Approve")
    assert await state(w) == "approved"
    await w.say("/expenses delete 1")
    assert f"Number 1 is part of {record.number}" in w.last()
    await play(w, "/claim", "all")
    assert "no open expense" in w.last()
    assert (await verify_all(w.bot.store))[1] == []


@pytest.mark.behind(walk=None)
async def test_my_requests_are_those_of_every_form_wherever_they_are_asked_for(w: World) -> None:
    """Beside a filed record and among operations, in any language; they are never said to be none because another form has none."""
    await spend(w)
    await claim(w)
    for before, text in (("", "my requests"), ("", "meine Anträge"), ("expenses", "le mie richieste")):
        await play(w, *filter(None, (before, text)))
        assert w.last().startswith("CLM-"), text


@pytest.mark.behind(walk=None)
@pytest.mark.parametrize("which", ["numbers 1 and 2", "1, 2"])
async def test_what_is_declined_or_asked_about_is_open_again(w: World, which: str) -> None:
    """The person changes an expense, the same claim comes back with what it says now; after a decline all are free."""
    await spend(w)
    await claim(w, which)
    robin = officer(w, "U0ROBIN")
    await robin.click("Ask for more…", channel=CHANNEL)
    await robin.submit(values={"fields": ["purpose"], "note": "Was the taxi not 19?"})
    await w.settled()
    await play(
        w,
        "/expenses change 2 to 19 EUR",
        "[Confirm]",
        "/claim",
        "The trip to Leeds; the taxi was 19",
        "[✓ The trip to Leeds; the taxi was 19]",
        "[Submit]",
    )
    (record,) = await w.records()
    assert record.body["computed"]["total"] == {"EUR": "61.50"} and record.state == "pending_manager"
    assert "taxi, EUR 19.00" in cards(w)[-1]
    await play(w, "/expenses delete 3", "[Confirm]")
    assert "Deleted 3" in w.last()
    await press(w, "U0ROBIN", "Decline…", note="Not now.", reason="Private")
    await play(w, "/expenses delete 1", "[Confirm]")
    assert "Deleted 1" in w.last() and await state(w) == "declined"
