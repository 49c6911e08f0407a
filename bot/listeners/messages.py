"""Listen to what people say (messages, mentions, slash commands), and to events of channels and workspaces.

Messages of bots, edits, deletions and whatever else Slack calls a message are no answers. What follows a command is taken as said in the
direct message.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.messages import app_link
from blocks.phrases import Phrasebook
from blocks.queue import At
from blocks.text import literal
from bot.effects.look_ups import Asked
from bot.listeners.actions import direct_channel
from bot.listeners.desk import search_view
from bot.listeners.home import shown
from bot.listeners.intake import Intake, Payload, team_of_event
from bot.slack.downloads import sent_of
from bot.slack.manifest import COMMANDS
from bot.slack.places import Place
from bot.slack.requests import said
from bot.turns.routing import asks_for, question_in
from state.draft.documents import Sent
from state.engine.events import Act
from state.form import Form
from state.language import LANGUAGES
from state.language.tokens import asks
from state.workflow.load import NotInstalled

MOST = 20
"""Files of one message that are looked at."""


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to messages in direct messages, in threads that a draft is about and to mentions; to commands; to what may have mended a delivery."""

    @app.event("message")
    async def on_message(body: Payload, event: Payload, client: AsyncWebClient) -> None:
        if not said(event) or await _told_of_buttons(intake, body, event, client):
            return
        there = Place(team_of_event(body), str(event["channel"]), str(event.get("thread_ts") or ""))
        direct = event.get("channel_type") == "im" or there.direct
        if direct or (there.thread and await intake.holds(there)):
            text = str(event.get("text") or "")
            await intake.said(there, str(event["user"]), str(event["ts"]), text, files_of(event))

    @app.event("file_shared")
    async def on_file() -> None:
        """The message that shares a file tells of it as well, with the words beside it."""

    @app.event("app_mention")
    async def on_mention(body: Payload, event: Payload, client: AsyncWebClient) -> None:
        if event.get("bot_id") or not event.get("user") or event.get("edited"):
            return
        text = MENTION.sub(" ", str(event.get("text") or "")).strip()
        if await _told_of_buttons(intake, body, {**event, "text": text}, client):
            return
        thread = str(event.get("thread_ts") or event["ts"])
        there = Place(team_of_event(body), str(event["channel"]), thread)
        app = str(body.get("api_app_id") or "")
        await intake.said(there, str(event["user"]), str(event["ts"]), text, files_of(event), app=app)

    _channels(app, intake)
    _commands(app, intake)


async def _told_of_buttons(intake: Intake, body: Payload, event: Payload, client: AsyncWebClient) -> bool:
    """Tell an officer in private who types a verdict below a card that waits for one, or in their messages, or asks there what waits.

    Return False, and say nothing, for anything else.
    """
    text, thread, channel = str(event.get("text") or ""), str(event.get("thread_ts") or ""), str(event["channel"])
    verdict, direct = _is_verdict(text, below=bool(thread)), event.get("channel_type") == "im"
    meant = verdict if thread else direct and (verdict or asks_for(text, "commands.queue"))
    if not meant or MENTION.search(text):  # a mention comes once more, as such
        return False
    team, user = team_of_event(body), str(event["user"])
    duties, words, told = await intake.desk.duties(team, user), await intake.words_for(team, user), ""
    if thread:
        told = words.say("decide_by_button") if await _waits(intake, team, channel, thread) else ""
    elif not (verdict and (asks(text) or await intake.open_drafts(team, user))):  # of a request of their own
        queue = await intake.desk.queue(team, user, duties, At())
        waits = f"{words.say('desk_count', count=str(queue.count), late=str(queue.late))} {words.say('desk_where')}"
        told = waits if queue.count else words.say("desk_nothing")
    if not (told and duties.posts):
        return False
    with suppress(SlackApiError):
        await client.chat_postEphemeral(channel=channel, user=user, thread_ts=thread or None, text=told)
    return True


def _is_verdict(text: str, *, below: bool) -> bool:
    """Return True for a verdict, alone or with its grounds behind it ("no, too risky"); `below` a card a yes or a no is one."""
    bare, also = NUMBER.sub("", text).strip(), ("small_talk.approvals", "yes", "no") if below else ()
    return any(asks_for(part, "commands.verdicts", *also) for part in (bare, GROUNDS.split(bare, maxsplit=1)[0]))


async def _waits(intake: Intake, team: str, channel: str, thread: str) -> bool:
    """Return True if a thread is below the card on which a request waits."""
    card, known = await intake.store.card_at(channel, thread), None
    with suppress(NotInstalled):
        known = await intake.draft(card.rsplit("-", 2)[0], team)
    return known is not None and card == known.draft.filed.pending.card


NUMBER = re.compile(r"\b[A-Za-z]+-\d{4}-\d{1,6}\b")
GROUNDS = re.compile(r"[,.:;!\n]")
MENTION = re.compile(r"<@[A-Z0-9]+(?:\|[^>]*)?>")


def files_of(event: Payload) -> tuple[Sent, ...]:
    """The files that came with a message."""
    return tuple(sent_of(file) for file in (event.get("files") or ())[:MOST] if file.get("id"))


