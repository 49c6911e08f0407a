"""A card that waits for a click, and what is typed while it waits; another thing for a locked look-up; small talk."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from state.advance import advance
from state.draft.changes import OptionsFound
from state.draft.draft import Draft, OpenCard, Option, with_record
from state.draft.reply import ToolCall
from state.draft.utterance import Phrase
from state.engine.cards import Change, Confirm, Notice, Review
from state.engine.effects import Announce, CallModel, Gather, LookUp, Post
from state.engine.events import DraftEvent, MessageReceived, ModelReplied
from state.language import LANGUAGES
from state.language.small_talk import idle
from tests.corpus.turns import Talk
from tests.state.forms import (
    AT,
    FORM,
    OWNER,
    RULES,
    after,
    asking,
    by_rules,
    call,
    click,
    filled,
    new_draft,
    replied,
    reviewing,
    said,
    value,
)

STANDING = asking(
    filled(new_draft(), ("thing", "leveraged"), thing=value("T1", label="Thing one (T1)"), side="buy", quantity=200, leveraged=True),
    "inside",
)  # fmt: skip


def says(draft: Draft, text: str) -> Draft:
    """The draft after the owner's message."""
    return after(draft, MessageReceived(f"s{draft.turn}", AT, OWNER, text, f"{draft.turn}.5"))


def posts(draft: Draft, event: DraftEvent) -> list[object]:
    """The cards that an event posts."""
    return [e.card for e in advance(FORM, RULES, draft, event).effects if isinstance(e, Post)]


def wanting(field: str, given: str, words: str) -> Draft:
    """A draft in which a change of a locked answer has just been put up."""
    heard = says(STANDING, words)
    return after(heard, replied(heard, call("correct", field=field, value=given, words=words)))


@pytest.mark.parametrize("text", ["yes", "no", "ok", "nope", "yes please", "sí", "nein, danke"])
def test_a_yes_or_no_to_a_waiting_card_answers_no_question(text: str) -> None:
    """What is said right after a card that asks for a click is never taken for the declaration above it; it comes again, and its click counts."""
    waiting = wanting("leveraged", "no", "sorry, it is not leveraged")
    assert waiting.proposal is not None
    answered = MessageReceived("s9", AT, OWNER, text, "9.9")
    then = after(waiting, answered)
    assert "inside" not in then.values and then.values["leveraged"].data is True
    again = [c for c in posts(waiting, answered) if isinstance(c, Change)]
    assert [c.lead_in for c in again] == [(Phrase("press_one"),)]
    assert then.proposal is not None and then.proposal.card != waiting.proposal.card
    assert after(then, click("change", card=then.proposal.card)).values["leveraged"].data is False


def test_a_no_to_what_would_be_lost_leaves_it() -> None:
    """A no to the question whether to start over goes on where things were; a yes asks for the click."""
    asked = says(STANDING, "start over")
    assert says(asked, "no").proposal is None
    again = MessageReceived("s9", AT, OWNER, "yes", "9.9")
    assert [c.act for c in posts(asked, again) if isinstance(c, Confirm)] == ["restart"]


