"""Which products fit a person, and why: one small rule a product, each by the figures of the day. No model has a say here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from .applicant import ASSIGNMENT, DELEGATION, MORTGAGE, Applicant, Debt
from .figures import Figures, Stale, assignable, assignable_pension, delegable, months_before_renewal, severance_advance
from .said import euro, limit, months, of, percent, the

NO_DEBTS = "nessuna rata in corso"
ON_POLICY = "I requisiti dipendono dalla polizza: li verifica il consulente."
NOT_ASSIGNABLE: Mapping[str, str] = {
    "assegno_sociale": "l'assegno sociale",
    "invalidita_civile": "la prestazione di invalidità civile",
    "sostegno_reddito": "una prestazione di sostegno al reddito",
}
"""Pensions that the law lets nobody assign (DPR 180/1950, art. 1; INPS's rules on "quote cedibili")."""


class Verdict(StrEnum):
    """What a rule says: it fits; it fits on a condition; it cannot be judged yet; it does not fit."""

    FITS = "fits"
    RESERVED = "reserved"
    OPEN = "open"
    NOT = "not"


@dataclass(frozen=True)
class Match:
    """One product's verdict with its reasons in sentences, and the largest monthly instalment or sum where one follows."""

    product: str
    verdict: Verdict
    reasons: tuple[str, ...]
    amount: Decimal | None = None

    @property
    def possible(self) -> bool:
        """True if it is worth a talk with the adviser."""
        return self.verdict in (Verdict.FITS, Verdict.RESERVED)


Rule = Callable[[Applicant, Figures], Match]


def judge(person: Applicant, figures: Figures) -> tuple[Match, ...]:
    """Return every product's match, in the form's order. A rule whose figure does not hold today leaves its product open."""
    matches = []
    for name, rule in RULES.items():
        try:
            matches.append(rule(person, figures))
        except Stale:
            reason = "Una delle regole che servono è in aggiornamento: la verifica spetta al consulente."
            matches.append(Match(name, Verdict.OPEN, (reason,)))
    return tuple(matches)


def _salary(person: Applicant, figures: Figures) -> Match:
    name = "cessione_stipendio"
    if person.work != "dipendente":
        return Match(name, Verdict.NOT, ("È riservata a chi ha un lavoro dipendente.",))
    if person.net is None:
        return _without_income(name, person)
    return _assignment(name, person, assignable(person.net, figures), figures, tuple(_employer(person, figures)))


def _pension(person: Applicant, figures: Figures) -> Match:
    name = "cessione_pensione"
    if person.work != "pensionato":
        return Match(name, Verdict.NOT, ("È riservata a chi percepisce una pensione.",))
    if person.pension in NOT_ASSIGNABLE:
        return Match(name, Verdict.NOT, (f"La legge non consente di cedere {NOT_ASSIGNABLE[person.pension]}.",))
    if person.net is None:
        return _without_income(name, person)
    reckoned = assignable_pension(person.net, figures)
    most = reckoned if person.quota is None else min(reckoned, person.quota)
    if not most:
        least = euro(figures["minimum_pension"])
        return Match(name, Verdict.NOT, (f"La quota cedibile parte oltre il trattamento minimo di {least} al mese.",))
    return _assignment(name, person, most, figures, ())


def _assignment(name: str, person: Applicant, most: Decimal, figures: Figures, soft: tuple[str, ...]) -> Match:
    """Return a first assignment, or one that takes the place of another: two never run side by side (art. 39)."""
    running = next((d for d in person.debts if d.kind == ASSIGNMENT), None)
    told = f"Rata fino a {euro(most)} al mese, durata da {figures['shortest_term']} a {figures['longest_term']} mesi"
    if running is None:
        return Match(name, Verdict.RESERVED if soft else Verdict.FITS, (f"{told}.", *soft), most)
    possible, reason = _renewal(running, figures)
    if not possible:
        return Match(name, Verdict.NOT, (reason,))
    return Match(name, Verdict.RESERVED, (f"{told}, estinguendo la cessione in corso.", reason, *soft), most)


def _renewal(running: Debt, figures: Figures) -> tuple[bool, str]:
    """Return True if the running assignment may be replaced, and the sentence that says so (art. 39)."""
    if running.whole is None or running.elapsed is None:
        return True, "Il rinnovo dipende da quanto è durata finora la cessione: lo verifica il consulente."
    needed = months_before_renewal(running.whole, figures)
    if running.elapsed >= needed:
        return True, f"Il rinnovo è possibile: sono trascorsi {months(running.elapsed)} sui {needed} richiesti."
    left = months(needed - running.elapsed)
    if months_before_renewal(running.whole, figures, first_decennial=True) == 0:
        return True, f"Il rinnovo è possibile solo con una prima cessione decennale; altrimenti tra {left}."
    return False, f"La quota è già impegnata e il rinnovo sarà possibile tra {left}."


def _employer(person: Applicant, figures: Figures) -> Iterator[str]:
    """Yield what the employer and the contract leave to be checked."""
    if person.contract == "determinato":
        yield "Con un contratto a tempo determinato la durata non può superare la scadenza del contratto."
    if person.employer == "privato" and person.staff is None:
        yield "Resta da sapere quanti dipendenti ha il datore di lavoro."
    elif person.employer == "privato" and person.staff is not None and person.staff < figures["private_staff"]:
        yield f"Il datore di lavoro ha meno di {figures['private_staff']} dipendenti: alcuni istituti potrebbero non accettarlo."


def _delegation(person: Applicant, figures: Figures) -> Match:
    name = "delega"
    if person.work != "dipendente":
        return Match(name, Verdict.NOT, ("È riservata a chi ha un lavoro dipendente.",))
    if person.net is None:
        return _without_income(name, person)
    assigned = max(person.paid(ASSIGNMENT), assignable(person.net, figures))
    room = delegable(person.net, assigned, person.paid(DELEGATION), figures)
    if not room:
        return Match(name, Verdict.NOT, ("La quota delegabile è già impegnata.",))
    soft = tuple(_employer(person, figures))
    told = f"Rata fino a {euro(room)} al mese, oltre alla cessione."
    return Match(name, Verdict.RESERVED if soft else Verdict.FITS, (told, *soft), room)


def _subrogation(person: Applicant, figures: Figures) -> Match:
    name = "mutuo_surroga"
    if not any(d.kind == MORTGAGE for d in person.debts):
        return Match(name, Verdict.NOT, ("Serve un mutuo in corso da trasferire.",))
    return _by_income(name, "mortgage", person, figures)


def _by_income(name: str, of_kind: str, person: Applicant, figures: Figures) -> Match:
    """Judge by the least net income in euro, and the most percent of it that goes into instalments."""
    least, most = figures[f"{of_kind}_income"], figures[f"{of_kind}_dti"]
    if person.net is None:
        return _without_income(name, person)
    ratio = person.ratio
    against = (
        *((f"Serve un reddito netto di almeno {euro(least)} al mese.",) if person.net < least else ()),
        *((f"Il rapporto rata/reddito supera {the(limit(most))}.",) if ratio is not None and ratio > most else ()),
    )
    if against or ratio is None:
        return Match(name, Verdict.NOT, against)
    share = f"rapporto rata/reddito {of(percent(ratio))}, entro {the(limit(most))}" if person.debts else NO_DEBTS
    return Match(name, Verdict.FITS, (f"Reddito di almeno {euro(least)} e {share}.",))


def _consolidation(person: Applicant, figures: Figures) -> Match:
    name, count, over = "mutuo_consolidamento", figures["consolidation_debts"], figures["consolidation_dti"]
    if len(person.debts) < count:
        return Match(name, Verdict.NOT, (f"Servono almeno {count} finanziamenti in corso.",))
    if person.ratio is None:
        return _without_income(name, person)
    if person.ratio <= over:
        return Match(name, Verdict.NOT, (f"Ha senso quando il rapporto rata/reddito supera {the(limit(over))}.",))
    share = f"rapporto rata/reddito {of(percent(person.ratio))}, oltre {the(limit(over))}"
    return Match(name, Verdict.FITS, (f"{len(person.debts)} finanziamenti in corso e {share}.",))


def _severance(person: Applicant, figures: Figures) -> Match:
    name = "anticipo_tfs"
    if person.work != "pensionato" or person.pension_class != "ex_inpdap":
        return Match(name, Verdict.NOT, ("È riservato a chi è in pensione dopo un impiego pubblico (ex INPDAP).",))
    if person.certified is None:
        return Match(name, Verdict.OPEN, ("Serve la certificazione dell'INPS con l'importo del TFS.",))
    if not person.certified:
        return Match(name, Verdict.RESERVED, ("Prima serve la certificazione dell'INPS con l'importo del TFS.",))
    if person.severance is None:
        return Match(name, Verdict.OPEN, ("Resta da sapere l'importo certificato dall'INPS.",))
    most = severance_advance(person.severance, figures)
    return Match(name, Verdict.FITS, (f"Anticipo fino a {euro(most)}, con la certificazione dell'INPS.",), most)


def _without_income(name: str, person: Applicant) -> Match:
    """Leave open what hangs on an income that was not told; refuse it only to who said that there is none."""
    if person.without_income:
        return Match(name, Verdict.NOT, ("Serve un reddito netto mensile dimostrabile.",))
    return Match(name, Verdict.OPEN, ("Senza un reddito netto indicato non è possibile verificarlo.",))


RULES: Mapping[str, Rule] = {
    "cessione_stipendio": _salary,
    "cessione_pensione": _pension,
    "delega": _delegation,
    "prestito_personale": lambda *judged: _by_income("prestito_personale", "personal_loan", *judged),
    "mutuo_acquisto": lambda *judged: _by_income("mutuo_acquisto", "mortgage", *judged),
    "mutuo_surroga": _subrogation,
    "mutuo_consolidamento": _consolidation,
    "anticipo_tfs": _severance,
    "credito_assicurativo": lambda *_judged: Match("credito_assicurativo", Verdict.OPEN, (ON_POLICY,)),
}
