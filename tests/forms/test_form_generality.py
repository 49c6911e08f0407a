"""The format carries forms of other sorts without a new mechanism: taken from elsewhere, staged, in operations, in other languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from state.form.load import load_all, load_folder
from state.form.stages import automatic, follow, mermaid
from state.missing import missing
from tests.forms.form_cases import write
from tests.forms.test_form_stages import at

SHARED = Path(__file__).parents[3] / "shared" / "data" / "sgd_dev_forms.json"


@pytest.fixture
def foreign() -> dict[str, Any]:
    """Thirteen forms of real assistants, where this machine has them."""
    if not SHARED.exists():
        pytest.skip(f"{SHARED.name} is not on this machine: its thirteen forms were NOT loaded")
    return json.loads(SHARED.read_text(encoding="utf-8"))


def kind(field: dict[str, Any]) -> str:
    """The kind that a field's name and choices speak of."""
    choices, words = field["choices"], field["name"].split("_")
    if choices:
        by_choice = {"yes_no": {"True", "False"} == set(choices), "integer": all(c.isdigit() for c in choices)}
        return next((name for name, fits in by_choice.items() if fits), "choice")
    by_name = {"date": "date", "time": "time", "days": "integer", "amount": "decimal"}
    return next((by_name[word] for word in words if word in by_name), "text")


def default(field: dict[str, Any]) -> str:
    """The default in its kind's canonical form, as TOML."""
    if kind(field) == "integer":
        return str(int(field["default"]))
    return json.dumps(field["default"] == "True") if kind(field) == "yes_no" else json.dumps(field["default"])


def as_toml(name: str, number: int, form: dict[str, Any]) -> str:
    """A form of the collection as a form.toml."""
    lines = [f"title = {json.dumps(form['title'])}", 'version = "1"', f'prefix = "F{chr(65 + number)}"']
    for field in form["fields"]:
        label = field["name"].replace("_", " ").capitalize()
        lines += [f"[fields.{field['name']}]", f'kind = "{kind(field)}"', f"label = {json.dumps(label)}"]
        lines += [f"ask = {json.dumps(field['description'] + '?')}", f"required = {json.dumps(field['required'])}"]
        if field["default"] is not None:
            lines.append(f"default = {default(field)}")
        if kind(field) == "choice":
            lines.append(f"choices = {json.dumps(field['choices'])}")
        if kind(field) == "integer" and field["choices"]:
            lines += ["minimum = 1", f"maximum = {len(field['choices'])}"]
    return "\n".join(lines) + f"\n# {name}\n"


def test_thirteen_foreign_forms_load_as_workflows(tmp_path: Path, foreign: dict[str, Any]) -> None:
    """Forms of banks, buses, hotels and others, written as workflow folders, load with their fields, choices and defaults."""
    for number, (name, form) in enumerate(foreign.items()):
        write(tmp_path / name.lower().replace(".", "_"), as_toml(name, number, form))
    loaded = load_all([tmp_path])
    assert len(loaded) == len(foreign) == 13
    for name, form in foreign.items():
        fields = loaded[name.lower().replace(".", "_")].form.fields
        assert list(fields) == [f["name"] for f in form["fields"]]
        assert [f.required for f in fields.values()] == [f["required"] for f in form["fields"]]
        assert {f.name: str(f.default) for f in fields.values() if f.default is not None} == {
            f["name"]: f["default"] for f in form["fields"] if f["default"] is not None
        }
    kinds = {f.kind for workflow in loaded.values() for f in workflow.form.fields.values()}
    assert kinds == {"text", "choice", "integer", "decimal", "date", "time", "yes_no"}


