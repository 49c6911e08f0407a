"""What is shown elsewhere: the modal, the App Home, a channel, reviewers, private notes, prompts."""

import json
from dataclasses import replace
from typing import Any

import pytest
from blocks_cases import (
    TODAY,
    VALUES,
    a_draft,
    a_form,
    a_value,
    accepted,
    accepted_view,
    clickable,
    field_form,
    screen,
    texts,
)

from blocks.cards.decision import build_announcement
from blocks.home import Request, build_home
from blocks.ids import ENTRY_BLOCK, ENTRY_INPUT, OPEN_DM, Press, press_of
from blocks.messages import (
    FILLING,
    app_link,
    build_channel_hint,
    build_chooser,
    build_note,
    build_plain,
    suggested_prompts,
    thinking,
)
from blocks.modal import build_entry, entry_error, read_entry
from blocks.phrases import Phrasebook
from state.draft.draft import Disclosure
from state.draft.utterance import Phrase
from state.form import Field, Form

PRESS = Press("enter", "D1", "justification", None, "c1")
ENGLISH = Phrasebook("en-GB")


def entry(**body: Any) -> dict[str, Any]:
    view = build_entry(field_form(**body), a_draft("none"), Press("enter", "D1", "thing", None, "c1"), TODAY)
    accepted_view(view)
    return view


def box(view: dict[str, Any]) -> dict[str, Any]:
    return view["blocks"][0]["element"]


def submitted(view: dict[str, Any], text: str | None) -> dict[str, Any]:
    return {**view, "state": {"values": {ENTRY_BLOCK: {ENTRY_INPUT: {"type": "plain_text_input", "value": text}}}}}


def several(count: int) -> list[Form]:
    return [a_form(name=f"form_{n}", title=f"Form {n}") for n in range(count)]


def test_a_modal_asks_one_field_and_knows_which() -> None:
    """The box has the form's question above it, the present answer in it, and carries the press that opened it."""
    view = build_entry(a_form(), a_draft(), PRESS, TODAY)
    accepted_view(view)
    assert view["blocks"][0]["label"]["text"] == "Why do you want to trade?"
    assert box(view)["initial_value"] == VALUES["justification"].data
    assert read_entry(submitted(view, "because")) == (PRESS, "because")


def test_an_empty_box_reads_as_no_words() -> None:
    """A box that was submitted empty is an empty answer."""
    assert read_entry(submitted(build_entry(a_form(), a_draft(), PRESS, TODAY), None)) == (PRESS, "")


@pytest.mark.parametrize("view", [{}, {"private_metadata": "x"}, {"private_metadata": "", "state": {"values": {}}}])
def test_a_view_of_somebody_else_is_none_of_ours(view: dict[str, Any]) -> None:
    """A submitted view that carries no press is not an answer."""
    assert read_entry(view) is None


@pytest.mark.parametrize(("kind", "lines"), [("text", True), ("integer", False), ("money", False)])
def test_words_get_a_large_box_and_figures_a_small_one(kind: str, lines: bool) -> None:
    """Open text may have several lines; a figure has one."""
    assert box(entry(kind=kind))["multiline"] is lines


def test_a_box_keeps_to_the_field_s_length() -> None:
    """What is written can be no longer than the field takes, and never longer than Slack takes."""
    assert box(entry(kind="text", max_length=120))["max_length"] == 120
    assert box(entry(kind="text", max_length=3000))["max_length"] == 3000


def test_a_long_label_gives_way_to_a_plain_title() -> None:
    """A modal's title is the field's label where that fits."""
    assert entry(kind="text", label="Reason")["title"]["text"] == "Reason"
    assert entry(kind="text", label="Reason for dealing in a derivative")["title"]["text"] == "Your answer"


def test_an_entry_that_cannot_be_read_is_told_below_the_box() -> None:
    """The sentence of the error stands at the box, in the form's language."""
    assert entry_error(a_form(), "too_small", {"minimum": 1}) == {ENTRY_BLOCK: "It must be at least 1."}
    assert entry_error(a_form(language="it-IT"), "empty", {}) == {ENTRY_BLOCK: "Scriva prima qualcosa, per favore."}


def test_home_lists_drafts_requests_and_what_may_be_begun() -> None:
    """My drafts with their progress and Continue, my requests with state and date, and a button per form."""
    drafts = [(a_form(), a_draft("security", "quantity"))]
    requests = [Request(a_form(), "PA-2026-000123", "approved", "2026-11-20T14:32:00+00:00")]
    view = build_home(ENGLISH, drafts, requests, several(2))
    accepted_view(view)
    on_screen = "\n".join(texts(view))
    assert "Personal account dealing · 2 of 11" in on_screen
    assert "*PA-2026-000123* · Personal account dealing\n🟢 Approved · 20 Nov 2026" in on_screen
    assert [press_of(e) for e in clickable(view)] == [
        Press("show", "D1"),
        Press("begin", value="form_0"),
        Press("begin", value="form_1"),
    ]


def test_an_empty_home_says_how_to_begin() -> None:
    """With nothing in progress and nothing filed, home invites to begin."""
    view = build_home(ENGLISH, [], [], several(1))
    accepted_view(view)
    assert next(iter(texts(view))).startswith("Nothing here yet.")


def test_a_full_home_fits() -> None:
    """However much a person has, home stays within Slack's hundred blocks and says how much more there is."""
    drafts = [(a_form(), replace(a_draft("security"), id=f"D{n}")) for n in range(60)]
    requests = [Request(a_form(), f"PA-2026-{n:06}", "received", "2026-11-20T14:32:00") for n in range(300)]
    view = build_home(ENGLISH, drafts, requests, several(60))
    accepted_view(view)
    assert "… and 260 more." in "\n".join(texts(view))


