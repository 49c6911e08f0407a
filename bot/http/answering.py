"""One request answered: words become operations by the reader's reply and the same judgement as in Slack; a click needs no reader."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.effects.model_calls import Answer, ModelCaller
from bot.effects.service import Came, Operations, Whose, plain
from bot.http.contract import MESSAGE, Body, Call, Confirm, Failed, Turn, answer, failed, misfit, unfit
from bot.http.tokens import Caller
from bot.slack.people import People
from bot.slack.places import person_key
from state.advance import begin
from state.draft.changes import ChatLineAdded, apply
from state.draft.draft import ChatLine, Draft
from state.draft.operations import Refused
from state.draft.reply import Round
from state.draft.scope import PERSON
from state.draft.speech import utterance
from state.draft.utterance import Phrase, Verbatim
from state.draft.working_days import day_of
from state.engine.effects import CallModel
from state.engine.offers import RULES
from state.engine.on_operation import NOTHING_DONE
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.form import Form
from state.guards.operations import Verdict, is_kind_word, judge_in_place, judge_reply
from state.stores.store import Store
from state.understanding.arguments import Checked, check
from state.understanding.commands import SpokenCommand, read_command
from state.workflow.load import Workflow

GARBLED = "garbled"


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
        self._workflows = {name: w for name, w in workflows.items() if w.form.conversational}

    async def answer(self, caller: Caller, body: Body) -> dict[str, Any]:
        """Return what goes back to a caller."""
        whose, zone = await self._whose(caller)
        try:
            came = await self._came(whose, zone, caller, body)
        except Refused as refused:
            raise failed(refused, plain(whose.form, (refused.line,))) from None
        return {"answer": came} if isinstance(came, str) else answer(plain(whose.form, came.told), whose.form, came)

    async def _whose(self, caller: Caller) -> tuple[Whose, str]:
        """Return the caller as the token has it, on their own day."""
        known = [w for name, w in self._workflows.items() if caller.workflow in ("", name)]
        if len(known) != 1:
            raise Failed(404, "not_found", "There is no workflow for this token.")
        workflow = known[0]
        zone = caller.zone or await self._people.zone(caller.tenant, caller.user)
        today = day_of((await self._store.now()).isoformat(), zone)
        identity = workflow.rules.roles.given(caller.tenant, caller.user, set(caller.roles))
        context = Context(workflow.form.language, today)
        return Whose(workflow, identity, context, secrets.token_hex(10)), zone

    async def _came(self, whose: Whose, zone: str, caller: Caller, body: Body) -> Came | str:
        if body.confirm:
            return await self._confirmed(whose, body.confirm)
        history, words = _newest(body)
        command = read_command(words, whose.form.language)
        if command is SpokenCommand.UNDO:
            return await self._operations.undo(whose)
        if command is not None:
            return plain(whose.form, (Phrase("op_help", {"introduction": whose.form.introduction}),))
        verdict = await self._understood(whose, await self._draft(whose, zone, caller, history, words))
        return verdict if isinstance(verdict, str) else await self._operations.call(whose, verdict.wanted)

    async def _confirmed(self, whose: Whose, click: Confirm) -> Came:
        """By the proposal's id, or by what one of the caller's holds; by both where both are given."""
        meant = [(call.tool, _meant(whose, call)) for call in click.calls]
        name = await self._operations.equal(whose, meant, click.name) if meant else click.name
        return await self._operations.confirm(whose, name)

    async def _understood(self, whose: Whose, draft: Draft) -> Verdict | str:
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
            if is_kind_word(verdict):
                return _by_rules(whose, draft, verdict)
            if not verdict.flaw:
                return _told(whose.form, draft, verdict)
            if read.reader == RULES:
                raise Failed(422, "not_understood", plain(whose.form, (Phrase("op_invalid"),)))
            if call.regenerated or read.reply.retried:
                if read.reply.text.strip() and not read.reply.calls:
                    return _by_rules(whose, draft, verdict)
                raise misfit(whose.form, read.reply.calls, verdict.results) or bad_reply()
            rounds = (*call.exchange, Round(read.reply, verdict.results, verdict.flaw))
            call = replace(call, step=call.step + 1, exchange=rounds, regenerated=True)

    async def _read(self, draft: Draft, call: CallModel) -> Answer:
        read = await self._thinker.ask(draft, call)
        if read is None or read.away == GARBLED:
            raise bad_reply()
        return read

    async def _draft(self, whose: Whose, zone: str, caller: Caller, history: list[Turn], words: str) -> Draft:
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


def _meant(whose: Whose, call: Call) -> dict[str, Any]:
    """Return a call's arguments in their canonical form. Raises Failed (422) where its operation cannot take them."""
    operation = whose.form.operations.get(call.tool)
    checked = check(operation, call.args, whose.context, whose.form.currency_hint) if operation else None
    if not isinstance(checked, Checked):
        raise unfit(whose.form, call.tool, call.args)
    return dict(checked.arguments)


def _told(form: Form, draft: Draft, verdict: Verdict) -> str:
    """Return what was wanted said, as code words it; a model's own words above the true line."""
    if verdict.said:
        return plain(form, (utterance(draft, saying) for saying in verdict.said))
    return plain(form, (Verbatim(verdict.text), NOTHING_DONE))


def _by_rules(whose: Whose, draft: Draft, verdict: Verdict) -> Verdict | str:
    """A model was of no use: what the rules read waits for a click, or is asked for; else its kind word, if any, above the true line."""
    read = judge_in_place(whose.form, draft, read_fresh(whose.form, draft, whose.context), whose.context)
    if read.wanted:
        return read
    return plain(whose.form, (*(utterance(draft, saying) for saying in read.said or verdict.said), NOTHING_DONE))


def bad_reply() -> Failed:
    """The model has answered twice, and never so that it could be used."""
    return Failed(502, "bad_reply", "The language model gave no reply that could be used.")


def _newest(body: Body) -> tuple[list[Turn], str]:
    """Return the conversation so far, and the words to answer: the last user turn of the history, else the message."""
    users = [i for i, turn in enumerate(body.history) if turn.role == "user"]
    if users:
        return list(body.history[: users[-1]]), _said(body.history[users[-1]].content)
    return list(body.history), _said(body.message or body.question or "")


def _said(words: str) -> str:
    if not words:
        raise Failed(400, "malformed", "There is no message, no question and no user turn.")
    if len(words) > MESSAGE:
        raise Failed(400, "malformed", f"A message may have {MESSAGE} characters.")
    return words