LOAN = """
title = "Pre-qualifica"
version = "1"
language = "it-IT"
prefix = "PRE"
command = "/start"
words = ["prestito", "finanziamento"]
introduction = "Sta parlando con un assistente basato su intelligenza artificiale."

[fields.consent]
kind = "yes_no"
label = "Consenso"
ask = "Acconsente al trattamento dei Suoi dati?"
stage = "consent"

[fields.employment_type]
kind = "choice"
label = "Occupazione"
ask = "Qual è la Sua situazione lavorativa?"
choices = [
  { value = "dipendente", label = "Lavoro dipendente", words = ["assunto", "impiegato"] },
  { value = "pensionato", label = "Pensione" },
  { value = "partita_iva", label = "Partita IVA" },
  { value = "disoccupato", label = "Senza lavoro" },
  { value = "misto", label = "Più attività" },
]
stage = "employment_type"

[fields.codice_fiscale]
kind = "identifier"
scheme = ["codicefiscale"]
label = "Codice fiscale"
ask = "Qual è il Suo codice fiscale?"
stage = "manual"

[fields.net_salary]
kind = "money"
currency = "EUR"
label = "Stipendio netto"
ask = "Quanto percepisce al mese, al netto?"
when = { employment_type = "dipendente" }
stage = "manual"

[fields.has_debts]
kind = "yes_no"
label = "Altri finanziamenti"
ask = "Ha altri finanziamenti in corso?"
stage = "liabilities_intro"

[fields.debt]
kind = "text"
label = "Finanziamento"
ask = "Di quale finanziamento si tratta?"
stage = "liabilities_detail"

[fields.appointment]
kind = "date"
label = "Appuntamento"
ask = "Quale giorno preferisce?"
required = false
stage = "scheduling"

[operations.delete_data]
title = "Elimina i miei dati"
confirm = "always"

[stages.welcome]
transitions = [{ on = "proceed", to = "consent", label = "Iniziamo" }]

[stages.consent]
transitions = [
  { on = "accepted", to = "needs_assessment", when = "consent", automatic = true },
  { on = "declined", to = "ended", when = { consent = false }, automatic = true },
]

[stages.needs_assessment]
goal = "Capire che cosa serve alla persona."
transitions = [{ on = "proceed", to = "employment_type" }]

[stages.employment_type]
transitions = [
  { to = "employer_class_dip", when = { employment_type = "dipendente" } },
  { to = "pension_class", when = { employment_type = "pensionato" } },
  { to = "track_choice_piv", when = { employment_type = "partita_iva" } },
  { to = "manual_dis", when = { employment_type = "disoccupato" } },
  { to = "human_escalation", when = { employment_type = "misto" } },
]

[stages.employer_class_dip]
transitions = [{ on = "classified", to = "track_choice_emp" }]

[stages.pension_class]
transitions = [{ on = "classified", to = "track_choice_pen" }]

[stages.track_choice]
variants = ["emp", "piv", "pen"]
transitions = [
  { on = "veloce", to = "doc_request_*", label = "🚀 Veloce" },
  { on = "manuale", to = "manual_*", label = "💬 Manuale" },
]

[stages.doc_request]
variants = ["emp", "piv", "pen"]
transitions = [
  { on = "received", to = "doc_processing_*" },
  { on = "switch", to = "manual_*", words = ["senza documenti"] },
]

[stages.doc_processing]
variants = ["emp", "piv", "pen"]
transitions = [
  { on = "confirmed", to = "household_data" },
  { on = "retry", to = "doc_request_*", at_most = 2 },
  { on = "failed", to = "manual_*" },
]

[stages.manual]
variants = ["emp", "piv", "pen", "dis"]
transitions = [{ to = "household_data" }]

[stages.household_data]
transitions = [{ on = "proceed", to = "liabilities_intro" }]

[stages.liabilities_intro]
transitions = [
  { on = "has_debts", to = "liabilities_detail", when = "has_debts", automatic = true },
  { on = "none", to = "product_matching", when = { has_debts = false }, automatic = true },
]

[stages.liabilities_detail]
transitions = [
  { on = "another", to = "liabilities_detail", at_most = 4 },
  { on = "document", to = "liabilities_doc" },
  { on = "done", to = "product_matching" },
]

[stages.liabilities_doc]
transitions = [{ on = "done", to = "product_matching" }, { on = "skip", to = "product_matching" }]

[stages.product_matching]
code_only = true
decide = "match_products"
transitions = [
  { on = "eligible", to = "result_eligible" },
  { on = "partial", to = "result_partial" },
  { on = "not_eligible", to = "result_not_eligible" },
]

[stages.result_eligible]
transitions = [{ on = "schedule", to = "scheduling" }, { on = "done", to = "ended" }]

[stages.result_partial]
transitions = [{ on = "schedule", to = "scheduling" }, { on = "done", to = "ended" }]

[stages.result_not_eligible]
transitions = [{ on = "done", to = "ended" }]

[stages.scheduling]
transitions = [{ on = "booked", to = "confirmation" }, { on = "skip", to = "ended" }]

[stages.confirmation]
transitions = [{ on = "done", to = "ended" }]

[stages.ended]
final = true

[stages.human_escalation]
final = true

[[anywhere]]
on = "operatore"
to = "human_escalation"
label = "Parlare con un operatore"
words = ["/operatore", "operatore"]
"""
DECIDE = (
    "from state.rules import Rules\n\nrules = Rules(decisions={'match_products': lambda draft, facts: 'partial'})\n"
)


