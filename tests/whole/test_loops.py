"""Loops where a form offers a person: the written question first, the offer the next time, and nothing handed over unasked."""

from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import Answer, call, text, tools
from tests.whole.steps import open_request
from tests.world import world


def repeats_itself(request: dict[str, Any]) -> Answer:
    """A model that makes one refused call for ever once it hears of the weather."""
    if "weather" not in str(request["messages"]):
        return text("Thank you.")
    return tools(call("set_declarations", is_derivative=True, words="never said"))


async def test_the_same_call_three_times_ends_in_the_question_and_then_in_an_offer(tmp_path: Path) -> None:
    """The third identical call of a turn ends it in the written question; after a second such turn a person is offered, not called."""
    async with world(tmp_path, repeats_itself, {"only": "pa_dealing"}) as w:
        await open_request(w)
        await w.say("the weather one over there")
        draft = await w.draft()
        calls = [c for c in await w.bot.store.tool_calls(draft.id) if c.reader != "rules"]
        assert len(calls) == 3 and draft.asked == "is_derivative" and not draft.handed
        assert "Talk to a person" not in w.last()
        await w.say("the weather one I meant")
        draft = await w.draft()
        assert "Talk to a person" in w.last() and not draft.handed and draft.asked == "is_derivative"
        await w.click("Talk to a person")
        assert not (await w.draft()).handed and w.alex.messages("C0COMPLIANCE")
