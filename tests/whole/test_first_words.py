"""The first words of a conversation: greeted and told what the bot does, in the language that was typed, with the likeliest form first."""

from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.root.installation import load_workflows
from bot.settings import load
from bot.slack.places import Place
from bot.turns.routing import answers_in
from state.language.table import typed_in
from state.understanding.wishes import likeliest, meant, picked
from tests.thoroughness import ANY
from tests.whole.steps import file_request, play, speaks
from tests.world import TEAM, World

SHIPPED = load_workflows(load(_env_file=None, holdfast_workflows=""))
FORMS = [workflow.form for workflow in SHIPPED.values()]


@pytest.mark.parametrize(("locale", "words", "hello", "asked", "named"), [
    ("en-GB", "hi, what can you do?", "Hello!", "What would you like to start?", "Loans"),
    ("de-DE", "Good morning", "Hello!", "What would you like to start?", "Expenses"),
    ("en-GB", "hola", "¡Hola!", "¿Qué desea empezar?", "Préstamos"),
    ("en-US", "Buenas tardes, ¿en qué puedes ayudarme?", "¡Hola!", "¿Qué desea empezar?", "Gastos"),
    ("it-IT", "ciao, cosa fai?", "Salve!", "Che cosa desidera iniziare?", "Spese"),
    ("es-ES", "buongiorno, a che cosa serve?", "Salve!", "Che cosa desidera iniziare?", "Modifica del veicolo"),
    ("it-IT", "Moin, wer bist du?", "Hallo!", "Was möchten Sie beginnen?", "Mitarbeitergeschäfte"),
    ("de-DE", "hi", "Hallo!", "Was möchten Sie beginnen?", "Kredite"),
    ("it-IT", "12345", "Salve!", "Che cosa desidera iniziare?", "Prestiti"),
])  # fmt: skip
async def test_the_first_reply_greets_and_names_the_forms(
    w: World, locale: str, words: str, hello: str, asked: str, named: str
) -> None:
    """It greets, says what the bot does and lists every form, in the language of the words; where they leave it open, in the person's."""
    speaks(w, w.alex, locale)
    await w.say(words)
    shown = w.last()
    assert shown.startswith(hello) and asked in shown and f"\n{named}" in shown
    titles = {form.name_in(typed_in(words, locale)).title for form in FORMS if form.name != "gifts"}
    assert titles <= set(shown.split("\n"))


@pytest.mark.parametrize(("words", "form"), [
    ("he cambiado los faros de mi furgoneta", "Expediente de homologación"), ("my supplier sent me a hamper", "Gifts and entertainment"),
    ("ho un debito con la banca", "Prestiti"), ("something about my bonus shares and trade", "Personal account dealing"),
    ("train to Leeds 31.40", "Expenses"), ("gestern Mittagessen 18 Euro", "Ausgaben"), ("cuánto llevo gastado este mes", "Gastos"),
    ("a client gave us two tickets for the match, 80 quid", "Gifts and entertainment"), ("vendo 30 azioni Eni", "Operazioni personali"),
])  # fmt: skip
def test_what_was_typed_puts_its_form_first(words: str, form: str) -> None:
    """Words of a form's names and fields, and what it reads in the rest, put it before the others, whichever is used more."""
    read = partial(answers_in, text=words, at="2026-11-20T12:00:00+00:00")
    first = likeliest(FORMS, words, ["requirements", "reimbursement"], "en-GB", read)[0]
    assert first.name_in(typed_in(words, "en-GB")).title == form


@given(st.text(ANY, max_size=60) | st.text("👍🎉:+1?!.,;- €£20\n", max_size=12), st.sampled_from([*SHIPPED]))
@example("👍", "expenses")
@example("taxi´20", "expenses")
@example("l’3pm", "expenses")
def test_no_text_breaks_what_a_form_reads(text: str, name: str) -> None:
    """Signs, gaps and letters of any script are read by every form, and none of them is a fault."""
    assert answers_in(SHIPPED[name].form, text, "2026-11-20T12:00:00+00:00") >= 0


async def test_more_words_to_the_choice_are_not_greeted_again_and_leave_the_likeliest_form_first(w: World) -> None:
    """Somebody who goes on telling is asked to choose once more, in fewer words; the order is that of all they have told."""
    await play(w, "a supplier gave me a bottle of wine yesterday", "it was something like 35")
    assert w.last(2).startswith("Hello! I'm not sure") and w.last().startswith("I'm still not sure")
    assert all(w.last(n).index("Gifts and") < w.last(n).index("Personal account") for n in (1, 2))


def test_without_words_use_counts_then_the_person_s_language_then_the_rank() -> None:
    """The form that was begun most often comes first; of the others those that speak the person's language, in the order of their rank."""
    order = [form.name for form in likeliest(FORMS, "", ["requirements"], "it-IT")]
    assert order[:3] == ["requirements", "loan", "pa_dealing"]


