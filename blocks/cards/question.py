"""A question: where we are, what was understood, the form's question, the ways to answer it, and what is offered beside it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from blocks.cards.answers import acts, answer_line, beside, build_sheet
from blocks.elements import (
    Block,
    Element,
    Message,
    actions,
    button,
    context,
    feedback,
    first_that_fits,
    message,
    press_id,
    section,
    small,
)
from blocks.ids import TOGETHER
from blocks.inputs import answer_options, asking, ways
from blocks.page import Page, fill, sentences, short
from blocks.text import NOTHING, cut, escape, line, lines, one_line, question_of
from state.draft.display import shown, usable
from state.draft.draft import Offer, Option
from state.draft.missing import takeable
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Crossroads, Question
from state.fields import element_of, kind_of
from state.form import Field

SHOWN = 8
"""Results that are shown."""
_LEAD, _LEAD_TOGETHER, _LEAD_STAGE = 2000, 1500, 2500
_QUESTION, _EACH, _HELP, _KEPT = 1500, 600, 400, 40
_LABEL, _DETAIL, _OFFERED, _TAKEN = 120, 180, 200, 60


def build_question(page: Page, card: Question) -> Message:
    """Build one field's question below its lead-in; or several that are answered together."""
    if card.fields:
        return _build_together(page, card)
    field = page.form.fields[card.field]
    lead = cut(sentences(page, _lead_in(card, field)), _LEAD)
    results = page.draft.options.get(field.name, ())
    question = escape(card.words, _LEAD) or escape(_asked(page, field, card), _QUESTION)
    above = [*build_sheet(page), *([section(lead, beside(page, card.lead_in))] if lead else [])]
    read = offers(page, field.name)
    declares = page.declared(field, card.declares)
    asked = [*read, section(question)] if results else [section(question), *small(declares), *read]
    blocks = [*above, *asked, *_ways(page, field, card, results)]
    blocks += [feedback_on(page, card.field)] if card.feedback else []
    return message(lines(lead, question, declares), blocks)


def feedback_on(page: Page, field: str = "") -> Block:
    """Build the two buttons that say if a model's words were of use."""
    good, bad = (page.press("feedback", field, value) for value in ("good", "bad"))
    return feedback((page.say("helpful"), good), (page.say("not_helpful"), bad))


def _asked(page: Page, field: Field, card: Question) -> str:
    """Return the form's own question; with results to pick from, which of them is meant; after a thin answer, the one for an example."""
    found = len(page.draft.options.get(field.name, ()))
    if found:
        return page.say("which_one" if found > 1 else "this_one")
    return page.question(field, again=card.again)


def _lead_in(card: Question, field: Field) -> tuple[Utterance, ...]:
    """Return the lines above the question; a field without help is explained by its question, which follows anyway.

    A model's reply keeps its shape: above it stand only lines that code must show.
    """
    lead = tuple(t for t in card.lead_in if t != Verbatim(field.ask))
    coached = any(isinstance(t, Phrase) and t.key == "coach_brief" for t in lead)
    coach = (Phrase("coach_brief"),) if card.coach and not coached and not card.words and not field.again else ()
    return (*lead, *coach, *((Phrase("person_offer"),) if _offers_person(card) and not card.words else ()))


def _ways(page: Page, field: Field, card: Question, results: tuple[Option, ...]) -> list[Block]:
    """Return the results to pick from, or the field's own buttons, and below them what else may be clicked."""
    if results:
        none = button(page.say("none_of_these"), page.press("none_of_these", field.name))
        rows = [_result(page, field, option, n) for n, option in enumerate(results[:SHOWN], 1)]
        if len(results) > SHOWN:
            rows.append(context(fill(page, "too_many", {"shown": SHOWN, "count": len(results)})))
        return [*rows, *acts(page, [none, *_besides(page, field, card)])]
    how = asking(page, field)
    row = acts(page, [*how.elements, *_besides(page, field, card)], how.press)
    return [*([context(fill(page, how.hint, how.args))] if how.hint else []), *row]


def _result(page: Page, field: Field, option: Option, n: int) -> Block:
    label, detail = escape(one_line(option.label), _LABEL), escape(option.detail, _DETAIL)
    pick = button(page.say("use_this"), page.press("pick", field.name, option.id), n)
    return section(lines(f"{n}. *{label or escape(option.id)}*", detail), pick)


