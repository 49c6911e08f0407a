"""Finishes any open draft through the screen: old buttons where the card has them, else typed words and files."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from blocks import ids
from bot.sandbox.scenarios.staging import paper
from bot.sandbox.talk import Upload
from bot.sandbox.workspace import Json
from state.draft.draft import Draft
from tests.world import World

MOST = 60
"""Acts after which a draft counts as one that cannot be finished."""
DECIDERS = "C0COMPLIANCE"


class Clicks(NamedTuple):
    """A button by its words."""

    words: str


class Sends(NamedTuple):
    """Files of one message, by their names."""

    names: tuple[str, ...]


Answer = str | Clicks | Sends
PHOTOS = ("uno.jpg", "dos.jpg", "tres.jpg", "cuatro.jpg")
ANSWERS: Mapping[str, Mapping[str, Answer]] = {
    "pa_dealing": {
        "security": "Tesco", "direction": "buy", "quantity": "200", "value": "GBP 720", "currency": "GBP", "account": "my pension",
        "derivative_justification": "This option protects a position that I already hold", "related_party_relation": "my sister",
        "holding_period_ack": Clicks("I understand"),
        "justification": "A long-term holding because I expect steady dividends for my retirement", ".*": "no",
    },
    "loan": {
        "consent_(contract|sensitive)": "sì", "product_interest": "prestito personale", "employment_type": "pensione",
        "employer_category": "Privato", "pension_class": "INPS", "doc_settlement": Clicks("Proseguo senza"),
        "doc_.*": Clicks("💬 Passo al manuale"), "iban": "IT60X0542811101000000123456", "net_salary": "1.750 euro", "hire_date": "01/03/2015",
        "contract": Clicks("A tempo indeterminato"), "employer_size": "40", "net_pension": "1.200",
        "pension_kind": Clicks("Vecchiaia o anticipata"), "yearly_income": "24.000,00 euro", "birth_date": "20/04/1955",
        "codice_fiscale": "RSSMRA55D60H501G", "household_size": "2", "earners": "1", "province": "Bologna",
        "debt_type.*": Clicks("Prestito"), "debt_instalment.*": "150 euro", "debt_remaining.*": "12", "debt_term.*": "48",
        "debt_lender.*": "Banca Esempio", ".*": "no",
    },
    "vehicle_case": {
        "tipo_vehiculo": "es una moto", "elementos": "el escape", ".*_fotos|vistas|ficha_tecnica": Sends(PHOTOS),
        "escape_alcance": Clicks("Solo el silenciador"), "escape_marca": "Tronador", "escape_modelo": "Furia 300",
        ".*_homologacion": "no tiene", "espejos_lado": "los dos", "faro_luz": "LED", "manillar_marca": "Tubo",
        "manillar_diametro": "22 mm", "manillar_ancho": "700", "permiso_circulacion": Sends(("permiso.pdf",)), "nombre": "Lucía",
        "apellidos": "Marín Peña", "dni_cif": "12345678Z", "email": "lucia@example.org", "calle": "Calle del Olmo 4",
        "codigo_postal": "28013", "localidad": "Madrid", "provincia": "Madrid", "itv_nombre": "ITV Norte", "marca": "Aurora",
        "modelo": "Corza 400", "anio": "2019", "matricula": "1234 BCD", "altura": "1180", "taller": Clicks("El de Brezo Azul"),
        ".*": "no",
    },
    "requirements": {
        "document": Clicks("Bug"), "name": "Export loses the last row", "target": "the billing portal",
        "description": "The file of March ends one customer early, every time we export it",
        "steps": "Open March, press export, scroll to the end of the file", "impact": "One customer gets no invoice and we lose the payment",
        "who": "The billing clerks", "environment": "Version 4.2 on the office laptops",
        "expected": "The file should hold every customer of the month", "priority": Clicks("High priority"),
        "edge_case_1": "A month with a single customer", "edge_case_2": "A month that was reopened",
        ".*": "At month's end, in the back office, when everybody exports the list at once",
    },
}  # fmt: skip
"""By form: the first pattern that the asked field's whole name fits, and what is answered to it."""
TAKES = ("hf.accept.1", "hf.take_all")
"""The buttons with what was read."""
ENOUGH = "Eso es todo"
"""The button that ends a field of several files."""
WAYS = (
    "Iniziamo", "💬 Manuale", "💬 Rispondo a mano", "Proseguo", "Concludo qui", "Abrir el expediente",
    "Submit", "Invia", "Enviar el expediente", "Approve", "È tutto corretto",
)  # fmt: skip
"""Buttons that lead on from a card that asks nothing."""


