"""The reviewers' question has an answer: the person's words as they wrote them, shown before they go, and beside the question for good."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.draft import ChatLine, Draft
from state.draft.record import Decision
from state.draft.route import REPLY, with_query
from state.draft.scope import scope
from state.engine.effects import File, Post, Repaint
from state.understanding.evidence import unread_lines
from tests.state.deciding import MANAGER, ROUTED, asked, filed, refiled, routed
from tests.state.forms import by_rules, call, click, gathered, replied, said

QUESTION = "Is that the total for all your accounts?"


def queried(*fields: str, note: str = QUESTION, before: Draft | None = None) -> Draft:
    """The draft once its owner was asked."""
    draft = before or filed()
    return routed(draft, asked(draft, MANAGER, *fields, note=note)).draft


def wrote(draft: Draft, *texts: str) -> Draft:
    """The draft after these messages, read by rules where code did not take them."""
    for text in texts:
        draft = routed(draft, said(text)).draft
        draft = routed(draft, by_rules(draft)).draft if unread_lines(draft) else draft
    return draft


def answer(draft: Draft) -> str:
    """The words that are kept for the reviewers so far; empty where there are none."""
    return str(draft.values[REPLY].data) if REPLY in draft.values else ""


def told(draft: Draft) -> Decision:
    """The question as its record holds it once the answer was sent."""
    return refiled(draft).filed.decisions[-1]


def test_a_question_alone_reopens_no_field() -> None:
    """It is asked in the officer's words; every answer stays locked as it was submitted."""
    draft = queried()
    assert draft.asked == REPLY and draft.locked_fields == filed().locked_fields
    assert not any(name in draft.reopened for name in ROUTED.fields)


@pytest.mark.parametrize(
    "words",
    [
        "£20,000 in total", "Yes", "No, I have another one at Example Bank.", "I don't know", "ja, das ist alles zusammen",
        "Sì, il totale di tutti i conti", "Sí. ¿Necesitan el extracto?", "Yes, all of them. Do you need a statement?", "200",
        "the quantity is 900 because I wanted more", "What I hold elsewhere, I told you in March", "Hello, yes. Thanks!",
        "is for my pension", "can be seen in my statement", "I had second thoughts about Vodafone, so I sold that first", "it is urgent",
        "perché devo pagare il mutuo", "perché me lo ha consigliato la banca",
    ],
)  # fmt: skip
def test_typed_words_are_the_answer_as_they_stand(words: str) -> None:
    """In any language; they are shown back on the review, nothing is sent before the click, and no answer of the form changes."""
    outcome = routed(queried(), said(words))
    draft = outcome.draft
    assert answer(draft) == words and draft.card is not None and draft.card.kind == "review"
    assert outcome.draft.filed.decisions[-1].answer == "" and not any(isinstance(e, File) for e in outcome.effects)
    assert {n: v for n, v in draft.values.items() if n != REPLY} == dict(filed().values)
    assert (told(draft).note, told(draft).answer) == (QUESTION, words)


@pytest.mark.parametrize(
    "words",
    [
        "thanks", "one moment please", "Danke!", "Einen Moment, bitte", "grazie mille", "un attimo", "gracias", "espere un momento",
        "hello", "I'll check and come back to you", "ich muss das nachsehen", "why do you ask", "perché me lo chiedete", "so what happens next",
        "Which accounts do you mean?", "Welche Konten meinen Sie?", "quali conti?", "¿qué cuentas?", "ok",
        "can I talk to Robin", "did they see my answer", "is this really necessary", "posso parlare con Robin", "kann ich mit Robin sprechen",
        "puedo hablar con Robin", "no, forget it", "lascia perdere", "me lo he pensado mejor", "ich ziehe den Antrag zurück",
    ],
)  # fmt: skip
def test_small_talk_and_a_question_back_are_no_answer(words: str) -> None:
    """The question stays open, and nothing is kept of it."""
    draft = wrote(queried(), words)
    assert answer(draft) == "" and draft.asked == REPLY and REPLY in draft.reopened


def test_the_answer_may_come_in_several_messages() -> None:
    """Each is added below the others; thanks in between are not."""
    draft = wrote(queried(), "£20,000 in total", "thanks", "The second account is empty.")
    assert answer(draft) == "£20,000 in total\nThe second account is empty."


@pytest.mark.parametrize(
    "crossed", [{"early": True}, {"shown": "99.0"}], ids=["before the review", "before it could be read"]
)
def test_a_message_that_crosses_the_review_is_part_of_the_answer(crossed: dict[str, Any]) -> None:
    """Who writes in bursts loses no line; one that crossed the question itself is no answer before a click says so."""
    draft = wrote(queried(), "£20,000 in total")
    after = routed(draft, replace(said("The second account is empty."), **crossed)).draft
    assert answer(after) == "£20,000 in total\nThe second account is empty."
    before = replace(queried(), opening=(ChatLine("user", "[clicked] Buy", clicked=True),))
    assert answer(routed(before, replace(said("and sell them soon"), **crossed)).draft) == ""


def test_the_answer_is_edited_before_it_is_sent() -> None:
    """In the box of the Edit menu, or asked anew: then the next words take its place."""
    draft = wrote(queried(), "£20,000 in total")
    card = draft.card.id if draft.card else ""
    amended = routed(draft, click("amend", field=REPLY, value="£30,000 in total", card=card)).draft
    assert answer(amended) == "£30,000 in total"
    anew = wrote(routed(draft, click("edit", field=REPLY, card=card)).draft, "Two accounts")
    assert answer(anew) == "Two accounts" == told(anew).answer


