"""Loans through the whole bot, where a scenario cannot reach."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.whole.steps import play
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


@pytest.mark.parametrize(
    "words", ["iniziamo pure", "sono pronta", "accetto", "andiamo avanti", "volentieri", "ok, let's go", "ja, gerne"]
)
async def test_assent_takes_the_one_way_on(tmp_path: Path, words: str) -> None:
    """Where one button leads on and nothing else is asked, any way of agreeing presses it."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.say(words)
        assert (await w.draft()).asked == "consent_contract"


async def test_assent_takes_no_one_of_several_ways(tmp_path: Path) -> None:
    """Where two buttons lead on, "va bene" says nothing of either."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await play(
            w,
            "vorrei un prestito",
            "[Iniziamo]",
            "[Sì]",
            "[Sì]",
            "[No]",
            "[No]",
            "prestito personale",
            "dipendente",
            "statale",
        )
        assert "Veloce" in w.last() and (await w.draft()).stage == "track_choice_emp"
        await w.say("va bene")
        assert (await w.draft()).stage == "track_choice_emp"


@pytest.mark.parametrize("words", ["no", "non ancora", "prima ho una domanda"])
async def test_what_is_no_assent_leads_nowhere(tmp_path: Path, words: str) -> None:
    """Nobody is led past the first card by words that do not agree."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.say(words)
        assert (await w.draft()).stage == "welcome"


async def test_to_go_back_leads_to_what_the_person_said_last(tmp_path: Path) -> None:
    """A number that came from the profile is nobody's last answer: going back asks for the consent again."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        give_phone(w)
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        await w.click("Sì")
        await w.say("torna indietro")
        assert (await w.draft()).asked == "consent_contract"


async def test_who_declines_leaves_no_number_behind(tmp_path: Path) -> None:
    """A person who does not agree is not looked up: nothing of their profile is in the draft."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        give_phone(w)
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        await w.click("No")
        assert set(await w.values()) == {"consent_contract"}
        assert "800 000 000" in shown(w.screen()[-1])


@pytest.mark.parametrize(
    ("opening", "offered"),
    [
        ("vorrei un mutuo", "Mutuo per acquisto"),
        ("cerco casa: mi serve un mutuo per la prima casa", "Mutuo per acquisto"),
        ("vorrei spostare il mutuo in un'altra banca", "Surroga di un mutuo"),
        ("mi servirebbe un anticipo sul TFS", "Anticipo del TFS"),
    ],
)
async def test_what_begins_the_form_is_offered_where_it_is_an_answer(
    tmp_path: Path, opening: str, offered: str
) -> None:
    """What a person wants is told with the form's own name; after the consents it is offered, and nobody has to say it again."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say(opening)
        for button in ("Iniziamo", "Sì", "Sì", "No", "No"):
            await w.click(button)
        assert "product_interest" not in await w.values()
        await w.click(f"✓ {offered}")
        assert "product_interest" in await w.values()


NONSENSE = (
    "bello il tempo oggi", "e domani piove", "chissà poi domenica", "il gatto dorme", "la zia arriva", "che strada lunga",
)  # fmt: skip


async def test_words_that_nobody_understands_lead_to_an_offer_and_then_to_a_person(tmp_path: Path) -> None:
    """After three messages in a row that answer nothing a person is offered; after three more one takes over, and is told why."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        for n, text in enumerate(NONSENSE, 1):
            assert not (await w.draft()).handed
            await w.say(text)
            assert n == len(NONSENSE) or ("Parlare con una persona" in shown(w.screen()[-1])) is (n >= 3)
        draft = await w.draft()
        assert (draft.stage, draft.handed) == ("human_escalation", "stuck")
        assert "Da qui in poi La segue una persona" in w.transcript()


async def test_who_tells_figures_too_early_is_offered_a_person_and_left_with_nobody(tmp_path: Path) -> None:
    """What may be meant for a later question is no failure to answer: no person takes over for it."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        for text in (
            "ho 40k da parte",
            "la casa costa 210mila",
            "ho 34 anni",
            "mi servono 20mila euro",
            "pago 250 di rata",
            "ho 2 figli",
            "vivo a Bari",
        ):
            await w.say(text)
        assert not (await w.draft()).handed and "Parlare con una persona" in shown(w.screen()[-1])


async def test_a_person_is_offered_where_a_stage_asks_nothing_too(tmp_path: Path) -> None:
    """On the card of a stage's ways the offer of a person stands as well, with its button."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        for text in NONSENSE[:3]:
            await w.say(text)
        await w.click("Parlare con una persona")
        assert (await w.draft()).handed == "asked"


async def test_the_ends_of_a_conversation_are_never_a_loop(tmp_path: Path) -> None:
    """However often somebody writes after declining, no two answers in a row are the same, and that nothing is filed is said once."""
    async with world(tmp_path, options={"only": "loan"}) as w:
        await w.say("vorrei un prestito")
        await w.click("Iniziamo")
        await w.click("No")
        for text in NONSENSE:
            await w.say(text)
        said = [shown(message) for message in w.screen()[-len(NONSENSE) :]]
        assert all(one != other for one, other in pairwise(said))
        assert w.transcript().count("non registro nulla") == 1


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
