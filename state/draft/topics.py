"""Answers about a filed request from its record: what a person may ask of it, and the sentences that say it. Pure, from form and draft."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_lowercase
from typing import Literal

from state.draft import route
from state.draft.display import shown_figures
from state.draft.draft import Draft, Offer, Status
from state.draft.essence import APART, SHORT, essence
from state.draft.missing import reachable, unfilled
from state.draft.record import EXTEND, KEEP, Decision
from state.draft.scope import scope
from state.draft.stages import last_word
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form
from state.form.filing import RecordState, is_decided


class Topic(StrEnum):
    """What may be asked of a filed request. Of several in one clause the first one here is meant ("why does it take so long?")."""

    WITHDRAW = "withdraw"
    CHANGE = "change"
    VALID = "valid"
    TIME = "time"
    WHY = "why"
    WHO = "who"
    NEXT = "next"
    STATE = "state"


SETTLED = frozenset({Topic.WITHDRAW, Topic.VALID, Topic.NEXT, Topic.STATE})
"""Topics of which the record says all that there is."""
EVERYWHERE = ("received", "blocked", "asked")
"""States of which every language says what happens now."""
MOST = 6
"""Sentences of one answer beside the state."""


def about_record(form: Form, draft: Draft, topics: tuple[Topic, ...], context: Context) -> tuple[Utterance, ...]:
    """Return what the record says of each topic, and its state: behind a plain yes or no, before anything else.

    Nothing that only reviewers may read is in it.
    """
    said: list[Utterance] = []
    for topic in topics:
        said += [one for one in ANSWERS[topic](form, draft) if one not in said]
    if Topic.STATE in topics and draft.filed.report is not None:
        figures = " · ".join(text for _, text in shown_figures(form, draft.filed.report.figures, context))
        said.insert(0, Phrase("case_reported", {"what": figures}))
    whole, first = _state(form, draft, context), bool({*topics} <= {Topic.WITHDRAW, Topic.CHANGE})
    return (*said[:MOST], whole) if first else (whole, *said[:MOST])


Button = Literal["report", "unused", "correct", "withdraw", "extend", "person", "begin"]


def acts_for(form: Form, draft: Draft, topics: tuple[Topic, ...]) -> tuple[Button, ...]:
    """Return the buttons below an answer: what the owner can do now, and a person where the record may not say it all."""
    done: tuple[Button, ...] = route.acts_after(form, draft) if here(form, draft).valid else ()
    own: tuple[Button, ...] = ("withdraw",) if draft.asked_back or here(form, draft).withdraw else ()
    longer: tuple[Button, ...] = ("extend",) if route.may_extend(form, draft) and Topic.VALID in topics else ()
    stuck = not topics or bool({*topics} - SETTLED) or (Topic.WITHDRAW in topics and not (done or own))
    asks: tuple[Button, ...] = ("person",) if stuck else ()
    anew: tuple[Button, ...] = () if draft.open else ("begin",)
    return (*done, *own, *longer, *asks, *anew)


BEFORE = {Topic.WITHDRAW: "before_cancel", Topic.CHANGE: "before_change", Topic.STATE: "before_state"}


def before_filing(form: Form, topic: Topic) -> tuple[Utterance, ...]:
    """Return who may have to decide once the form is filed, and how long they have, that it can be given up or changed, or that it is not filed yet.

    Nothing for any other topic.
    """
    if topic in BEFORE:
        return (Phrase(BEFORE[topic]),)
    waiting = [state for state in form.filing.states.values() if state.waits]
    roles = ",".join(dict.fromkeys(state.by for state in waiting))
    hours = max((state.hours or 0 for state in waiting), default=0)
    if not waiting or topic not in (Topic.TIME, Topic.WHO, Topic.NEXT):
        return ()
    if hours:
        return (Phrase("before_hours", {"by_roles": roles, "hours": str(hours)}),)
    return (Phrase("before_roles", {"by_roles": roles}),)


def here(form: Form, draft: Draft) -> RecordState:
    """Return what the form says of the record's state; nothing once the request has stopped."""
    return form.filing.states.get(draft.filed.state, route.NOBODY) if draft.status is Status.SUBMITTED else route.NOBODY


def _state(form: Form, draft: Draft, context: Context) -> Utterance:
    """Say which request it is, its state, and since when."""
    what, state, since = draft.filed.number, draft.filed.state or "received", _since(form, draft)
    if about := essence(form, draft, context):
        what += f" ({about if len(about) <= SHORT else about.partition(APART)[0][:SHORT]})"
    if since:
        return Phrase("after_since", {"what": what, "state_name": state, "since_at": since})
    return Phrase("after_filed", {"what": what, "state_name": state, "since_at": draft.filed.filed_at or draft.began})


