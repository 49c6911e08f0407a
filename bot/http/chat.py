"""Serve `/chat`: method, token, rate and body; words become operations by the same judgement as in Slack. No exception's text ever leaves."""

import asyncio
import ipaddress
import json
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import structlog
from aiohttp import web

from bot.effects.model_calls import Answer, ModelCaller
from bot.effects.service import OperationCaller, OperationOutcome, Operations, plain
from bot.http.contract import (
    LONGEST,
    MESSAGE,
    Body,
    Call,
    Failed,
    Turn,
    answer,
    failed,
    misfit,
    read_body,
    unfit,
    written,
)
from bot.http.tokens import Caller, Tokens
from bot.model.shapes import exact
from bot.operations.metrics import CHATS
from bot.slack.people import People
from bot.slack.places import person_key
from state.advance import begin
from state.draft.changes import ChatLineAdded, apply
from state.draft.draft import ChatLine, Draft
from state.draft.operations import Refused
from state.draft.reply import Round
from state.draft.scope import PERSON
from state.draft.topics import utterance
from state.draft.utterance import Phrase, Verbatim
from state.draft.working_days import day_of
from state.engine.effects import CallModel
from state.engine.offers import RULES
from state.engine.on_operation import NOTHING_DONE
from state.engine.unread import read_fresh
from state.exact_json import no_number, without_doubles
from state.fields.base import Context
from state.guards.operations import Verdict, judge_in_place, judge_reply, takes_nothing
from state.stores.store import Store
from state.understanding.arguments import Checked, check
from state.understanding.commands import SpokenCommand, read_command
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.chat")


GARBLED = "garbled"
BAD_REPLY = (502, "bad_reply", "The language model gave no reply that could be used.")
"""The model has answered twice, and never so that it could be used."""


