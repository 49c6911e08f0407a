"""Speaking: what a reply wants said, by an act that code words, or by a question where the form lets a model ask; and to a closed draft."""

from collections.abc import Iterable, Mapping
from typing import Any

from state.draft import rejection as no
from state.draft.changes import OffersMade, Spoken
from state.draft.draft import NEVER, Status
from state.draft.missing import takeable
from state.draft.scope import scope
from state.draft.topics import SOCIAL, WORDINGS, Act, Saying, Topic, about_record, utterance, wording
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.context import TurnContext
from state.engine.offers import Result, ToolCalls, is_shown
from state.fields import is_closed
from state.fields.naming import names
from state.guards.persona import flaw_of_asking, model_asks, question_in
from state.guards.writes import judge_saying
from state.language.small_talk import NoAnswer
from state.language.tokens import masked, tokens
from state.understanding.commands import COURTESIES, is_asking, no_answer
from state.understanding.evidence import fresh_lines
from state.understanding.verification import first_word

HEARD = {
    NoAnswer.HOLD: "heard_hold", NoAnswer.THANKS: "heard_thanks", NoAnswer.GREETING: "heard_greeting", NoAnswer.DOUBT: "heard_doubt",
    NoAnswer.MISTAKE: "press_edit", NoAnswer.REMINDER: "heard_reminder",
    NoAnswer.REFUSAL: "heard_refusal", NoAnswer.REFERENCE: "heard_reference", NoAnswer.REMARK: "", NoAnswer.APPROVAL: "",
}  # fmt: skip
"""Code's answers to small talk; where there is none, a short acknowledgement."""
AT_ONCE = 2
"""Sentences that one reply may have said."""


