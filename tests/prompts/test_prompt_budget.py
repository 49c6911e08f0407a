"""How large a request may become."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prompt_cases import (
    DEALING,
    FIELDS,
    TODAY,
    bot,
    calls,
    draft_of,
    drafts,
    form_of,
    newest_user,
    setters,
    system_message,
    user,
    value,
)

from prompts.build import build_request
from prompts.conversation import heard, never_cut
from prompts.dialects import asked_again
from prompts.request import BUDGET, Dialect, Request, estimate, prose
from state.draft.draft import Draft, Option
from state.engine.effects import CallModel
from state.form import Form
from tests.shipped import shipped
from tests.thoroughness import examples

PA_DEALING = shipped("pa_dealing").form
LONG_TALK = {
    "opening": (user("x" * 2000, "o1"), bot("y" * 600)),
    "window": tuple(line for i in range(4) for line in (bot("🦊" * 600), user("word " * 400, f"m{i}"))),
    "turn": 300,
}
RARE = "🦊" * 3000
FULL = {name: value(RARE, RARE) for name in FIELDS} | {n: value(True) for n in ("is_derivative", "is_related_party")}
WORST = {
    "values": FULL,
    "locked_fields": frozenset(FULL),
    "options": {"security": (Option("1", RARE),) * 20},
    **LONG_TALK,
}


def apart_from_newest(form: Form, draft: Draft, call: CallModel) -> int:
    """Estimated tokens of the request without the person's newest message."""
    return estimate(build_request(form, draft, call, TODAY)) - prose(never_cut(heard(draft, call.act)))


@pytest.mark.parametrize("form", [DEALING, PA_DEALING], ids=["like", "shipped"])
@settings(max_examples=examples(40))
@given(draft=drafts(), call=calls())
@example(draft=draft_of(**WORST), call=CallModel(1, purpose="lead_in", act=f"[clicked] {RARE}", changed=("account",)))
@example(draft=draft_of(asked="security", **LONG_TALK), call=CallModel(1))
def test_a_dealing_request_stays_small(form: Form, draft: Draft, call: CallModel) -> None:
    """Whatever was said and answered before, the request without the newest message stays under 2,000 tokens."""
    assert apart_from_newest(form, draft, call) < BUDGET == 2000


@pytest.mark.parametrize("dialect", ["block", "json"])
@settings(max_examples=examples(25))
@given(
    draft=drafts(), call=calls(), reply=st.sampled_from(["{" * 9000, RARE, "", "\ud83e\x00" * 500, '{"a": "é"}' * 200])
)
@example(draft=draft_of(**WORST), call=CallModel(1, purpose="lead_in", act=f"[clicked] {RARE}"), reply=RARE)
@example(draft=draft_of(asked="security", **LONG_TALK), call=CallModel(1), reply="{" * 9000)
def test_a_dialects_request_stays_small_even_asked_again(
    dialect: Dialect, draft: Draft, call: CallModel, reply: str
) -> None:
    """Tools and format told as text, and the retry with an unreadable reply, fit into the same 2,000 tokens."""
    for form in (DEALING, PA_DEALING):
        request = build_request(form, draft, call, TODAY, dialect)
        again = asked_again(
            request, reply, "the JSON does not parse: it is cut off, misquoted or has something else around it"
        )
        assert estimate(again) - prose(never_cut(heard(draft, call.act))) < BUDGET


def test_the_estimate_is_on_the_safe_side() -> None:
    """The estimate counts more tokens than four characters each would come to, and counts rare scripts nearly by the byte."""
    request = build_request(DEALING, draft_of(**LONG_TALK), CallModel(1), TODAY)
    plain = Request("word " * 400, (), ())
    assert estimate(request) > sum(len(str(part)) for part in (request.system, request.messages, request.tools)) / 4
    assert estimate(plain) > 500
    assert prose("🦊" * 100) == 200


def test_lines_go_before_values() -> None:
    """A request that is too long loses its oldest lines, and keeps every value as it was."""
    reason = "to put a little aside for my pension every month, as I have done since I began here"
    draft = draft_of(values={"justification": value(reason)}, **LONG_TALK)
    request = build_request(DEALING, draft, CallModel(1), TODAY)
    assert "xxx" not in str(request.messages)
    assert reason in system_message(request)
    assert newest_user(request).endswith(("word " * 400).strip())


def test_a_short_conversation_is_told_whole() -> None:
    """Nothing is left out while there is room."""
    lines = tuple(line for i in range(4) for line in (bot(f"I said {i}"), user(f"they said {i}")))
    draft = draft_of(opening=(user("first words"), bot("Hello.")), window=lines)
    said = "\n".join(m["content"] for m in build_request(DEALING, draft, CallModel(1), TODAY).messages[:-1])
    assert all(line.text in said for line in (*draft.opening, *draft.window)) and "[earlier]" not in said


def test_a_large_form_keeps_its_ground_truth_whole() -> None:
    """A form of 60 fields may be over the budget: the conversation shrinks to the newest message, no field is left out."""
    labels = {
        f"item_{i}": (f"What the person said of number {i}: " + "in so many words " * 3)[:75].strip() for i in range(60)
    }
    many = {name: {"kind": "text", "label": label, "ask": "What?", "tool": "items"} for name, label in labels.items()}
    values = {name: value(f"answer {name}") for name in list(many)[:59]}
    draft = draft_of(values=values, **LONG_TALK)
    request = build_request(form_of(many), draft, CallModel(1), TODAY)
    truth = system_message(request)
    assert all(f'{name} ({labels[name]}) = "answer {name}"' in truth for name in values)
    assert list(setters(request)["set_items"]) == ["item_59"]
    assert [m["role"] for m in request.messages] == ["user", "system"]
