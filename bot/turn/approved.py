"""Which of a person's requests is meant by words about what they did, or by a file that bears it out: it need not be the newest one."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.turn.drafts import Known
from bot.turn.routing import tells_of_doing
from state.draft.draft import Draft, Status
from state.engine.codec import decode_draft
from state.engine.events import DraftEvent, MessageReceived
from state.engine.on_report import may_report
from state.fields import kind_of
from state.form import Form
from state.language import language_of
from state.stores.rows import InboxRow
from state.stores.store import Store
from state.understanding.doing import told_of
from state.understanding.evidence import normalized
from state.workflow.load import Workflow

MOST, SHORTEST = 50, 3
"""Requests of one person that are looked through; letters of a name by which one of them is told from the others."""


async def approved_meant(
    store: Store, workflows: Mapping[str, Workflow], incoming: InboxRow, event: DraftEvent, known: Known | None
) -> tuple[Known | None, DraftEvent]:
    """The request that is meant, and the event with the numbers of others that could be; as they were where nothing is open to doubt."""
    named = incoming.body.get("draft") or incoming.body.get("form")
    if not isinstance(event, MessageReceived) or named or (known is not None and _busy(workflows, known.draft, event)):
        return known, event
    if not any(_may_tell(w.form, event, known) for w in workflows.values()):
        return known, event
    stored = await store.drafts_of(incoming.person, MOST, Status.SUBMITTED)
    mine = [Known(s, decode_draft(s.body)) for s in stored if s.body and s.conversation == incoming.conversation]
    here = [(k, workflows[k.draft.form].form_of(k.draft)) for k in mine if k.draft.form in workflows]
    found = [k for k, form in here if tells_of_doing({k.draft.form: form}, k.draft, event)]
    about = _named(workflows, found or [k for k, form in here if may_report(form, k.draft)], event)
    if not found:
        return (about[0] if len(about) == 1 else known), event
    meant = about or _first(found, event)
    return meant[0], replace(event, others=tuple(k.draft.record for k in meant[1:]))


def _may_tell(form: Form, event: MessageReceived, known: Known | None) -> bool:
    """Return True for files, for a whole utterance, and for words after a closed request, which may name another one."""
    whole = bool(event.files) or told_of(event.text, language_of(form.language)) is not None
    return form.filing.report is not None and (whole or (known is not None and not known.draft.open))


def _busy(workflows: Mapping[str, Workflow], draft: Draft, event: MessageReceived) -> bool:
    """Whether what is being filled in has a use for the message: words answer it, a file only where it takes files."""
    form = workflows[draft.form].form if draft.form in workflows else None
    if not draft.open or form is None:
        return False
    takes = form.conversational or any(kind_of(field).by_file for field in form.fields.values())
    return takes or not event.files


def _first(found: list[Known], event: MessageReceived) -> list[Known]:
    """For words those that are approved and that nothing was reported of; for files those that were reported on, else those."""
    fresh = [k for k in found if not k.draft.reports and k.draft.valid_until]
    told = [k for k in found if k.draft.reports]
    return (told if event.files else fresh) or fresh or found


def _named(workflows: Mapping[str, Workflow], found: Iterable[Known], event: MessageReceived) -> list[Known]:
    """Those that the words, or the names of the files, name: by their number, or by what they are about."""
    said = normalized(" ".join((event.text, *(file.name.replace("_", " ") for file in event.files))))
    numbered = [k for k in found if k.draft.record and normalized(k.draft.record) in said]
    about = [k for k in found if any(name in said for name in _names(workflows[k.draft.form].form, k.draft))]
    return numbered or about


def _names(form: Form, draft: Draft) -> list[str]:
    """What a request is about as people call it: the first word of what was picked from results."""
    labels = (draft.values[n].label for n, f in form.fields.items() if kind_of(f).searchable and n in draft.values)
    words = (normalized(label).split()[0] for label in labels if label.strip())
    return [word for word in words if len(word) >= SHORTEST]