class Answering:
    """Raises Failed for everything that is not answered."""

    def __init__(
        self,
        store: Store,
        workflows: Mapping[str, Workflow],
        thinker: ModelCaller,
        operations: Operations,
        people: People,
    ) -> None:
        self._store, self._thinker, self._operations, self._people = store, thinker, operations, people
        self._workflows = workflows

    async def answer(self, caller: Caller, body: Body) -> dict[str, Any]:
        """Return what goes back to a caller."""
        whose, zone = await self._whose(caller)
        try:
            came = await self._came(whose, zone, caller, body)
        except Refused as refused:
            raise failed(refused, plain(whose.form, (refused.line,))) from None
        return {"answer": came} if isinstance(came, str) else answer(plain(whose.form, came.told), whose.form, came)

    async def _whose(self, caller: Caller) -> tuple[OperationCaller, str]:
        """Return the caller as the token has it, on their own day."""
        known = [w for n, w in self._workflows.items() if w.form.conversational and caller.workflow in ("", n)]
        if len(known) != 1:
            raise Failed(404, "not_found", "There is no workflow for this token.")
        workflow = known[0]
        zone = caller.zone or await self._people.zone(caller.tenant, caller.user)
        today = day_of((await self._store.now()).isoformat(), zone)
        identity = workflow.rules.roles.given(caller.tenant, caller.user, set(caller.roles))
        context = Context(workflow.form.language, today)
        return OperationCaller(workflow, identity, context, secrets.token_hex(10)), zone

    async def _came(self, whose: OperationCaller, zone: str, caller: Caller, body: Body) -> OperationOutcome | str:
        if body.confirm:  # by the proposal's id, or by what one of the caller's holds; by both where both are given
            meant = [(call.tool, _meant(whose, call)) for call in body.confirm.calls]
            name = body.confirm.name
            return await self._operations.confirm(
                whose, await self._operations.equal(whose, meant, name) if meant else name
            )
        history, words = _newest(body)
        command = read_command(words, whose.form.language)
        if command is SpokenCommand.UNDO:
            return await self._operations.undo(whose)
        if command is not None:
            return plain(whose.form, (Phrase("op_help", {"introduction": whose.form.introduction}),))
        verdict = await self._understood(whose, await self._draft(whose, zone, caller, history, words))
        return verdict if isinstance(verdict, str) else await self._operations.call(whose, verdict.wanted)

    async def _understood(self, whose: OperationCaller, draft: Draft) -> Verdict | str:
        """Calls, or words, after one retry at most, whoever asked for it.

        A second reply that cannot be used is 502; one whose call no operation can take, and a line that the rules cannot read, 422.
        """
        call = CallModel(draft.turn)
        while True:
            read = await self._read(draft, call)
            if any(c.tool == PERSON for c in read.reply.calls):
                return plain(whose.form, (Phrase("person_offer"),))
            verdict = judge_reply(whose.form, draft, read.reply, whose.context)
            if verdict.wanted:
                return verdict
            if takes_nothing(draft, verdict, whose.context):
                return _by_rules(whose, draft, verdict)
            if not verdict.flaw:
                if verdict.said:  # as code words it; else a model's own words above the true line
                    return plain(whose.form, (utterance(draft, saying) for saying in verdict.said))
                return plain(whose.form, (Verbatim(verdict.text), NOTHING_DONE))
            if read.reader == RULES:
                raise Failed(422, "not_understood", plain(whose.form, (Phrase("op_invalid"),)))
            if call.regenerated or read.reply.retried:
                if read.reply.text.strip() and not read.reply.calls:
                    return _by_rules(whose, draft, verdict)
                raise misfit(whose.form, read.reply.calls, verdict.results) or Failed(*BAD_REPLY)
            rounds = (*call.exchange, Round(read.reply, verdict.results, verdict.flaw))
            call = replace(call, step=call.step + 1, exchange=rounds, regenerated=True)

    async def _read(self, draft: Draft, call: CallModel) -> Answer:
        read = await self._thinker.ask(draft, call)
        if read is None or read.away == GARBLED:
            raise Failed(*BAD_REPLY)
        return read

    async def _draft(self, whose: OperationCaller, zone: str, caller: Caller, history: list[Turn], words: str) -> Draft:
        """Return the conversation as a draft that is kept nowhere. What was answered before has used up the words before it."""
        now, person = (await self._store.now()).isoformat(), person_key(caller.tenant, caller.user)
        draft = begin(whose.form, f"http:{person}", caller.tenant, caller.user, "", now)
        open_ends = ("?", plain(whose.form, (NOTHING_DONE,)))
        for turn in history:
            answered = turn.role == "assistant" and not turn.content.rstrip().endswith(open_ends)
            draft = apply(draft, ChatLineAdded(ChatLine(turn.role, turn.content, clicked=answered)))
        draft = apply(draft, ChatLineAdded(ChatLine("user", words)))
        last = await self._store.entries(caller.tenant, whose.form.name, person, limit=1)
        return replace(draft, zone=zone, turn=len(history) + 1, last_entry=last[0].number if last else 0)


def _meant(whose: OperationCaller, call: Call) -> dict[str, Any]:
    """Return a call's arguments in their canonical form. Raises Failed (422) where its operation cannot take them."""
    operation = whose.form.operations.get(call.tool)
    checked = check(operation, call.args, whose.context, whose.form.currency_hint) if operation else None
    if not isinstance(checked, Checked):
        raise unfit(whose.form, call.tool, call.args)
    return dict(checked.arguments)


def _by_rules(whose: OperationCaller, draft: Draft, verdict: Verdict) -> Verdict | str:
    """A model was of no use: what the rules read waits for a click, or is asked for; else its kind word, if any, above the true line."""
    read = judge_in_place(whose.form, draft, read_fresh(whose.form, draft, whose.context), whose.context)
    if read.wanted:
        return read
    return plain(whose.form, (*(utterance(draft, saying) for saying in read.said or verdict.said), NOTHING_DONE))


def _newest(body: Body) -> tuple[list[Turn], str]:
    """Return the conversation so far, and the words to answer: the last user turn of the history, else the message."""
    last = next((i for i, turn in reversed([*enumerate(body.history)]) if turn.role == "user"), len(body.history))
    words = body.history[last].content if last < len(body.history) else body.message or body.question or ""
    if not words:
        raise Failed(400, "malformed", "There is no message, no question and no user turn.")
    if len(words) > MESSAGE:
        raise Failed(400, "malformed", f"A message may have {MESSAGE} characters.")
    return list(body.history[:last]), words


