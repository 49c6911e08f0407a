"""Breaches and notes that officers judge: a button of the card asks for words, and those become one event in the request's conversation."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.page import Page
from blocks.verdict import build_case_box, read_case_box
from bot.desk.desk import View
from bot.keys import place
from bot.listeners.actions import team_of
from bot.listeners.decisions import asked_about, channel_of, gone
from bot.listeners.desk import Opening, show
from bot.listeners.intake import Intake
from bot.roles import AUDITOR
from state.draft.draft import Draft
from state.form import Form


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to judgements of cases."""

    @app.action(ids.CASE)
    async def on_case(
        ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        press = ids.press_of(action)
        asked = await asked_about(intake, body, press)
        if press is not None and asked is not None:
            await show(client, body, await _box(*asked, press, channel_of(body)))
        else:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.CASE_BOX)
    async def on_judged(
        ack: AsyncAck, body: Mapping[str, Any], view: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        written = read_case_box(view)
        known = await intake.draft(written[0].draft, team_of(body)) if written else None
        if written is not None and known is not None:
            press, words = written
            given = {"case": press.field, "verdict": str(press.value or ""), "hash": press.hash, **words}
            there, key = place(known[0].conversation), f"{view['id']}:{view.get('hash')}"
            await intake.judged(there, str(body["user"]["id"]), key, given, press.draft)
        elif written is not None:
            await gone(intake, body, client)
        await ack()


async def _box(asks: Opening, form: Form, draft: Draft, press: ids.Press, channel: str) -> View:
    """The box for the words, for whoever judges cases of this form; why not, for anybody else."""
    if asks.record is None:
        return await asks.refuses()
    if form.name in asks.duties.cases or form.filing.breaches is None:
        return await asks.shows(build_case_box(form, draft, press, channel), part="case")
    role = Page(form, draft, "").role(form.filing.breaches.by)
    return await asks.refuses("decide_auditor" if AUDITOR in asks.duties.roles else "decide_role", role=role)
