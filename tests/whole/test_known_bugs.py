"""The two bugs that must never come back, word by word, with models that try to commit them."""

from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import Answer, call, text, tools
from tests.whole.steps import REASON, declare, open_request
from tests.world import world

RE_ASK = "Thanks. Is this a leveraged product?"


def asks_about_leverage(body: dict[str, Any]) -> Answer:
    """A model that, whatever happened, asks about leverage."""
    return text(RE_ASK)


def sets_the_justification(body: dict[str, Any]) -> Answer:
    """A model that takes a compliance answer for the justification."""
    return tools(call("set_justification", justification="No inside information", words="No inside information"))


async def test_a_clicked_no_to_leverage_is_never_asked_again(tmp_path: Path) -> None:
    """After No is clicked on leverage, the next missing field is asked at once, and leverage never again."""
    async with world(tmp_path, asks_about_leverage) as w:
        await open_request(w)
        await declare(w, upto="is_leveraged")
        await w.click("No")
        draft = await w.draft()
        assert draft.values["is_leveraged"].data is False
        assert "is_leveraged" in draft.locked_fields
        assert draft.asked == "has_inside_info"
        assert "Is this a leveraged product?" not in w.transcript()


async def test_the_flag_is_set_and_a_good_justification_stays_untouched(tmp_path: Path) -> None:
    """ "No inside information", typed to that question, waits for its button; the justification neither changes nor is commented on."""
    async with world(tmp_path, sets_the_justification) as w:
        await open_request(w)
        await w.say(f"My reason is: {REASON}")
        await declare(w, upto="has_inside_info")
        before = (await w.draft()).values.get("justification")
        await w.say("No inside information")
        assert "has_inside_info" not in await w.values()
        await w.click("No")
        draft = await w.draft()
        assert draft.values["has_inside_info"].data is False
        assert draft.values.get("justification") == before
        assert "a little more" not in w.transcript().casefold()


async def test_a_locked_justification_is_refused_with_its_reason(tmp_path: Path) -> None:
    """A call on a locked field is answered with the structured refusal, and the model reads it."""
    seen: list[Any] = []

    def model(body: dict[str, Any]) -> Answer:
        results = [
            b
            for m in body["messages"]
            if isinstance(m["content"], list)
            for b in m["content"]
            if b["type"] == "tool_result"
        ]
        seen.extend(results)
        if results:
            return text("Thank you.")
        return tools(call("set_is_derivative", is_derivative=True, words="No"))

    async with world(tmp_path, model) as w:
        await w.say("hello")
        await open_request(w)
        await w.click("No")
        assert (await w.draft()).values["is_derivative"].data is False
    told = "".join(str(r["content"]) for r in seen)
    assert "REJECTED: 'is_derivative' is locked. Move on to the next missing field." in told
    assert "PROCEED: is_derivative is already set. Ask for the next missing field." in told
