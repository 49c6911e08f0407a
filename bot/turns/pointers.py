"""Build posts that belong to no draft (the way into the direct message, the choice of forms, an apology), and say what begins a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.cards.receipt import build_notice
from blocks.elements import Message
from blocks.messages import app_link, build_channel_hint, build_chooser, build_left, build_plain
from blocks.page import Page
from blocks.phrases import Phrasebook, spoken
from bot.slack.places import place
from bot.turns.facts import TS
from bot.turns.routing import Question, Route, agrees, answers_in, asked_about, first_words, is_bare, question_in
from state.draft.draft import Draft
from state.draft.topics import about_record
from state.draft.working_days import day_of
from state.engine.cards import Notice
from state.engine.codec import decode_event
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.fields.base import Context
from state.form import Form
from state.language.table import typed_in
from state.stores.rows import InboxRow, OutboxRow
from state.stores.store import Store
from state.understanding.form_commands import topics_in
from state.understanding.wishes import likeliest, meant, picked
from state.workflow.load import Workflow

POINTER, ANSWER = "/pointer", "/answer"
"""How the key of what answers words for no form, or a question beside any, ends behind theirs."""


@dataclass(frozen=True)
class Pointers:
    """Builds them in the person's own language, as far as there are sentences in it."""

    workflows: Mapping[str, Workflow]

    def to_form(
        self, incoming: InboxRow, event: DraftEvent, form: str, mine: Sequence[tuple[Form, Draft]] = (), used: Sequence[str] = (),
        *, hello: str = "", before: Sequence[InboxRow] = (),
    ) -> OutboxRow:  # fmt: skip
        """Return the way into the direct message, or the choice among open drafts and forms to begin, the likeliest first."""
        words = self.words(incoming, before)
        if form:
            address = app_link(str(incoming.body.get("app", "")), place(incoming.conversation).team)
            return _post(incoming, f"{event.id}{POINTER}", build_channel_hint(words, address))
        forms = self.offered(incoming, event, before, used)
        return _post(incoming, f"{event.id}{POINTER}", build_chooser(words, forms, mine, _ts(event), hello=hello))

    def offered(
        self, incoming: InboxRow, event: DraftEvent, before: Sequence[InboxRow], used: Sequence[str]
    ) -> list[Form]:
        """Return the forms, the likeliest first, for words with those right `before` them."""
        language, said = self.words(incoming, before).language, _said(incoming, before)
        return likeliest(self._read_in(language), said, used, language, lambda form: answers_in(form, said, event.at))

    def plain(self, incoming: InboxRow, event: DraftEvent, before: Sequence[InboxRow]) -> Form | None:
        """Return the form that the words, with those right `before` them, are plainly for."""
        said, every = _said(incoming, before), self._read_in(self.words(incoming, before).language)
        return meant(every, said, lambda form: answers_in(form, said, event.at))

    def _read_in(self, language: str) -> list[Form]:
        return [workflow.spoken_in(language) for workflow in self.workflows.values()]

    def left(self, incoming: InboxRow, event: DraftEvent, form: Form, draft: Draft) -> OutboxRow:
        """Say that what was being filled in stays as it is, with the button that goes on with it."""
        return _post(incoming, f"{event.id}/left", build_left(self.words(incoming), form, draft))

    def words(self, incoming: InboxRow, before: Sequence[InboxRow] = ()) -> Phrasebook:
        """Return the language in which the person typed this, else their own, else the installation's, for what belongs to no form."""
        first = next(iter(self.workflows.values())).form.language
        return Phrasebook(spoken(locale_of(incoming, before), first))

    def apology(self, incoming: InboxRow) -> OutboxRow:
        """Say that an act could not be handled; nothing that was told is lost."""
        return _post(incoming, f"{incoming.key}/sorry", build_plain(self.words(incoming).say("error_sorry")))

    def too_soon(self, incoming: InboxRow, event: Clicked, language: str) -> OutboxRow:
        """Say that a click came before its card could be read; nobody else sees it."""
        return _whisper(incoming, f"{event.id}/soon", event.who, Phrasebook(language).say("too_soon"))

    def of_record(self, incoming: InboxRow, event: DraftEvent, form: Form, draft: Draft) -> OutboxRow:
        """Return what a request that was filed elsewhere answers: a post in the direct message, else for whoever asks alone."""
        context = Context(form.language, day_of(event.at, draft.zone))
        topics = topics_in(form, event.text, context) if isinstance(event, MessageReceived) else ()
        page = Page(form, draft, context.today)
        message = build_notice(page, Notice(about_record(form, draft, topics, context)))
        if place(incoming.conversation).direct:
            return _post(incoming, f"{event.id}/record", message)
        return _whisper(incoming, f"{event.id}/record", event.who, message.text)

    def away(self, incoming: InboxRow) -> OutboxRow:
        """Say that the form is not installed; what was filled in is kept."""
        return _post(incoming, f"{incoming.key}/away", build_plain(self.words(incoming).say("form_away")))


