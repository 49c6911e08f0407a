"""Suggested prompts follow the situation: forms to begin at rest, what may be said while one is filled in and once it is filed."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from blocks.messages import suggested_prompts
from blocks.phrases import LANGUAGES, Phrasebook
from bot.turns.routing import Route, asks_for_all, route
from state.advance import begin
from state.draft.draft import Status
from state.engine.events import MessageReceived
from state.form import Form
from state.language import LANGUAGES as SPOKEN
from state.understanding.commands import read_command
from tests.shipped import shipped
from tests.whole.officers import file_large
from tests.whole.steps import file_request, own_form, play, speaks
from tests.world import World, words_of, world

AT = "2026-11-20T12:00:00+00:00"
LOAN = shipped("loan").form
METHOD = "assistant.threads.setSuggestedPrompts"
HOLIDAY = """
title = "Urlaub"
version = "1"
prefix = "HOL"
words = ["urlaub"]
language = "de-DE"

[fields.days]
kind = "integer"
label = "Tage"
ask = "Wie viele Tage?"
"""


def shown(w: World) -> list[dict[str, str]]:
    """The prompts that stand in Alex's direct message now."""
    found: dict[str, Any] = w.sandbox.workspace.prompts.get(f"{w.alex.dm}|", {})
    return found.get("prompts", [])


def titles(w: World) -> list[str]:
    return [prompt["title"] for prompt in shown(w)]


def times(w: World) -> int:
    """How often prompts were set."""
    return sum(call.method == METHOD for call in w.sandbox.sent)


async def opened(w: World) -> None:
    """Open the messages tab, and wait for its prompts."""
    before = times(w)
    await w.alex.open_home("messages")
    await w.sandbox.until(lambda: times(w) > before)


@pytest.fixture
async def several(tmp_path: Path) -> AsyncIterator[World]:
    """The shipped forms and a German one, in nobody's particular language."""
    async with world(tmp_path / "var", holdfast_workflows=own_form(tmp_path, "urlaub", HOLIDAY)) as w:
        yield w


async def test_at_rest_every_form_can_be_reached(several: World) -> None:
    """With more forms than Slack takes prompts the last one brings all of them, each as a button, by the person's name for it."""
    await opened(several)
    assert len(shown(several)) == 4 and titles(several)[-1] == "All forms…"
    assert titles(several)[0] == "Start: Personal account dealing"
    await several.say(shown(several)[-1]["message"])
    for form in (w.form for w in several.bot.workflows.values()):
        assert form.name_in("en").title in str(several.screen()[-1]["blocks"])


async def test_the_prompts_are_the_draft_s_while_it_is_open(several: World) -> None:
    """A form that is begun brings what may be said about it, named in the person's language and said in words that the form understands;
    once it is filed stands what may be said of it then, and the forms; acts between set none.
    """
    await several.say("ich brauche urlaub")
    assert titles(several) == ["Where was I?", "Talk to a person", "Start over", "Cancel"]
    begun = times(several)
    await several.say("3")
    await opened(several)
    assert titles(several)[0] == "Where was I?"
    assert times(several) == begun + 1
    await several.click("Einreichen")
    assert (titles(several)[0], titles(several)[-1]) == ("My requests", "All forms…")


@pytest.mark.parametrize(
    ("locale", "first", "said"),
    [("it-IT", "A che punto siamo?", "Wo waren wir?"), ("en-GB", "Where was I?", "Where was I?")],
)
async def test_a_prompt_is_said_in_words_that_the_form_understands(
    several: World, locale: str, first: str, said: str
) -> None:
    """What is said is in the person's language where the form understands that, and else in the form's; it names what is missing."""
    speaks(several, several.alex, locale)
    await several.say("ich brauche urlaub")
    assert shown(several)[0] == {"title": first, "message": said}
    await several.say(said)
    assert "Noch offen: Tage" in several.last()


@pytest.mark.behind(walk=file_large)
async def test_a_filed_request_is_withdrawn_by_its_prompt(w: World) -> None:
    """While a verdict is waited for, Withdraw is a prompt that asks for a click; once it is withdrawn, it is none any more."""
    assert titles(w)[:2] == ["My requests", "Withdraw"]
    await w.say(shown(w)[1]["message"])
    await w.click("Yes, withdraw it")
    assert titles(w)[0] == "My requests" and "Withdraw" not in titles(w)


async def test_the_forms_come_by_use(w: World) -> None:
    """What somebody began most often is offered first, in the prompts, on Home and in the choice."""
    await play(w, "voglio un prestito", "annulla", "[Sì, annulli]")
    await opened(w)
    assert titles(w)[0] == "Start: Loans"
    await w.alex.open_home()
    await w.sandbox.until(lambda: w.alex.home)
    await w.say("All forms")
    for shown_ in (words_of((w.alex.home or {})["blocks"]), w.last()):
        assert shown_.index("\nLoans") < shown_.index("\nPersonal account dealing")