def say(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    """Judge one act, and keep it for the card that comes next."""
    judged = judge_saying(turn.form, turn.draft, arguments, turn.context)
    if isinstance(judged, no.Rejection):
        return judged.result()
    if judged.text and Verbatim(judged.text) not in turn.news:
        turn.tell(Verbatim(judged.text))
    done.explained = done.explained or bool(judged.text)
    done.offered_person = done.offered_person or judged.act is Act.OFFER_PERSON
    if judged.offers:
        others = (o for o in turn.draft.offers if o.field != judged.field)
        turn.change(OffersMade((*others, *judged.offers)))
    if judged.act is Act.RECORD and turn.draft.open:
        turn.tell(*about_record(turn.form, turn.draft, (Topic(judged.field),), turn.context))
        done.explained = True
    elif (judged.act in WORDINGS or judged.act is Act.RECORD) and judged not in done.said:
        done.said.append(judged)
    return {"status": "ok", "note": "the form says it"}


def voiced(turn: TurnContext, said: Iterable[Saying]) -> tuple[Utterance, ...]:
    """Return the catalogue's sentences, and note that these wordings were shown."""
    sentences = []
    for saying in [s for s in said if not s.text][:AT_ONCE]:
        sentences.append(utterance(turn.draft, saying))
        turn.change(Spoken(saying.act, wording(turn.draft, saying.act)))
        if saying.act is Act.CANNOT_ANSWER and turn.draft.open:
            sentences.append(pass_on(turn))
    return tuple(sentences)


def pass_on(turn: TurnContext) -> Utterance:
    """Offer to pass the newest question on to a person, in its words."""
    lines = [line.message for line in fresh_lines(turn.draft)]
    asked = [line.message for line in fresh_lines(turn.draft) if is_asking(line.text, turn.context)]
    return Phrase("pass_on", {"message": (asked or lines or [""])[-1]})


def answer_small_talk(turn: TurnContext) -> tuple[Utterance, ...]:
    """Return what is said to lines that answer nothing: a hold, thanks, a greeting, a remark, a doubt, a refusal; nothing to any other."""
    sorts = _sorts(turn)
    if not sorts or any(sort is None or sort not in HEARD for sort in sorts):
        return ()
    weightiest = min((s for s in sorts if s), key=list(NoAnswer).index)
    if not _is_mere(turn, weightiest):
        return ()
    if weightiest is NoAnswer.REFERENCE and points_at_last_time(turn):
        return (Phrase("same_again"),)
    if weightiest is NoAnswer.REMINDER and is_shown(turn, turn.draft.asked):
        return (Phrase("press_one"),)
    key = HEARD[weightiest]
    return (Phrase(key),) if key else voiced(turn, (Saying(Act.ACKNOWLEDGE),))


def leans(turn: TurnContext, text: str) -> bool:
    """Return True for a yes or no with more beside it, and for an "ok"."""
    return first_word(text, turn.context) is not None or no_answer(text, turn.context) is NoAnswer.APPROVAL


def is_mere_remark(turn: TurnContext) -> bool:
    """Return True if the lines are small talk that code has no sentence of its own for."""
    sorts = _sorts(turn)
    return bool(sorts) and all(sort is not None and not HEARD.get(sort, "") for sort in sorts)


def _sorts(turn: TurnContext) -> list[NoAnswer | None]:
    """Return the kind of small talk that each fresh line is."""
    return [no_answer(line.text, turn.context) for line in fresh_lines(turn.draft)]


def points_at_last_time(turn: TurnContext) -> bool:
    """Return True if the words ask for what the last record says, and one click answers the question with it."""
    return NoAnswer.REFERENCE in _sorts(turn) and turn.draft.asked in takeable(turn.form, turn.draft)


def _is_mere(turn: TurnContext, sort: NoAnswer) -> bool:
    """Return True if small talk is no more: "no, not yet" to a closed question tries to answer, "wait, the title …" is about an answer."""
    asked = turn.form.fields.get(turn.draft.asked)
    if sort is NoAnswer.APPROVAL:
        return not any(o.said for o in turn.draft.offers) and not (asked is not None and is_closed(asked))
    if sort is not NoAnswer.HOLD:
        return True
    rows = [tokens(masked(line.text), turn.context.language) for line in fresh_lines(turn.draft)]
    answered = [f for n, f in turn.form.fields.items() if n in turn.draft.values]
    return not any(names(f, turn.context).holds(row) for f in answered for row in rows)


def gathered(turn: TurnContext) -> Utterance:
    """Name the fields that have an answer."""
    names = [f.label for name, f in turn.form.fields.items() if name in turn.draft.values]
    return Phrase("gathered", {"what": ", ".join(names)}) if names else Phrase("nothing_gathered")


def own_question(turn: TurnContext, text: str) -> str:
    """Return the model's question where the form lets it ask and no guard objects, else "": its only words that are said."""
    fit = text.strip() and not words_flaw(turn, text)
    return " ".join((*turn.form.persona.shape[-1:], question_in(turn.form, text))) if fit else ""


def words_flaw(turn: TurnContext, text: str) -> str:
    """Return what to tell the model about its words; nothing is wrong with silence."""
    if not text.strip():
        return ""
    asks = model_asks(turn.form, turn.draft)
    return flaw_of_asking(turn.form, turn.rules, turn.draft, text, turn.context) if asks else no.words_unread()


NAMED = 120
"""Characters of a line that was not understood that are repeated."""


def unheard(turn: TurnContext, done: ToolCalls) -> tuple[Utterance, ...]:
    """Name what was said of a filed request and was not understood, where a form has answers that may turn out worse."""
    social = all(saying.act in SOCIAL for saying in done.said)
    if done.explained or not social or not turn.filed.number:
        return ()
    if not scope(turn.form, turn.draft).disclosable:
        return ()
    lines = (line.text for line in fresh_lines(turn.draft))
    stated = (text for text in lines if no_answer(text, turn.context) is None and not is_asking(text, turn.context))
    words = next(stated, "")[:NAMED]
    return (Phrase("not_recorded", {"words": words, "number": turn.filed.number}),) if words else ()


def after_the_end(turn: TurnContext) -> tuple[Utterance, ...]:
    """Return what is said to words after the end: to small talk its own; once the state was said, a way on, never twice in the same words."""
    small = answer_small_talk(turn) if set(_sorts(turn)) <= COURTESIES else ()
    if small or turn.draft.stood_turn == NEVER or turn.draft.status is not Status.CANCELLED:
        return small
    asks = any(is_asking(line.text, turn.context) for line in fresh_lines(turn.draft))
    return voiced(turn, (Saying(Act.CANNOT_ANSWER if asks else Act.OFFER_PERSON),))
