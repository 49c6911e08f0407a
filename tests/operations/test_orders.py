"""What a model wants done is held against what people ask for: in any language, vaguely, politely, over several lines."""

import pytest

from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.engine.effects import Operate
from state.engine.events import MessageReceived
from tests.operations.test_advance_operating import AT, go, of, replied, said

DELETE = ToolCall("1", "delete_expense", {"id": 1})
CHANGE = ToolCall("1", "update_expense", {"id": 1, "category": "food"})
EXPORT = ToolCall("1", "export_expenses", {})
BALANCE = ToolCall("1", "get_balance", {})


def runs(draft: Draft, call: ToolCall) -> bool:
    """Whether the call is handed to the operations."""
    return bool(of(replied(draft, Reply(calls=(call,))), Operate))


def then(draft: Draft, text: str) -> Draft:
    """A further line of the person's."""
    return go(draft, MessageReceived(f"m{len(draft.window) + 2}", AT, "U1", text, f"1.{len(draft.window) + 2}")).draft


NOT_ASKED = (
    "tea 2 EUR today", "£4 coffee", "bread x2 at 12, eggs 15", "oil change 50 EUR today", "network switch 30 EUR",
    "tea set 20 euros yesterday", "new label maker 25 EUR today", "file folders 6 EUR today", "bin bags 4.50", "hello",
    "thanks a lot", "ok", "bus pass 20 EUR today", "paint stripper 8 EUR", "don't delete anything", "please do not remove 1",
    "tè 2 EUR oggi", "ho speso 30 euro per la benzina", "grazie mille", "non cancellare niente", "cambio olio 50 EUR oggi",
    "té 2 EUR hoy", "gasté 30 euros en gasolina ayer", "muchas gracias", "no borres nada", "no elimines la 1",
    "Tee 2 EUR heute", "gestern 30 Euro Benzin", "vielen Dank", "lösche nichts", "bitte nicht löschen", "die 1 nicht löschen",
    "how do I delete an expense?", "come si cancella una spesa?", "wie lösche ich etwas?", "¿cómo se borra un gasto?",
)  # fmt: skip


@pytest.mark.parametrize("line", NOT_ASKED)
def test_what_nobody_asked_for_is_not_put_up(line: str) -> None:
    """A purchase, a courtesy, a denial or a question of how ask for no deletion, and a purchase or a courtesy for no change and no file."""
    assert not runs(said(line), DELETE)
    if "delete" not in line and "lösch" not in line:
        assert not runs(said(line), CHANGE), line


@pytest.mark.parametrize(
    "line", ["tea 2 EUR today", "thanks", "hello", "tè 2 EUR oggi", "té 2 EUR hoy", "Tee 2 EUR heute"]
)
def test_nothing_is_told_that_nobody_asked_for(line: str) -> None:
    """A purchase or a courtesy asks for no balance and no file."""
    assert not runs(said(line), EXPORT) and not runs(said(line), BALANCE)


DELETED = (
    "delete 1", "please delete the tea", "could you get rid of the coffee one", "1 delete pls", "Hi there,\nhope you are well.\n"
    "Would you mind removing number 1?\nThanks!", "the tea was entered twice, take it out", "scrap that one", "I want 1 gone",
    "can the first one be deleted?", "no, delete 1", "the taxi isn't mine", "tea 2 EUR today, and delete 1", "tidy up please",
    "the coffee shouldn't be there", "remove it", "erase the last one",
    "elimina la 1", "puoi togliere il tè, per favore?", "il caffè è da cancellare", "toglila", "Buongiorno,\nmi potrebbe cancellare "
    "la prima?\nGrazie", "quella del taxi non è mia", "via la 1", "la 1 va eliminata",
    "borra la 1", "¿puedes quitar el té, por favor?", "elimínalo", "Hola,\n¿me podría borrar la primera?\nGracias", "el taxi no es mío",
    "bórrame el último", "quítalo", "está duplicado, sácalo",
    "lösch die 1", "kannst du bitte den Tee löschen?", "die 1 bitte wieder raus", "den Tee entfernen", "Guten Tag,\nbitte streichen Sie "
    "die erste.\nDanke", "loesche 1", "der Kaffee kann weg", "das Taxi gehört da nicht hin", "die 1, nicht die 2, löschen",
)  # fmt: skip