def test_words_beside_a_field_answer_both() -> None:
    """What gives the asked answer and says more is taken as that answer, and kept whole for the reviewers."""
    draft = wrote(queried("quantity"), "it is 150 shares for all my accounts together")
    assert draft.values["quantity"].data == 150 or draft.offers
    assert answer(draft) == "it is 150 shares for all my accounts together"


def test_words_in_place_of_a_field_are_kept() -> None:
    """They are no value: the field stays open with its present answer, which one click keeps."""
    draft = wrote(queried("quantity"), "yes, that is all of them")
    assert answer(draft) == "yes, that is all of them" and draft.asked == "quantity"
    card = draft.card.id if draft.card else ""
    kept = routed(draft, click("keep", field="quantity", card=card)).draft
    assert kept.values["quantity"].data == 200 and told(kept).answer == "yes, that is all of them"


def test_words_of_which_a_change_is_declined_answer_the_question() -> None:
    """What was read as another quantity, and kept as it was by a click, may have been meant for the reviewers: it is not lost."""
    draft = wrote(queried("quantity"), "150", "No, it is 900 in total")
    assert draft.proposal is not None and draft.proposal.act == "change" and answer(draft) == ""
    kept = routed(draft, click("keep", card=draft.proposal.card)).draft
    assert answer(kept) == "No, it is 900 in total" and kept.values["quantity"].data == 150


def test_a_mere_value_is_the_fields_alone() -> None:
    """No words are sent where the person said the value and no more; the record is filed without them."""
    draft = wrote(queried("quantity"), "150 shares")
    assert draft.values["quantity"].data == 150 and answer(draft) == "" and told(draft).answer == ""


def test_fields_alone_take_no_words() -> None:
    """Without a question there is nothing to answer in words."""
    draft = queried("quantity", note="")
    assert draft.asked == "quantity" and answer(wrote(draft, "yes, that is all of them")) == ""


def test_words_at_the_review_are_added() -> None:
    """Also where the fields are answered already; a correction there stays a correction."""
    draft = wrote(queried("quantity"), "150", "The other account is my wife's.")
    assert answer(draft) == "The other account is my wife's."
    assert answer(wrote(draft, "make the quantity 160")) == "The other account is my wife's."


def test_no_model_writes_the_answer() -> None:
    """A call that would set or correct it is refused: the words are the person's own."""
    draft = routed(queried(), said("Which accounts do you mean?")).draft
    offered = scope(with_query(ROUTED, draft), draft)
    assert REPLY not in str((offered.setters, offered.correctable, offered.offerable))
    for tool, given in (
        (f"set_{REPLY}", {REPLY: "Which accounts", "words": "Which accounts"}),
        ("correct", {"field": REPLY, "value": "accounts", "words": "accounts"}),
        ("offer", {"field": REPLY, "value": "accounts", "words": "accounts"}),
    ):
        after = routed(draft, replied(draft, call(tool, **given))).draft
        assert answer(after) == "" and not after.offers and after.proposal is None


def test_two_questions_after_each_other_keep_their_own_answers() -> None:
    """The second one begins without words, and changes nothing of the first."""
    first = refiled(wrote(queried(), "£20,000 in total"))
    second = queried(note="Since when?", before=first)
    assert answer(second) == "" and second.asked == REPLY
    back = refiled(wrote(second, "Since 2019"))
    assert [(d.note, d.answer) for d in back.filed.decisions] == [
        (QUESTION, "£20,000 in total"),
        ("Since when?", "Since 2019"),
    ]


@pytest.mark.parametrize(
    "words",
    [
        "no, forget it",
        "please cancel the whole thing",
        "ho cambiato idea",
        "ich ziehe ihn zurück",
        "I really do not want to do it any more, withdraw it",
    ],
)
def test_who_gives_up_instead_of_an_answer_is_asked_for_the_click(words: str) -> None:
    """A few words that the request is not wanted are no answer to the reviewers; nothing is withdrawn before the click."""
    draft = wrote(queried(), words)
    assert draft.proposal is not None and draft.proposal.act == "cancel" and answer(draft) == "" and draft.asked_back


def test_an_unsent_answer_goes_with_a_withdrawal() -> None:
    """Who takes the request back has sent nothing."""
    draft = wrote(queried(), "£20,000 in total")
    gone = routed(draft, click("withdraw_confirmed", card="c")).draft
    assert gone.filed.state == "withdrawn" and all(d.answer == "" for d in gone.filed.decisions)


def test_a_worse_answer_counts_in_an_answer_to_a_question() -> None:
    """What is disclosed there stops the request as it does anywhere."""
    assert routed(queried(), said("I heard something, and it is £20,000")).draft.filed.state == "escalated"


def test_a_message_that_is_too_long_is_said_to_be() -> None:
    """Nothing of it is kept, so that nothing is cut unseen."""
    outcome = routed(queried(), said("word " * 700))
    assert answer(outcome.draft) == "" and "too_long" in str(
        [e for e in outcome.effects if isinstance(e, Post | Repaint)]
    )


def test_the_review_is_confirmed_with_the_words_on_it() -> None:
    """A review that was shown before further words came files nothing."""
    draft = wrote(queried(), "£20,000 in total")
    early = gathered(draft)
    later = wrote(draft, "And £5 in coins.")
    assert not any(isinstance(e, File) for e in routed(later, early).effects)
