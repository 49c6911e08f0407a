"""Make ready, beside the start, what the first person would otherwise wait for: patterns, schemas of what is stored, calendars."""

from collections.abc import Mapping
from importlib import import_module

import structlog

from bot.turns.routing import aside, begun_in, route
from state.advance import advance, begin
from state.engine.codec import ADAPTERS, KINDS, decode_draft, decode_event, encode
from state.engine.events import MessageReceived
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.workflow.load import Workflow

SAID = "hello, I'd like 20 of these on Monday, for about €300"
"""Words at which every reader looks."""
NOBODY, WHEN = "nobody", "2026-01-05T09:00:00+00:00"

log = structlog.get_logger("holdfast")


def warm(workflows: Mapping[str, Workflow]) -> None:
    """Begin a draft of each form with some words, and keep nothing of it; it may run on another thread. What fails is logged."""
    try:
        for kind in KINDS:
            ADAPTERS.__getitem__(kind)  # which builds it
        said = decode_event(encode(MessageReceived("warming", WHEN, NOBODY, SAID, "1.0")))
        for workflow in workflows.values():
            form = begun_in(workflow, SAID, "")
            outcome = advance(form, workflow.rules, begin(form, "warming", "", NOBODY, "", WHEN), said)
            draft = decode_draft(encode(outcome.draft))
            read_fresh(form, draft, Context(form.language, WHEN[:10]))
            for about in (None, draft):
                aside(workflows, about, said, direct=True)
            route({name: w.form_of(draft) for name, w in workflows.items()}, draft, said)
        import_module("holidays.financial")  # with every country's: the slowest import there is
    except Exception:
        log.exception("warming_failed")
