"""The App Home: a person's drafts, their requests, and the forms to begin."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from blocks.elements import Block, Element, actions, button, context, divider, header, plain_button, section
from blocks.ids import HOME, Press, id_of
from blocks.page import Page, day_text, fill, moment_of, read_in
from blocks.phrases import Phrasebook
from blocks.text import escape, line, lines, literal
from state.draft.draft import Draft
from state.form import Form

DRAFTS, REQUESTS, FORMS, ROW = 20, 40, 20, 5
"""Rows that are shown at most, requests a page: Slack takes 100 blocks in all."""
IN_ROWS = 8
"""Forms that stand in a row each, with what they are for."""
CONDITIONS = 300
"""Characters of conditions in a row."""
BESIDE = 25
"""Requests a page for whoever has other people's above their own."""

MOST = 100
"""Blocks that Slack takes in a view."""


@dataclass(frozen=True)
class Request:
    """A filed record: `draft` holds its answers, `at` is ISO 8601, `until` its last day. It has no form where that is no longer loaded."""

    form: Form | None
    number: str
    state: str
    at: str
    draft: Draft | None = None
    until: str = ""
    conditions: str = ""
    """Those under which it was approved."""


def build_home(
    words: Phrasebook,
    drafts: Sequence[tuple[Form, Draft]],
    requests: Sequence[Request],
    forms: Sequence[Form],
    *,
    skipped: int = 0,
    count: int = 0,
    desk: Sequence[Block] = (),
    policy: Sequence[Block] = (),
) -> dict[str, Any]:
    """Build the view for `views.publish`. `words` are in the person's language; what was answered keeps its form's.

    `requests` are a page of the `count` that there are, newest first, after `skipped` newer ones. `desk` is what other people's
    requests ask of the person: it stands above their own. `policy` is the section of whoever keeps lists.
    """
    most = BESIDE if desk else REQUESTS
    own = _requests(words, requests[:most], most, skipped, max(count, skipped + len(requests)))
    filled = [*_drafts(words, drafts), *own]
    told = [read_in(form, words.language) for form in forms[:FORMS]]
    bare = [] if desk else [section(literal(words.say("home_empty")))]
    above = [*desk, *(filled or bare)]
    below = [*_start(words, told, 0 if desk else IN_ROWS), context(literal(words.say("home_help")))]
    blocks = [*above, *policy[: max(0, MOST - len(above) - len(below))], *below]
    return {"type": "home", "callback_id": HOME, "blocks": blocks}


def _drafts(words: Phrasebook, drafts: Sequence[tuple[Form, Draft]]) -> list[Block]:
    if not drafts:
        return []
    left = len(drafts) - DRAFTS
    more = [context(literal(words.say("and_more", count=str(left))))] if left > 0 else []
    return [header(words.say("home_drafts")), *(draft_row(words, one) for one in drafts[:DRAFTS]), *more, divider()]


def draft_row(words: Phrasebook, given: tuple[Form, Draft]) -> Block:
    """Return a draft with what it is about and how far it is, and the button that goes on with it."""
    form, draft = given
    page = Page(read_in(form, words.language), draft, draft.began[:10])
    about = f"*{escape(page.essence)}*\n" if page.essence else ""
    go_on = button(page.say("continue"), Press("show", draft.id), draft.id[:64], style="primary")
    return section(f"{about}{escape(page.progress)}", go_on)


def _requests(words: Phrasebook, shown: Sequence[Request], most: int, skipped: int, count: int) -> list[Block]:
    if not shown:
        return []
    older = count - skipped - len(shown)
    newer, further = max(0, skipped - most), skipped + most
    ways = [
        *([plain_button(words.say("home_newer"), id_of("hf-home", newer), str(newer))] if skipped else []),
        *([plain_button(words.say("home_older"), id_of("hf-home", further), str(further))] if older else []),
    ]
    more = [context(literal(words.say("and_more", count=str(older))))] if older else []
    return [
        header(words.say("home_requests")),
        *(_request(words, one) for one in shown),
        *[*more, *([actions(ways)] if ways else [])],
        divider(),
    ]


def _request(words: Phrasebook, request: Request) -> Block:
    day = day_text(moment_of(request.at), words.language)
    if request.form is None:
        return section(f"*{escape(request.number)}*\n{escape(day)}")
    form = read_in(request.form, words.language)
    page = Page(form, request.draft or Draft("", form.name, "", "", ""), request.at[:10])
    state = f"{colour(form, request.state)} {page.state(request.state)}"
    if not page.essence:
        text = f"*{escape(request.number)}* · {escape(form.title)}\n{escape(state)} · {escape(day)}"
    else:
        until = page.say("until", day=page.day(request.until)) if request.until else ""
        about = (f"{state} {until}".strip(), request.number, day)
        conditions = {"conditions": line(request.conditions, CONDITIONS)} if request.conditions else None
        under = fill(page, "told_conditions", conditions) if conditions else ""
        text = lines(f"*{escape(page.essence)}*", " · ".join(map(escape, about)), under)
    opens = plain_button(page.say("request_open"), id_of("hf-request", request.number), request.number)
    return section(text, opens if request.draft else None)


GREEN, RED, YELLOW, BLUE, WHITE = "🟢", "🔴", "🟡", "🔵", "⚪"
COLOURS = {
    "asked": BLUE,
    **dict.fromkeys(("approved", "auto_approved", "executed"), GREEN),
    **dict.fromkeys(("declined", "blocked", "escalated"), RED),
    **dict.fromkeys(("withdrawn", "expired", "unused"), WHITE),
}
"""States that mean the same in every form. A form's own: by who has it, else by the verdict that leads there."""


def colour(form: Form, state: str) -> str:
    """Return the mark of a state: its word always stands beside it, so that nobody has to tell colours apart."""
    states = form.filing.states
    if state in COLOURS:
        return COLOURS[state]
    if state in states and states[state].waits:
        return YELLOW
    verdicts = {verdict for one in states.values() for verdict, to in one.decide.items() if to == state}
    return (GREEN if "approve" in verdicts else RED) if verdicts else WHITE


def _start(words: Phrasebook, forms: Sequence[Form], in_rows: int) -> list[Block]:
    rest = forms[in_rows:]
    rows = (actions([begin(form) for form in rest[i : i + ROW]]) for i in range(0, len(rest), ROW))
    return [header(words.say("home_start")), *map(form_row, forms[:in_rows]), *rows] if forms else []


def form_row(form: Form, said: str = "") -> Block:
    """Return what a form is for, beside the button that begins it."""
    return section(escape(form.purpose or form.title), begin(form, said))


def begin(form: Form, said: str = "") -> Element:
    """Return the button that begins a form. `said` is the message that it answers: its words are the form's first."""
    return button(form.title, Press("begin", value=form.name, hash=said), form.name)
