"""What the form's data cannot refuse: a codice fiscale and a birthday that contradict each other, a day without an adviser, …"""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from stdnum.exceptions import ValidationError
from stdnum.it import codicefiscale

from state.draft.draft import Draft
from state.draft.working_days import day_of
from state.fields.contact import exists
from state.rules import Checker, answer

from .appointment import Broker, day_problem, time_problem
from .figures import age

ADULT, OLDEST = 18, 110
NO_MATCH = "La data di nascita e il codice fiscale non corrispondono: li ricontrolli, per favore."


def today_of(draft: Draft) -> date:
    """Return the owner's own day at the draft's latest answer: rules have no clock."""
    latest = max((v.provenance.at for v in draft.values.values()), default=draft.began)
    return date.fromisoformat(day_of(latest, draft.zone))


def checks(broker: Broker, provinces: Mapping[str, str]) -> Mapping[str, Checker]:
    """Return the checks by field; each gives the sentence that says what to do, or the empty string."""

    def appointment_day(draft: Draft, _name: str, value: Any) -> str:
        return day_problem(broker, date.fromisoformat(str(value)), today_of(draft))

    def appointment_time(_draft: Draft, _name: str, value: Any) -> str:
        return time_problem(broker, time.fromisoformat(str(value)))

    def province(_draft: Draft, _name: str, value: Any) -> str:
        known = str(value).strip().casefold() in provinces
        return "" if known else "Non conosco questa provincia: ne scriva il nome o la sigla, per esempio Milano o MI."

    return {
        "appointment_day": appointment_day,
        "appointment_time": appointment_time,
        "phone": phone,
        "province": province,
        "birth_date": birth_date,
        "codice_fiscale": code,
        "hire_date": hire_date,
        "earners": earners,
        "household_size": household_size,
        "debt_term": debt_term,
    }


def phone(_draft: Draft, _name: str, value: Any) -> str:
    """Refuse a number that its country does not have."""
    return (
        ""
        if exists(str(value), "IT")
        else "Questo numero non esiste: lo ricontrolli; se è estero, lo scriva con il prefisso, per esempio +41."
    )


def birth_date(draft: Draft, _name: str, value: Any) -> str:
    """Refuse whoever is not of age, and another day than that of the codice fiscale."""
    born, today = date.fromisoformat(str(value)), today_of(draft)
    if born > today or age(born, today) > OLDEST:
        return "Questa data di nascita non può essere giusta: la riscriva come GG/MM/AAAA, per favore."
    if age(born, today) < ADULT:
        return "La verifica è riservata a chi ha compiuto 18 anni."
    told = answer(draft, "codice_fiscale")
    return NO_MATCH if told and not _same_day(str(told), born) else ""


def code(draft: Draft, _name: str, value: Any) -> str:
    """Return the same birthday as was told."""
    told = answer(draft, "birth_date")
    return NO_MATCH if told and not _same_day(str(value), date.fromisoformat(str(told))) else ""


def hire_date(draft: Draft, _name: str, value: Any) -> str:
    """Refuse a day in the future."""
    later = date.fromisoformat(str(value)) > today_of(draft)
    return "La data di assunzione non può essere nel futuro: la ricontrolli, per favore." if later else ""


def earners(draft: Draft, _name: str, value: Any) -> str:
    """Refuse more earners than there are people."""
    people = answer(draft, "household_size")
    more = people is not None and int(value) > people
    return "Non possono essere più delle persone in famiglia." if more else ""


def household_size(draft: Draft, _name: str, value: Any) -> str:
    """Refuse fewer people than those who earn."""
    earning = answer(draft, "earners")
    fewer = earning is not None and int(value) < earning
    return "Non possono essere meno di quelle con un reddito." if fewer else ""


def debt_term(draft: Draft, name: str, value: Any) -> str:
    """Refuse a term that is shorter than what is left of it."""
    left = answer(draft, f"debt_remaining_{name.rpartition('_')[2]}")
    short = left is not None and int(value) < left
    return "La durata iniziale non può essere più breve dei mesi che mancano." if short else ""


def _same_day(written: str, born: date) -> bool:
    """Compare day, month and the year's last two digits; a codice fiscale holds no more, nor does a provisional one of digits."""
    try:
        told = codicefiscale.get_birth_date(written, minyear=born.year)
    except (ValidationError, ValueError):
        return True
    return (told.day, told.month, told.year % 100) == (born.day, born.month, born.year % 100)
