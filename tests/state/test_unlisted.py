"""A thing that the look-up does not find: searches in vain, the person's word that it is not in the list, and what tells what it is."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import advance
from state.draft.draft import Draft, Option, Value
from state.draft.utterance import Phrase
from state.engine.effects import Ephemeral, LookUp
from state.engine.events import Clicked, DraftEvent, LookupCompleted
from state.fields.base import Context
from state.fields.lookup import UNLISTED
from state.form import Field, Form
from state.form.field import Condition
from state.understanding.plain_answers import calls_unlisted
from tests.state.forms import AT, FORM, OTHER, RULES, call, click, new_draft, replied, said

ONLY = Condition(all={"thing": (UNLISTED,)})
PARTS = {
    "called": Field(name="called", kind="text", short=True, label="Called", ask="What is it called?", when=ONLY),
    "code": Field(name="code", kind="identifier", scheme=("isin",), label="Code", ask="Its code?", when=ONLY),
}
THING = FORM.fields["thing"].model_copy(update={"unlisted": "{called} ({code}, not listed)"})
FIELDS = {"thing": THING, **PARTS, **{n: f for n, f in FORM.fields.items() if n != "thing"}}
OPEN = FORM.model_copy(update={"fields": FIELDS})
HANDING = OPEN.model_copy(update={"hands_over": True, "stuck": "offer_first"})
UNILEVER, TESCO = "GB00B10RZP78", "GB00BLGZ9862"


def step(draft: Draft, event: DraftEvent, form: Form = OPEN) -> Draft:
    """The draft after an event."""
    return advance(form, RULES, draft, event).draft


def came(
    draft: Draft, query: str = "Harrowgate", *ids: str, exact: bool = True, failed: bool = False
) -> LookupCompleted:
    """What a search came to; nothing found unless ids are given."""
    options = tuple(Option(i, f"Listed {i}", facts={"name": "Listed"}) for i in ids)
    return LookupCompleted(
        f"f{draft.revision}", AT, "look_up", "thing", query, options, draft.turn, exact=exact, failed=failed
    )


def asked(form: Form = OPEN) -> Draft:
    """A draft whose first question is open."""
    return step(new_draft(), click("begin"), form)


def pressed(draft: Draft, act: Any = "unlisted", **more: Any) -> Clicked:
    """A press on the open card, long after it was shown."""
    assert draft.card is not None
    return replace(
        click(act, card=draft.card.id, field="thing", label="It's not in the list", **more), id=f"k{draft.revision}"
    )


def unlisted(query: str = "Harrowgate") -> Draft:
    """A draft whose thing was searched for and is not in the list."""
    draft = step(asked(), came(asked(), query))
    return step(draft, pressed(draft))


def whole() -> Draft:
    """The same, with its name and its code told."""
    draft = step(unlisted(), said("Harrowgate Mills"))
    draft = (
        draft
        if "called" in draft.values
        else step(draft, replied(draft, call("set_called", called="Harrowgate Mills", words="Harrowgate Mills")))
    )
    return step(draft, replace(said(UNILEVER), id="s9", message="9.1"))


def test_searches_that_find_nothing_are_turns_in_vain() -> None:
    """A person is offered after as many of them as after words that nobody understands; a search that could not be asked is none."""
    draft = asked()
    for count in range(1, OPEN.patience + 1):
        outcome = advance(OPEN, RULES, draft, came(draft))
        draft = outcome.draft
        assert draft.turns_in_vain == count and ("offer_person=True" in str(outcome.effects)) is (
            count == OPEN.patience
        )
    assert step(asked(), came(asked(), failed=True)).turns_in_vain == 0


@pytest.mark.parametrize(("query", "slip"), [
    ("GB00B10RZP79", True), ("gb00 b10rzp79", True), (UNILEVER, False), ("Harrowgate 3", False), ("3i", False), ("12345678901", False),
])  # fmt: skip
def test_a_code_with_a_slip_is_told_as_that(query: str, slip: bool) -> None:
    """A search for a code whose check digit is wrong says so, where the form knows the scheme; any other says that nothing was found."""
    effects = str(advance(OPEN, RULES, asked(), came(asked(), query)).effects)
    assert ("bad_identifier" in effects, "nothing_found" in effects) == (slip, not slip)


def test_a_model_that_asks_counts_searches_too() -> None:
    """Where the model puts the questions, a search takes nothing from the count of turns in vain."""
    form = OPEN.model_copy(update={"asked_by": "model"})
    draft = step(asked(form), came(asked(form)), form)
    draft = step(draft, said("Harrowgate"), form)
    draft = step(draft, replied(draft, call("set_thing", thing="Harrowgate", words="Harrowgate")), form)
    assert draft.turns_in_vain == 1 and step(draft, came(draft), form).turns_in_vain == 2


def test_results_that_are_turned_down_were_searched_for_in_vain() -> None:
    """None of these, in words or by its button, counts as a search that found nothing."""
    results = step(asked(), came(asked(), "x", "T1"))
    for event in (pressed(results, "none_of_these"), said("none of these")):
        assert step(results, event).turns_in_vain == 1


def test_a_form_that_hands_over_does_so_after_enough_searches() -> None:
    """Where a person takes over in the end, searches that find nothing lead there like any other turn in vain."""
    draft = asked(HANDING)
    for _ in range(HANDING.turns_until_a_person):
        assert not draft.handed
        draft = step(draft, came(draft), HANDING)
    assert draft.handed == "stuck"


def test_what_is_not_in_the_list_is_told_by_its_own_fields() -> None:
    """After a search the person's click asks for name and code, with what was searched for waiting; then the value reads as the form says."""
    draft = unlisted("Harrowgate Mills")
    assert (draft.values["thing"].data, draft.asked, "thing" in draft.locked_fields) == (UNLISTED, "called", True)
    assert [(o.field, o.data) for o in draft.offers] == [("called", "Harrowgate Mills")]
    done = whole()
    assert done.values["thing"].label == "Harrowgate Mills (GB00B10RZP78, not listed)" and done.asked == "side"


