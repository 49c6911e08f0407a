"""Questions to a form's commands from where that form is not filled in: answered in private, and no form begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from bot.slack.places import place
from state.draft.draft import Draft
from state.engine.events import DraftEvent, MessageReceived
from state.engine.on_facts import MY_REQUESTS
from state.rules import FormFault
from state.stores.rows import InboxRow, OutboxRow
from state.understanding.commands import SpokenCommand, read_command
from state.understanding.form_commands import read_form_command, record_number
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.turn")


@dataclass(frozen=True)
class Question:
    """A command of a form, and what it is about. Without a form: the person's requests of all forms."""

    form: str
    name: str
    rest: str


def question_in(workflows: Mapping[str, Workflow], text: str, only: str = "") -> Question | None:
    """Return the first form's command that the whole text gives; of one form alone where it is named."""
    for name, workflow in workflows.items():
        found = read_form_command(workflow.form, text) if only in ("", name) else None
        if found is not None:
            return Question(name, *found)
    return None


def aside(
    workflows: Mapping[str, Workflow], draft: Draft | None, event: DraftEvent, *, direct: bool
) -> Question | None:
    """Return a question that is none to the present draft's form: asked before any form, beside another one, or where others read along."""
    if not isinstance(event, MessageReceived) or event.files or (draft is not None and _elsewhere(draft, event)):
        return None
    if draft is not None and draft.form in workflows and read_form_command(workflows[draft.form].form, event.text):
        return None
    found = question_in(workflows, event.text)
    if draft is None and (_asks_for_all(workflows, event.text) or (found is not None and found.name == MY_REQUESTS)):
        return Question("", MY_REQUESTS, "")
    if found is None or not (direct and draft is not None and draft.open):
        return found
    return found if _certain(workflows[found.form], found) else None


def _asks_for_all(workflows: Mapping[str, Workflow], text: str) -> bool:
    """Return True if the words ask for the person's requests, in the language of any form."""
    languages = dict.fromkeys(workflow.form.language for workflow in workflows.values())
    return any(read_command(text, language) is SpokenCommand.MY_REQUESTS for language in languages)


def _elsewhere(draft: Draft, event: MessageReceived) -> bool:
    """Return True if the words are for somebody else: a person has the conversation, or another one than its owner speaks."""
    return bool(draft.handed) or event.who != draft.owner


def _certain(workflow: Workflow, asked: Question) -> bool:
    """Return True if the words can mean nothing else: they name a record of the form, or what its look-up finds."""
    if record_number(workflow.form, asked.rest):
        return True
    about = workflow.form.commands[asked.name].about
    try:
        return about is not None and bool(asked.rest) and workflow.rules.finds(about, asked.rest)
    except FormFault as fault:
        log.error("form_failed", form=asked.form, what=fault.what, exc_info=fault)
        return False


def answer_row(incoming: InboxRow, event: DraftEvent, asked: Question) -> OutboxRow:
    """Return what answers it: in the direct message, or where others read along as a note that nobody else sees."""
    there = place(incoming.conversation)
    body: dict[str, Any] = {"team": there.team, "channel": there.channel, "thread": there.thread, "user": event.who}
    body |= {"form": asked.form, "command": asked.name, "rest": asked.rest, "direct": there.direct}
    body["language"] = str(incoming.body.get("locale") or "")
    return OutboxRow(f"{event.id}/answer", f"slack:{incoming.conversation}", "answer", incoming.person, body)
