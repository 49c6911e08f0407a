"""One model call's whole request: system prompt, conversation, how the form stands, what to do now, tools."""

from functools import cache, partial

from prompts.action_summary import action_summary, instruction
from prompts.budget import LEAST, LED, ROOMS, TokenBudget, estimate, prose
from prompts.dialects import AGAIN, in_dialect
from prompts.ground_truth import ground_truth
from prompts.papers import told_text
from prompts.reminder import reminder
from prompts.request import Dialect, Message, Request, Tool
from prompts.rounds import flaw_text, round_messages
from prompts.system import QUOTING, RESULTS, system_prompt
from prompts.tools import tools
from prompts.view import View
from prompts.window import heard, never_cut, window
from state.draft.draft import Draft
from state.draft.scope import OFFER
from state.engine.effects import CallModel
from state.form import Form


def build_request(form: Form, draft: Draft, call: CallModel, today: str, dialect: Dialect = "tools") -> Request:
    """Return the request for a call about the draft as it is now, in a dialect. `today` is ISO 8601.

    Messages: the conversation with the person's newest line last, the rounds of this turn's tool loop, then one system
    message (it follows a user turn and is the last). What can be given up is, until all but the newest message is under the
    form's `request_tokens`; fields, setters and the newest message are never given up. In a dialect there is room left to ask once again.
    """
    view, native = View(form, draft, today), dialect == "tools"
    allowed = (
        form.request_tokens
        + prose(never_cut(heard(draft, call.act)))
        + prose(told_text(call.exchange))
        - (0 if native else AGAIN)
    )
    leads = call.purpose == "lead_in"
    wide, plain = (tools(view, strict=native, leads=leads, apart=apart) for apart in (True, False))
    rules = _rules(view, call, plain)
    closing = cache(partial(_closing, view, call, rules))  # most rooms have the same one
    messages = cache(lambda room: (*_conversation(view, call, room), closing(room.value)))
    system, words = system_prompt(form), form.asked_by == "model" or form.conversational
    rooms = tuple(room for room in ROOMS if words or not leads or room.lines <= LED)

    def request(offered: tuple[Tool, ...], room: TokenBudget) -> Request:
        kept = offered if room.offers and not call.exchange else tuple(t for t in offered if t["name"] != OFFER)
        return in_dialect(Request(system, messages(room), kept, again=call.regenerated, words=words), dialect)

    requests = (request(offered, room) for offered in (wide, plain) for room in rooms)
    return next((one for one in requests if estimate(one) < allowed), None) or request(plain, LEAST)


def _conversation(view: View, call: CallModel, room: TokenBudget) -> tuple[Message, ...]:
    return (*window(view, call.act, room), *round_messages(call.exchange, room.rounds))


def _rules(view: View, call: CallModel, offered: tuple[Tool, ...]) -> str:
    """Return rules for what there is: values to quote, results to read. Operations have theirs in the system prompt."""
    quoting = any("words" in tool["input_schema"]["properties"] for tool in offered)
    unset = any(result.get("status") != "ok" for r in call.exchange[-1:] for result in r.results.values())
    rules = (QUOTING if quoting else "", RESULTS if unset else "")
    return "" if view.form.conversational else "\n".join(filter(None, rules))


def _closing(view: View, call: CallModel, rules: str, value: int) -> Message:
    """How the form stands and what to do now, after the newest user turn, whether that holds words or tool results."""
    summed = call.purpose == "lead_in"
    now = action_summary(view, call) if summed else instruction(view, call)
    flaw = call.exchange[-1].flaw if call.exchange else ""
    told = "\n".join(filter(None, (now, rules)))
    parts = (ground_truth(view, value, summed=summed), told, reminder(view), flaw_text(flaw) if flaw else "")
    return {"role": "system", "content": "\n\n".join(filter(None, parts))}
