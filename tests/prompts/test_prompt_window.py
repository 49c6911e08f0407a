"""The conversation that a model sees."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from prompt_cases import DEALING, TODAY, bot, calls, draft_of, drafts, user, value

from prompts.build import build_request
from prompts.conversation import window
from prompts.request import TokenBudget
from prompts.view import View
from state.draft.draft import Draft
from state.draft.reply import Reply, Round, ToolCall
from state.engine.effects import CallModel
from tests.thoroughness import examples

TOLD = Reply("Got it.", (ToolCall("c1", "set_trade", {"quantity": 200, "words": "200"}),), "calls")
LOOP = (Round(TOLD, {"c1": {"status": "ok", "set": ["quantity"]}}),)


def shown(draft: Draft, act: str = "", room: TokenBudget | None = None) -> list[tuple[str, str]]:
    """Turns as (role, text)."""
    turns = window(View(DEALING, draft, TODAY), act, room or TokenBudget())
    return [(turn["role"], turn["content"]) for turn in turns]


def check_order(messages: tuple[dict[str, Any], ...]) -> None:
    """The Messages API's rules for the order of turns and for where a system message may stand."""
    roles = [message["role"] for message in messages]
    assert roles[0] == "user"
    assert roles[-1] != "assistant"
    for before, role in pairwise(roles):
        assert role != before
        assert role != "system" or before == "user"
        assert before != "system" or role == "assistant"
    assert all(content.strip() if isinstance(content, str) else content for content in (m["content"] for m in messages))


@settings(max_examples=examples(60))
@given(drafts(), calls())
def test_turns_stand_where_the_api_takes_them(draft: Draft, call: CallModel) -> None:
    """Whatever was said, the request's turns are ones that the API takes; in a tool loop the system message follows the results."""
    check_order(build_request(DEALING, draft, call, TODAY).messages)
    for rounds in (LOOP, (*LOOP, Round(Reply("Is it leveraged?"), flaw="it asks about a filled field"))):
        messages = build_request(DEALING, draft, CallModel(1, 2, exchange=rounds), TODAY).messages
        check_order(messages)
        assert [m["role"] for m in messages[-3:]] == ["assistant", "user", "system"]


def test_the_newest_message_is_cut_for_the_model() -> None:
    """Of 40,000 characters a model sees 2,000, and that there was more."""
    (turn,) = shown(draft_of(window=(user("x" * 40_000),)))
    assert len(turn[1]) == 2000
    assert turn[1].endswith(" … [cut]")


def test_a_message_of_2000_characters_is_whole() -> None:
    """The newest message up to the limit is told as it is, lines and all."""
    text = ("word\n" * 400).strip()
    assert shown(draft_of(window=(user(text),))) == [("user", text)]


def test_older_lines_are_cut_short() -> None:
    """An older line is told in 240 characters."""
    draft = draft_of(window=(user("x" * 900), bot("y" * 900), user("no")))
    assert [len(text) for _, text in shown(draft)] == [240, 240, 2]


def test_words_that_no_reply_came_to_keep_more_room() -> None:
    """When a newer message overtook the model, the words it had not answered enter the next request."""
    draft = draft_of(window=(bot("Hello."), user("a" * 500, "m1"), user("and GBP 720", "m2")))
    assert shown(draft) == [("user", "a" * 500 + "\nand GBP 720")]


def test_neighbouring_lines_of_one_side_are_one_turn() -> None:
    """Two lines in a row of one speaker are told as one turn."""
    draft = draft_of(window=(user("hi"), bot("Hello."), bot("Welcome."), user("buy")))
    assert shown(draft) == [("user", "hi"), ("assistant", "Hello.\nWelcome."), ("user", "buy")]


def test_what_the_bot_said_last_is_not_sent_back() -> None:
    """The person's newest line is the newest turn, whatever the bot has put on screen since."""
    assert shown(draft_of(window=(user("buy"), bot("Thanks!")))) == [("user", "buy")]


def test_an_act_that_the_draft_lacks_becomes_the_newest_line() -> None:
    """After a click no message of the user's is newest: code writes one."""
    draft = draft_of(window=(user("hi"), bot("Hello.")))
    assert shown(draft, "[clicked] Derivative: No")[-1] == ("user", "[clicked] Derivative: No")


def test_a_conversation_that_no_one_began_begins_with_an_act() -> None:
    """A form that was opened by a button begins with a line for that button."""
    assert shown(draft_of(window=(bot("Hello."),))) == [("user", "[clicked] start")]


def test_a_gap_says_what_the_lines_in_it_gave() -> None:
    """Between the first and the last lines one line tells which fields were given by those that are not shown."""
    lines = tuple(line for i in range(4) for line in (bot(f"b{i}"), user(f"u{i}", f"m{i}")))
    values = {"quantity": value(200, message="m0"), "value": value("720.00", message="old")}
    draft = draft_of(opening=(user("first", "o1"), bot("Hello.")), window=lines, turn=9, values=values)
    assert shown(draft)[:3] == [
        ("user", "first"),
        ("assistant", "Hello."),
        ("user", "[earlier] Lines are left out here. They gave: Value."),
    ]


def test_an_older_click_is_not_told_again() -> None:
    """What was clicked before stands in [GROUND TRUTH]: neither the click nor its question is told with the conversation."""
    clicks = (bot("Derivative?"), user("[clicked] Derivative: No", clicked=True), bot("Leveraged?"))
    draft = draft_of(window=(user("hi"), *clicks, user("[clicked] Leveraged product: No", clicked=True)))
    told = [("user", "hi"), ("assistant", "Leveraged?"), ("user", "[clicked] Leveraged product: No")]
    assert shown(draft) == shown(replace(draft, window=(*draft.window, bot("Thanks!")))) == told


def test_a_small_room_drops_the_oldest_lines_first() -> None:
    """Where there is room for two lines, the last two are told, after a line for the rest."""
    draft = draft_of(
        opening=(user("first"), bot("Hello.")), window=(user("second"), bot("Fine."), user("third")), turn=3
    )
    assert shown(draft, room=TokenBudget(lines=2)) == [
        ("user", "[earlier] Lines are left out here."),
        ("assistant", "Fine."),
        ("user", "third"),
    ]
