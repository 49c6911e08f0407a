"""The draft as it is, for the sandbox's page: fields, locks, provenance, tools on offer, and the last model call."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from bot.exports.own_data import ledger
from bot.slack.places import Place
from prompts.request import Request
from prompts.tools import tools
from prompts.view import View
from state.draft.display import display_value
from state.draft.draft import Draft
from state.draft.missing import missing, progress, reachable
from state.draft.reply import Reply
from state.engine.codec import decode_draft
from state.fields.base import Context
from state.form import Field, Form
from state.stores.figures import REJECTED
from state.stores.rows import StoredEvent, ToolLogEntry
from state.stores.store import Store
from state.workflow.load import Workflow

KEPT = 200
"""Drafts whose last call is remembered, in memory."""
Json = dict[str, Any]


class Inspector:
    """Watches model calls, and shows a conversation's draft. Only the sandbox has one: it shows everything."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, Json] = OrderedDict()
        self._store: Store | None = None
        self._workflows: Mapping[str, Workflow] = {}
        self._team = ""

    def attach(self, store: Store, workflows: Mapping[str, Workflow], team: str) -> None:
        """Give it what it reads."""
        self._store, self._workflows, self._team = store, workflows, team

    def asked(self, draft: str, request: Request, reply: Reply | None) -> None:
        """Remember a draft's last model call."""
        tokens = {"input": reply.usage.input, "output": reply.usage.output} if reply else None
        self._calls[draft] = {
            "at": datetime.now(UTC).isoformat(),
            "system": request.system,
            "messages": [{"role": m["role"], "text": _text(m["content"])} for m in request.messages],
            "tokens": tokens,
            "reply": _told(reply) if reply else "",
        }
        self._calls.move_to_end(draft)
        while len(self._calls) > KEPT:
            self._calls.popitem(last=False)

    def forget(self, drafts: Iterable[str]) -> None:
        """Remember no call of these drafts."""
        for draft in drafts:
            self._calls.pop(draft, None)

    async def inspect(self, _person: str, channel: str, thread: str | None) -> Json | None:
        """Return the panel's data for a conversation; None where it is about no draft."""
        if self._store is None:
            return None
        current = await self._store.current(Place(self._team, channel, thread or "").key)
        stored = await self._store.draft(current.draft) if current else None
        if stored is None or stored.erased or stored.form not in self._workflows:
            return None
        draft = decode_draft(stored.body)
        form = self._workflows[stored.form].form_of(draft)
        events = await self._store.events(draft.id)
        today = stored.updated_at.date().isoformat() if stored.updated_at else draft.began[:10]
        context = Context(form.language, today)
        return {
            "draft": _draft(form, draft, context) | {"ledger": await ledger(self._store, form, draft, context)},
            "tools": [_tool(t) for t in tools(View(form, draft, draft.began[:10]))],
            "prompt": self._calls.get(draft.id),
            "events": _events(events[-100:], await self._store.tool_calls(draft.id)),
        }


def _draft(form: Form, draft: Draft, context: Context) -> Json:
    done = progress(form, draft)
    return {
        "id": draft.id,
        "form": form.name,
        "title": form.title,
        "status": draft.status,
        "stage": draft.stage,
        "revision": draft.revision,
        "progress": list(done),
        "record": draft.filed.number or None,
        "fields": [_field(form, draft, f, context) for f in form.fields.values()],
        "missing": [f.name for f in missing(form, draft)],
        "locked": sorted(draft.locked_fields),
    }


def _field(form: Form, draft: Draft, field: Field, context: Context) -> Json:
    value = draft.values.get(field.name)
    origin = value.provenance if value else None
    return {
        "name": field.name,
        "label": field.label,
        "value": display_value(field, value, context) if value else None,
        "state": _state(form, draft, field),
        "locked": field.name in draft.locked_fields,
        "who": origin.who if origin else None,
        "how": origin.how if origin else None,
        "words": origin.words if origin else None,
        "marked": value is not None and not value.sure,
    }


def _state(form: Form, draft: Draft, field: Field) -> str:
    if field.name == draft.asked and draft.open:
        return "asked"
    if field.name in draft.values:
        return "filled"
    if field not in reachable(form, draft):
        return "hidden"
    return "missing" if field.required else "optional"


def _tool(tool: Mapping[str, Any]) -> Json:
    properties = list(tool["input_schema"].get("properties", {}))
    return {"name": tool["name"], "description": tool.get("description", ""), "properties": properties}


UNTOLD = frozenset({"ChatLineAdded", "Heard", "TurnBegun", "Counted", "WayTaken", "FileWaits"})
"""Changes that say nothing on the page."""


def _events(events: Iterable[StoredEvent], calls: Iterable[ToolLogEntry]) -> list[Json]:
    """Return events in their order, each with the tool calls that were judged in it."""
    judged = list(calls)
    return [
        row
        for event in events
        for row in (_event(event), *(_call(c, event.revision) for c in judged if c.n == event.n))
    ]


def _call(call: ToolLogEntry, revision: int) -> Json:
    """Return a tool call: what was wanted, and what it came to."""
    asked, result = call.body.get("arguments", {}), call.body.get("result", {})
    given, tool = asked.get("given"), asked.get("tool", call.tool)
    wanted = ", ".join(f"{name}: {value}" for name, value in given.items()) if isinstance(given, Mapping) else ""
    kind = "REJECTED" if call.status == REJECTED else "Tool call"
    at = call.at.isoformat() if call.at else ""
    said = str(result.get("reason") or result.get("note") or call.status)
    return {"revision": revision, "at": at, "kind": kind, "summary": f"{tool}({wanted}) → {said}"}


def _event(event: StoredEvent) -> Json:
    told = [_change(c) for c in event.changes if c["kind"] not in UNTOLD]
    at = event.at.isoformat() if event.at else ""
    return {"revision": event.revision, "at": at, "kind": event.kind, "summary": ", ".join(told)}


def _change(change: Mapping[str, Any]) -> str:
    about = change.get("field") or change.get("to") or change.get("number") or ""
    return f"{change['kind']} {about}".strip()


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(
        str(b.get("text") or b.get("content") or {k: b[k] for k in ("name", "input") if k in b}) for b in content
    )


def _told(reply: Reply) -> str:
    calls = [f"{c.tool}({c.arguments})" for c in reply.calls]
    return "\n".join(filter(None, (reply.text, *calls)))
