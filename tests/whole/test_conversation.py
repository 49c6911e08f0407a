"""How the conversation feels: corrections, digressions, locks, disclosures, commands."""

from pathlib import Path

from tests.whole.steps import declare, file_request, open_request, tell, to_review
from tests.world import EDIT, World, world


async def test_what_was_read_stands_on_the_first_card_for_one_click(plain: World) -> None:
    """The first card shows what was read beside the person's own words; one click uses it, and the card says how far we are."""
    await plain.say("I'd like to buy 200 Tesco for my pension, about £720")
    for read in ("*Direction:* Buy", "*Quantity:* 200", "*Value:* 720.00\n_“£720”_", "0 of 13", "Tesco PLC"):
        assert read in plain.last()
    await plain.click("Use all of it")
    assert "✓ Value: GBP 720.00" in plain.last() and "5 of 13" in plain.last()


async def test_a_clicked_card_takes_up_its_answer(plain: World) -> None:
    """The clicked message takes the answer up and asks the next question; no message is added."""
    await open_request(plain)
    before = [m["ts"] for m in plain.screen()]
    await plain.click("No")
    assert [m["ts"] for m in plain.screen()] == before
    assert "✓ Derivative: No" in plain.last() and EDIT in str(plain.screen()[-1])
    assert "Is this a leveraged product?" in plain.last()


async def test_a_digression_is_answered_from_the_forms_help(plain: World) -> None:
    """A question about the question gets the form's own explanation and the same question once, below."""
    await open_request(plain)
    await declare(plain, upto="has_inside_info")
    await plain.say("what counts as inside information?")
    assert "not public" in plain.last()
    assert plain.last().count("Do you hold any inside information") == 1
    assert (await plain.draft()).asked == "has_inside_info"


async def test_an_unlocked_answer_changes_by_words_and_can_be_taken_back(plain: World) -> None:
    """ "Actually make it 250 shares" changes the quantity, says was and now, and Undo takes it back."""
    await open_request(plain)
    await plain.say("actually make it 250 shares")
    assert (await plain.values())["quantity"] == 250
    assert "Quantity was 200 → now 250" in plain.transcript()
    await plain.click("Undo")
    assert (await plain.values())["quantity"] == 200
    assert (await plain.draft()).asked == "is_derivative"


async def test_a_locked_answer_changes_only_by_a_click(plain: World) -> None:
    """ "It is leveraged after all" changes nothing until the button is clicked."""
    await open_request(plain)
    await declare(plain, upto="has_inside_info")
    await plain.say("and it is leveraged after all")
    assert (await plain.values())["is_leveraged"] is False
    assert "Change it to Yes?" in plain.transcript()
    await plain.click("Change to Yes")
    assert (await plain.values())["is_leveraged"] is True


async def test_keeping_a_locked_answer_keeps_it(plain: World) -> None:
    """Keep leaves the answer and its lock, and the open question comes again."""
    await open_request(plain)
    await declare(plain, upto="has_inside_info")
    await plain.say("and it is leveraged after all")
    await plain.click("Keep “No”")
    draft = await plain.draft()
    assert draft.values["is_leveraged"].data is False and "is_leveraged" in draft.locked_fields
    assert draft.asked == "has_inside_info"


async def test_a_worse_disclosure_is_never_blocked(plain: World) -> None:
    """What was heard from an insider is recorded beside the answer, stops the request and reaches compliance."""
    await open_request(plain)
    await declare(plain, upto="is_related_party")
    await plain.say("hm, I did hear something from their CFO")
    draft = await plain.draft()
    assert draft.status == "escalated"
    assert draft.values["has_inside_info"].data is False
    (disclosure,) = draft.disclosures
    assert disclosure.provenance.words == "hm, I did hear something from their CFO"
    (record,) = await plain.records()
    assert record.state == "escalated"
    assert any("Disclosure" in str(m["blocks"]) for m in plain.alex.messages("C0COMPLIANCE") if m.get("bot_id"))


async def test_a_disclosure_after_submission_reaches_the_record(plain: World) -> None:
    """After submission a worse answer still counts: the record is escalated, nothing is filed twice."""
    await file_request(plain)
    await plain.say("actually I do have inside information")
    (record,) = await plain.records()
    assert record.state == "escalated"
    assert (await plain.draft()).status == "escalated"


async def test_thanks_after_submission_is_answered_and_files_nothing(plain: World) -> None:
    """The bot stays active after submission and writes nothing twice."""
    await file_request(plain)
    await plain.say("Thanks!")
    assert len(await plain.records()) == 1
    assert "PA-20" in plain.last()


async def test_editing_on_the_review_asks_again_and_comes_back(plain: World) -> None:
    """What is edited in a box is asked nowhere; what is not, is asked again, and its answer leads back to the review."""
    await to_review(plain)
    await plain.edit("Quantity", "300")
    draft = await plain.draft()
    assert draft.values["quantity"].data == 300
    assert draft.card is not None and draft.card.kind == "review"
    await plain.edit("Security")
    assert (await plain.draft()).asked == "security"
    await plain.click("hf.keep")
    draft = await plain.draft()
    assert draft.card is not None and draft.card.kind == "review"


