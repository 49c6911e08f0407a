"""Whatever form, draft and card there is: Slack takes it, and nobody's words do anything."""

import re
from typing import Any

from blocks_cases import (
    CARD,
    PATIENT,
    TODAY,
    WORDS,
    a_draft,
    a_form,
    a_value,
    accepted,
    accepted_view,
    clickable,
    drafts,
    forms,
    nodes,
    scenes,
    texts,
)
from hypothesis import given
from hypothesis import strategies as st

from blocks.cards import build_card
from blocks.cards.decision import build_announcement
from blocks.home import Request, build_home
from blocks.ids import Press, press_of
from blocks.modal import build_entry
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.request import Filed, Step, build_request
from state.draft.draft import Draft
from state.engine.cards import Card
from state.form import Field, Form

OURS = re.compile(
    r"<!date\^\d+\^\{date_short\} \{time\}\|[^<>|]*>|<@U0ALEX>"
    r"|<(https://example\.org/[^\s<>|]+)\|https://example\.org/[^\s<>|]+>"
)


def inert(node: Any) -> bool:
    """Return True if no text in these blocks holds a control sequence but our own."""
    marked = (n["text"] for n in nodes(node) if n.get("type") == "mrkdwn")
    return not any(set("<>") & set(OURS.sub("", text)) for text in marked)


@PATIENT
@given(scenes())
def test_slack_takes_every_card(scene: tuple[Form, Draft, Card]) -> None:
    """Any card is within Slack's limits, no words on it are a control sequence, and each element reads back as a press about it."""
    form, draft, card = scene
    built = build_card(form, draft, card, CARD, TODAY)
    accepted(built)
    assert inert(built.blocks)
    assert not set("<>") & set(OURS.sub("", built.text))
    for element in clickable(built.blocks):
        chosen = {**element, "selected_option": {"value": "x"}, "selected_date": "2026-11-20"}
        press = press_of(chosen)
        assert press is not None
        assert (press.draft, press.card) == ("D1", CARD)


@PATIENT
@given(st.data())
def test_slack_takes_every_announcement(data: st.DataObject) -> None:
    """Any announcement is within Slack's limits, and mentions its subject alone."""
    form = data.draw(forms())
    draft = data.draw(drafts(form))
    name = data.draw(st.sampled_from(sorted(form.fields)))
    reasons = data.draw(st.lists(WORDS | st.sampled_from(["asked", "stuck", f"disclosed:{name}"]), max_size=12))
    what = data.draw(st.sampled_from(["record", "disclosure", "person"]))
    built = build_announcement(form, draft, what, tuple(reasons), data.draw(WORDS), state="received", today=TODAY)
    accepted(built)
    assert inert(built.blocks)


@PATIENT
@given(st.data())
def test_slack_takes_every_view(data: st.DataObject) -> None:
    """Any modal and any home is within Slack's limits."""
    form = data.draw(forms())
    draft = data.draw(drafts(form))
    name = data.draw(st.sampled_from(sorted(form.fields)))
    accepted_view(build_entry(form, draft, Press("enter", "D1", name, None, CARD), TODAY))
    filed = [Request(form, data.draw(WORDS), "received", TODAY), Request(form, "PA-1", "received", TODAY, draft, TODAY)]
    home = build_home(Phrasebook(form.language), [(form, draft)], filed, [form])
    accepted_view(home)
    assert inert(home["blocks"])
    assert all(texts(home))


@PATIENT
@given(st.data())
def test_slack_takes_every_opened_request(data: st.DataObject) -> None:
    """Whatever was answered, said and sent, a request opens within Slack's limits, and what people wrote stays inert."""
    form = data.draw(forms(most=data.draw(st.sampled_from([1, 6, 40]))))
    draft, words = data.draw(drafts(form)), tuple(data.draw(st.lists(WORDS, max_size=8)))
    names = sorted(form.fields)
    value = draft.values.get(names[0])
    told = st.builds(
        Step, st.just(f"{TODAY}T14:00:00+00:00"), st.just("told"), st.lists(st.sampled_from(names)).map(tuple)
    )
    changed = Step(f"{TODAY}T14:00:00+00:00", "changed", (names[0],), value, value)
    filed = Filed("PA-2026-000001", data.draw(st.sampled_from(["received", "blocked"])), TODAY, words, TODAY, words)
    steps = (*data.draw(st.lists(told, max_size=60)), changed)
    view = build_request(Phrasebook(form.language), Page(form, draft, TODAY), filed, steps)
    accepted_view(view)
    assert inert(view["blocks"])


def test_a_request_with_very_many_long_answers_opens_with_all_of_them() -> None:
    """However much was written, every answer stands in the opened request, cut where there is no room for all of it."""
    names = [f"f{n}" for n in range(130)]
    form = a_form(fields={n: Field(name=n, kind="text", label=f"Label {n}", ask="What?") for n in names})
    draft = a_draft(values={n: a_value("é<&>" * 700, "entered") for n in names})
    filed = Filed("PA-2026-000001", "received", TODAY)
    view = build_request(Phrasebook("en"), Page(form, draft, TODAY), filed, ())
    accepted_view(view)
    shown = "\n".join(texts(view["blocks"]))
    assert [n for n in names if f"*Label {n}*" not in shown] == []