async def test_the_prompts_follow_the_draft_that_is_gone_on_with(several: World) -> None:
    """Whoever goes back to another draft gets that draft's prompts."""
    await several.say("ich brauche urlaub")
    await several.alex.command("/pa")
    await several.settled()
    assert titles(several)[0] == "Where was I?"
    await several.alex.open_home()
    await several.sandbox.until(lambda: several.alex.home)
    await several.click("Continue", several.alex.home)
    assert shown(several)[0]["message"] == "Where was I?"


@pytest.mark.parametrize("chip", [2, 3])
async def test_a_chip_does_what_it_says(several: World, chip: int) -> None:
    """Start over and Cancel ask once, in the form's language, and the click does it."""
    await several.say("ich brauche urlaub")
    await several.say(shown(several)[chip]["message"])
    await several.click(["", "", "Ja, von vorne", "Ja, abbrechen"][chip])
    assert titles(several)[0] == "Where was I?" if chip == 2 else titles(several)[-1] == "All forms…"


async def test_a_refusal_of_slack_s_holds_up_nothing(w: World) -> None:
    """Where Slack takes no prompts, the question stands all the same and nothing is tried again."""
    w.sandbox.knobs.fail[METHOD] = ["not_allowed_token_type"] * 3
    await w.say("I want to buy 200 Tesco")
    assert "Which" in w.last() or "Use this" in w.last()
    assert times(w) == 1


async def test_at_rest_the_way_to_all_forms_is_in_the_person_s_language(w: World) -> None:
    """The prompt that is no form's speaks to the person as their Slack does, and is understood so."""
    speaks(w, w.alex, "es-ES")
    await opened(w)
    assert titles(w)[-1] == "Todos los formularios…"
    await w.say(shown(w)[-1]["message"])
    assert "Préstamos" in str(w.screen()[-1]["blocks"]) and "¿Qué desea" in w.screen()[-1]["text"]


async def test_a_prompt_begins_its_form_once_more(tmp_path: Path) -> None:
    """After a request was filed, the prompt of the same form begins a new one."""
    async with world(tmp_path, options={"only": "pa_dealing"}) as w:
        await file_request(w)
        (prompt,) = [p for p in shown(w) if "Personal account dealing" in p["title"]]
        before = (await w.draft()).id
        await w.say(prompt["message"])
        assert (await w.draft()).id != before and (await w.draft()).asked == "security"


async def test_words_that_ask_for_all_forms_answer_an_open_question(several: World) -> None:
    """While something is being filled in, the same words are an answer like any other."""
    await play(several, "requirements document, please", "all forms")
    assert "Urlaub" not in str(several.screen()[-1]["blocks"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_chip_says_is_understood(language: str) -> None:
    """In every language, each prompt of a draft and of a request is one of the orders that count in it, and the last one asks for all forms."""
    wanted = {
        "where_was_i": "missing",
        "person": "person",
        "restart": "restart",
        "cancel": "cancel",
        "my_requests": "my_requests",
    }
    wanted |= {"withdraw": "cancel", "extend": "extend"}
    for key, order in wanted.items():
        (prompt,) = suggested_prompts(Phrasebook(language), [], [key])
        assert read_command(prompt["message"], SPOKEN[language].example) == order
    said = suggested_prompts(Phrasebook(language), [LOAN] * 9)[-1]["message"]
    assert asks_for_all({}, None, MessageReceived("e", AT, "U0ALEX", said, "1.0"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prompt_begins_its_own_form_and_no_other(six_forms: dict[str, Form], language: str) -> None:
    """What a prompt says is the form's name in the person's language, and begins that form: at rest, and after another one was filed."""
    for name, form in six_forms.items():
        (prompt, *_) = suggested_prompts(Phrasebook(language), [form, *(f for n, f in six_forms.items() if n != name)])
        event = MessageReceived("e", AT, "U0ALEX", prompt["message"], "1.0")
        assert route(six_forms, None, event) == Route("begin", name)
        for other in (f for f in six_forms.values() if not f.conversational):
            closed = replace(begin(other, "D", "T", "U0ALEX", "c", AT), status=Status.SUBMITTED)
            assert route(six_forms, closed, event) == Route("begin", name), (name, other.name)


@pytest.fixture
def six_forms(w: World) -> dict[str, Form]:
    """The shipped forms."""
    return {name: w.form for name, w in w.bot.workflows.items()}
