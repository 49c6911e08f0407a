"""A question: where we are, what was understood, the form's own question, and the ways to answer it."""

from blocks.cards.offers import offers
from blocks.cards.results import results
from blocks.cards.sheet import acts, build_sheet, undo
from blocks.cards.together import build_together
from blocks.elements import Element, button, context, feedback, section
from blocks.inputs import asking
from blocks.message import Block, Message, message
from blocks.options import ways
from blocks.page import Page
from blocks.text import cut, escape, line
from blocks.utterances import fill, sentences
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Question
from state.fields import kind_of
from state.form import Field

_LEAD, _QUESTION, _KEPT = 2000, 1000, 40


def build_question(page: Page, card: Question) -> Message:
    """One field's question below its lead-in; or several that stand together."""
    if card.fields:
        return build_together(page, card)
    field = page.form.fields[card.field]
    lead = cut(sentences(page, _lead_in(card, field)), _LEAD)
    question = escape(card.words, _LEAD) or escape(_asked(page, field, card), _QUESTION)
    above = [*build_sheet(page), *([section(lead, undo(page, card.lead_in))] if lead else [])]
    return message(
        "\n".join(filter(None, (lead, question))),
        [*above, section(question), *offers(page, field.name), *_ways(page, field, card), *_feedback(page, card)],
    )


def _feedback(page: Page, card: Question) -> list[Block]:
    """Whether what a model said was of use; on no other card."""
    if not card.feedback:
        return []
    good, bad = page.press("feedback", card.field, "good"), page.press("feedback", card.field, "bad")
    return [feedback((page.say("helpful"), good), (page.say("not_helpful"), bad))]


def _asked(page: Page, field: Field, card: Question) -> str:
    """The form's own question; with results to pick from, which of them is meant; after a thin answer, the one for an example."""
    found = len(page.draft.options.get(field.name, ()))
    if found:
        return page.say("which_one" if found > 1 else "this_one")
    return page.question(field, again=card.again)


def _lead_in(card: Question, field: Field) -> tuple[Utterance, ...]:
    """What stands above the question; a field without help is explained by its question, which follows anyway.

    A model's reply keeps its shape: nothing stands above it but what code has to tell.
    """
    told = tuple(t for t in card.lead_in if t != Verbatim(field.ask))
    coached = any(isinstance(t, Phrase) and t.key == "coach_brief" for t in told)
    coach = (Phrase("coach_brief"),) if card.coach and not coached and not card.words and not field.again else ()
    return (*told, *coach, *((Phrase("person_offer"),) if card.offer_person and not card.words else ()))


def _ways(page: Page, field: Field, card: Question) -> list[Block]:
    options = page.draft.options.get(field.name, ())
    if options:
        return [*results(page, field, options), *acts(page, [*_none(page, field), *_besides(page, field, card)])]
    how = asking(page, field)
    row = acts(page, [*how.elements, *_besides(page, field, card)], how.press)
    return [*([context(fill(page, how.hint, how.args))] if how.hint else []), *row]


def _none(page: Page, field: Field) -> list[Element]:
    return [button(page.say("none_of_these"), page.press("none_of_these", field.name))]


def _besides(page: Page, field: Field, card: Question) -> list[Element]:
    """What else may be clicked: an explanation, the present answer, a way past the coaching, a person."""
    explained = Verbatim(field.help) in card.lead_in
    explain = "explain_yes_no" if kind_of(field).polar else "explain"
    kept = line(page.answer(field), _KEPT)
    return [
        *([button(page.say(explain), page.press("explain", field.name))] if field.help and not explained else []),
        *(
            [button(page.say("keep_it", was=kept), page.press("keep", field.name))]
            if card.keep and kept and not kind_of(field).collects
            else []
        ),
        *([button(page.say("submit_anyway"), page.press("submit_anyway", field.name))] if card.coach else []),
        *([button(page.say("person"), page.press("person"))] if card.offer_person else []),
        *(button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page)),
    ]
