"""Which products fit whom, and why."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from bot.workflows.loan.applicant import Applicant
from bot.workflows.loan.matching import ELIGIBLE, NOT_ELIGIBLE, PARTIAL, computed, match, sentences
from bot.workflows.loan.products import RULES, Match
from bot.workflows.loan.said import limit, of, the
from tests.workflows.loan_cases import EMPLOYEE, FIGURES, FIRST_QUARTER, PENSIONER, TABLE, TODAY, debt, matches

D = Decimal
LABELS = {name: name.replace("_", " ").capitalize() for name in RULES}


def verdict(person: Applicant, product: str, **changed: Any) -> str:
    """One product's verdict for a person, with some answers changed."""
    return matches(person, **changed)[product].verdict.value


CASES: dict[str, tuple[Applicant, dict[str, Any], str, str, str]] = {
    "state employee": (EMPLOYEE, {}, "cessione_stipendio", "fits", "Rata fino a €350,00 al mese, durata da 24 a 120 mesi."),
    "no employee": (PENSIONER, {}, "cessione_stipendio", "not", "lavoro dipendente"),
    "no net": (EMPLOYEE, {"net": None}, "cessione_stipendio", "open", "Senza un reddito netto"),
    "fifteen staff": (EMPLOYEE, {"employer": "privato", "staff": 15}, "cessione_stipendio", "reserved", "meno di 16 dipendenti"),
    "sixteen staff": (EMPLOYEE, {"employer": "privato", "staff": 16}, "cessione_stipendio", "fits", "Rata fino a"),
    "staff unknown": (EMPLOYEE, {"employer": "privato"}, "cessione_stipendio", "reserved", "Resta da sapere quanti"),
    "fixed term": (EMPLOYEE, {"contract": "determinato"}, "cessione_stipendio", "reserved", "scadenza del contratto"),
    "two years of five": (
        EMPLOYEE, {"debts": (debt("300", "cessione", 36, 60),)}, "cessione_stipendio", "reserved", "24 mesi sui 24 richiesti",
    ),
    "a month short of two years": (
        EMPLOYEE, {"debts": (debt("300", "cessione", 37, 60),)}, "cessione_stipendio", "reserved", "solo con una prima cessione decennale",
    ),
    "a month short of four years": (
        EMPLOYEE, {"debts": (debt("300", "cessione", 73, 120),)}, "cessione_stipendio", "not", "tra 1 mese",
    ),
    "four years of ten": (EMPLOYEE, {"debts": (debt("300", "cessione", 72, 120),)}, "cessione_stipendio", "reserved", "48 mesi"),
    "length unknown": (EMPLOYEE, {"debts": (debt("300", "cessione", 72),)}, "cessione_stipendio", "reserved", "lo verifica il consulente"),
    "pension": (PENSIONER, {}, "cessione_pensione", "fits", "€240,00"),
    "pension of 700": (PENSIONER, {"net": D(700)}, "cessione_pensione", "fits", "€88,15"),
    "pension of 600": (PENSIONER, {"net": D(600)}, "cessione_pensione", "not", "€611,85"),
    "assegno sociale": (PENSIONER, {"pension": "assegno_sociale"}, "cessione_pensione", "not", "assegno sociale"),
    "invalidità civile": (PENSIONER, {"pension": "invalidita_civile"}, "cessione_pensione", "not", "invalidità civile"),
    "income support": (PENSIONER, {"pension": "sostegno_reddito"}, "cessione_pensione", "not", "sostegno al reddito"),
    "delegation": (EMPLOYEE, {}, "delega", "fits", "€350,00"),
    "delegation beside one": (EMPLOYEE, {"debts": (debt("100", "delega"),)}, "delega", "fits", "€250,00"),
    "delegation taken": (EMPLOYEE, {"debts": (debt("350", "delega"),)}, "delega", "not", "già impegnata"),
    "no delegation on a pension": (PENSIONER, {}, "delega", "not", "lavoro dipendente"),
    "personal loan at 800": (PENSIONER, {"net": D(800)}, "prestito_personale", "fits", "€800,00"),
    "personal loan under 800": (PENSIONER, {"net": D("799.99")}, "prestito_personale", "not", "almeno €800,00"),
    "personal loan at 40 percent": (EMPLOYEE, {"net": D(1000), "debts": (debt("400"),)}, "prestito_personale", "fits", "40,00%"),
    "personal loan above": (EMPLOYEE, {"net": D(1000), "debts": (debt("400.01"),)}, "prestito_personale", "not", "supera il 40%"),
    "mortgage at 1000": (EMPLOYEE, {"net": D(1000)}, "mutuo_acquisto", "fits", "€1.000,00"),
    "mortgage under 1000": (EMPLOYEE, {"net": D("999.99")}, "mutuo_acquisto", "not", "almeno €1.000,00"),
    "mortgage above 35 percent": (EMPLOYEE, {"net": D(1000), "debts": (debt("350.01"),)}, "mutuo_acquisto", "not", "supera il 35%"),
    "subrogation without a mortgage": (EMPLOYEE, {}, "mutuo_surroga", "not", "mutuo in corso"),
    "subrogation": (EMPLOYEE, {"debts": (debt("500", "mutuo"),)}, "mutuo_surroga", "fits", "28,57%"),
    "consolidation of one": (EMPLOYEE, {"debts": (debt("700"),)}, "mutuo_consolidamento", "not", "almeno 2"),
    "consolidation at 30 percent": (
        EMPLOYEE, {"net": D(1000), "debts": (debt("150"), debt("150"))}, "mutuo_consolidamento", "not", "supera il 30%",
    ),
    "consolidation": (EMPLOYEE, {"net": D(1000), "debts": (debt("150"), debt("150.01"))}, "mutuo_consolidamento", "fits", "2 finanziamenti"),
    "severance with a certificate": (
        PENSIONER, {"pension_class": "ex_inpdap", "certified": True, "severance": D(60000)}, "anticipo_tfs", "fits", "€45.000,00",
    ),
    "severance without": (PENSIONER, {"pension_class": "ex_inpdap", "certified": False}, "anticipo_tfs", "reserved", "certificazione"),
    "severance unknown": (PENSIONER, {"pension_class": "ex_inpdap"}, "anticipo_tfs", "open", "certificazione"),
    "severance of an INPS pension": (PENSIONER, {}, "anticipo_tfs", "not", "ex INPDAP"),
    "insurance": (EMPLOYEE, {}, "credito_assicurativo", "open", "consulente"),
    "a net of nothing": (EMPLOYEE, {"net": D(0)}, "prestito_personale", "not", "almeno €800,00"),
    "no income, as told": (Applicant(work="disoccupato", without_income=True), {}, "prestito_personale", "not", "dimostrabile"),
    "no income told": (Applicant(work="disoccupato"), {}, "prestito_personale", "open", "non è possibile verificarlo"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_product_is_matched_with_its_reason(case: str) -> None:
    """Each product's rule says yes, on a condition, not yet or no, and why."""
    person, changed, product, expected, reason = CASES[case]
    found = matches(person, **changed)[product]
    assert found.verdict.value == expected, found
    assert reason in " ".join(found.reasons)


def test_every_product_of_the_broker_is_judged() -> None:
    """The nine products each have their rule, and every match gives a reason."""
    assert len(RULES) == 9
    assert all(m.reasons and all(m.reasons) for m in matches(EMPLOYEE).values())


RESULTS: dict[str, tuple[Applicant, dict[str, Any], str]] = {
    "advice, and something fits": (EMPLOYEE, {}, ELIGIBLE),
    "the wish fits": (EMPLOYEE, {"wants": "delega"}, ELIGIBLE),
    "the wish does not fit, others do": (EMPLOYEE, {"wants": "anticipo_tfs"}, PARTIAL),
    "the wish fits on a condition": (EMPLOYEE, {"wants": "cessione_stipendio", "employer": "privato", "staff": 3}, PARTIAL),
    "the wish cannot be judged": (Applicant(work="partita_iva", wants="mutuo_acquisto"), {}, PARTIAL),
    "no income told": (Applicant(work="disoccupato", wants="consiglio"), {}, PARTIAL),
    "no income": (Applicant(work="disoccupato", wants="consiglio", without_income=True), {}, NOT_ELIGIBLE),
    "a small pension that cannot be assigned": (PENSIONER, {"pension": "assegno_sociale", "net": D(538)}, NOT_ELIGIBLE),
    "insurance is for the adviser": (EMPLOYEE, {"wants": "credito_assicurativo"}, PARTIAL),
}  # fmt: skip


@pytest.mark.parametrize("case", RESULTS)
def test_there_are_three_results(case: str) -> None:
    """Eligible where the wish fits, partial where something is left to talk over, else not eligible."""
    person, changed, expected = RESULTS[case]
    assert match(replace(person, **changed), FIGURES).kind == expected


def told(person: Applicant, day: date = TODAY, **changed: Any) -> str:
    """What the person reads of a result."""
    return "\n".join(sentences(match(replace(person, **changed), TABLE.on(day)), LABELS))


def test_the_wish_is_told_first_and_the_rest_in_numbers() -> None:
    """The wish is answered by itself, the others stand in a numbered list, never with bullets."""
    text = told(EMPLOYEE, wants="mutuo_surroga")
    assert text.startswith(
        "Mutuo surroga: in base ai dati forniti al momento non risulta percorribile. Serve un mutuo in corso da trasferire. Il consulente"
    )
    assert "percorribili:\n1. Cessione stipendio. Rata fino a €350,00" in text
    assert "•" not in text
    assert "\n- " not in text


WISHES: dict[str, tuple[dict[str, Any], str]] = {
    "fits": ({"wants": "delega"}, "✅ Delega: in base ai dati forniti risulta percorribile."),
    "on a condition": ({"wants": "delega", "contract": "determinato"}, "⚠️ Delega: risulta possibile a una condizione"),
    "to be verified": ({"wants": "mutuo_acquisto", "net": None}, "⚠️ Mutuo acquisto: resta da verificare con il consulente."),
    "does not fit": ({"wants": "anticipo_tfs"}, "Anticipo tfs: in base ai dati forniti al momento non risulta percorribile."),
    "nothing fits": ({"wants": "delega", "net": D(0)}, "Delega: "),
}  # fmt: skip


@pytest.mark.parametrize("case", WISHES)
def test_the_wish_is_answered_first_whatever_its_verdict(case: str) -> None:
    """What was asked for has a sentence of its own with its verdict, above everything else, and stands in no list below."""
    changed, begins = WISHES[case]
    text = told(EMPLOYEE, **changed)
    assert text.startswith(begins)
    assert f". {begins.strip('✅⚠️ ').partition(':')[0]}." not in text


def test_what_fits_stands_above_conditions_and_what_is_to_be_verified() -> None:
    """Below its heading each verdict has its list, those that fit first; what cannot be had is in none."""
    text = told(EMPLOYEE, wants="anticipo_tfs", employer="privato", staff=3)
    headings = [text.index(part) for part in ("percorribili:\n1. ", "Possibili a una condizione")]
    assert headings == sorted(headings)
    fitting, conditional = text.split("Possibili a una condizione")
    assert "Prestito personale." in fitting
    assert "Cessione stipendio." in conditional.split("\n")[1]
    assert "Mutuo surroga" not in text
    unknown = told(Applicant(work="partita_iva", wants="consiglio"))
    assert unknown.startswith("⚠️ Da verificare con il consulente:\n1. ")


def test_nobody_without_debts_is_told_a_ratio() -> None:
    """A ratio and its band are told of instalments; who pays none reads that none runs."""
    free = told(EMPLOYEE)
    assert "nessuna rata in corso" in free
    assert not any(part in free for part in ("0,00%", "fascia", "Rapporto", "rapporto rata"))
    assert "Rapporto rata/reddito: 17,14% (fascia verde)." in told(EMPLOYEE, debts=(debt("300"),))


SPOKEN = {
    "0": ("lo 0%", "dello 0%"), "0.5": ("lo 0,5%", "dello 0,5%"), "1": ("l'1%", "dell'1%"), "1.5": ("l'1,5%", "dell'1,5%"),
    "8": ("l'8%", "dell'8%"), "8.25": ("l'8,25%", "dell'8,25%"), "10": ("il 10%", "del 10%"), "11": ("l'11%", "dell'11%"),
    "18": ("il 18%", "del 18%"), "35": ("il 35%", "del 35%"), "80": ("l'80%", "dell'80%"), "88.8": ("l'88,8%", "dell'88,8%"),
    "100": ("il 100%", "del 100%"), "111": ("il 111%", "del 111%"), "180": ("il 180%", "del 180%"), "812": ("l'812%", "dell'812%"),
}  # fmt: skip


@pytest.mark.parametrize("rate", SPOKEN)
def test_a_percentage_has_the_article_that_it_is_read_with(rate: str) -> None:
    """ "Lo 0%", "l'8%", "dell'11%", "il 35%": the article follows how the number sounds."""
    assert (the(limit(D(rate))), of(limit(D(rate)))) == SPOKEN[rate]


def test_thousands_are_read_by_their_first_group() -> None:
    """ "Il 1.000%" is mille, "l'8.000%" ottomila, "l'11.000%" undicimila."""
    assert [the(shown) for shown in ("1.000%", "8.000%", "11.000%")] == ["il 1.000%", "l'8.000%", "l'11.000%"]


def test_limits_of_a_company_are_told_in_italian_too() -> None:
    """A limit that a company lays over is told with its own article."""
    rules = {
        **TABLE.written.rules,
        "personal_loan_dti": TABLE.written.rules["personal_loan_dti"].model_copy(update={"value": D("8")}),
    }
    figures = replace(FIGURES, written=TABLE.written.model_copy(update={"rules": rules}))
    reasons = matches(EMPLOYEE, figures, debts=(debt("300"),))["prestito_personale"].reasons
    assert reasons == ("Il rapporto rata/reddito supera l'8%.",)


def test_heavy_instalments_are_told_without_judgement() -> None:
    """From the orange band on, and where nothing fits, the person reads that many people are in this situation."""
    heavy = told(EMPLOYEE, debts=(debt("700"),))
    assert "Rapporto rata/reddito: 40,00% (fascia arancione)." in heavy
    assert "Molte persone si trovano in questa situazione" in heavy
    assert "Molte persone" in told(Applicant(work="disoccupato", without_income=True))
    assert "Molte persone" not in told(EMPLOYEE, debts=(debt("300"),))


def test_the_usury_ceiling_is_told_for_its_quarter_and_never_guessed() -> None:
    """In a quarter of the table both ceilings of an assignment are told; in any other the adviser tells them."""
    assert "fino a €15.000 21,1625%" in told(EMPLOYEE, FIRST_QUARTER)
    text = told(EMPLOYEE)
    assert "21,1625" not in text
    assert "glielo indicherà il consulente" in text


def test_a_rule_past_its_review_leaves_its_product_to_the_adviser() -> None:
    """When the minimum pension of the year is not in the table yet, nothing is reckoned by last year's."""
    next_year = match(PENSIONER, TABLE.on(date(2027, 1, 1)))
    found = next(m for m in next_year.matches if m.product == "cessione_pensione")
    assert found == Match(
        "cessione_pensione",
        found.verdict,
        ("Una delle regole che servono è in aggiornamento: la verifica spetta al consulente.",),
    )
    assert found.verdict.value == "open"


def test_the_record_holds_what_the_result_rests_on() -> None:
    """The record names the result, every product's verdict with its reasons, the ratio, the version of the figures and the day."""
    data = computed(match(replace(EMPLOYEE, debts=(debt("350"),)), FIGURES), TABLE.version, TODAY)
    assert (data["result"], data["dti"], data["dti_band"], data["net_income"]) == (ELIGIBLE, "20,00%", "green", "1750")
    assert (data["figures_version"], data["judged_on"]) == ("2026-11", "2026-11-20")
    assert data["products"]["delega"]["up_to"] == "€350,00"
    nothing = computed(match(Applicant(work="disoccupato"), FIGURES), TABLE.version, TODAY)
    assert (nothing["dti"], nothing["dti_band"], nothing["net_income"]) == (None, None, None)