def _besides(page: Page, field: Field, card: Question) -> Iterator[Element]:
    """Yield what else may be clicked: an explanation, the present answer, a way past the coaching, a person, a stage's ways."""
    if field.help and Verbatim(field.help) not in card.lead_in:
        label = page.say("explain_yes_no" if kind_of(field).polar else "explain")
        yield button(label, page.press("explain", field.name))
    kept = line(page.answer(field), _KEPT)
    if card.keep and kept and not kind_of(field).collects:
        yield button(page.say("keep_it", was=kept), page.press("keep", field.name))
    if field.unlisted and field.name in page.draft.sought and not page.draft.options.get(field.name):
        yield button(page.say("unlisted"), page.press("unlisted", field.name))
    if card.coach:
        yield button(page.say("submit_anyway"), page.press("submit_anyway", field.name))
    yield from _person(page, card)
    yield from go_buttons(page)


def _person(page: Page, card: Question | Crossroads) -> list[Element]:
    return [button(page.say("person"), page.press("person"))] if _offers_person(card) else []


def _offers_person(card: Question | Crossroads) -> bool:
    """Return True if a person is to be offered: not where one was told just now, or is to get the question above."""
    above = {t.key for t in card.lead_in if isinstance(t, Phrase)}
    return card.offer_person and not above & {"pass_on", "person_asked"}


def go_buttons(page: Page, *, filing: bool = True) -> list[Element]:
    """Return a button for each of the stage's own ways; without those that file unless `filing`."""
    return [button(label, page.press("go", value=trigger), trigger) for trigger, label in ways(page, filing=filing)]


def _build_together(page: Page, card: Question) -> Message:
    """Build several questions: an answered one shows its answer, a missing one is answered in its place."""
    fields = [page.form.fields[name] for name in card.fields]
    lead = cut(sentences(page, card.lead_in), _LEAD_TOGETHER)
    title = next((g.title for g in page.form.groups.values() if card.field in g.fields), "")
    missing = [f for f in fields if f.name not in page.draft.values or f.name in page.draft.reopened]
    above = [
        *([section(lead, beside(page, card.lead_in))] if lead else []),
        *([section(f"*{escape(title)}*")] if title else []),
    ]
    below = [*offers(page), *acts(page, _person(page, card))]
    sheet = build_sheet(page, without=card.fields)
    layouts = (
        [*sheet[:answers], *above, *(b for f in fields for b in _one(page, f, card, f in missing, helped)), *below]
        for answers, helped in ((len(sheet), True), (len(sheet), False), (1, False))
    )
    asked = (lines(escape(page.question(f), _EACH), page.declared(f, card.declares)) for f in missing)
    return message(lines(lead, escape(title), *asked), first_that_fits(layouts))


def _one(page: Page, field: Field, card: Question, asked: bool, helped: bool) -> list[Block]:
    """Return an answer; or a question, and what its answers declare, with a button or with radio buttons whose press its block carries."""
    if not asked:
        return [section(answer_line(page, field, whole=True))]
    if element_of(field) == "acknowledge":
        label = field.choices[0].label if field.choices else page.say("acknowledge")
        beside, press = button(label, page.press("answer", field.name, True), field.name), ""
    else:
        radio = {"type": "radio_buttons", "action_id": f"{TOGETHER}.{field.name}"}
        beside = radio | {"options": answer_options(page, field)}
        press = press_id(page.menu_press(field.name))
    question = section(escape(page.question(field), _EACH), beside) | ({"block_id": press} if press else {})
    explained = escape(line(field.help, _HELP)) if helped else ""
    return [question, *small(page.declared(field, card.declares)), *small(explained)]


def build_crossroads(page: Page, card: Crossroads) -> Message:
    """Build a stage's words below what was understood, with one button for each way; `brief` leaves the question they close with."""
    offered = (Phrase("person_offer"),) if _offers_person(card) else ()
    whole = page.form.stages[card.stage].ask
    asked = (question_of(whole) or page.say("which_way")) if card.brief else whole
    lead, ask = cut(sentences(page, (*card.lead_in, *offered)), _LEAD_STAGE), escape(asked, _LEAD_STAGE)
    texts = [section(lead, beside(page, card.lead_in))] if lead else []
    texts += [section(ask)] if ask else []
    row = acts(page, [*go_buttons(page), *_person(page, card)])
    return message(lines(lead, ask), [*build_sheet(page), *(texts or [section(NOTHING)]), *other_forms(page), *row])


