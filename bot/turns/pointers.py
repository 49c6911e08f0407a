"""Build posts that belong to no draft (the way into the direct message, the choice of forms, an apology), and the row of suggested prompts."""

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
from bot.turns.routing import Question, answers_in
from state.draft.draft import Draft
from state.draft.topics import about_record
from state.draft.working_days import day_of
from state.engine.cards import Notice
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.fields.base import Context
from state.form import Form
from state.language.table import typed_in
from state.stores.rows import InboxRow, OutboxRow
from state.understanding.form_commands import topics_in
from state.understanding.wishes import likeliest, meant
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
