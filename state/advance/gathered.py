"""The facts are in: a submission is judged and filed, or a command is answered."""

from contextlib import suppress
from typing import Any

from state.advance.acting import tell
from state.advance.answering import make_value
from state.advance.failing import count_failure
from state.advance.moving import submitting_way, take
from state.advance.showing import freeze_cards, show_next
from state.advance.transitions import move
from state.advance.work import Work
from state.draft.changes import (
    CardOpened,
    Counted,
    Locked,
    UndoKept,
    ValueSet,
)
from state.draft.missing import missing, reachable
from state.engine.cards import Notice, Phrase, Receipt, Verbatim
from state.engine.codec import encode
from state.engine.effects import Announce, Attach, File, Repaint
from state.engine.events import FactsGathered
from state.fields import kind_of
from state.fields.base import Unreadable


def gathered(work: Work, event: FactsGathered) -> None:
    """Facts are used for what they were asked for, and only if the draft is still what it was."""
    if event.purpose == "command":
        _command(work, event)
    elif event.purpose == "profile":
        _from_profile(work, event)
    elif work.draft.open:
        _submit(work, event)


def _submit(work: Work, event: FactsGathered) -> None:
    count_failure(work, event.failed)
    if work.draft.handed:
        show_next(work)
        return
    if event.failed:
        work.change(Counted("submissions_failed", work.draft.submissions_failed + 1))
        show_next(work, Phrase("error_sorry"))
        return
    draft, card = work.draft, work.draft.card
    if (
        card is None
        or card.kind != "review"
        or event.hash != draft.hash
        or missing(work.form, draft)
        or draft.disclosures
    ):
        show_next(work, Phrase("out_of_date"))
        return
    filing = work.rules.file(draft, event.facts)
    way = submitting_way(work)
    move(work, "submit")
    work.change(*(Locked(name) for name in draft.values), CardOpened(None), UndoKept({}))
    body = {
        **record_body(work),
        "reasons": list(filing.reasons),
        "computed": dict(filing.computed),
        "facts": dict(event.facts),
    }
    work.do(File(filing.state, filing.reasons, card.id, body))
    work.do(Repaint(card.id, Receipt("", event.at, filing.state, filing.told)))
    work.do(*(Attach(f.name, f.title, f.text, f.data) for f in filing.files))
    work.do(Announce("record", filing.reasons, state=filing.state))
    freeze_cards(work)
    if way is not None:
        take(work, way)
        _say_ending(work)


def _say_ending(work: Work) -> None:
    stage = work.form.stages[work.draft.stage]
    if stage.ask:
        work.post(Notice((Verbatim(stage.ask),), ("begin",)))


def _from_profile(work: Work, event: FactsGathered) -> None:
    """What the person's Slack profile says is not asked; it stays open to be corrected."""
    for field in reachable(work.form, work.draft):
        told = str(event.facts.get(field.profile) or "")
        if not field.profile or not told or field.name in work.draft.values or not work.draft.open:
            continue
        with suppress(Unreadable):
            data = kind_of(field).parse(field, told, work.context)
            work.change(ValueSet(field.name, make_value(work, field, data, "rule", told, who="profile")))
    if work.draft.card is not None and work.draft.asked in work.changed:
        show_next(work)


def record_body(work: Work) -> dict[str, Any]:
    """The answers with their provenance, disclosures, and the versions that judged them."""
    draft = encode(work.draft)
    versions = {"form": work.form.version, "rules": work.rules.version}
    return {"values": draft["values"], "disclosures": draft["disclosures"], "versions": versions}


def _command(work: Work, event: FactsGathered) -> None:
    answer = work.rules.commands.get(event.name)
    if event.failed or answer is None:
        tell(work, Phrase("error_sorry" if event.failed else "not_understood"))
        return
    sentences = tuple(Verbatim(s) for s in answer(event.rest, event.facts))
    if work.draft.open:
        show_next(work, *sentences)
    else:
        work.post(Notice(sentences, ("begin",)))
