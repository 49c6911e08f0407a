"""Loans through the whole bot, where a scenario cannot reach."""

from dataclasses import replace
from pathlib import Path

from tests.world import World, shown, world

PHONE = "+39 333 1234567"


def give_phone(w: World) -> None:
    """Alex's Slack profile has a telephone number."""
    people = w.sandbox.slack.workspace.people
    people["U0ALEX"] = replace(people["U0ALEX"], phone=PHONE)


async def test_the_phone_comes_from_the_profile_and_not_before_the_consent(tmp_path: Path) -> None:
    """A number in the Slack profile is not taken before the person agrees, then it is, and the question for it never comes."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        give_phone(w)
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        assert "phone" not in await w.values()
        await w.click("Sì")
        values = (await w.draft()).values
        assert values["phone"].data == "+393331234567"
        assert values["phone"].provenance.who == "profile"


async def test_who_declines_leaves_no_number_behind(tmp_path: Path) -> None:
    """A person who does not agree is not looked up: nothing of their profile is in the draft."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        give_phone(w)
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        await w.click("No")
        assert set(await w.values()) == {"consent_contract"}
        assert "800 000 000" in shown(w.screen()[-1])


async def test_three_turns_in_vain_end_with_a_person(tmp_path: Path) -> None:
    """Three messages that answer nothing hand the conversation over, with those who decide told."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        for text in ("bello il tempo oggi", "e domani piove", "chissà poi domenica"):
            assert not (await w.draft()).handed
            await w.say(text)
        draft = await w.draft()
        assert (draft.stage, bool(draft.handed)) == ("human_escalation", True)
        assert "Da qui in poi La segue una persona" in w.transcript()


async def test_an_answer_makes_up_for_turns_in_vain(tmp_path: Path) -> None:
    """Turns in vain count only in a row: an answer, by a click or in plain words, starts the count anew."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        for answer in ("sì", "sì", "no"):
            await w.say("bello il tempo oggi")
            await w.say("e domani piove")
            await w.say(answer)
        draft = await w.draft()
        assert (draft.asked, draft.handed) == ("consent_third_party", "")


async def test_the_operator_command_works_in_the_middle_of_a_loan(tmp_path: Path) -> None:
    """`/operatore` hands the loan's conversation to a person from wherever it is."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        await w.alex.command("/operatore")
        await w.settled()
        assert (await w.draft()).stage == "human_escalation"
