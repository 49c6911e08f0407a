"""Speech acts: what a model may want said, and about what. Code says it; how it is worded stands in the catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_lowercase

from state.draft.draft import Draft, Offer
from state.draft.missing import reachable, unfilled
from state.draft.scope import scope
from state.draft.topics import Topic
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.fields import kind_of
from state.form import Field, Form


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