def test_another_thing_for_a_locked_look_up_waits_for_a_click() -> None:
    """The card names what would be looked for; its click searches, and the old answer stands until a result is picked."""
    waiting = wanting("thing", "Tesla", "I meant Tesla")
    assert waiting.proposal is not None and waiting.values["thing"].data == "T1"
    outcome = advance(FORM, RULES, waiting, click("change", card=waiting.proposal.card))
    assert [(e.field, e.query) for e in outcome.effects if isinstance(e, LookUp)] == [("thing", "Tesla")]
    assert outcome.draft.values["thing"].data == "T1" and "thing" in outcome.draft.reopened


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one sec", "heard_hold"), ("thanks!", "heard_thanks"), ("hello", "heard_greeting"), ("I'd rather not say", "heard_refusal"),
        ("no idea", "heard_doubt"), ("same as last time", "heard_reference"), ("gracias", "heard_thanks"), ("non mi va di dirlo", "heard_refusal"),
        ("I already told you", "heard_reminder"), ("ya se lo he dicho", "heard_reminder"), ("come dicevo", "heard_reminder"),
        ("das steht doch oben", "heard_reminder"), ("You keep asking that!", "heard_reminder"),
        ("gliel'ho scritto prima", "heard_reminder"), ("das habe ich eben gesagt", "heard_reminder"),
        ("told you that before", "heard_reminder"), ("I typed it in already", "heard_reminder"), ("I mentioned it earlier", "heard_reminder"),
        ("hab ich oben schon geschrieben", "heard_reminder"), ("eso ya lo contesté", "heard_reminder"), ("l'avevo già indicato", "heard_reminder"),
    ],
)  # fmt: skip
def test_small_talk_is_met_by_its_own_sentence(text: str, told: str) -> None:
    """Who greets, waits, thanks, refuses or does not know is not told that no answer was found."""
    heard = says(asking(filled(new_draft(), thing="T1", side="buy"), "quantity"), text)
    leads = [p for c in posts(heard, by_rules(heard)) for p in getattr(c, "lead_in", ())]
    assert Phrase(told) in leads and Phrase("not_understood") not in leads


@pytest.mark.parametrize(
    "text", ["already", "I asked you", "I told my broker already", "already put 40", "ya", "sopra", "gesagt"]
)
def test_a_half_of_it_says_nothing_of_what_was_said(text: str) -> None:
    """What was told, or when, alone, or beside anything else, is no “I said that already”."""
    assert idle(text, LANGUAGES["en"]) is None


def test_who_said_it_is_led_to_what_was_read() -> None:
    """“I said that already” at a question beside which an answer was read points to its button."""
    read = says(asking(filled(new_draft(), thing="T1", side="buy"), "quantity"), "about 200, I think")
    offered = after(read, by_rules(read))
    assert {o.field for o in offered.offers} == {"quantity"}
    heard = says(offered, "as I said")
    leads = [p for c in posts(heard, by_rules(heard)) for p in getattr(c, "lead_in", ())]
    assert leads == [Phrase("press_one")]


def test_who_keeps_saying_that_they_said_it_is_offered_a_person() -> None:
    """It counts as an answer that was not found."""
    draft = asking(filled(new_draft(), thing="T1", side="buy"), "quantity")
    for _ in range(FORM.patience):
        heard = says(draft, "I told you already")
        cards, draft = posts(heard, by_rules(heard)), after(heard, by_rules(heard))
    assert [card.offer_person for card in cards] == [True]  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["thanks!", "Thank you very much :+1:", "muchas gracias", "Grazie mille!", "danke"])
def test_thanks_after_filing_are_met_as_such(text: str) -> None:
    """Thanks after filing get one sentence, without a model and beside one that takes nothing."""
    heard = says(with_record(replace(STANDING, status="submitted"), number="SM-1"), text)
    for reply in (by_rules(heard), replied(heard)):
        assert posts(heard, reply) == [Notice((Phrase("heard_thanks"),))]


@pytest.mark.parametrize("draft", [STANDING, reviewing()], ids=["at a question", "at the review"])
@pytest.mark.parametrize("nobody", [by_rules, replied], ids=["no model", "a model that does nothing"])
def test_a_question_that_nobody_answers_is_passed_on_by_a_click(
    draft: Draft, nobody: Callable[[Draft], ModelReplied]
) -> None:
    """The card says so and offers a person; the click tells them in the person's words, and what is open stays open."""
    heard = says(draft, "Is any of this taxed?")
    (card,) = posts(heard, nobody(heard))
    (offer,) = (one for one in card.lead_in if one.key == "pass_on")  # type: ignore[attr-defined]
    asked = after(heard, nobody(heard))
    outcome = advance(FORM, RULES, asked, click("person", value=offer.args["message"]))
    assert ["“Is any of this taxed?”" in e.reasons for e in outcome.effects if isinstance(e, Announce)] == [True]
    assert (outcome.draft.asked, outcome.draft.values) == (asked.asked, draft.values)