def _since(form: Form, draft: Draft) -> str:
    """Return when the record came into its state (ISO 8601, UTC): by its last verdict, else by its filing; empty where time moved it."""
    filed = draft.filed
    if filed.report is not None and filed.report.after != filed.state:
        return filed.reports[0].at
    given = [d for d in filed.decisions if d.verdict not in (EXTEND, KEEP)]
    if given and given[-1].to == filed.state:
        return given[-1].at
    by_time = {to for one in form.filing.states.values() for to in (one.overdue, one.expires, one.report, one.unused)}
    moved = filed.state in by_time or draft.status is not Status.SUBMITTED
    return "" if moved or any(d.state != d.to and not d.void for d in given) else filed.filed_at


def _verdict(given: Decision) -> Phrase:
    return Phrase("after_by", {"by_role": given.role}) if given.role else Phrase("after_own")


def _now(form: Form, draft: Draft) -> Iterator[Utterance]:
    """Yield until when the state counts, under which conditions, and what the form says happens now."""
    if draft.filed.valid_until:
        yield Phrase("valid_until", {"filed_on": draft.filed.valid_until})
    if conditions := route.conditions_of(draft):
        yield Phrase("told_conditions", {"conditions": conditions})
    yield from route.breaches_open(draft)
    state = draft.filed.state or "received"
    if draft.status is Status.ESCALATED:
        yield Phrase("with_compliance")
    elif f"next_{state}" in form.says:
        yield Phrase(f"next_{state}")
    elif said := last_word(form, draft):
        yield Verbatim(said)
    elif state in EVERYWHERE:
        yield Phrase(f"next_{state}")
    if wanted := route.wanted_by(form, draft):
        yield Phrase("note_wanted", {"filed_on": wanted})


def _due(form: Form, draft: Draft) -> Iterator[Utterance]:
    """Yield who decides, and by when."""
    pending, state = draft.filed.pending, here(form, draft)
    extends = state.extend.by if state.extend and pending.about == EXTEND else ""
    if not (state.waits or extends):
        return
    if known := route.who_decides(form, draft):
        yield known
    if pending.lacking:
        return
    if extends:
        yield Phrase("extend_asked", {"by_role": extends, "filed_on": draft.filed.valid_until})
    elif pending.overdue:
        yield Phrase("after_late", {"by_role": state.by, "due_at": pending.overdue})
    elif pending.due:
        yield Phrase("after_due", {"by_role": state.by, "due_at": pending.due})
    else:
        yield Phrase("after_who", {"by_role": state.by})


def _status(form: Form, draft: Draft) -> Iterator[Utterance]:
    yield from _due(form, draft)
    yield from _now(form, draft)


def _who(form: Form, draft: Draft) -> Iterator[Utterance]:
    """Yield the role that has it now, or that gave the verdict; of a record that nobody decided on, that the rules did."""
    last = route.last_verdict(draft)
    if here(form, draft).waits:
        yield from _due(form, draft)
    elif draft.asked_back:
        yield Phrase("after_you")
    elif draft.status is Status.ESCALATED:
        yield Phrase("with_compliance")
    elif last is not None:
        yield _verdict(last)
    elif is_decided(form.filing, draft.filed.state):
        yield Phrase("after_nobody")
    else:
        yield from _now(form, draft)


def _why(form: Form, draft: Draft) -> Iterator[Utterance]:
    """Yield what a reviewer wrote to the person, the conditions, or the sentence of the rule that the person was told."""
    filed, last = draft.filed, route.last_asked(draft) if draft.asked_back else route.last_verdict(draft)
    named = [form.fields[one.field].label for one in draft.disclosures if one.field in form.fields]
    if named:
        yield Phrase("happened_disclosed", {"label": ", ".join(dict.fromkeys(named))})
    elif last is None or here(form, draft).waits:
        yield from map(Verbatim, filed.told)
        if not filed.told:
            yield Phrase("after_unsaid")
    else:
        yield _verdict(last)
        if last.conditions:
            yield Phrase("told_conditions", {"conditions": last.conditions})
        if last.note:
            yield Phrase("after_wrote", {"words": last.note})
        elif last.role:
            yield Phrase("after_unsaid")
    if filed.held_until and not filed.valid_until:
        yield Phrase("after_ended", {"filed_on": filed.held_until})
    yield from _due(form, draft)


def _withdraw(form: Form, draft: Draft) -> Iterator[Utterance]:
    state = here(form, draft)
    if draft.asked_back or state.withdraw:
        yield Phrase("after_withdraw")
    elif state.unused:
        yield Phrase("after_unused")
    elif (last := route.last_verdict(draft)) and not last.role:
        yield _verdict(last)
    else:
        yield Phrase("after_kept")


def _change(form: Form, draft: Draft) -> Iterator[Utterance]:
    if draft.asked_back:
        yield Phrase("next_asked")
    elif draft.filed.reports and "correct" in route.acts_after(form, draft):
        yield Phrase("after_correct")
    else:
        yield Phrase("after_change" if here(form, draft).withdraw else "after_anew")


