"""The App Home: what the person is filling in, what they filed, and what they may begin."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from blocks.elements import Element, actions, button, context, divider, header, section
from blocks.ids import HOME, Press
from blocks.message import Block
from blocks.page import Page
from blocks.phrases import Phrasebook
from blocks.text import escape, literal
from blocks.times import day_text, moment_of
from state.draft.draft import Draft
from state.form import Form

DRAFTS, REQUESTS, FORMS, ROW = 20, 40, 20, 5
"""What is shown at most: Slack takes 100 blocks in all."""

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One filed record: `at` is ISO 8601."""

    form: Form
    number: str
    state: str
    at: str


def build_home(
    words: Phrasebook, drafts: Sequence[tuple[Form, Draft]], requests: Sequence[Request], forms: Sequence[Form]
) -> dict[str, Any]:
    """The view for `views.publish`. `words` are those of the installation; each row speaks its form's language."""
    filled = [
        *_part(words, "home_drafts", drafts[:DRAFTS], draft_row, len(drafts)),
        *_part(words, "home_requests", requests[:REQUESTS], _request, len(requests)),
    ]
    blocks = [
        *(filled or [section(literal(words.say("home_empty")))]),
        *_start(words, forms[:FORMS]),
        context(literal(words.say("home_help"))),
    ]
    return {"type": "home", "callback_id": HOME, "blocks": blocks}


def _part(words: Phrasebook, title: str, shown: Sequence[T], row: Callable[[T], Block], count: int) -> list[Block]:
    if not shown:
        return []
    more = [context(literal(words.say("and_more", count=str(count - len(shown)))))] if count > len(shown) else []
    return [header(words.say(title)), *(row(one) for one in shown), *more, divider()]


def draft_row(given: tuple[Form, Draft]) -> Block:
    """A draft with how far it is, and the button that goes on with it."""
    form, draft = given
    page = Page(form, draft, draft.began[:10])
    go_on = button(page.say("continue"), Press("show", draft.id), draft.id[:64], style="primary")
    return section(escape(page.progress), go_on)


def _request(request: Request) -> Block:
    form = request.form
    page = Page(form, Draft("", form.name, "", "", ""), request.at[:10])
    day = day_text(moment_of(request.at), form.language)
    return section(
        f"*{escape(request.number)}* · {escape(form.title)}\n{escape(page.state(request.state))} · {escape(day)}"
    )


def _start(words: Phrasebook, forms: Sequence[Form]) -> list[Block]:
    rows = [forms[i : i + ROW] for i in range(0, len(forms), ROW)]
    return [
        *([header(words.say("home_start"))] if rows else []),
        *(actions([begin(form) for form in row]) for row in rows),
    ]


def begin(form: Form, said: str = "") -> Element:
    """The button that begins a form. `said` is the message that it answers: its words are the form's first."""
    return button(form.title, Press("begin", value=form.name, hash=said), form.name)
