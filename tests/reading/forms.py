"""Small forms in three languages, drafts of them, and what the reader proposes."""

from typing import Any

from state.draft.draft import Draft, Option, Provenance, Value
from state.fields.base import Context
from state.form import Choice, Command, Condition, Field, Form
from state.understanding.reader import read_open

TODAY = "2026-11-20"
ENGLISH, ITALIAN, SPANISH = Context("en-GB", TODAY), Context("it-IT", TODAY), Context("es-ES", TODAY)


def form(name: str, language: str, *fields: Field, commands: dict[str, Command] | None = None) -> Form:
    """A form of these fields."""
    by_name = {f.name: f for f in fields}
    return Form(
        name=name, title=name, version="1", prefix="TS", language=language, fields=by_name, commands=commands or {}
    )


TRADE = form(
    "trade", "en-GB",
    Field(name="security", kind="lookup", label="Security", ask="Which security?", words=("security", "stock")),
    Field(
        name="direction", kind="choice", label="Direction", ask="Buy or sell?", tool="trade", words=("direction",),
        choices=(
            Choice(value="buy", label="Buy", words=("buying", "purchase", "invest in")),
            Choice(value="sell", label="Sell", words=("selling", "get rid of")),
        ),
    ),
    Field(
        name="quantity", kind="integer", label="Quantity", ask="How many?", tool="trade", minimum=1, unit="shares",
        words=("quantity",),
    ),
    Field(
        name="value", kind="money", label="Value", ask="Roughly how much is it worth", tool="trade", minimum=1, words=("value", "total"),
    ),
    Field(name="currency", kind="currency", label="Currency", ask="In which currency?", tool="trade", words=("currency",)),
    Field(
        name="account", kind="text", label="Account", ask="Which account?", tool="trade", words=("account", "broker"), short=True,
        known=("ISA", "pension"),
    ),
    Field(name="is_derivative", kind="yes_no", label="Derivative", ask="Is this a derivative?", words=("derivative",)),
    Field(
        name="derivative_reason", kind="text", label="Reason for a derivative", ask="Why a derivative?",
        when=Condition(all={"is_derivative": (True,)}),
    ),
    Field(
        name="is_leveraged", kind="yes_no", label="Leveraged product", ask="Is this a leveraged product?",
        words=("leveraged", "leverage"), help="It moves by a multiple.",
    ),
    Field(
        name="has_inside_info", kind="yes_no", label="Inside information", worse=True, words=("inside information", "inside info"),
        ask="Do you hold any inside information about {security}?", help="Precise, and not public.",
        disclosure=("hear something from", "heard something from", "got a tip"),
    ),
    Field(
        name="holding_ack", kind="acknowledgement", label="Holding period", ask="Do you accept the holding period?",
        words=("holding period",),
    ),
    Field(
        name="justification", kind="text", label="Justification", ask="Why do you want to make this trade?",
        words=("justification", "reason"), before=("because", "my reason is"),
    ),
    commands={
        "can_i_trade": Command(name="can_i_trade", label="Can I trade it?", says=("can i trade {rest}", "may {rest} be traded")),
        "rules": Command(name="rules", label="The rules", says=("show the rules",)),
    },
)  # fmt: skip
STAY = form(
    "stay", "en-GB",
    Field(name="check_in", kind="date", label="Check-in", ask="From when?", words=("check in", "arriving")),
    Field(name="check_out", kind="date", label="Check-out", ask="Until when?", words=("check out", "leaving")),
    Field(name="nights", kind="integer", label="Nights", ask="How many nights?", unit="nights"),
    Field(name="guests", kind="integer", label="Guests", ask="How many guests?", unit="guests", words=("people",)),
    Field(name="price", kind="money", label="Price", ask="What price?", words=("price",)),
    Field(name="deposit", kind="money", label="Deposit", ask="What deposit?", words=("deposit",)),
    Field(name="contact", kind="email", label="Email", ask="Your address?"),
)  # fmt: skip
LOAN = form(
    "loan", "it-IT",
    Field(
        name="employment", kind="choice", label="Lavoro", ask="Che lavoro fa?",
        choices=(Choice(value="dip", label="Dipendente"), Choice(value="pen", label="Pensionato", words=("pensionata", "pensione"))),
    ),
    Field(name="net", kind="money", label="Netto mensile", ask="Quanto guadagna al mese?", currency="EUR", words=("netto", "guadagno")),
    Field(name="hired", kind="date", label="Data di assunzione", ask="Da quando lavora?", words=("assunto", "assunta")),
    Field(name="code", kind="identifier", label="Codice fiscale", ask="Il suo codice fiscale?", scheme=("codicefiscale",)),
    Field(name="debts", kind="yes_no", label="Debiti", ask="Ha debiti?", words=("debiti", "altri prestiti")),
    Field(name="security", kind="lookup", label="Titolo", ask="Quale titolo?", words=("titolo",)),
    Field(name="shares", kind="integer", label="Quantità", ask="Quante azioni?", unit="azioni"),
    Field(name="purpose", kind="text", label="Motivo", ask="Per quale motivo?", before=("perché",)),
)  # fmt: skip
CASE = form(
    "case", "es-ES",
    Field(name="plate", kind="identifier", label="Matrícula", ask="¿Qué matrícula?", scheme=("matricula",)),
    Field(name="year", kind="integer", label="Año", ask="¿De qué año?", minimum=1950, maximum=2100, words=("año",)),
    Field(name="own", kind="yes_no", label="Taller propio", ask="¿Tiene taller propio?", words=("taller propio",)),
    Field(name="price", kind="money", label="Precio", ask="¿Qué precio?", currency="EUR", words=("precio",)),
    Field(name="day", kind="date", label="Cita", ask="¿Qué día?", words=("cita",)),
    Field(name="email", kind="email", label="Correo", ask="¿Su correo?"),
    Field(name="security", kind="lookup", label="Valor", ask="¿Qué valor?", words=("valor",)),
    Field(name="shares", kind="integer", label="Cantidad", ask="¿Cuántas acciones?", unit="acciones"),
)  # fmt: skip
FILLED: dict[str, Any] = {
    "security": "GB00BLGZ9862", "direction": "buy", "quantity": 200, "value": "720.00", "currency": "GBP", "account": "pension",
    "is_derivative": False, "is_leveraged": False,
}  # fmt: skip
DECLARED: dict[str, Any] = {**FILLED, "has_inside_info": False, "holding_ack": True}
TESCO = (
    Option("GB00BLGZ9862", "Tesco PLC", "TSCO · GB00BLGZ9862 · London", {"ticker": "TSCO", "kind": "share"}),
    Option("US88157K1016", "Tesco Corporation", "TESO · Nasdaq", {"ticker": "TESO"}),
)


def draft(asked: str = "", **values: Any) -> Draft:
    """A draft with these answers, in which this was asked."""
    told = Provenance("U0ALEX", "2026-11-20T09:00:00+00:00", "typed")
    return Draft(
        "d1", "trade", "T0", "U0ALEX", "D0ALEX", asked=asked, values={n: Value(v, told) for n, v in values.items()}
    )


def proposed(
    text: str, of: Draft | None = None, by: Form = TRADE, context: Context = ENGLISH
) -> list[tuple[str, dict[str, Any]]]:
    """What the reader proposes, as pairs of tool and arguments without the words."""
    reply = read_open(by, of or draft(), text, "1.1", context)
    return [(c.tool, {k: v for k, v in (c.arguments or {}).items() if k != "words"}) for c in reply.calls]


def values(text: str, of: Draft | None = None, by: Form = TRADE, context: Context = ENGLISH) -> dict[str, Any]:
    """What the reader would set, by field."""
    pairs = [arguments for tool, arguments in proposed(text, of, by, context) if tool.startswith("set_")]
    return {name: value for arguments in pairs for name, value in arguments.items()}