@pytest.mark.parametrize(("said", "then", "asked"), [
    ("hola, quiero registrar una cosa que me regalaron ayer", "sí", "¿Qué desea empezar?"),
    ("ciao, devo chiedere una cosa per un acquisto che vorrei fare", "sì", "Che cosa desidera iniziare?"),
    ("ich habe eine Frage zu etwas, das ich melden muss", "ok", "Was möchten Sie beginnen?"),
])  # fmt: skip
async def test_the_choice_stays_in_the_language_of_the_last_clear_words(
    w: World, said: str, then: str, asked: str
) -> None:
    """A line that may be of several languages is answered in that of the words before it, not in the person's own."""
    await play(w, said, then)
    assert asked in w.last(2) and asked in w.last()


@pytest.mark.behind(walk=file_request)
async def test_after_filing_it_says_again_what_it_does(w: World) -> None:
    """Who asks what the bot does once a request is filed is told as at first; words for all forms bring the forms without a greeting."""
    await w.say("what do you do?")
    assert w.last().startswith("Hello!")
    await w.say("All forms")
    assert w.last().startswith("What would you like to start?")


async def test_a_form_s_name_in_any_language_begins_it(w: World) -> None:
    """The name that a list shows, written alone, begins the form as its button does: nothing of it is read as an answer."""
    await w.say("Operaciones personales")
    assert (await w.draft()).form == "pa_dealing" and not (await w.draft()).values
    assert "must approve your personal trades" in w.last()
    await play(w, "cancel", "[Yes, cancel it]", "Spese")
    assert (await w.draft()).form == "expenses" and "Tell me what you spent" in w.last()


@pytest.mark.parametrize(("words", "locale", "language"), [
    ("vorrei parlare dei miei titoli", "en-GB", "it-IT"), ("ok", "es-ES", "es-ES"), ("Tesco 200", "de-DE", "de-DE"),
    ("could you please help me", "en-US", "en-US"), ("Ich habe eine Frage", "fr-FR", "de-DE"), ("", "it-IT", "it-IT"),
])  # fmt: skip
def test_the_language_is_told_by_common_words(words: str, locale: str, language: str) -> None:
    """The language whose words are most is the one; the person's own locale stays where it is theirs, or where words leave it open."""
    assert typed_in(words, locale) == language


@pytest.mark.parametrize("code", ["en", "de", "it", "es"])
def test_every_shipped_form_has_a_name_in_every_language(code: str) -> None:
    """No shipped form stands under a foreign name in a list, and no two under one; each says what it is for."""
    names = [workflow.spoken_in(code).name_in(code) for workflow in SHIPPED.values()]
    assert len({name.title for name in names}) == len(names) and all(name.purpose for name in names)
    own = {f.title for w in SHIPPED.values() for f in (w.form, *w.languages.values()) if f.language[:2] != code}
    assert not own & {name.title for name in names}


@pytest.mark.parametrize(("words", "form"), [
    ("Hallo, ich möchte ein Geschenk melden", "gifts"), ("Ich brauche eine Spesenabrechnung", "expenses"),
    ("ciao, devo inserire una nota spese", "expenses"),
    ("buenas, quiero registrar un regalo", "gifts"),
])  # fmt: skip
async def test_a_wish_in_any_language_begins_its_form(w: World, words: str, form: str) -> None:
    """A greeting may stand before it; a bare wish is no answer to anything."""
    await w.say(words)
    assert (await w.draft()).form == form and not (await w.draft()).values
    assert not any(line in w.last() for line in ("I couldn't understand", "I didn't find"))


async def test_words_that_fit_no_form_go_with_the_one_that_is_chosen(w: World) -> None:
    """What the first words tell is kept, and the choice says so."""
    await w.say("lunch with client 43.20 yesterday")
    assert w.last().startswith("Hello! I'm not sure which form this is for.")
    await w.click("Expenses")
    assert "lunch with client · EUR 43.20" in w.last()


@pytest.mark.parametrize(("lines", "chosen", "read"), [
    (("hi there", "a supplier took us to the rugby", "about 80 pounds, last Saturday"), "[Gifts and entertainment]", ("80.00", "last Saturday")),
    (("a supplier took us to the rugby last Saturday",), "gift", ("last Saturday",)),
    (("they left a hamper of about 80 pounds, can I keep it?",), "[Gifts and entertainment]", ("80.00",)),
    (("lunch with a client, £42, can I get it back?",), "[Expenses]", ("lunch with a client", "GBP 42.00", "get it back")),
    (("Posso prendere 50 Enel?",), "[Operazioni personali]", ("50 shares", "Enel S.p.A.")),
    (("ayer cambié el manillar y los espejos",), "quiero homologar una moto", ("Manillar, Espejos", "Motocicleta")),
])  # fmt: skip
async def test_all_that_was_said_before_a_form_was_chosen_goes_with_it(
    w: World, lines: tuple[str, ...], chosen: str, read: tuple[str, ...]
) -> None:
    """Each line that met the choice of forms is read, whether a click or the form's name chooses; nothing has to be said twice."""
    await play(w, *lines, chosen)
    assert all(one in w.last() for one in read), w.last()