def _channels(app: AsyncApp, intake: Intake) -> None:
    @app.event("member_joined_channel")
    async def on_joined(event: Payload, context: AsyncBoltContext) -> None:
        if context.bot_user_id in (None, event.get("user")):  # None while Slack does not say who the bot is
            await intake.opened(str(event["channel"]))

    async def on_back(event: Payload) -> None:
        await intake.opened(str(event["channel"]))

    app.event("channel_unarchive")(on_back)
    app.event("group_unarchive")(on_back)


def register_installation(app: AsyncApp, taken_back: Callable[[str], Awaitable[None]]) -> None:
    """Both may come, in either order, and each of them twice."""

    @app.event("app_uninstalled")
    async def on_uninstalled(body: Payload) -> None:
        await taken_back(team_of_event(body))

    @app.event("tokens_revoked")
    async def on_revoked(body: Payload, event: Payload) -> None:
        if (event.get("tokens") or {}).get("bot"):
            await taken_back(team_of_event(body))


def _commands(app: AsyncApp, intake: Intake) -> None:
    """Listen to the commands of the forms as they are now, and to those that no form has taken."""

    @app.command(re.compile("/.+"))
    async def on_command(ack: AsyncAck, command: Payload, client: AsyncWebClient) -> None:
        user, name = str(command["user_id"]), str(command["command"])
        form = next((form for form, one in intake.workflows.items() if one.form.command == name), "")
        if not form and name in COMMANDS:
            await _own(intake, *COMMANDS[name], ack, command, client)
            return
        there = await direct_place(command, client)
        if not form and await found_by(intake, command, client):
            await ack()
            return
        named, text = (form, str(command.get("text") or "").strip()) if form else called(intake, command)
        if (told := await _answer(intake, there.team, user, text, named)) is not None:
            await ack(told)
            return
        if text:
            await intake.said(there, user, str(command["trigger_id"]), text, form=named)
        else:
            await intake.acted(there, user, str(command["trigger_id"]), {"act": "begin", "field": named})
        words = await intake.words_for(there.team, user)
        await ack(answered(command, there, words.language))


async def _answer(intake: Intake, team: str, user: str, text: str, form: str) -> str | None:
    """A question is answered at once, for whoever asked alone; None where it is none."""
    asked = question_in(intake.workflows, text, form) if text else None
    if asked is None:
        return None
    told = await intake.answers.sentences(team, user, Asked(asked.form, asked.name, asked.rest))
    return "\n".join(map(literal, told))


async def found_by(intake: Intake, command: Payload, client: AsyncWebClient) -> bool:
    """Return True if an officer looks for one ("/holdfast find tesco"): the search opens with their words in it. Anybody else says something."""
    word, _, text = str(command.get("text") or "").strip().partition(" ")
    if word.casefold() not in FIND:
        return False
    team, user = str(command["team_id"]), str(command["user_id"])
    duties = await intake.desk.duties(team, user)
    if duties.any:
        view = search_view(await intake.words_for(team, user), intake.desk, duties, text.strip())
        await shown(client.views_open(trigger_id=str(command["trigger_id"]), view=view))
    return duties.any


FIND = frozenset(word for language in LANGUAGES.values() for word in language.commands.find)


def called(intake: Intake, command: Payload) -> tuple[str, str]:
    """Return the form that the words after `/holdfast` begin with, by its name, its command or its title; and what is left of them."""
    text = " ".join(str(command.get("text") or "").split())
    found = (
        (len(word), name)
        for name, workflow in intake.workflows.items()
        for word in _calls(workflow.form)
        if text.casefold() == word or text.casefold().startswith(f"{word} ")
    )
    longest, name = max(found, default=(0, ""))
    return name, text[longest:].strip()


def _calls(form: Form) -> set[str]:
    """Return what a form answers to in a command: words of a request, like "buy", belong to what is said, and are left in it."""
    names = (form.name, form.name.replace("_", " "), (form.command or "").removeprefix("/"), *form.titles)
    return {" ".join(name.casefold().split()) for name in names if name}


async def direct_place(command: Payload, client: AsyncWebClient) -> Place:
    """Return the direct message with whoever gave the command."""
    return Place(str(command["team_id"]), await direct_channel(client, str(command["user_id"])))


def answered(command: Payload, there: Place, language: str) -> str:
    """Return the way into the direct message, where the command was given elsewhere; only they see it."""
    link = app_link(str(command.get("api_app_id") or ""), there.team)
    elsewhere = command.get("channel_id") != there.channel
    return f"<{link}|{Phrasebook(language).say('open_dm')}>" if elsewhere else ""


async def _own(
    intake: Intake, act: Act, language: str, ack: AsyncAck, command: Payload, client: AsyncWebClient
) -> None:
    there, user = await direct_place(command, client), str(command["user_id"])
    known = act not in ("help", "person") or await intake.holds(there)
    click = {"act": act if known else "begin", "field": language if known else ""}
    await intake.acted(there, user, str(command["trigger_id"]), click)
    words = await intake.words_for(there.team, user)
    await ack(answered(command, there, language or words.language))