async def test_a_changed_security_asks_again_what_was_about_it(plain: World) -> None:
    """An answer about one security is none about another: picking anew asks for it again."""
    await open_request(plain)
    await declare(plain, upto="is_related_party")
    await plain.edit("Security")
    await plain.say("Barclays")
    await plain.click("Use this")
    draft = await plain.draft()
    assert draft.values["security"].data == "GB0031348658"
    assert "has_inside_info" not in draft.values


async def test_a_brief_reason_is_coached_once_and_may_be_submitted_anyway(plain: World) -> None:
    """A reason under five words waits for a click and is coached; Submit anyway takes it as it is."""
    await open_request(plain)
    await declare(plain)
    await plain.click("I understand")
    await plain.say("good investment")
    await plain.click("✓ good investment")
    assert "A little more would help" in plain.last()
    await plain.click("Submit anyway")
    draft = await plain.draft()
    assert draft.values["justification"].data == "good investment"
    assert draft.card is not None and draft.card.kind == "review"


async def test_a_derivative_needs_its_own_reason_and_loses_it_when_it_is_none(plain: World) -> None:
    """The reason for a derivative is asked only for one, and retired when the answer turns to No."""
    await open_request(plain)
    await plain.click("Yes")
    assert (await plain.draft()).asked == "derivative_justification"
    await plain.say("I use this option to hedge a position that I already hold")
    await plain.edit("Derivative", "n")
    assert "derivative_justification" not in await plain.values()
    assert (await plain.draft()).asked == "is_leveraged"


async def test_commands_work_as_words(plain: World) -> None:
    """What's missing, help, talk to a person, cancel and start over work as plain words."""
    await open_request(plain)
    await plain.say("what's missing?")
    assert "Still to tell" in plain.last() and "Leveraged" in plain.last()
    await plain.say("help")
    assert "Nothing is filed before you press Submit" in plain.last()
    await plain.say("talk to a person")
    assert any(
        "Someone would like to talk" in str(m["blocks"]) for m in plain.alex.messages("C0COMPLIANCE") if m.get("bot_id")
    )
    await plain.say("cancel")
    assert (await plain.draft()).status == "open"
    await plain.click("Yes, cancel it")
    assert (await plain.draft()).status == "cancelled"


async def test_start_over_keeps_the_old_draft_until_confirmed(plain: World) -> None:
    """Start over asks once; confirmed, a new empty draft stands in the same place."""
    await open_request(plain)
    before = await plain.draft()
    await plain.say("start over")
    assert (await plain.draft()).id == before.id
    await plain.click("Yes, start over")
    after = await plain.draft()
    assert after.id != before.id and not after.values
    assert after.asked == "security"


async def test_a_typed_number_picks_a_result(plain: World) -> None:
    """ "1" chooses the first result; it is no ticker and no quantity."""
    await plain.say("I want to buy Tesco")
    await plain.say("1")
    draft = await plain.draft()
    assert draft.values["security"].data == "GB00BLGZ9862"
    assert "quantity" not in draft.values


async def test_the_person_is_offered_after_two_turns_without_progress(plain: World) -> None:
    """Words that say nothing to the open question bring the written question, the next time a person."""
    await open_request(plain)
    await plain.say("the weather is fine")
    assert "Talk to a person" not in plain.last()
    await plain.say("and the sun shines")
    assert "Talk to a person" in plain.last()
    assert (await plain.draft()).asked == "is_derivative"


async def test_a_money_answer_with_its_currency_fills_both(plain: World) -> None:
    """EUR 262,900 is that amount in EUR, whatever currency might be usual."""
    await tell(plain, "I'd like to buy 2,000 shares of ENEL for EUR 262,900")
    values = await plain.values()
    assert (values["value"], values["currency"], values["quantity"]) == ("262900.00", "EUR", 2000)


async def test_questions_about_records_are_answered(plain: World) -> None:
    """My requests and the holding period are answered from the records."""
    await file_request(plain)
    await plain.say("my requests")
    (record,) = await plain.records()
    assert record.number in plain.last()
    await plain.say("can I trade Tesco")
    assert "Tesco" in plain.last()


async def test_a_form_may_be_said_in_a_thread_only_where_it_opted_in(tmp_path: Path) -> None:
    """A mention in a channel gets one line and the way into the direct message; nothing of the form is said there."""
    async with world(tmp_path) as w:
        await w.alex.say("<@U0HOLDFAST> I want to buy 200 Tesco", "C0GENERAL")
        await w.settled()
        (post,) = [m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")]
        assert "direct message" in post["text"]
        assert "Tesco" not in str(post)
        assert await w.records() == []