Said = tuple[InboxRow, MessageReceived]
"""What a person said, with its row."""
JUST = 600.0
"""Seconds before the words that begin a form, in which others may belong to it."""


@dataclass(frozen=True)
class Openings:
    """What begins a form: words that choose it or are plainly for it, a yes below an answer, and all that was said just before to no form."""

    store: Store
    workflows: Mapping[str, Workflow]

    async def agreed(self, incoming: InboxRow, event: DraftEvent, draft: Draft | None) -> Route | None:
        """A yes right below the answer to a question about what may be filed begins that form, as the button there does."""
        if not isinstance(event, MessageReceived) or event.files or (draft is not None and draft.open):
            return None
        if not agrees(event.text):
            return None
        before = await self.told_before(incoming, incoming.id, event, ANSWER)
        asked = question_in(self.workflows, before[-1][1].text) if before else None
        about = asked is not None and self.workflows[asked.form].form.commands[asked.name].about
        return Route("begin", asked.form, bare=True) if asked is not None and about else None

    def offered(self, before: Sequence[Said]) -> bool:
        """Return True if words just before met the choice of forms, and not the answer to a question alone."""
        return any(question_in(self.workflows, told.text) is None for _, told in before)

    def chosen(
        self, incoming: InboxRow, event: MessageReceived, before: Sequence[Said], used: Sequence[str], *, alone: bool
    ) -> Route | None:
        """Return the way to the form that words choose below the choice of forms, `alone` on screen, or are plainly for with those `before` them."""
        pointers, rows = Pointers(self.workflows), [row for row, _ in before]
        if alone and self.offered(before):
            forms = pointers.offered(rows[-1], before[-1][1], rows[:-1], used)
            if (form := picked(forms, event.text)) is not None:
                return Route("begin", form.name, bare=True)
        plain = pointers.plain(incoming, event, rows)
        return Route("begin", plain.name) if plain else None

    async def with_words(
        self, incoming: InboxRow, event: DraftEvent, form: str, draft: Draft | None = None, *, bare: bool = False
    ) -> DraftEvent:
        """A form that is begun by words, or on a card that answers them, takes them as its first, once, with those right before them that met
        nothing but a choice of forms; its title, or a bare wish, begins it.
        """
        if draft is None and isinstance(event, MessageReceived):
            text = "" if bare or is_bare(self.workflows[form].form, event) else event.text
            return await self._begun_by(incoming, incoming.id, event, event, form, text)
        if not (isinstance(event, Clicked) and event.act == "begin" and TS.fullmatch(event.hash)):
            return event
        there = place(incoming.conversation)
        row = await self.store.received(f"message:{there.team}:{there.channel}:{event.hash}")
        said = decode_event(row.body["event"]) if row and row.person == incoming.person else None
        if row is None or not isinstance(said, MessageReceived) or said.who != event.who:
            return event
        text = self._first_words(form, said, event)
        read = (*draft.opening, *draft.window, *draft.earlier) if draft else ()
        if any(line.message == event.hash or (text and text in line.text) for line in read):
            return event
        return await self._begun_by(incoming, row.id, event, said, form, text)

    async def _begun_by(
        self, incoming: InboxRow, row: int, event: DraftEvent, said: MessageReceived, form: str, text: str
    ) -> DraftEvent:
        """Return the words of a row as a form's first ones, behind what its person had just said to no form; without any, a beginning."""
        before = await self.told_before(incoming, row, said)
        told = [one for _, one in before]
        lines = (*(self._first_words(form, one, event) for one in told), text)
        files = tuple(file for one in (*told, said) for file in one.files)
        words = "\n".join(line for line in lines if line)
        if words or files:
            return MessageReceived(event.id, event.at, event.who, words, said.message, files, zone=event.zone)
        begun = Clicked(event.id, event.at, event.who, "begin", value=form, zone=event.zone)
        return begun if event is said else event

    async def told_before(self, incoming: InboxRow, row: int, said: DraftEvent, *answers: str) -> list[Said]:
        """Return what its person said to no form right before a row, the oldest first: it met the choice of forms, or asked something beside them."""
        told: list[Said] = []
        for one in await self.store.answered_before(incoming.conversation, row, answers or (POINTER, ANSWER)):
            before = decode_event(one.body["event"])
            if not isinstance(before, MessageReceived) or before.who != said.who:
                break
            if not 0 <= _sent(getattr(said, "message", "")) - _sent(before.message) <= JUST:
                break
            told.insert(0, (one, before))
        return told

    def _first_words(self, form: str, said: MessageReceived, event: DraftEvent) -> str:
        """Return what a form takes of words that it begins with; of a question, the thing that it is about."""
        today = day_of(event.at, event.zone)
        if question_in(self.workflows, said.text):
            return asked_about(self.workflows[form], said.text, today)
        return first_words(self.workflows[form].form, said.text, today)


