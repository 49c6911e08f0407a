"""Show what a form asks, in order and without anybody filling it in: its cards as Slack would show them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from blocks.cards import build_card
from blocks.elements import Block, section
from blocks.page import Page
from blocks.text import escape
from state.advance import begin
from state.draft.display import declared_by
from state.draft.draft import Draft, Provenance, Status, Value
from state.draft.missing import reachable
from state.draft.record import Record
from state.engine.cards import Card, Question, Receipt, Review
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Condition, Field, Form
from state.form.source import Problem
from state.record.filing import filed
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.sandbox")
Json = dict[str, Any]
UNSHOWN = "This card cannot be shown ({why}): the form's rules, or something that it names, fail here."


@dataclass
class Forms:
    """The forms that run, for the page; `version` counts changes, `edited` names the newest, `problems` are of those that were not taken."""

    workflows: Mapping[str, Workflow]
    version: int = 0
    edited: str = ""
    problems: list[Problem] = field(default_factory=list)

    def listed(self) -> Json:
        """Return the forms with their languages, and what is wrong."""
        here = Path.cwd()
        files = ((p.file.relative_to(here) if p.file.is_relative_to(here) else p.file, p) for p in self.problems)
        return {
            "version": self.version,
            "edited": self.edited,
            "problems": [{"file": str(file), "line": p.line, "text": p.text} for file, p in files],
            "forms": [
                {"name": name, "title": one.form.title, "languages": [one.form.language, *one.languages]}
                for name, one in self.workflows.items()
            ],
        }

    def preview(self, name: str, language: str) -> list[Json]:
        """Return the cards of a form in one of its languages; none where it is not there."""
        return list(_cards(self.workflows[name], language)) if name in self.workflows else []


def _cards(workflow: Workflow, language: str) -> Iterator[Json]:
    form, at = workflow.spoken_in(language), datetime.now(UTC).isoformat()
    empty = begin(form, "preview", "", "U0PREVIEW", "", at)
    page, shown = Page(form, empty, at[:10]), set[str]()
    for one in form.fields.values():
        names = form.together(one.name)
        if one.name in shown or one.slot > 1:
            continue
        shown |= {one.name, *names}
        stage = next((s for s in form.stages if form.stage_names(s).intersection(one.stage)), form.first_stage)
        asked = replace(empty, stage=stage, asked=one.name)
        card = Question(one.name, fields=names, declares=declared_by(form, asked, names or [one.name], page.context))
        about = [_about(page, form.fields[name]) for name in names or [one.name]]
        yield {"about": about, "blocks": _built(form, asked, card)}
    for operation in form.operations.values():
        asks = [section(f"*{escape(page.label(f))}*: {escape(f.ask)}") for f in operation.fields.values()]
        yield {"about": [{"label": operation.title, "kind": "operation"}], "blocks": asks}
    if form.fields:
        for label, blocks in (("Review", _built(form, _filled(page), Review())), ("Receipt", _receipt(workflow, page))):
            yield {"about": [{"label": label, "kind": "with examples"}], "blocks": blocks}


def _built(form: Form, draft: Draft, card: Card) -> list[Block]:
    try:
        return list(build_card(form, draft, card, "preview", draft.began[:10]).blocks)
    except Exception as error:  # a form that is being written: the other cards can be shown
        log.warning("card_not_shown", card=card.kind, exc_info=error)
        return [section(escape(UNSHOWN.format(why=type(error).__name__)))]


def _receipt(workflow: Workflow, page: Page) -> list[Block]:
    """Return the receipt in the state that the form's rules give these examples; in its first one where they want facts."""
    form, number = page.form, f"{page.form.prefix}-{page.today[:4]}-000001"
    draft = _filled(page)
    try:
        made = filed(form, workflow.rules, draft, {})
        state, told, until = made.state, made.told, made.until
    except Exception:  # whatever rules.py does without the facts that it gathers
        state, told, until = next(iter(form.filing.states), "received"), (), ""
    draft = replace(draft, status=Status.SUBMITTED, filed=Record(number, state, filed_at=draft.began))
    return _built(form, draft, Receipt(number, draft.began, state, told, until))


def _about(page: Page, one: Field) -> Json:
    """Return a field's label, its kind, and in words when it is asked."""
    repeat = page.form.repeats.get(one.repeat)
    notes = [
        f"stage {' or '.join(one.stage)}" if one.stage else "",
        f"asked if {_told(page, one.when)}" if one.when else "",
        "" if one.required else "only if it is told",
        f"up to {repeat.most} times" if repeat else "",
    ]
    return {"label": page.label(one), "kind": one.kind, "name": one.name, "when": "; ".join(filter(None, notes))}


def _told(page: Page, condition: Condition) -> str:
    """Return a condition in words, with the form's own labels and answers."""
    parts = [_is(page, name, wanted) for name, wanted in condition.all.items()]
    some = " or ".join(_told(page, one) for one in condition.any)
    parts += [f"({some})"] if len(condition.any) > 1 and len(parts) + len(condition.none) else [some] if some else []
    parts += [f"not ({_told(page, one)})" for one in condition.none]
    return " and ".join(parts)


def _is(page: Page, name: str, wanted: tuple[str | bool | int, ...]) -> str:
    other = page.form.fields.get(name)
    answers = [page.data(other, data) if other else str(data) for data in wanted]
    return f"“{page.label(other) if other else name}” is {' or '.join(answers)}"


def _filled(page: Page) -> Draft:
    """Return the draft with an example for each field that is asked then; a worse answer where there is no other."""
    draft, tried = page.draft, set[str]()
    while left := [f for f in reachable(page.form, draft) if f.name not in tried]:
        one, origin = left[0], Provenance(draft.owner, draft.began, "typed")
        tried.add(one.name)
        data = _example(page, one)
        if data is not None:
            label = one.placeholder or one.label if kind_of(one).searchable else ""
            said = declared_by(page.form, draft, [one.name], page.context).get(one.name, ("", ""))
            value = Value(data, origin, label=label, declared=said[data is not True])
            draft = replace(draft, values={**draft.values, one.name: value})
    return draft


def _example(page: Page, one: Field) -> Any:
    """Return a value that the field's own kind takes; None where it takes files, or none of these."""
    kind, day = kind_of(one), datetime.now(UTC).date() + timedelta(days=-7 if one.lies == "behind" else 7)
    if kind.by_file:
        return None
    if one.choices:
        value = next((c.value for c in one.choices if c.value != one.worse), one.choices[0].value)
        return (value,) if kind.several else value
    plain = one.placeholder or one.label
    first = (plain,) if kind.verbatim or kind.searchable else ()
    for given in (
        *first,
        one.worse is not True,
        one.minimum or 3,
        f"{one.minimum or 40}",
        day.isoformat(),
        *OF_KINDS,
        plain,
    ):
        try:
            data = kind.parse(one, given, page.context.facing(one))
        except Unreadable:
            continue
        if kind.fits(one, data):
            return data
    return None


OF_KINDS = ("EUR", "EUR 40.00", "10:30", "2026-05", "https://example.org", "+44 20 7946 0123", "GB00BLGZ9862")
