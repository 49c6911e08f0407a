"""Suggested prompts follow the situation: forms to begin at rest, what may be said while one is filled in; in the right language."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from blocks.messages import FILLING, suggested_prompts
from blocks.phrases import LANGUAGES, Phrasebook
from bot.turns.routing import asked_for
from state.form import Form
from state.language import LANGUAGES as SPOKEN
from state.understanding.commands import read_command
from tests.whole.steps import file_request, own_form, play
from tests.world import World, world

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
    """With more forms than Slack takes prompts the last one brings all of them, each as a button."""
    await opened(several)
    assert len(shown(several)) == 4 and titles(several)[-1] == "All forms…"
    assert titles(several)[2] == "Inizia: Prestiti"
    await several.say(shown(several)[-1]["message"])
    for form in (w.form for w in several.bot.workflows.values()):
        assert form.title in str(several.screen()[-1]["blocks"])


async def test_the_prompts_are_the_draft_s_while_it_is_open(several: World) -> None:
    """A form that is begun brings its own prompts in its language, and its end brings the forms back; acts between set none."""
    await several.say("ich brauche urlaub")
    assert titles(several) == ["Was fehlt?", "Mit einem Menschen sprechen", "Von vorne", "Abbrechen"]
    begun = times(several)
    await several.say("3")
    await opened(several)
    assert titles(several)[0] == "Was fehlt?"
    assert times(several) == begun + 1
    await several.click("Einreichen")
    assert titles(several)[-1] == "All forms…"


async def test_the_prompts_follow_the_draft_that_is_gone_on_with(several: World) -> None:
    """Whoever goes back to another draft gets that draft's prompts."""
    await several.say("ich brauche urlaub")
    await several.alex.command("/pa")
    await several.settled()
    assert titles(several)[0] == "What's missing?"
    await several.alex.open_home()
    await several.sandbox.until(lambda: several.alex.home)
    await several.click("Weiter", several.alex.home)
    assert titles(several)[0] == "Was fehlt?"


@pytest.mark.parametrize("chip", [2, 3])
async def test_a_chip_does_what_it_says(several: World, chip: int) -> None:
    """Start over and Cancel ask once, in the form's language, and the click does it."""
    await several.say("ich brauche urlaub")
    await several.say(shown(several)[chip]["message"])
    await several.click(["", "", "Ja, von vorne", "Ja, abbrechen"][chip])
    assert titles(several)[0] == "Was fehlt?" if chip == 2 else titles(several)[-1] == "All forms…"


async def test_a_refusal_of_slack_s_holds_up_nothing(w: World) -> None:
    """Where Slack takes no prompts, the question stands all the same and nothing is tried again."""
    w.sandbox.knobs.fail[METHOD] = ["not_allowed_token_type"] * 3
    await w.say("I want to buy 200 Tesco")
    assert "Which" in w.last() or "Use this" in w.last()
    assert times(w) == 1


async def test_at_rest_the_way_to_all_forms_is_in_the_person_s_language(w: World) -> None:
    """The prompt that is no form's speaks to the person as their Slack does, and is understood so."""
    people = w.sandbox.workspace.people
    people[w.alex.id] = replace(people[w.alex.id], locale="es-ES")
    await opened(w)
    assert titles(w)[-1] == "Todos los formularios…"
    await w.say(shown(w)[-1]["message"])
    assert "Prestiti" in str(w.screen()[-1]["blocks"]) and w.screen()[-1]["text"].startswith("¿Qué")


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
    """In every language, each prompt of a draft is one of the orders that count in it."""
    wanted = {"whats_missing": "missing", "person": "person", "restart": "restart", "cancel": "cancel"}
    said = suggested_prompts(Phrasebook(language), [], filling=True)
    assert [read_command(p["message"], SPOKEN[language].example) for p in said] == [wanted[key] for key in FILLING]


def test_a_prompt_begins_its_own_form_and_no_other(six_forms: dict[str, Form]) -> None:
    """What a prompt says fits one form alone."""
    for name, form in six_forms.items():
        (prompt, *_) = suggested_prompts(Phrasebook("en"), [form, *(f for n, f in six_forms.items() if n != name)])
        assert asked_for(six_forms, prompt["message"]) == (name,)


@pytest.fixture
def six_forms(w: World) -> dict[str, Form]:
    """The shipped forms."""
    return {name: w.form for name, w in w.bot.workflows.items()}