def _valid(form: Form, draft: Draft) -> Iterator[Utterance]:
    yield from _status(form, draft)
    if route.may_extend(form, draft):
        yield Phrase("after_extend")


def _time(form: Form, draft: Draft) -> Iterator[Utterance]:
    yield from (*_status(form, draft),) or (Phrase("after_nobody_waits"),)


ANSWERS: Mapping[Topic, Callable[[Form, Draft], Iterator[Utterance]]] = {
    Topic.WITHDRAW: _withdraw,
    Topic.CHANGE: _change,
    Topic.VALID: _valid,
    Topic.TIME: _time,
    Topic.WHY: _why,
    Topic.WHO: _who,
    Topic.NEXT: _status,
    Topic.STATE: _status,
}


class Act(StrEnum):
    """The closed list."""

    ACKNOWLEDGE = "acknowledge"
    THANK = "thank"
    EMPATHISE = "empathise"
    EXPLAIN = "explain"
    PASSAGE = "passage"
    WHICH = "which"
    CANNOT_ANSWER = "cannot_answer"
    OFFER_PERSON = "offer_person"
    RECORD = "record"


SOCIAL = frozenset({Act.ACKNOWLEDGE, Act.THANK, Act.EMPATHISE})
"""Said for its own sake: it tells nothing."""
WORDINGS: Mapping[str, int] = {
    Act.ACKNOWLEDGE: 4, Act.THANK: 4, Act.EMPATHISE: 4, Act.WHICH: 3, Act.CANNOT_ANSWER: 4, Act.OFFER_PERSON: 3,
}  # fmt: skip
"""How many wordings the catalogue has of each act's sentence, as `say_<act>_a`, `_b` and so on."""
NAMES_AT_ONCE = 12
"""Names that a refusal lists."""


@dataclass(frozen=True)
class Saying:
    """One act, as it may be said: a sentence of the catalogue or a text of the house's own, and offers that go with it."""

    act: Act
    text: str = ""
    field: str = ""
    offers: tuple[Offer, ...] = ()
    words: str = ""
    """The person's words that the text asks about."""


def explained(form: Form, draft: Draft) -> Mapping[str, str]:
    """Return the form's own explanations by what they are about: fields with help, arguments of operations as "operation.field"."""
    fields = {f.name: f.help for f in reachable(form, draft) if f.help}
    arguments = {
        f"{name}.{f.name}": f.help or f.ask
        for name in scope(form, draft).operations
        for f in form.operations[name].fields.values()
        if f.required and (f.help or f.ask)
    }
    return {**fields, **arguments}


def passages(form: Form, draft: Draft) -> Mapping[str, str]:
    """Return the house's texts by id: those of context.md, then the form's own on how it begins, works and ends, on its stage and its record."""
    stage = form.stages.get(draft.stage)
    own = {
        "introduction": form.introduction,
        "help": form.says.get("help", ""),
        "statement": form.statement,
        "retention": form.retain.why if form.retain else "",
        "stage": stage.ask if stage else "",
        "next": form.says.get(f"next_{draft.filed.state}", "") if draft.filed.number else "",
    }
    return {**form.passages, **{name: text for name, text in own.items() if text and "{" not in text}}


def in_doubt(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Open fields of which a person may be asked which of two readings they mean: not what they declare, nor what is picked on screen."""
    open_ones = {f.name for f in unfilled(form, draft)}
    fields = (f for f in scope(form, draft).offerable if f.name in open_ones)
    return tuple(f for f in fields if not kind_of(f).declaration and not kind_of(f).searchable)


def acts(form: Form, draft: Draft) -> Mapping[Act, tuple[str, ...]]:
    """Return what may be said now, and about which names; an act that is about nothing has none."""
    about = {
        Act.EXPLAIN: tuple(explained(form, draft)),
        Act.PASSAGE: tuple(passages(form, draft)),
        Act.WHICH: tuple(f.name for f in in_doubt(form, draft)) if draft.open else (),
        Act.RECORD: tuple(Topic) if draft.filed.number else (),
    }
    return {act: about.get(act, ()) for act in Act if act not in about or about[act]}


def wording(draft: Draft, act: str) -> int:
    """Return the number of the wording that is due: by the turn, and never the one that was shown last."""
    most = WORDINGS[act]
    due = draft.turn % most + 1
    return due % most + 1 if due == draft.spoken.get(act) else due


def utterance(draft: Draft, saying: Saying) -> Utterance:
    """Return what the person reads."""
    if saying.words:
        return Phrase("op_unread", {"words": saying.words, "ask": saying.text})
    if saying.text:
        return Verbatim(saying.text)
    named = {"field": saying.field} if saying.field else {}
    return Phrase(f"say_{saying.act}_{ascii_lowercase[wording(draft, saying.act) - 1]}", named)
