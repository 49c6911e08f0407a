"""A question: where we are, what was understood, the form's own question, and the ways to answer it; or a stage that only has ways on."""

from collections.abc import Sequence

from blocks.cards.offers import offers, other_forms
from blocks.cards.sheet import acts, answer_line, build_sheet, undo
from blocks.elements import (
    OPTION,
    Block,
    Element,
    Message,
    button,
    context,
    feedback,
    message,
    plain_text,
    press_id,
    section,
)
from blocks.ids import TOGETHER, written_value
from blocks.inputs import asking, ways
from blocks.page import Page
from blocks.text import NOTHING, cut, escape, line, one_line, question_of
from blocks.utterances import fill, sentences
from state.draft.draft import Option
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Crossroads, Question
from state.fields import element_of, kind_of
from state.form import Field
from state.form.field import Data

_LEAD, _QUESTION, _KEPT = 2000, 1000, 40


def build_question(page: Page, card: Question) -> Message:
    """One field's question below its lead-in; or several that stand together."""
    if card.fields:
        return build_together(page, card)
    field = page.form.fields[card.field]
    lead = cut(sentences(page, _lead_in(card, field)), _LEAD)
    question = escape(card.words, _LEAD) or escape(_asked(page, field, card), _QUESTION)
    above = [*build_sheet(page), *([section(lead, undo(page, card.lead_in))] if lead else [])]
    read = offers(page, field.name)
    asked = [*read, section(question)] if page.draft.options.get(field.name) else [section(question), *read]
    return message(
        "\n".join(filter(None, (lead, question))),
        [*above, *asked, *_ways(page, field, card), *_feedback(page, card)],
    )


def _feedback(page: Page, card: Question) -> list[Block]:
    """Build the two buttons that say if a model's words were of use; on no other card."""
    if not card.feedback:
        return []
    good, bad = page.press("feedback", card.field, "good"), page.press("feedback", card.field, "bad")
    return [feedback((page.say("helpful"), good), (page.say("not_helpful"), bad))]


def _asked(page: Page, field: Field, card: Question) -> str:
    """Return the form's own question; with results to pick from, which of them is meant; after a thin answer, the one for an example."""
    found = len(page.draft.options.get(field.name, ()))
    if found:
        return page.say("which_one" if found > 1 else "this_one")
    return page.question(field, again=card.again)


def _lead_in(card: Question, field: Field) -> tuple[Utterance, ...]:
    """Return what stands above the question; a field without help is explained by its question, which follows anyway.

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
    """Return what else may be clicked: an explanation, the present answer, a way past the coaching, a person."""
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


_LEAD_TOGETHER, _EACH, _HELP = 1500, 600, 400


def build_together(page: Page, card: Question) -> Message:
    """What is answered says so in its place; what is missing is answered where it stands."""
    fields = [page.form.fields[name] for name in card.fields]
    lead = cut(sentences(page, card.lead_in), _LEAD_TOGETHER)
    title = next((g.title for g in page.form.groups.values() if card.field in g.fields), "")
    missing = [f for f in fields if f.name not in page.draft.values or f.name in page.draft.reopened]
    blocks = [
        *build_sheet(page, without=card.fields),
        *([section(lead, undo(page, card.lead_in))] if lead else []),
        *([section(f"*{escape(title)}*")] if title else []),
        *(block for field in fields for block in _one(page, field, asked=field in missing)),
        *offers(page),
        *acts(page, [button(page.say("person"), page.press("person"))] if card.offer_person else []),
    ]
    asked = "\n".join(escape(page.question(f), _EACH) for f in missing)
    return message("\n".join(filter(None, (lead, escape(title), asked))), blocks)


def _one(page: Page, field: Field, *, asked: bool) -> list[Block]:
    if not asked:
        return [section(answer_line(page, field))]
    beside, press = _answers(page, field)
    question = section(escape(page.question(field), _EACH), beside) | ({"block_id": press} if press else {})
    helped = [context(escape(line(field.help, _HELP)))] if field.help else []
    return [question, *helped]


def _answers(page: Page, field: Field) -> tuple[Element, str]:
    """Return what it is answered with, and the press that its block carries where the element has none of its own."""
    if element_of(field) == "acknowledge":
        label = field.choices[0].label if field.choices else page.say("acknowledge")
        return button(label, page.press("answer", field.name, True), field.name), ""
    options = [
        {"text": plain_text(label, OPTION), "value": written_value(data)} for label, data in _choices(page, field)
    ]
    radio = {"type": "radio_buttons", "action_id": f"{TOGETHER}.{field.name}", "options": options}
    return radio, press_id(page.menu_press(field.name))


def _choices(page: Page, field: Field) -> list[tuple[str, Data]]:
    if element_of(field) == "yes_or_no":
        return [(page.say("yes"), True), (page.say("no"), False)]
    return [(choice.label, choice.value) for choice in field.choices]


SHOWN = 8
_LABEL, _DETAIL = 120, 180


def results(page: Page, field: Field, options: Sequence[Option]) -> list[Block]:
    """Return one row per result, each with its button; the first eight."""
    rows = [_result(page, field, option, n) for n, option in enumerate(options[:SHOWN], 1)]
    if len(options) > SHOWN:
        rows.append(context(fill(page, "too_many", {"shown": SHOWN, "count": len(options)})))
    return rows


def _result(page: Page, field: Field, option: Option, n: int) -> Block:
    label, detail = escape(one_line(option.label), _LABEL), escape(option.detail, _DETAIL)
    pick = button(page.say("use_this"), page.press("pick", field.name, option.id), n)
    return section("\n".join(filter(None, (f"{n}. *{label or escape(option.id)}*", detail))), pick)


_WAYS_LEAD, _ASK = 2500, 2500


def _said(page: Page, card: Crossroads) -> str:
    """Return the stage's words; where these stand above, the question that they close with."""
    whole = page.form.stages[card.stage].ask
    return whole if not card.brief else question_of(whole) or page.say("which_way")


def build_crossroads(page: Page, card: Crossroads) -> Message:
    """Return what was understood, the stage's words, and one button for each way."""
    offered = (Phrase("person_offer"),) if card.offer_person else ()
    lead, ask = cut(sentences(page, (*card.lead_in, *offered)), _WAYS_LEAD), escape(_said(page, card), _ASK)
    on = [button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page)]
    on += [button(page.say("person"), page.press("person"))] if card.offer_person else []
    told = [section(lead, undo(page, card.lead_in))] if lead else []
    said = [*told, *([section(ask)] if ask else [])] or [section(NOTHING)]
    blocks = [*build_sheet(page), *said, *other_forms(page), *acts(page, on)]
    return message("\n".join(filter(None, (lead, ask))), blocks)