@pytest.mark.parametrize("line", DELETED)
def test_whoever_asks_for_a_deletion_gets_its_card(line: str) -> None:
    """However plainly, vaguely, politely or lengthily it is said, a deletion that is asked for is handed on."""
    assert runs(said(line), DELETE)


CHANGED = (
    "change 1 to food", "put the tea under food please", "1 should be food", "could you recategorise the first one as food?",
    "that tea was food", "no, food", "the category of 1 is wrong, it's food", "oil change 50 EUR today, and change 1 to food",
    "1 change to food", "please set the category of the last one to food",
    "cambia la 1 in cibo", "sposta il tè sotto food", "la 1 è sbagliata, è food", "può modificare la prima? è food", "correggila: food",
    "cambia la 1 a comida", "pon el té en food", "la 1 está mal, es food", "¿podría corregir la primera? es food", "el té era food",
    "ändere 1 auf Essen", "kannst du den Tee bitte unter food setzen", "die 1 ist falsch, das ist food", "aendere die 1: food",
    "der Tee sollte food sein",
)  # fmt: skip


@pytest.mark.parametrize("line", CHANGED)
def test_whoever_asks_for_a_change_gets_its_card(line: str) -> None:
    """The same of a change, also where words only say that something was not right."""
    assert runs(said(line), CHANGE)


TOLD = (
    "export", "how much have I spent", "and in October?", "last month", "send me a spreadsheet please", "so how are we doing",
    "could I have a file of everything", "show me where the money went", "what about food",
    "quanto ho speso", "mi mandi un file per favore", "e il mese scorso?", "vorrei un riepilogo", "fammi vedere le spese",
    "cuánto llevo gastado", "mándame un archivo por favor", "¿y el mes pasado?", "quiero un resumen",
    "wie viel habe ich ausgegeben", "schick mir bitte eine Datei", "und letzten Monat?", "ich hätte gern eine Übersicht",
)  # fmt: skip


@pytest.mark.parametrize("line", TOLD)
def test_whoever_asks_to_be_told_is_told(line: str) -> None:
    """The same of balances and files."""
    assert runs(said(line), EXPORT) and runs(said(line), BALANCE)


def test_an_answer_to_the_bots_question_goes_on_with_what_was_asked_for() -> None:
    """Behind "Which one?" a number deletes; a purchase typed instead does not, and after a deed the old wish is used up."""
    which = ToolCall("q", "say", {"act": "explain", "about": "delete_expense.id"})
    asked = replied(said("delete the coffee"), Reply(calls=(which,))).draft
    assert runs(then(asked, "1"), DELETE) and runs(then(asked, "the first one"), DELETE)
    assert not runs(then(asked, "tea 2 EUR today"), DELETE)
    assert not runs(then(said("hello"), "1"), DELETE)


def test_lines_that_came_together_ask_together() -> None:
    """A wish that is broken over several lines is one wish."""
    assert runs(then(then(said("ok so"), "the coffee"), "please delete"), DELETE)


ADD = {"item": "tea", "amount": "2", "currency": "EUR", "date": "2026-11-20"}


def test_adding_waits_where_words_say_otherwise() -> None:
    """What was said in full runs at once; where the words deny it, or ask for a change or deletion, it waits for a click."""

    def waits(line: str) -> bool:
        (effect,) = of(replied(said(line), Reply(calls=(ToolCall("1", "add_expense", dict(ADD)),))), Operate)
        return bool(effect.calls[0].suggested)

    for line in ("tea 2 EUR 2026-11-20", "I paid 2 EUR for tea 2026-11-20", "tea was 2 EUR 2026-11-20"):
        assert not waits(line), line
    for line in ("don't add tea 2 EUR 2026-11-20", "delete tea 2 EUR 2026-11-20", "change the tea to 2 EUR 2026-11-20"):
        assert waits(line), line
