"""What Slack shows beside a conversation: what people think of a model's words, who decides and by when, and courtesies that are refused."""

from pathlib import Path
from typing import Any

import pytest

from bot.operations.metrics import FEEDBACK
from bot.sandbox.models.answers import Answer, call, slow, text, tools
from bot.sandbox.models.scripts import newest_words
from tests.whole.officers import file_large, press
from tests.whole.steps import file_request, open_request
from tests.world import World, world

STATUS, PROMPTS = "assistant.threads.setStatus", "assistant.threads.setSuggestedPrompts"


def explains(body: dict[str, Any]) -> Answer:
    """Answers a question by the form's own explanation."""
    if newest_words(body).endswith("?"):
        return tools(call("say", act="explain", about="is_leveraged", readings=[]))
    return text("Noted.")


def answers(_body: dict[str, Any]) -> Answer:
    """Answers a question about expenses in words of its own."""
    return text("A coffee with a client is best told with the client's name.")


def feedback(w: World) -> list[dict[str, Any]]:
    """The pairs of feedback buttons on the newest message."""
    blocks = [b for b in w.screen()[-1]["blocks"] if b["type"] == "context_actions"]
    return [element for block in blocks for element in block["elements"]]


def counted(form: str, verdict: str) -> float:
    """How often a form's model was judged so."""
    return FEEDBACK.labels(form, verdict)._value.get()


@pytest.mark.parametrize(("choice", "verdict"), [("positive_button", "good"), ("negative_button", "bad")])
async def test_a_model_s_answer_can_be_judged(tmp_path: Path, choice: str, verdict: str) -> None:
    """Below what a model answered stand Slack's feedback buttons: a press is kept with the draft and counted, and changes nothing else."""
    async with world(tmp_path, explains) as w:
        await open_request(w)
        assert not feedback(w)
        await w.say("and what on earth is leverage supposed to be?")
        (pair,) = feedback(w)
        before, was, shown = counted("pa_dealing", verdict), await w.draft(), w.transcript()
        await w.choose("hf.feedback", pair[choice]["value"])
        now = await w.draft()
        assert counted("pa_dealing", verdict) == before + 1
        assert (now.values, now.asked, w.transcript()) == (was.values, was.asked, shown)


async def test_a_model_s_own_words_can_be_judged(tmp_path: Path) -> None:
    """So does an answer in a model's own words, in a conversation of operations."""
    async with world(tmp_path, answers) as w:
        await w.say("/expenses")
        await w.alex.command("/expenses")
        await w.settled()
        await w.say("how should I put down a coffee with a client?")
        assert "best told with the client" in w.last() and len(feedback(w)) == 1


@pytest.mark.behind(walk=open_request)
async def test_words_of_the_code_are_not_judged(w: World) -> None:
    """Without a model there is nothing to judge."""
    await w.say("what is leverage?")
    assert not feedback(w)


@pytest.mark.behind(walk=file_large)
async def test_the_receipt_says_who_decides_and_by_when(w: World) -> None:
    """While a verdict is waited for, the receipt names the role that gives it and until when; with the next state it names the next one."""
    assert "Decision: Manager · due by <!date^" in w.last()
    await press(w, "U0ROBIN", "Approve")
    assert "Decision: Compliance · due by <!date^" in w.transcript() and "Decision: Manager" not in w.transcript()


@pytest.mark.behind(walk=file_request)
async def test_a_decided_request_names_nobody(w: World) -> None:
    """Where nobody is waited for, the receipt names nobody."""
    assert "Decision:" not in w.transcript()


async def test_a_missing_scope_is_asked_for_once(tmp_path: Path) -> None:
    """A workspace that lets the app set neither status nor prompts is asked once for each; questions come as ever."""
    async with world(tmp_path, lambda body: slow(0.3, answers(body))) as w:
        w.sandbox.knobs.fail[STATUS] = ["missing_scope"]
        w.sandbox.knobs.fail[PROMPTS] = ["missing_scope"]
        await open_request(w)
        await w.say("cancel")
        await w.click("Yes, cancel it")
        await open_request(w)
        sent = [call.method for call in w.sandbox.sent]
        assert (sent.count(STATUS), sent.count(PROMPTS)) == (1, 1)
        assert "Is this a derivative?" in w.last()