@pytest.mark.parametrize("code", ["GB00 B10R ZP78", "gb 00b10rzp7 8", "It is GB00B10RZP78."])
def test_a_code_may_be_written_in_groups(code: str) -> None:
    """An answer that is nothing but the code counts however it is spaced."""
    draft = step(unlisted(), said("Harrowgate Mills"))
    draft = step(draft, replied(draft, call("set_called", called="Harrowgate Mills", words="Harrowgate Mills")))
    after = step(draft, replace(said(code), id="s9", message="9.1"))
    assert after.values["code"].data == UNILEVER


def test_name_and_code_of_one_search_wait_for_one_click() -> None:
    """A name and an identifier that were searched for together are put back as what each of them is."""
    draft = unlisted(f"Harrowgate Mills, {UNILEVER}")
    assert {o.field: o.data for o in draft.offers} == {"called": "Harrowgate Mills", "code": UNILEVER}
    assert not {"called", "code"} & set(draft.values)


@pytest.mark.parametrize(
    ("form", "search"), [(OPEN, False), (FORM, True)], ids=["before a search", "where no form takes it"]
)
def test_nothing_else_opens_it(form: Form, search: bool) -> None:
    """Before a search, and in a form that takes only what its list holds, the same click changes nothing."""
    draft = step(asked(form), came(asked(form)), form) if search else asked(form)
    assert not step(draft, pressed(draft), form).values


SAYS = {
    "en-GB": (
        "it's not in the list",
        "It isn't on your list.",
        "no, not listed",
        "Harrowgate is not on your list",
        "that thing isn't listed",
    ),
    "de-DE": ("Es steht nicht in der Liste", "das ist nicht gelistet", "Harrowgate haben Sie nicht"),
    "it-IT": ("non è nell'elenco", "No, non figura nell’elenco", "Harrowgate non c'è"),
    "es-ES": ("no está en la lista", "No aparece en la lista, gracias", "Harrowgate no la tienen"),
}
SAYS_NOT = {
    "en-GB": ("Harrowgate is not in the list of my friends", "Bracknell is not in the list", "is it in the list?", "the list"),
    "de-DE": ("die Liste",), "it-IT": ("l'elenco",), "es-ES": ("la lista",),
}  # fmt: skip


@pytest.mark.parametrize("language", SAYS)
def test_words_say_it_as_the_button_does(language: str) -> None:
    """A message that says nothing else counts as the click, in every language; one that says more does not."""
    said_so = {
        t: calls_unlisted(THING, "Harrowgate Mills", t, Context(language, AT[:10]))
        for t in SAYS[language] + SAYS_NOT[language]
    }
    assert tuple(text for text, is_so in said_so.items() if is_so) == SAYS[language]
    draft = step(asked(), came(asked()))
    assert step(draft, said("it's not on the list")).values["thing"].data == UNLISTED


def test_a_code_is_looked_up_and_what_the_list_holds_takes_its_place() -> None:
    """The code is searched for once as it is told: one that names a listed thing picks that, several are shown, none leaves it."""
    outcome = advance(OPEN, RULES, whole(), replace(said("hello"), id="s10"))
    assert not any(isinstance(e, LookUp) for e in outcome.effects)
    before = step(unlisted(), replied(unlisted(), call("set_called", called="x", words="y")))
    told = advance(OPEN, RULES, before, click("amend", field="code")).draft
    draft = whole()
    assert told.asked == "called" and step(draft, came(draft, UNILEVER)).values == draft.values
    listed = step(draft, came(draft, UNILEVER, "T1"))
    assert listed.values["thing"].data == "T1" and not {"called", "code"} & set(listed.values)
    several = step(draft, came(draft, UNILEVER, "T1", "T2", exact=False))
    assert several.asked == "thing" and len(several.options["thing"]) == 2
    assert step(draft, came(draft, "Harrowgate", "T1")).values == draft.values


MODEL = (
    call("set_thing", thing=UNLISTED, words="Harrowgate"), call("set_code", code=UNILEVER, words="Harrowgate"),
    call("set_called", called="Harrowgate", words="Harrowgate"), call("correct", field="thing", value=UNLISTED, words="Harrowgate"),
    call("offer", field="thing", value=UNLISTED), call("offer", field="code", value=UNILEVER),
)  # fmt: skip


@pytest.mark.parametrize("hostile", MODEL, ids=lambda c: f"{c.tool} {sorted(c.arguments)}")
def test_no_model_says_that_a_thing_is_not_listed(hostile: Any) -> None:
    """Whatever it calls, a listed thing stays, a searched one is not unlisted, and no code is invented."""
    searched = step(step(asked(), came(asked())), said("Harrowgate please"))
    listed = replace(
        searched,
        values={"thing": Value("T1", whole().values["thing"].provenance, label="T")},
        locked_fields=frozenset({"thing"}),
    )
    for draft in (searched, listed, unlisted()):
        after = step(draft, replied(draft, hostile))
        assert after.values.get("thing") == draft.values.get("thing") and "code" not in after.values
        assert not any(o.data in (UNILEVER, UNLISTED) for o in after.offers)


def test_only_the_owner_says_so() -> None:
    """Another person's click leaves the draft as it is, and they are told."""
    draft = step(asked(), came(asked()))
    outcome = advance(OPEN, RULES, draft, replace(pressed(draft), who=OTHER))
    assert outcome.draft == draft and outcome.effects == (Ephemeral(OTHER, Phrase("not_yours")),)
