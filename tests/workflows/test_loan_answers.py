"""What the loan refuses, what it reads from documents, and the appointment that it makes."""

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import pytest

from bot.workflows.loan.documents import readers
from state.fields import kind_of
from state.fields.base import Context
from state.form.field import Data
from state.form.files import Files
from state.form.source import FormError
from state.rules import CalledOff
from tests.workflows.loan_cases import FOLDER, LOAN, TODAY, draft_of

REFUSED: dict[str, tuple[str, Data, dict[str, Data], str]] = {
    "today": ("appointment_day", "2026-11-20", {}, "a partire da domani"),
    "a Sunday": ("appointment_day", "2026-11-29", {}, "giorno feriale"),
    "Immacolata": ("appointment_day", "2026-12-08", {}, "giorno feriale"),
    "too far": ("appointment_day", "2027-01-20", {}, "entro il 19/01/2027"),
    "before opening": ("appointment_time", "08:59", {}, "tra le 09:00 e le 17:15"),
    "too late to end": ("appointment_time", "17:16", {}, "tra le 09:00 e le 17:15"),
    "no province": ("province", "Atlantide", {}, "provincia"),
    "a minor": ("birth_date", "2008-11-21", {}, "18 anni"),
    "in the future": ("birth_date", "2030-01-01", {}, "non può essere giusta"),
    "another birthday": ("birth_date", "1985-12-11", {"codice_fiscale": "BNCLCU85T10A944Y"}, "non corrispondono"),
    "another code": ("codice_fiscale", "BNCLCU85T10A944Y", {"birth_date": "1955-04-20"}, "non corrispondono"),
    "hired tomorrow": ("hire_date", "2026-11-21", {}, "nel futuro"),
    "more earners than people": ("earners", 3, {"household_size": 2}, "più delle persone"),
    "fewer people than earners": ("household_size", 1, {"earners": 2}, "meno di quelle"),
    "shorter than what is left": ("debt_term", 60, {"debt_remaining_2": 72}, "più breve"),
    "no number of its country": ("phone", "+39123", {}, "non esiste"),
}  # fmt: skip
TAKEN: dict[str, tuple[str, Data, dict[str, Data]]] = {
    "tomorrow's Monday": ("appointment_day", "2026-11-23", {}),
    "at opening": ("appointment_time", "09:00", {}),
    "the last talk": ("appointment_time", "17:15", {}),
    "a province by its letters": ("province", "mi", {}),
    "eighteen today": ("birth_date", "2008-11-20", {}),
    "the same birthday": ("birth_date", "1955-04-20", {"codice_fiscale": "RSSMRA55D60H501G"}),
    "hired today": ("hire_date", "2026-11-20", {}),
    "all of them earn": ("earners", 2, {"household_size": 2}),
    "just begun": ("debt_term", 60, {"debt_remaining_2": 60}),
    "a number of another country": ("phone", "+41446681800", {}),
}


def told(name: str, value: Data, **values: Data) -> str:
    """What the field's own rule has against a value; the second time round where the field repeats."""
    field = f"{name}_2" if name.startswith("debt_") else name
    return LOAN.rules.checks[name](draft_of(product_interest="consiglio", **values), field, value)


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_with_what_to_do(case: str) -> None:
    """A day, a time, a birthday or a number that cannot be is refused in a sentence."""
    name, value, values, reason = REFUSED[case]
    assert reason in told(name, value, **values)


@pytest.mark.parametrize("case", TAKEN)
def test_what_is_just_possible_is_taken(case: str) -> None:
    """The first and the last that is possible is taken."""
    name, value, values = TAKEN[case]
    assert told(name, value, **values) == ""


DOCUMENTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "payslip": (
        "doc_payslips", "Azienda codice fiscale 01234567890\nC.F. BNCLCU85T10A944Y\nAssunto il 01/03/2015\nNetto in busta € 1.750,00",
        {"net_salary": "1.750,00", "hire_date": "01/03/2015", "codice_fiscale": "BNCLCU85T10A944Y"},
    ),
    "two nets": ("doc_payslips", "Netto in busta 1.750,00\nNetto del mese 1.800,00", {}),
    "the same net twice": ("doc_payslips", "Netto in busta 1.750,00\nNetto a pagare 1.750,00", {"net_salary": "1.750,00"}),
    "gross only": ("doc_payslips", "Totale lordo 2.400,00", {}),
    "certificate": (
        "doc_salary_certificate", "contratto a tempo determinato, stipendio netto mensile EUR 1.400,50, numero dipendenti 12",
        {"contract": "determinato", "net_salary": "1.400,50", "employer_size": "12"},
    ),
    "pension": ("doc_pension_slip", "Importo netto: 1.200,00", {"net_pension": "1.200,00"}),
    "quota": ("doc_pension_quota", "Quota cedibile mensile 240,00", {"certified_quota": "240,00"}),
    "account": ("doc_iban", "IBAN IT60 X054 2811 1010 0000 0123 456", {"iban": "IT60X0542811101000000123456"}),
    "account with a slip": ("doc_iban", "IBAN IT61 X054 2811 1010 0000 0123 456", {}),
    "code with a slip": ("doc_health_card", "Codice fiscale BNCLCU85T10A944Z", {}),
    "the employer's code": ("doc_cu", "Datore di lavoro BNCLCU85T10A944Y", {}),
    "two codes": ("doc_cu", "BNCLCU85T10A944Y\nRSSMRA55D60H501G", {}),
    "no net income on a tax return": ("doc_tax_return", "RN1 Reddito complessivo 30.000,00", {}),
}  # fmt: skip