KEPT = 5000
"""Tokens and addresses that are remembered."""


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a minute."""

    burst: int
    a_minute: int


TOKEN, ADDRESS, WRONG = Rate(60, 120), Rate(600, 1200), Rate(20, 20)
"""Of a caller; of an address, behind which many callers may be; of tokens that are wrong, from one address."""


class Limits:
    """Buckets that fill up with time. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()

    def address(self, address: str) -> float:
        """Count a request of an address. Gives the seconds after which to come again; 0 where it is within its rate."""
        return self._take("address", _network(address), ADDRESS)

    def token(self, digest: str) -> float:
        """Count a request of a caller by the hash of the token."""
        return self._take("token", digest, TOKEN)

    def wrong(self, address: str) -> float:
        """Count a wrong token from an address."""
        return self._take("wrong", _network(address), WRONG)

    def _take(self, kind: str, name: str, rate: Rate) -> float:
        """A bucket is kept as the time at which it will be full again; what is refused costs nothing."""
        now, each = self._clock(), 60.0 / rate.a_minute
        full_at = max(now, self._full_at.pop((kind, name), now))
        wait = full_at + each - (now + rate.burst * each)
        self._full_at[kind, name] = full_at if wait > 0 else full_at + each
        while len(self._full_at) > KEPT:
            self._full_at.popitem(last=False)
        return max(0.0, wait)


def _network(address: str) -> str:
    """Return an address; of the newer kind the part that one customer has."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network(f"{known}/64", strict=False)) if known.version == 6 else str(known)  # noqa: PLR2004


BEARER = "bearer "
HEADERS = {405: {"Allow": "POST"}, 401: {"WWW-Authenticate": "Bearer"}}
CLOSES = (408, 413, 429)
"""Statuses after which the rest of what was sent is not waited for."""


class Chat:
    """Handles every request to `/chat`. `patience`: seconds for a body."""

    def __init__(self, tokens: Tokens, answering: Answering, *, patience: float) -> None:
        self._tokens, self._answering, self._limits, self._patience = tokens, answering, Limits(), patience

    async def handle(self, request: web.Request) -> web.Response:
        """200 with an answer, or `{error, detail?}` with the status that fits."""
        try:
            status, body, headers = 200, await self._answer(request), {}
        except Failed as problem:
            status, body = problem.status, dict(problem.body)
            headers = dict(HEADERS.get(problem.status, {}))
            if problem.seconds:
                headers["Retry-After"] = str(math.ceil(problem.seconds))
        except Exception:
            log.exception("chat_failed")
            status, body, headers = 500, {"error": "internal"}, {}
        CHATS.labels(status).inc()
        response = web.json_response(body, status=status, headers=headers, dumps=written)
        if status in CLOSES:
            response.force_close()
        return response

    async def _answer(self, request: web.Request) -> dict[str, Any]:
        if request.method != "POST":
            raise Failed(405, "method_not_allowed", "Use POST.")
        caller = self._caller(request)
        try:
            async with asyncio.timeout(self._patience):
                given = await _json(request)
        except TimeoutError:
            raise Failed(408, "timeout", "The body did not come in time.") from None
        return await self._answering.answer(caller, read_body(given))

    def _caller(self, request: web.Request) -> Caller:
        """Whoever the token stands for, as often as they may ask."""
        address = request.remote or ""
        _within(self._limits.address(address))
        given = request.headers.get("Authorization", "")
        known = self._tokens.caller(given[len(BEARER) :].strip()) if given.lower().startswith(BEARER) else None
        if known is None:
            _within(self._limits.wrong(address))
            raise Failed(401, "unauthorised", "A valid token is needed: Authorization: Bearer …")
        _within(self._limits.token(known.sha256))
        return known


def _within(seconds: float) -> None:
    if seconds > 0:
        raise Failed(429, "too_many", "Too many requests. Come again after the seconds of Retry-After.", seconds)


async def _json(request: web.Request) -> object:
    if (request.content_length or 0) > LONGEST:
        raise Failed(413, "too_large", f"A body may have {LONGEST} bytes.")
    raw = bytearray()
    async for part in request.content.iter_chunked(8192):
        raw += part
        if len(raw) > LONGEST:
            raise Failed(413, "too_large", f"A body may have {LONGEST} bytes.")
    try:
        return json.loads(raw, object_pairs_hook=without_doubles, parse_float=exact, parse_constant=no_number)
    except (ValueError, RecursionError):
        raise Failed(400, "malformed", "The body is not JSON, or gives a key twice.") from None
