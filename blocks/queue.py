"""The officer queue in App Home, with filters and pages, and the search among requests in a modal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from blocks import elements
from blocks.ids import DESK_FIND, SEARCH, id_of, write_private
from blocks.page import Page, mention, moment, moment_of
from blocks.phrases import Phrasebook
from blocks.text import escape, line, literal
from state.draft.draft import Draft
from state.form import Form

ROWS = 12
"""Requests of a page."""
ALL = "*"
"""The value of a filter that leaves nothing out."""
MOST, PLACEHOLDER, RISK = 100, 150, 150
"""Options of a menu; characters of its name, and of the line in which the form says the risk."""


@dataclass(frozen=True)
class At:
    """Where somebody stands in their Home: how many of their own requests and of the queue are skipped, and what the queue is filtered by."""

    own: int = 0
    skip: int = 0
    form: str = ""
    state: str = ""
    role: str = ""
    late: str = ""


@dataclass(frozen=True)
class Listed:
    """One request, in the house's form. `draft` holds its answers; `at`, `due` are ISO 8601; `now` says what is late."""

    form: Form
    draft: Draft
    state: str
    at: str
    due: str = ""


@dataclass(frozen=True)
class Queue:
    """A page of what waits: `count` in all under the filters, `late` of them late. `choices`: filter to value and label."""

    rows: tuple[Listed, ...]
    count: int
    late: int
    at: At
    now: str
    choices: Mapping[str, Sequence[tuple[str, str]]]
    decides: bool = True
    """True if they decide on anything; who reads alone has the search."""
    known: bool = True
    """True if it could be told what they may do."""


def build_queue(words: Phrasebook, queue: Queue) -> list[elements.Block]:
    """Build the blocks of the Home; none for whoever decides on nothing."""
    if not queue.known:
        return [
            elements.header(words.say("desk_title")),
            elements.context(literal(words.say("desk_unknown"))),
            elements.divider(),
        ]
    find = elements.plain_button(words.say("desk_find"), DESK_FIND, "find")
    if not queue.decides:
        return [elements.header(words.say("desk_reads")), elements.actions([find]), elements.divider()]
    counted = words.say("desk_count", count=str(queue.count), late=str(queue.late))
    menus = [_filter(words, queue, name) for name in ("form", "state", "role", "late") if queue.choices.get(name)]
    return [
        elements.header(words.say("desk_title")),
        elements.section(literal(counted if queue.count else words.say("desk_nothing")), find),
        *([elements.actions(menus)] if menus else []),
        *(listed_row(words, one, queue.now) for one in queue.rows),
        *_pages(words, queue),
        elements.divider(),
    ]


def _filter(words: Phrasebook, queue: Queue, name: str) -> elements.Element:
    every = elements.option(words.say(f"desk_every_{name}"), ALL)
    named = ((value, label or words.say(f"desk_{value}")) for value, label in queue.choices[name])
    options = [every, *(elements.option(label, value) for value, label in named)][:MOST]
    chosen = getattr(queue.at, name)
    return {
        "type": "static_select",
        "action_id": id_of("hf-only", name),
        "placeholder": elements.plain_text(words.say(f"desk_every_{name}"), PLACEHOLDER),
        "options": options,
        "initial_option": next((one for one in options if one["value"] == chosen), every),
    }


def listed_row(words: Phrasebook, listed: Listed, now: str) -> elements.Block:
    """Build a request: about what, whose, its state since when and until when; the risk where the form says one; and the button that opens it."""
    page = Page(listed.form, listed.draft, now[:10])
    about = page.essence or listed.form.title
    who = " · ".join((mention(listed.draft.owner), escape(listed.form.title), escape(listed.draft.filed.number)))
    stands = " · ".join((escape(page.state(listed.state)), *_times(words, listed, now)))
    risk = (
        [escape(line(listed.draft.filed.pending.background[0], RISK))] if listed.draft.filed.pending.background else []
    )
    text = "\n".join((f"*{escape(about)}*", who, stands, *risk))
    return elements.section(
        text,
        elements.plain_button(
            page.say("request_open"), id_of("hf-listed", listed.draft.filed.number), listed.draft.filed.number
        ),
    )


def _times(words: Phrasebook, listed: Listed, now: str) -> Iterable[str]:
    yield _at(words, "desk_since", listed.at)
    if listed.due:
        late = moment_of(listed.due) < moment_of(now)
        yield f":warning: {_at(words, 'decide_overdue', listed.due)}" if late else _at(words, "desk_due", listed.due)