def test_an_eighteen_state_machine_loads(tmp_path: Path) -> None:
    """Eighteen families of stages and two endings, some in variants, one left by code, all abandoned from anywhere, are one form."""
    loaded = load_folder(write(tmp_path / "loan", LOAN, rules_py=DECIDE))
    families = {
        "result" if name.startswith("result_") else stage.family or name for name, stage in loaded.form.stages.items()
    }
    assert len(families - {"ended", "human_escalation"}) == 18
    assert len(loaded.form.stages) == 18 + 3 * 3 + 4
    assert follow(loaded.form, at("employment_type", employment_type="partita_iva"), "complete") == "track_choice_piv"
    assert follow(loaded.form, at("doc_processing_pen"), "failed") == "manual_pen"
    assert follow(loaded.form, at("scheduling"), "operatore") == "human_escalation"
    decided = loaded.rules.decisions["match_products"](at("product_matching"), {})
    assert follow(loaded.form, at("product_matching"), decided) == "result_partial"
    assert [f.name for f in missing(loaded.form, at("manual_emp", employment_type="dipendente"))] == [
        "codice_fiscale",
        "net_salary",
    ]
    way = automatic(loaded.form, at("consent", consent=True))
    assert way is not None
    assert way.to == "needs_assessment"
    assert "doc_processing_emp --> doc_request_emp: retry (at most 2)" in mermaid(loaded.form)


EXPENSES = """
title = "Expenses"
version = "1"
prefix = "EXP"
dialect = "json"
channels = "never"

[operations.add_expense]
title = "Add an expense"
confirm = "inferred"

[operations.add_expense.fields.item]
kind = "text"
label = "Item"
ask = "What was it?"

[operations.add_expense.fields.amount]
kind = "money"
label = "Amount"
ask = "How much was it?"

[operations.add_expense.fields.currency]
kind = "currency"
label = "Currency"
ask = "In which currency?"

[operations.add_expense.fields.date]
kind = "date"
label = "Date"
ask = "When?"
required = false

[operations.delete_expense]
title = "Delete an expense"
confirm = "always"
roles = ["member", "finance_admin"]

[operations.delete_expense.fields.id]
kind = "integer"
label = "Number"
ask = "Which one?"

[operations.get_balance]
title = "Show the balance"
confirm = "never"
"""


def test_operations_are_small_forms_with_confirmations(tmp_path: Path) -> None:
    """A form may be operations alone, each with its fields, its confirmation and the roles that may ask for it."""
    operations = load_folder(write(tmp_path / "expenses", EXPENSES)).form.operations
    assert {name: o.confirm for name, o in operations.items()} == {
        "add_expense": "inferred", "delete_expense": "always", "get_balance": "never",
    }  # fmt: skip
    assert [f.kind for f in operations["add_expense"].fields.values()] == ["text", "money", "currency", "date"]
    assert operations["delete_expense"].roles == ("member", "finance_admin")


CASE = """
title = "Expediente de homologación"
version = "1"
language = "es-ES"
prefix = "EXPD"
stuck = "hand_over"
statement = "Al enviar confirma que los datos son correctos."

[says]
yes = "Sí"

[fields.dni_cif]
kind = "identifier"
scheme = ["nif", "nie", "cif"]
label = "DNI o CIF"
ask = "¿Cuál es su DNI o CIF?"

[fields.matricula]
kind = "identifier"
scheme = ["matricula"]
label = "Matrícula"
ask = "¿Cuál es la matrícula?"

[fields.taller_propio]
kind = "yes_no"
label = "Taller propio"
ask = "¿Aporta el certificado de su taller?"

[fields.taller_nombre]
kind = "text"
label = "Taller"
ask = "¿Cómo se llama el taller?"
when = "taller_propio"

[fields.bastidor]
kind = "identifier"
scheme = ["vin"]
label = "Bastidor"
ask = "¿Cuál es el número de bastidor?"
required = false
"""


def test_forms_speak_other_languages(tmp_path: Path) -> None:
    """A form in Spanish with identifiers of its country loads like any other, accents and all."""
    form = load_folder(write(tmp_path / "expediente", CASE)).form
    assert (form.language, form.says["yes"], form.stuck) == ("es-ES", "Sí", "hand_over")
    assert [f.name for f in missing(form, at(""))] == ["dni_cif", "matricula", "taller_propio"]
    assert [f.name for f in missing(form, at("", dni_cif="x", matricula="y", taller_propio=True))] == ["taller_nombre"]