RIGHT = {
    "en": ("yes, all correct, please send it", "Looks good. Submit it, thanks!", "YES EVERYTHING IS RIGHT", "yes, no mistakes", "send it",
        "No, all good!", "no thanks, it's fine", "nope looks fine", "hmm, everything seems right I think"),
    "es": ("Sí, todo correcto, envíelo", "está todo bien, gracias", "no, está todo bien"),
    "it": ("va bene, invia pure", "Sì, tutto giusto!", "no, va bene così, mi sembra tutto giusto", "va benissimo, procedi pure"),
    "de": ("ja, passt so", "Alles korrekt, bitte absenden", "nein passt so", "passt so, abschicken", "nein, das war alles"),
}  # fmt: skip
WRONG = {
    "en": ("no, that's wrong", "sorry, there is a mistake", "please don't submit it"),
    "es": ("no, hay un error", "No, no es correcto", "no está bien"),
    "it": ("no, c'è un errore", "non va bene"), "de": ("nein, das stimmt nicht", "Da ist ein Fehler"),
}  # fmt: skip
JUDGED = [(s, c, key) for key, said in (("press_submit", RIGHT), ("press_edit", WRONG)) for c in said for s in said[c]]
# In the form's language, and in that of a person whose form is in another one.
CASES = [*JUDGED, *((s, "de" if c == "en" else "en", key) for s, c, key in JUDGED)]


@pytest.mark.parametrize(("text", "code", "told"), CASES)
def test_a_yes_or_a_no_to_the_review_points_to_its_button(text: str, code: str, told: str) -> None:
    """Words that only find the summary right or wrong are answered by one sentence below it, and by the summary once it is not the newest."""
    form, draft = FORM.model_copy(update={"language": code}), reviewing()
    draft = replace(draft, card=replace(draft.card, turn=draft.turn))
    first = advance(form, RULES, draft, MessageReceived("s1", AT, OWNER, text, "9.5"))
    assert [e.card for e in first.effects] == [Notice((Phrase(told),))] and first.draft.open
    second = advance(form, RULES, first.draft, MessageReceived("s2", AT, OWNER, text, "9.6"))
    assert [e.card for e in second.effects if isinstance(e, Post)] == [Review((Phrase(told),))]
    consenting = form.model_copy(update={"consent": ("i agree to this",)})
    agreed = advance(consenting, RULES, first.draft, MessageReceived("s2", AT, OWNER, "I agree to this", "9.6"))
    assert [e.purpose for e in agreed.effects if isinstance(e, Gather)] == ["submit"]


@pytest.mark.parametrize("text", ["no, sell", "yes but 300 shares", "all correct?", "no, the quantity is 300", "hello"])
def test_more_than_a_yes_or_a_no_to_the_review_is_read(text: str) -> None:
    """A correction or a question at the review is left to the readers."""
    draft = reviewing()
    draft = replace(draft, card=replace(draft.card, turn=draft.turn))
    assert any(isinstance(e, CallModel) for e in advance(FORM, RULES, draft, said(text)).effects)


LOOSELY = {
    "en": {
        "press_submit": ("righto, that's about right, ship it", "yep, nothing to add from me"),
        "press_edit": ("hang on, one thing's off", "nah, not quite"), "": ("purple monkeys", "yes, but the quantity"),
    },
    "de": {"press_submit": ("jawohl, passt alles, ab die Post",), "press_edit": ("Moment, da haut was nicht hin",)},
    "it": {"press_submit": ("perfetto, a gonfie vele",), "press_edit": ("aspetta, qualcosa non mi torna",)},
    "es": {"press_submit": ("perfecto, tire millas",), "press_edit": ("uy, esto no me cuadra",)},
}  # fmt: skip
LOOSE = [(text, code, key) for code, said in LOOSELY.items() for key, texts in said.items() for text in texts]


