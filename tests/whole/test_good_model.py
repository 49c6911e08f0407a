"""A model that does its work: a whole request in few acts, with words that lead over."""

from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.models.scripts import newest_words, tool_results
from tests.whole.steps import FILED, OPENING, REASON, open_request
from tests.world import world


def helpful(body: dict[str, Any]) -> Answer:
    """Reads the opening sentence and the reason, leads over after clicks."""
    words, offered = newest_words(body), {t["name"] for t in body["tools"]}
    if tool_results(body):
        return text("Thank you, noted.")
    if words == OPENING and "set_security" in offered:
        nulls = dict.fromkeys(("direction", "quantity", "value", "currency", "account"))
        trade = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}
        return tools(
            call("set_security", security="Tesco", words="Tesco"),
            call("set_trade", **{**nulls, **trade}, words="buy 200 Tesco for my pension, about £720"),
        )
    if words == REASON:
        return tools(call("set_justification", justification=REASON, words=REASON), text="That is clear.")
    return tools(
        call("say", act="thank", about="", readings=[]), text="Thanks! A few declarations next. Is this a derivative?"
    )


async def test_a_whole_request_takes_at_most_twelve_acts(tmp_path: Path) -> None:
    """With a good model a request is filed in eleven acts of its owner, and each model call stays small."""
    async with world(tmp_path, helpful) as w:
        acts = [OPENING, "[Use all of it]", "[Use this]", *["[No]"] * 5, "[I understand]", REASON, "[Submit]"]
        for act in acts:
            await (w.click(act.strip("[]")) if act.startswith("[") else w.say(act))
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert len(acts) <= 12
        assert "Is this a derivative?" not in "\n".join(words for words in [w.transcript()])


async def test_what_the_model_wants_said_joins_as_the_lead_in(tmp_path: Path) -> None:
    """After a click the next question stands at once; what the model wants said joins above it in the house's words, and none of its own."""
    async with world(tmp_path, helpful) as w:
        await open_request(w)
        assert "hank" in w.last() and "A few declarations next." not in w.transcript()
        assert w.last().count("?") == w.last().replace("Is this a derivative?", "").count("?") + 1


async def test_after_a_click_the_model_gets_an_action_summary_not_a_bare_continue(tmp_path: Path) -> None:
    """The request after a click holds the act as the user's line and, after it, a system message with what changed and what is next."""
    async with world(tmp_path, helpful) as w:
        await open_request(w)
        await w.click("No")
        assert w.model is not None
        body = w.model.requests[-1]
        *_, act, summary = body["messages"]
        assert act["role"] == "user" and "[clicked] Derivative: No" in str(act["content"])
        assert summary["role"] == "system"
        for wanted in ("[GROUND TRUTH]", "UI interaction", "locked", "Leveraged product"):
            assert wanted.casefold() in str(summary["content"]).casefold()
        offered = {p for t in body["tools"] if t["name"].startswith("set_") for p in t["input_schema"]["properties"]}
        assert "is_derivative" not in offered and "quantity" not in offered


async def test_the_page_shows_the_draft_as_it_is_and_the_exact_last_prompt(tmp_path: Path) -> None:
    """Beside the conversation stand fields, locks, provenance, the tools on offer, and the very request that was sent."""
    async with world(tmp_path, helpful) as w:
        await open_request(w)
        await w.click("No")
        seen = await w.bot.inspector.inspect("U0ALEX", w.alex.dm, None)
        assert seen is not None and w.model is not None
        fields = {f["name"]: f for f in seen["draft"]["fields"]}
        assert fields["is_derivative"] | {"words": "No"} == fields["is_derivative"]
        assert fields["is_derivative"]["locked"] and fields["is_derivative"]["how"] == "clicked"
        assert fields["is_leveraged"]["state"] == "asked" and fields["derivative_justification"]["state"] == "hidden"
        assert seen["prompt"]["system"] == w.model.requests[-1]["system"]
        assert [m["role"] for m in seen["prompt"]["messages"]] == [m["role"] for m in w.model.requests[-1]["messages"]]
        assert "is_derivative" not in {
            p for t in seen["tools"] if t["name"].startswith("set_") for p in t["properties"]
        }
        assert [e["revision"] for e in seen["events"]] == sorted(e["revision"] for e in seen["events"])