@pytest.mark.parametrize("case", DOCUMENTS)
def test_a_document_is_read_by_what_it_says_plainly(case: str) -> None:
    """A value is read from its own line, with words that stand in the document; what is unclear, doubled or broken is not."""
    name, text, expected = DOCUMENTS[case]
    found = readers()[name](text)
    assert {field: value for field, (value, _) in found.items()} == expected
    assert all(quote in text for _, quote in found.values())


def test_every_document_of_the_form_has_its_reader() -> None:
    """Each document that a field is read from has a reader, and reads nothing that the form does not expect from it."""
    sources = {doc: set[str]() for f in LOAN.form.fields.values() for doc in f.from_documents}
    for field in LOAN.form.fields.values():
        for doc in field.from_documents:
            sources[doc].add(field.name)
    assert set(sources) == set(LOAN.rules.readers)
    for name, (doc, text, _) in DOCUMENTS.items():
        assert set(readers()[doc](text)) <= sources[doc], name


def filed(**values: Data) -> Any:
    """The filing of a state employee with a net of 1,750."""
    plain: dict[str, Data] = {
        "employment_type": "dipendente", "employer_category": "statale", "contract": "indeterminato", "net_salary": "1750.00",
        "product_interest": "cessione_stipendio",
    }  # fmt: skip
    return LOAN.rules.file(draft_of(**plain, **values), {"today": TODAY.isoformat()})


def test_an_appointment_is_a_calendar_file() -> None:
    """The file is iCalendar with its time zone: the talk in Rome's time, as long as the broker's talks are, on the phone told."""
    filing = filed(appointment_day="2026-11-30", appointment_time="10:30")
    (made,) = filing.files
    calendar = icalendar.Calendar.from_ical(base64.b64decode(made.data))
    (event,) = calendar.walk("VEVENT")
    begins, ends = event["DTSTART"].dt, event["DTEND"].dt
    assert begins.astimezone(UTC) == datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
    assert ends - begins == timedelta(minutes=45)
    assert calendar.walk("VTIMEZONE")
    assert made.name.endswith(".ics")
    assert filing.computed["appointment"] == "2026-11-30T10:30:00+01:00"


def test_those_who_advise_read_the_products_by_their_names() -> None:
    """The record's reasons name each product as the form does, the wished one first."""
    assert (
        filed().reasons[0]
        == "Cessione del quinto dello stipendio: Rata fino a €350,00 al mese, durata da 24 a 120 mesi."
    )


def test_without_an_appointment_there_is_no_file() -> None:
    """Who ends without a talk gets no calendar file, and the record says that there is none."""
    filing = filed()
    assert (filing.files, filing.computed["appointment"]) == ((), None)


def test_an_appointment_that_has_passed_by_is_not_confirmed() -> None:
    """A day that lay ahead when it was told and has passed by the time of filing is told, and no file is made."""
    filing = filed(appointment_day="2026-11-20", appointment_time="10:30")
    assert filing.files == ()
    assert "non è più disponibile" in filing.told[0]


def test_an_erasure_calls_the_appointment_off() -> None:
    """Those who wait learn the time of the talk that is called off, and no name; a record without one changes nothing."""
    off = LOAN.rules.erased({"computed": {"appointment": "2026-11-30T10:30:00+01:00"}})
    assert off == CalledOff(
        "called_off", "Appuntamento del 30/11/2026 alle 10:30: annullato con la cancellazione dei dati."
    )
    assert LOAN.rules.erased({"computed": {"appointment": None}}) is None


def test_a_brokers_own_identity_is_checked(tmp_path: Path) -> None:
    """A broker.toml with a wrong register number, zone or address is refused with its lines."""
    from bot.workflows.loan.appointment import read_broker  # noqa: PLC0415  beside the one test that reads it

    text = (FOLDER / "broker.toml").read_text("utf-8")
    for was, now in (
        ('oam = "M0000"', 'oam = "zero"'),
        ("Europe/Rome", "Europe/Atlantis"),
        ("https://www", "ftp://www"),
    ):
        (tmp_path / "broker.toml").write_text(text.replace(was, now), "utf-8")
        with pytest.raises(FormError) as raised:
            read_broker(Files((tmp_path, FOLDER)))
        assert all(p.line > 1 for p in raised.value.problems)


def test_a_plain_consent_may_follow_a_courtesy() -> None:
    """A courtesy before a plain yes or no is no part of it, and none by itself."""
    field, context = LOAN.form.fields["consent_contract"], Context("it-IT", TODAY)
    said = {"va bene, acconsento": True, "grazie, no": False, "va bene": None, "va bene, credo di sì": None}
    assert {text: kind_of(field).whole(field, text, context) for text in said} == said


def test_a_province_is_read_as_the_form_spells_it() -> None:
    """A known value that is the whole answer is that value, however it is written."""
    field, context = LOAN.form.fields["province"], Context("it-IT", TODAY)
    assert kind_of(field).whole(field, "ROMA", context) == "Roma"