@pytest.mark.parametrize(("lines", "form", "read"), [
    (("I'm unloading 60 AstraZeneca from my ISA",), "pa_dealing", ("60 shares", "ISA")),
    (("he cambiado el escape de la moto",), "vehicle_case", ("Escape", "Motocicleta")),
    (("thinking about that one", "200 of them through my ISA", "we'd sell them for 150 quid"), "pa_dealing", ("Sell", "200 shares", "150.00")),
])  # fmt: skip
async def test_words_that_are_plainly_for_one_form_begin_it(
    w: World, lines: tuple[str, ...], form: str, read: tuple[str, ...]
) -> None:
    """Where one form reads several answers and any other knows little of the words, nobody has to choose; nor where that shows line by line."""
    await play(w, *lines)
    assert (await w.draft()).form == form and [one for one in read if one not in w.last()] == []


@pytest.mark.parametrize("text", [
    "coffee with client 8 euros", "I have inside information about the party on Friday ;)", "my relation with the client is complicated",
    "we need an account page where a client can see the value of orders",
    "a quantity for the account of this client at the broker", "busco taller para mi coche", "my daughter wants a car",
    "dinner for two with a public official, 150 euros",
])  # fmt: skip
async def test_words_that_may_be_for_several_forms_begin_none(w: World, text: str) -> None:
    """A word of a form's fields is no request for it."""
    await w.say(text)
    assert await w.bot.store.current(Place(TEAM, w.alex.dm).key) is None


@pytest.mark.parametrize(("words", "form"), [
    ("the first one", "pa_dealing"), ("2", "expenses"), ("number 3", "gifts"), ("die zweite", "expenses"), ("el último", "vehicle_case"),
    ("personal account", "pa_dealing"), ("gifts and", "gifts"), ("the modification please", "vehicle_case"), ("expenses please", "expenses"),
])  # fmt: skip
async def test_a_form_is_chosen_by_its_place_or_by_a_part_of_its_name(w: World, words: str, form: str) -> None:
    """Who types below the choice of forms, in any language, chooses as a click does: the words tell the form nothing."""
    await play(w, "hello, what can you do?", "I have something to file", words)
    assert (await w.draft()).form == form and (await w.draft()).offers == ()
    assert not any(line in w.last() for line in ("I couldn't understand", "I found no"))


def test_words_of_fields_alone_are_plainly_for_no_form() -> None:
    """However many of a form's words there are, two answers have to be among them."""
    said, dealing = "the quantity, the value and the account of a client at the broker", SHIPPED["pa_dealing"].form
    assert meant(FORMS, said, lambda form: 2 * (form == dealing)) == dealing
    assert meant(FORMS, said, lambda form: int(form == dealing)) is None


def test_a_word_of_two_names_chooses_neither() -> None:
    """Only what is in one form's name alone tells which one is meant."""
    one, other = (SHIPPED[name].form for name in ("gifts", "loan"))
    car = [
        form.model_copy(update={"title": title, "names": {}})
        for form, title in ((one, "Car loan"), (other, "Car lease"))
    ]
    assert picked(car, "car") is None and picked(car, "lease") is car[1]


async def test_no_place_is_chosen_where_open_requests_stand_above(w: World) -> None:
    """ "The first one" may be what was left open: the choice comes again."""
    await w.say("I want to register a gift")
    await w.alex.command("/pa")
    await w.settled()
    await play(w, "cancel", "[Yes, cancel it]", "well, there was something about a hamper", "the first one")
    assert (await w.draft()).status == "cancelled" and "What would you like to start?" in w.last()


async def test_a_wish_that_answers_is_no_bare_name(w: World) -> None:
    """ "I'd like to buy" begins the form and says which way."""
    await w.say("I'd like to buy")
    assert "_“buy”_" in w.last()


async def test_a_place_is_none_where_forms_were_not_offered(w: World) -> None:
    """A bare number chooses nothing that is not on screen."""
    await w.say("2")
    assert await w.bot.store.current(Place(TEAM, w.alex.dm).key) is None


async def test_many_lines_before_a_form_is_chosen_are_all_read(w: World) -> None:
    """Who types on below the choice of forms loses nothing of what they wrote first."""
    await play(
        w, "a supplier took us to the rugby last Saturday", *(["and it was fun"] * 8), "[Gifts and entertainment]"
    )
    assert "last Saturday" in w.last()


async def test_what_was_said_long_before_is_no_part_of_a_form(w: World) -> None:
    """Who comes back an hour later begins anew."""
    await w.say("something about 80 pounds, last Saturday")
    w.sandbox.slack.clock.advance(3600)
    await w.say("gift")
    assert "80.00" not in w.last()


async def test_a_line_that_a_form_was_begun_with_is_not_read_again(w: World) -> None:
    """A click on the older of two choices goes back to the form: its line was read with the other one."""
    await play(w, "a supplier took us to the rugby", "about 80 pounds, last Saturday")
    older = w.screen()[-2]["ts"]
    await w.click("Gifts and entertainment")
    before = await w.draft()
    await w.alex.click("Gifts and entertainment", older)
    await w.settled()
    after = await w.draft()
    assert (
        after.id == before.id
        and [line for line in after.window if line.role == "user" and line not in before.window] == []
    )