def _at(words: Phrasebook, key: str, at: str) -> str:
    return words.fill(key, {"at": moment(moment_of(at), words.language)}, literal)


def _pages(words: Phrasebook, queue: Queue) -> list[elements.Block]:
    skip, behind = queue.at.skip, queue.count - queue.at.skip - len(queue.rows)
    ways = turning(words, "hf-queue", skip, ROWS, more=behind > 0)
    return [
        *([elements.context(literal(words.say("and_more", count=str(behind))))] if behind > 0 else []),
        *([elements.actions(ways)] if ways else []),
    ]


def turning(
    words: Phrasebook, family: str, skip: int, rows: int, *, more: bool, about: str = ""
) -> list[elements.Element]:
    """Return the buttons to the page before and after; their value is `about` and how many rows that page skips."""
    before, after = (f"{about}{n}" for n in (max(0, skip - rows), skip + rows))
    back = [elements.plain_button(words.say("desk_before"), id_of(family, "before"), before)] if skip else []
    return [*back, *([elements.plain_button(words.say("desk_after"), id_of(family, "after"), after)] if more else [])]


def chosen(at: At, name: str, value: str) -> At:
    """Return the place after a filter was chosen: the first page of it, and no state or role of another form."""
    value = "" if value == ALL else value
    if name == "form":
        return replace(at, skip=0, form=value, state="", role="")
    changes: dict[str, Any] = {name: value} if name in ("state", "role", "late") else {}
    return replace(at, skip=0, **changes)


def view_of(at: At, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Home view that remembers where the person stands in it."""
    return {**view, "private_metadata": write_private(at)}


FOUND = 10
"""Requests of a page."""
TITLE, LABEL, LONGEST, CHOICES = 24, 75, 150, 100


@dataclass(frozen=True)
class Query:
    """The terms of a search: a Slack user id, words or a number, a form, a state, days (ISO 8601), and how many are skipped."""

    person: str = ""
    text: str = ""
    form: str = ""
    state: str = ""
    since: str = ""
    until: str = ""
    skip: int = 0


def build_search(
    words: Phrasebook, forms: Sequence[tuple[str, str]], states: Sequence[tuple[str, str]], text: str = ""
) -> dict[str, Any]:
    """Build the modal for `views.open`. `forms` and `states` are values and labels."""
    words_box = elements.text_box("text", LONGEST, initial_value=text)
    blocks = [
        _input(words, "text", words_box),
        _input(words, "person", {"type": "users_select"}),
        *([_input(words, "form", _menu(forms))] if len(forms) > 1 else []),
        *([_input(words, "state", _menu(states))] if states else []),
        _input(words, "since", {"type": "datepicker"}),
        _input(words, "until", {"type": "datepicker"}),
    ]
    find = words.say("desk_find")
    return elements.modal(find, words.say("request_close"), blocks, submit=find, callback_id=SEARCH)


def _menu(choices: Sequence[tuple[str, str]]) -> elements.Element:
    return {"type": "static_select", "options": [elements.option(label, value) for value, label in choices[:CHOICES]]}


def _input(words: Phrasebook, name: str, element: elements.Element) -> elements.Block:
    hint = words.say("find_text_hint") if name == "text" else ""
    return elements.input_block(
        name, words.say(f"find_{name}"), element | {"action_id": name}, hint=hint, optional=True
    )


def read_search(view: Mapping[str, Any]) -> Query:
    """Return what was entered."""
    values = (view.get("state") or {}).get("values") or {}
    entered: dict[str, Any] = {name: _entered((values.get(name) or {}).get(name) or {}) for name in INPUTS}
    return Query(**entered)


INPUTS = ("person", "text", "form", "state", "since", "until")
"""The boxes, by a query's own names."""


def _entered(entry: Mapping[str, Any]) -> str:
    chosen = (entry.get("selected_option") or {}).get("value")
    found = chosen or entry.get("selected_user") or entry.get("selected_date") or entry.get("value")
    return str(found or "").strip()


def build_found(words: Phrasebook, query: Query, rows: Sequence[Listed], now: str, *, more: bool) -> dict[str, Any]:
    """Build what was found, in the place of the search; `more` if there is more behind this page."""
    shown = [listed_row(words, one, now) for one in rows]
    ways = turning(words, "hf-found", query.skip, FOUND, more=more)
    nothing = [elements.context(literal(words.say("find_nothing")))]
    blocks = [*(shown or nothing), *([elements.actions(ways)] if ways else [])]
    return elements.modal(words.say("desk_find"), words.say("request_close"), blocks, data=write_private(query))