def _sent(message: str) -> float:
    """Return when a message was sent, by Slack's clock; 0 for a command, which is none."""
    return float(message) if TS.fullmatch(message) else 0.0


def _said(incoming: InboxRow, before: Sequence[InboxRow]) -> str:
    return "\n".join(str(one.body["event"].get("text", "")) for one in (*before, incoming))


def _ts(event: DraftEvent) -> str:
    """Return the message whose words a form may begin with."""
    return event.message if isinstance(event, MessageReceived) and TS.fullmatch(event.message) else ""


def _post(incoming: InboxRow, key: str, message: Message) -> OutboxRow:
    """Return a post that belongs to no draft."""
    there = place(incoming.conversation)
    body: dict[str, Any] = {"team": there.team, "channel": there.channel, "thread": there.thread, "card": ""}
    body |= {"text": message.text, "blocks": list(message.blocks)}
    return OutboxRow(key, f"slack:{incoming.conversation}", "post", incoming.person, body)


def locale_of(incoming: InboxRow, before: Sequence[InboxRow] = ()) -> str:
    """Return the language of what was typed, as a locale; where that leaves it open, of the last that was `before` it, else the person's own."""
    locale = str(incoming.body.get("locale") or "")
    for one in (*before, incoming):
        locale = typed_in(str(one.body["event"].get("text") or ""), locale)
    return locale


def _whisper(incoming: InboxRow, key: str, who: str, text: str) -> OutboxRow:
    """Return a note that nobody else sees."""
    there = place(incoming.conversation)
    body = {"team": there.team, "channel": there.channel, "thread": there.thread, "user": who, "text": text}
    return OutboxRow(key, f"slack:{incoming.conversation}", "whisper", incoming.person, body)


def answer_row(incoming: InboxRow, event: DraftEvent, asked: Question) -> OutboxRow:
    """Return what answers it: in the direct message, or where others read along as a note that nobody else sees."""
    there = place(incoming.conversation)
    body: dict[str, Any] = {"team": there.team, "channel": there.channel, "thread": there.thread, "user": event.who}
    body |= {"form": asked.form, "command": asked.name, "rest": asked.rest, "direct": there.direct}
    body |= {"language": locale_of(incoming), "said": _ts(event)}
    return OutboxRow(f"{event.id}{ANSWER}", f"slack:{incoming.conversation}", "answer", incoming.person, body)