def test_a_channel_sees_one_line_and_a_way_out_of_it() -> None:
    """A mention is answered by a line and a link into the direct message; nothing of the form is named."""
    built = build_channel_hint(ENGLISH, app_link("A0HOLDFAST", "T0HOLDFAST"))
    accepted(built)
    (link,) = clickable(built.blocks)
    assert (link["action_id"], link["url"]) == (
        OPEN_DM,
        "https://slack.com/app_redirect?app=A0HOLDFAST&team=T0HOLDFAST",
    )
    assert "dealing" not in json.dumps(built.blocks)


@pytest.mark.parametrize("count", [1, 5, 6, 120])
def test_a_choice_of_forms_names_each(count: int) -> None:
    """Several forms that fit are offered in a row each up to eight, as a menu above."""
    built = build_chooser(ENGLISH, several(count))
    accepted(built)
    first = next(clickable(built.blocks))
    pick = first if first["type"] == "button" else {**first, "selected_option": first["options"][0]}
    assert press_of(pick) == Press("begin", value="form_0")


def test_a_record_is_announced_with_its_answers() -> None:
    """Reviewers read what it is about, who filed it, its state, the reasons and the answers."""
    built = build_announcement(
        a_form(), a_draft(), "record", ("Value over 100,000 GBP.",), "PA-1", state="blocked", today=TODAY
    )
    accepted(built)
    on_screen = screen(built)
    assert on_screen.startswith(
        "PA-1 · Personal account dealing\n*Tesco PLC · Buy · Quantity: 250 · GBP 720.00*\nFrom <@U0ALEX>\nState: Blocked\n• Value over 100,000 GBP."
    )
    assert "Tesco PLC (GB00BLGZ9862)" in on_screen
    assert "you " not in on_screen


def test_sensitive_answers_are_not_announced() -> None:
    """A sensitive answer says that it is on record, and neither its value nor its words."""
    draft = a_draft(values={**VALUES, "relation": a_value("my sister Robin", "read", "for my sister Robin")})
    on_screen = screen(build_announcement(a_form(), draft, "record", record="PA-1"))
    assert "on record" in on_screen
    assert "sister" not in on_screen


def test_sensitive_answers_stay_out_of_a_long_announcement() -> None:
    """Where so much is told that each answer gets one line, a sensitive one still only says that it is on record."""
    fields = {f"f{n}": Field(name=f"f{n}", kind="text", label=f"F{n}", ask="?", sensitive=n == 0) for n in range(90)}
    draft = a_draft(values={name: a_value("x" * 50 if name != "f0" else "my sister", "entered") for name in fields})
    on_screen = screen(build_announcement(a_form(fields=fields), draft, "record", record="PA-1"))
    assert "*F0:* on record" in on_screen
    assert "sister" not in on_screen


def test_a_disclosure_is_announced_with_its_words() -> None:
    """Reviewers read what was answered, what was disclosed, and in which words."""
    draft = a_draft(disclosures=(Disclosure("has_inside_info", a_value(True, "read", "from their CFO").provenance),))
    on_screen = screen(build_announcement(a_form(), draft, "disclosure", ("disclosed:has_inside_info",)))
    assert "Inside information: answered “No”, later disclosed “Yes”. Added later: “from their CFO”" in on_screen


def test_a_call_for_a_person_comes_with_a_packet() -> None:
    """What is filled, what is missing, and why."""
    built = build_announcement(a_form(), a_draft("security", "quantity"), "person", ("stuck",))
    accepted(built)
    on_screen = screen(built)
    assert "The conversation wasn't getting anywhere." in on_screen
    assert "Still missing: Buy or sell, Value, Currency" in on_screen
    assert "Tesco PLC (GB00BLGZ9862)" in on_screen


def test_a_private_note_names_the_owner() -> None:
    """Somebody else's click is answered with who can answer."""
    built = build_note(a_form(), a_draft(), Phrase("not_yours"), TODAY)
    accepted(built)
    assert screen(built) == "Only <@U0ALEX> can answer this request."


def test_an_owner_that_is_no_slack_id_is_words() -> None:
    """Whatever stands in the owner's place, it becomes no other control sequence."""
    built = build_note(a_form(), replace(a_draft(), owner="!channel"), Phrase("not_yours"), TODAY)
    assert screen(built) == "Only !channel can answer this request."
    assert "started" in screen(build_note(a_form(), replace(a_draft(), owner=""), Phrase("not_yours"), TODAY))


def test_a_failure_is_told_in_a_written_sentence() -> None:
    """Outside of any form, too, a person reads a sentence of the catalogue."""
    built = build_plain(ENGLISH.say("error_sorry"))
    accepted(built)
    assert "Your answers are safe" in built.text


def test_thinking_has_a_status_and_messages_that_take_turns() -> None:
    """The status is a few words, with a handful of messages below it."""
    assert thinking(ENGLISH).status == "is thinking…"
    assert len(set(thinking(ENGLISH).loading_messages)) == 3


def test_prompts_offer_forms_or_a_way_on() -> None:
    """At most four: what may be said now, and forms to begin by their names."""
    assert len(suggested_prompts(ENGLISH, several(9))) == 4
    form = a_form(words=("personal trade",))
    assert suggested_prompts(ENGLISH, [form]) == [
        {"title": "Start: Personal account dealing", "message": "Personal account dealing"}
    ]
    assert [p["message"] for p in suggested_prompts(ENGLISH, several(9), FILLING)][0::3] == ["Where was I?", "Cancel"]
