"""Which filed request a question is about: the one that it names, else the newest of a form that it names, of this conversation, of the person."""

from collections.abc import Iterator, Mapping

from bot.turns.facts import Known
from bot.turns.routing import SHORTEST, asked_for
from state.draft.draft import Draft
from state.draft.topics import Topic
from state.draft.working_days import day_of
from state.engine.codec import decode_draft
from state.engine.events import DraftEvent, MessageReceived
from state.fields import kind_of
from state.fields.base import Context
from state.form import Form
from state.language import LANGUAGES, language_of
from state.language.tokens import tokens
from state.stores.rows import InboxRow
from state.stores.store import Store
from state.understanding.commands import read_command
from state.understanding.evidence import normalized
from state.understanding.form_commands import number_in, read_form_command, topics_in
from state.understanding.wishes import begins_with_wish, wants_another
from state.workflow.load import Workflow

OF_RECORDS = frozenset({Topic.WHO, Topic.WHY, Topic.TIME})
"""Topics that an open form has no use for."""
MOST = 50
"""Requests of one person that are looked through."""


async def record_asked(
    store: Store, workflows: Mapping[str, Workflow], incoming: InboxRow, event: DraftEvent, known: Known | None
) -> Known | None:
    """Return the filed request that the message asks about; None where it asks about none, or the present draft has a use for it."""
    if not isinstance(event, MessageReceived) or event.files or incoming.body.get("draft"):
        return None
    draft, only = known.draft if known else None, str(incoming.body.get("form") or "")
    if draft and (draft.handed or draft.asked_back or event.who != draft.owner or draft.form not in workflows):
        return None
    forms = {name: w.form for name, w in workflows.items() if only in ("", name)}
    leaves = draft is None or not draft.open or _may_leave(forms, draft, event)
    if not (leaves or any(number_in(form, event.text) for form in forms.values())) or not _asks(forms, event):
        return None
    mine = [s for s in await store.drafts_of(incoming.person, MOST) if s.body and s.form in forms]
    filed = [k for s in mine if (k := Known(s, decode_draft(s.body))).draft.filed.number and not k.draft.open]
    named = [k for k in filed if number_in(forms[k.draft.form], event.text) == k.draft.filed.number]
    if named or not leaves:
        return named[0] if named else None
    return _newest(forms, filed, event, incoming.conversation)


def _asks(forms: Mapping[str, Form], event: MessageReceived) -> bool:
    """Return True if the words ask about a filed request; an order, a wish for a form and a question with a subject of the form's own do not."""
    if any(begins_with_wish(event.text, one) for one in LANGUAGES.values()):
        return False
    today = day_of(event.at, event.zone)
    for form in forms.values():
        own = read_form_command(form, event.text)
        orders = read_command(event.text, form.language) or (own and own[1]) or wants_another(form, event.text)
        if not orders and topics_in(form, event.text, Context(form.language, today)):
            return True
    return False


def _may_leave(forms: Mapping[str, Form], draft: Draft, event: MessageReceived) -> bool:
    """Return True if the words ask how a filed request is while another form is open: anything else may be about the open one.

    Who, why and when count as well beside a conversation of operations, and where another form is named.
    """
    form = forms.get(draft.form)
    field = form.fields.get(draft.asked) if form else None
    if form is None or (field is not None and kind_of(field).verbatim):
        return False
    apart = form.conversational or {*asked_for(forms, event.text)} - {draft.form}
    topics = {*topics_in(form, event.text, Context(form.language, day_of(event.at, event.zone)))}
    return bool(topics) and topics <= ({Topic.STATE, *OF_RECORDS} if apart else {Topic.STATE})


def _newest(forms: Mapping[str, Form], filed: list[Known], event: MessageReceived, conversation: str) -> Known | None:
    """Return the request that the most words name; of several the newest, those of this conversation first."""
    called = asked_for(forms, event.text)
    said = {t.key for f in forms.values() for t in tokens(event.text, language_of(f.language))}

    def rank(known: Known) -> tuple[int, bool, bool, str]:
        draft = known.draft
        about = sum(word in said for word in set(_subject(forms[draft.form], draft)))
        last = max((draft.filed.filed_at, *(d.at for d in draft.filed.decisions)))
        return about, draft.form in called, known.stored.conversation == conversation, last

    return max(filed, key=rank, default=None)


def _subject(form: Form, draft: Draft) -> Iterator[str]:
    """Yield the words of what was looked up or told in the person's own words, by which they may call the request."""
    told = [field for name, field in form.fields.items() if name in draft.values and not field.sensitive]
    for field in told:
        value = draft.values[field.name]
        if kind_of(field).searchable or (kind_of(field).verbatim and field.short):
            shown = f"{value.label or value.data} {value.facts.get('ticker', '')}"
            yield from (t.key for t in tokens(normalized(shown), language_of(form.language)) if len(t.key) >= SHORTEST)