@pytest.mark.parametrize(("text", "code", "told"), LOOSE)
@pytest.mark.parametrize("play", [by_rules, replied], ids=["no model", "a model that does nothing"])
def test_words_that_nobody_reads_point_to_the_button_too(
    text: str, code: str, told: str, play: Callable[[Draft], ModelReplied]
) -> None:
    """Where nothing came of words at the review, those that find it right or wrong point to the button, unless they name a field."""
    form, draft = FORM.model_copy(update={"language": code}), reviewing()
    draft = replace(draft, card=replace(draft.card, turn=draft.turn))
    heard = advance(form, RULES, draft, MessageReceived("s1", AT, OWNER, text, "9.5"))
    told_at_once = [e.card for e in heard.effects if isinstance(e, Post)]
    cards = told_at_once or [
        e.card for e in advance(form, RULES, heard.draft, play(heard.draft)).effects if isinstance(e, Post)
    ]
    assert (cards == [Notice((Phrase(told),))]) is bool(told), cards


def test_a_yes_is_not_for_the_review_while_anything_else_waits() -> None:
    """Beside a card that waits for its own click, a yes asks for that click."""
    waiting = says(reviewing(), "start over")
    assert Notice((Phrase("press_submit"),)) not in posts(waiting, MessageReceived("s9", AT, OWNER, "yes", "9.9"))


@pytest.mark.parametrize("text", ["no", "no, not that one", "none", "no, it isn't"])
def test_results_are_turned_down_in_words(text: str) -> None:
    """A no to results on screen does what "None of these" does."""
    shown = replace(new_draft(), asked="thing", card=OpenCard("c9", "question", "thing"))
    shown = replace(shown, options={"thing": (Option("T1", "Thing one"),)})
    changes = advance(FORM, RULES, shown, MessageReceived("s1", AT, OWNER, text, "1.5")).changes
    assert OptionsFound("thing", ()) in changes


@pytest.mark.parametrize("text", ["yes that one", "YES THAT ONE", "that's the one"])
def test_the_only_result_is_taken_in_words(text: str) -> None:
    """Where one result is on screen, words that point at it pick it."""
    shown = replace(new_draft(), asked="thing", card=OpenCard("c9", "question", "thing"))
    shown = replace(shown, options={"thing": (Option("T1", "Thing one"),)})
    assert says(shown, text).values["thing"].data == "T1"


def test_two_readers_of_one_line_are_both_put_back() -> None:
    """Where a model and the rules make different numbers of doubtful words, the person says which one is meant."""
    heard = says(asking(filled(new_draft(), thing="T1", side="buy"), "quantity"), "about 60, or 65 if it dips")
    then = after(heard, replied(heard, call("set_trade", quantity=60, words="about 60")))
    assert "quantity" not in then.values
    assert [o.data for o in then.offers if o.field == "quantity"] == [60, 65]


def test_a_text_that_was_asked_corrects_nothing_else() -> None:
    """A word of the asked text is no correction of another answer, whoever says so."""
    form = filled(new_draft(), ("inside",), thing="T1", side="buy", quantity=200, leveraged=False, inside=False)
    heard = says(asking(form, "reason"), "I need 300 pounds for a deposit on a flat")
    then = after(heard, replied(heard, call("correct", field="quantity", value=300, words="300")))
    assert then.proposal is None and then.values["quantity"].data == 200


def test_a_sentence_to_a_question_for_a_few_words_may_correct_another_answer() -> None:
    """What is too long for the asked name is no answer to it: a correction in it is asked on a card."""
    talk = Talk(
        "pa_dealing", "any", "account",
        ToolCall("c1", "correct", {"field": "quantity", "value": 250, "words": "250"}),
        given={"security": "GB00BLGZ9862", "direction": "buy", "quantity": 200, "value": "720.00", "currency": "GBP"},
    )  # fmt: skip
    assert talk.say("That is wrong, since I will only be buying 250 of them").proposed == {"quantity": 250}
    assert talk.draft.values["quantity"].data == 200


def test_a_no_to_its_question_is_no_text_for_another() -> None:
    """A line that answers the yes-or-no question that stood sets no text that a model wants to make of it."""
    heard = says(
        asking(filled(new_draft(), thing="T1", side="buy", quantity=200), "leveraged"), "nope, no loan of any sort"
    )
    words = "no loan of any sort"
    then = after(heard, replied(heard, call("set_reason", reason=words, words=words)))
    assert "reason" not in then.values