async def finish(world: World) -> Draft:
    """Go on with the person's draft until nothing more can be answered; gives it as it is then."""
    for _ in range(MOST):
        draft = await world.draft()
        if not draft.open:
            return draft
        await step(world, draft)
    raise AssertionError(f"not finished: {draft.form} stays at {draft.stage} {draft.asked} {draft.card}")


async def step(world: World, draft: Draft) -> None:
    """One act that leads on from where the draft stands."""
    if draft.handed:
        await press(world, "hand_back", draft.id, DECIDERS)
    elif draft.proposal is not None:
        await press(world, "keep" if draft.proposal.act == "change" else "stay", draft.id)
    elif draft.asked and draft.options.get(draft.asked):
        await press(world, "pick", draft.id)
    elif draft.asked in draft.reopened and draft.asked.startswith("doc_"):
        await press(world, "keep", draft.id)
    elif draft.asked:
        await answer(world, draft)
    else:
        await click_first(world, WAYS)


async def answer(world: World, draft: Draft) -> None:
    """What the table says to the open question; a field of files that holds enough is closed by its own button."""
    table = ANSWERS[draft.form]
    given = next(found for pattern, found in table.items() if re.fullmatch(pattern, draft.asked))
    if isinstance(given, Clicks):
        await world.click(given.words)
    elif isinstance(given, Sends) and on_screen(world.screen()[-1], ENOUGH):
        await world.click(ENOUGH)
    elif isinstance(given, Sends):
        await world.alex.share([Upload(name, paper(name, "")) for name in given.names])
        await world.settled()
    else:
        await world.say(given)
        await use(world, draft.asked)


async def use(world: World, asked: str) -> None:
    """Click what was put back, if the words were not taken at once."""
    found = [e["action_id"] for e in clickable(world.screen()[-1]) if e["action_id"].startswith(TAKES)]
    if (await world.draft()).asked == asked and found:
        await world.click(found[0])


async def click_first(world: World, labels: tuple[str, ...]) -> None:
    """Click the newest button that has one of these words on it."""
    for message in reversed(world.screen()):
        if found := next((words for words in labels if on_screen(message, words)), ""):
            await world.click(found, message)
            return
    raise LookupError(f"none of {labels} is on the screen")


def on_screen(message: Json, words: str) -> bool:
    """Return True if a message has a button with these words."""
    return any((element.get("text") or {}).get("text") == words for element in clickable(message))


async def press(world: World, act: str, draft: str, channel: str | None = None) -> None:
    """Click the newest button of an act that was made for this draft; in a channel, somebody there does."""
    who = world.sandbox.person("U0DANA") if channel else world.alex
    for message in reversed(who.messages(channel)):
        for element in clickable(message):
            made = ids.press_of(element)
            if made is not None and (made.act, made.draft) == (act, draft):
                await who.click(element["action_id"], message, channel=channel)
                await world.settled()
                return
    raise LookupError(f"there is no button {act} for the draft")


def clickable(message: Json) -> list[Json]:
    """Every element of a message that can be clicked, with its block's id."""
    found: list[Any] = []
    for block in message.get("blocks") or ():
        inner = [*block.get("elements", ()), *([block["accessory"]] if "accessory" in block else [])]
        found += [{"block_id": block.get("block_id"), **e} for e in inner if "action_id" in e]
    return found