def offers(page: Page, field: str = "") -> list[Block]:
    """Return what is offered on a question's card (or, with no `field`, on the review's), each with the button that accepts it.

    Values just read in the person's words are listed together and accepted by one click; where the words leave open which
    value is meant, each has its own button.
    """
    fields = (field,) if field else ()
    back, together = shown(page.form, page.draft, fields), usable(page.form, page.draft, fields)
    fresh = [o for o in page.draft.offers if o.field in page.form.fields and not o.said and not o.heard]
    together = together if len(together) > 1 else ()
    numbers = count(1)
    single = dict.fromkeys(o.field for o in back if o not in together)
    return [
        *(_read_together(page, together) if together else []),
        *(block for name in single for block in _proposed(page, name, field, back, numbers)),
        *(_offer(page, offer, next(numbers)) for offer in fresh),
        *_last_time(page, field),
        *other_forms(page),
    ]


def _read_together(page: Page, together: tuple[Offer, ...]) -> list[Block]:
    """Return what was read, a row a value with the words beside it and a button that drops it; and one that accepts all of it."""
    drop = page.say("words_not")
    rows = [section(_row(page, o), button(drop, page.press("leave", o.field), o.field)) for o in together]
    every = button(page.say("words_use"), page.press("take_all"), style="primary")
    return [section(fill(page, "words_read")), *rows, actions([every])]


def _row(page: Page, offer: Offer) -> str:
    label = escape(page.label(page.form.fields[offer.field]), _OFFERED)
    words = page.say("quoted", words=escape(line(offer.said, _OFFERED)))
    return f"*{label}:* {escape(line(offer.label, _OFFERED))}\n_{words}_"


def _proposed(page: Page, name: str, asked: str, back: tuple[Offer, ...], numbers: Iterator[int]) -> list[Block]:
    """Return a field's proposal with its button; of several values for it, a button each."""
    some = [o for o in back if o.field == name]
    texts = {"said": line(some[0].said, _OFFERED), "label": page.label(page.form.fields[name]), "now": some[0].label}
    buttons = [_accept(page, o, next(numbers)) for o in some if len(some) == 1 or not isinstance(o.data, tuple)]
    if len(some) > 1:
        return [section(fill(page, "put_back_which", texts)), actions(buttons)] if buttons else []
    if not some[0].heard and name not in (asked, *page.draft.values):
        return [section(_row(page, some[0]), buttons[0])]
    key = "put_back_change" if name in page.draft.values else "put_back"
    return [section(fill(page, key, texts), buttons[0])]


def _accept(page: Page, offer: Offer, n: int) -> Element:
    """Return the button with a value; several choices, which no button carries, are all that was read."""
    several = isinstance(offer.data, tuple)
    press = page.press("take_all") if several else page.press("accept", offer.field, offer.data)
    return button(page.say("put_back_take", now=line(offer.label, _TAKEN)), press, n)


def _offer(page: Page, offer: Offer, n: int) -> Block:
    label = line(offer.label, _OFFERED)
    text = fill(page, "offer_ask", {"label": page.label(page.form.fields[offer.field]), "now": label})
    return section(text, button(page.say("offer_yes", now=label), page.press("accept", offer.field, offer.data), n))


def _last_time(page: Page, field: str) -> list[Block]:
    """Return the button that copies the last record's answers, all of them named; not beside results for the person's words."""
    names = takeable(page.form, page.draft)
    if page.draft.last_time is None or field not in names or page.draft.options.get(field):
        return []
    values = ((page.form.fields[n], page.draft.last_time.values[n]) for n in names)
    texts = (line(short(page.answer(f, value), value), _TAKEN) for f, value in values)
    label = page.say("same_again_take", now=" · ".join(texts))
    return [actions([button(label, page.press("again"))])]


def other_forms(page: Page) -> list[Block]:
    """Return the forms that the person's words asked for, a button each: it takes those words along."""
    wished = page.draft.wished
    if wished is None:
        return []
    press = [(form, replace(page.press("begin", value=form.name), hash=wished.message)) for form in wished.forms]
    return [actions([button(page.say("prompt_begin", form=line(f.title, _TAKEN)), p, f.name) for f, p in press])]
