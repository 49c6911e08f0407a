"""From the products' matches to one of the three results, and to the sentences in which a person reads it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from .applicant import Applicant
from .figures import Band, Figures, Stale, band, usury_ceiling
from .products import Match, Verdict, judge
from .said import euro, numbered, percent

ELIGIBLE, PARTIAL, NOT_ELIGIBLE = "eligible", "partial", "not_eligible"
OPEN_TO_ADVICE = "consiglio"
"""The wish of who would rather be advised."""
BANDS: Mapping[Band, str] = {
    Band.GREEN: "verde",
    Band.YELLOW: "gialla",
    Band.ORANGE: "arancione",
    Band.RED: "rossa",
    Band.CRITICAL: "critica",
}
HEAVY = (Band.ORANGE, Band.RED, Band.CRITICAL)
NOTHING = "In base ai dati forniti, al momento non risulta una soluzione percorribile."
HEADINGS: Mapping[Verdict, str] = {
    Verdict.FITS: "✅ In base ai dati forniti, {also} percorribili:",
    Verdict.RESERVED: "⚠️ Possibili a una condizione, che il consulente chiarisce con Lei:",
    Verdict.OPEN: "⚠️ Da verificare con il consulente:",
}
WISHED: Mapping[Verdict, str] = {
    Verdict.FITS: "✅ {label}: in base ai dati forniti risulta percorribile. {reasons}",
    Verdict.RESERVED: "⚠️ {label}: risulta possibile a una condizione, che il consulente chiarisce con Lei. {reasons}",
    Verdict.OPEN: "⚠️ {label}: resta da verificare con il consulente. {reasons}",
    Verdict.NOT: "{label}: in base ai dati forniti al momento non risulta percorribile. {reasons} Il consulente Le mostra volentieri le alternative.",
}
"""What was asked for is answered in a sentence of its own, whichever the verdict."""
MANY = "Molte persone si trovano in questa situazione, che può cambiare nel tempo: il consulente può indicarle i passi possibili."
CEILINGS: Mapping[str, tuple[str, ...]] = {
    "cessione_stipendio": ("assignment_small", "assignment_large"),
    "cessione_pensione": ("assignment_small", "assignment_large"),
    "mutuo_acquisto": ("mortgage_fixed", "mortgage_variable"),
    "mutuo_surroga": ("mortgage_fixed", "mortgage_variable"),
}
UNJUDGED = "credito_assicurativo"
"""The product of which no rule can say whether it fits."""
LISTED = 6
"""Products told at a time."""


@dataclass(frozen=True)
class Result:
    """One of the three results, with the matches it rests on."""

    kind: str
    matches: tuple[Match, ...]
    person: Applicant
    figures: Figures

    @property
    def listed(self) -> tuple[Match, ...]:
        """What the person reads about: the wish, then whatever else may be talked over; where nothing is possible, what is undecided."""
        wish = () if self.wished is None else (self.wished,)
        undecided = () if any(m.possible for m in self.matches) else (Verdict.OPEN,)
        rest = (m for m in self.matches if m is not self.wished)
        told = (m for m in rest if m.possible or (m.verdict in undecided and m.product != UNJUDGED))
        return (*wish, *sorted(told, key=lambda m: ORDER[m.verdict]))[:LISTED]

    @property
    def wished(self) -> Match | None:
        """What the person asked for; None for who would rather be advised."""
        return next((m for m in self.matches if m.product == self.person.wants), None)

    @property
    def band(self) -> Band | None:
        """The band of the instalments; None without an income or past the figures' dates."""
        try:
            return band(self.person.ratio, self.figures) if self.person.ratio is not None else None
        except Stale:
            return None


ORDER: Mapping[Verdict, int] = {Verdict.FITS: 0, Verdict.RESERVED: 1, Verdict.OPEN: 2, Verdict.NOT: 3}


def match(person: Applicant, figures: Figures) -> Result:
    """Judge every product and say which of the three results follows."""
    matches = judge(person, figures)
    return Result(_kind(person, matches), matches, person, figures)


def _kind(person: Applicant, matches: Sequence[Match]) -> str:
    """Eligible where the wish fits (any product, for who asks for advice); partial where something may be talked over."""
    advised = person.wants in ("", OPEN_TO_ADVICE)
    wished = [m for m in matches if m.product == person.wants or (advised and m.product != UNJUDGED)]
    if any(m.verdict is Verdict.FITS for m in wished):
        return ELIGIBLE
    if any(m.possible for m in matches) or any(m.verdict is Verdict.OPEN for m in wished):
        return PARTIAL
    return NOT_ELIGIBLE


def sentences(result: Result, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the person reads, in Italian: the products with their reasons, the ratio, the quarter's usury ceilings."""
    told, wish, others = list[str](), result.wished, tuple(_others(result, labels))
    if wish is not None:
        told.append(WISHED[wish.verdict].format(label=labels[wish.product], reasons=" ".join(wish.reasons)))
    told += others or ((NOTHING,) if result.kind == NOT_ELIGIBLE else ())
    kind = result.band if result.person.debts else None
    if kind is not None and result.person.ratio is not None:
        told.append(f"Rapporto rata/reddito: {percent(result.person.ratio)} (fascia {BANDS[kind]}).")
    told += _ceilings(result)
    if result.kind == NOT_ELIGIBLE or kind in HEAVY:
        told.append(MANY)
    return tuple(told)


def _others(result: Result, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the others, those that fit first, then those on a condition, then those to be verified; numbered through."""
    others, first = [m for m in result.listed if m is not result.wished], 1
    fits = result.wished is not None and result.wished.verdict is Verdict.FITS
    also = "anche queste soluzioni risultano" if fits else "queste soluzioni risultano"
    for verdict, heading in HEADINGS.items():
        lines = [f"{labels[m.product]}. {' '.join(m.reasons)}" for m in others if m.verdict is verdict]
        if lines:
            yield f"{heading.format(also=also)}\n{numbered(lines, first)}"
        first += len(lines)


def _ceilings(result: Result) -> Iterator[str]:
    """Yield the usury ceilings of the quarter for what is told; a quarter that the table lacks is not guessed."""
    names = dict.fromkeys(n for m in result.listed if m.possible for n in CEILINGS.get(m.product, ()))
    found = []
    for name in names:
        try:
            label, ceiling = result.figures.average_rate(name).label, usury_ceiling(name, result.figures)
        except Stale:
            continue
        found.append(f"{label} {percent(ceiling, 4)}")
    if found:
        yield f"Tasso soglia (antiusura) del trimestre: {'; '.join(found)}."
    elif names:
        yield "Il tasso soglia (antiusura) del trimestre in corso glielo indicherà il consulente."


def computed(result: Result, version: str, day: date) -> dict[str, Any]:
    """Return the result as plain data, for the record: enough to see why."""
    ratio = result.person.ratio
    return {
        "result": result.kind,
        "products": {
            m.product: {
                "verdict": m.verdict.value,
                "reasons": list(m.reasons),
                "up_to": euro(m.amount) if m.amount is not None else None,
            }
            for m in result.matches
        },
        "dti": percent(ratio) if ratio is not None else None,
        "dti_band": result.band.value if result.band else None,
        "net_income": str(result.person.net) if result.person.net is not None else None,
        "figures_version": version,
        "judged_on": day.isoformat(),
    }
