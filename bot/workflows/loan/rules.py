"""The loan's rules: what is refused, which products fit, and what a submission becomes."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from state.draft.draft import Draft
from state.form.files import Files
from state.rules import CalledOff, Decider, Decision, Filer, Filing, Rules, Sources

from .applicant import applicant
from .appointment import Broker, booked, calendar_file, day_problem, read_broker
from .checks import checks, today_of
from .documents import readers
from .figures import Table, read_figures
from .matching import Result, computed, match, sentences
from .said import day as shown

Facts = Mapping[str, Any]


async def gather(_draft: Draft, sources: Sources) -> Facts:
    """Return the day."""
    return {"today": sources.today()}


def erased(record: Mapping[str, Any]) -> CalledOff | None:
    """Call off the talk of a person who is erased; the adviser learns when it would have been."""
    begins = record.get("computed", {}).get("appointment")
    if not begins:
        return None
    at = datetime.fromisoformat(str(begins))
    return CalledOff(
        "called_off", f"Appuntamento del {shown(at.date())} alle {at:%H:%M}: annullato con la cancellazione dei dati."
    )


def decider(table: Table, labels: Mapping[str, str]) -> Decider:
    """PRODUCT_MATCHING: which of the three results, and the sentences in which it is told."""

    def match_products(draft: Draft, facts: Facts) -> Decision:
        result = _result(draft, facts, table)
        return Decision(result.kind, sentences(result, labels))

    return match_products


def filer(table: Table, broker: Broker, labels: Mapping[str, str]) -> Filer:
    """Return the filing under the figures of the day."""

    def file(draft: Draft, facts: Facts) -> Filing:
        result, day = _result(draft, facts, table), _day(draft, facts)
        begins, attached = booked(draft, broker), calendar_file(draft, broker, day)
        late = day_problem(broker, begins.date(), day) if begins else ""
        known = computed(result, table.version, day) | {
            "appointment": begins.isoformat() if begins else None,
            "information_sheet": broker.information_sheet,
        }
        told: tuple[str, ...] = ()
        if late:
            told = ("Il giorno scelto non è più disponibile: il consulente La chiamerà per concordarne un altro.",)
        elif begins:
            when = f"{shown(begins.date())} alle {begins:%H:%M}"
            told = (f"Appuntamento con il consulente: {when}. Le invio il file per il calendario.",)
        reasons = tuple(f"{labels[m.product]}: {' '.join(m.reasons)}" for m in result.listed)
        return Filing(result.kind, reasons, known, told, (attached,) if attached and not late else ())

    return file


def _result(draft: Draft, facts: Facts, table: Table) -> Result:
    return match(applicant(draft), table.on(_day(draft, facts)))


def _day(draft: Draft, facts: Facts) -> date:
    told = facts.get("today")
    return date.fromisoformat(str(told)) if told else today_of(draft)


VERSION = "1"
FORM, PROVINCES = "form.toml", "data/province.csv"


def rules(files: Files) -> Rules:
    """Read broker.toml, figures.toml and data/province.csv. Raises FormError with the lines to mend."""
    broker, figures, names = read_broker(files), read_figures(files), labels(files)
    return Rules(
        version=f"{VERSION}, figures {figures.version}",
        checks=checks(broker, provinces(files)),
        readers=readers(),
        decisions={"match_products": decider(figures, names)},
        gather=gather,
        file=filer(figures, broker, names),
        erased=erased,
    )


def labels(files: Files) -> Mapping[str, str]:
    """Return the products' names as the form writes them."""
    fields = files.toml(FORM).data["fields"]
    return {choice["value"]: choice["label"] for choice in fields["product_interest"]["choices"]}


def provinces(files: Files) -> Mapping[str, str]:
    """Return every province by its name and by its letters, in small letters."""
    rows = files.table(PROVINCES, ("sigla", "nome"))
    return {row[column].casefold(): row["nome"] for row in rows for column in ("sigla", "nome")}
