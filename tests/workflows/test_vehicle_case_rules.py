"""The vehicle case's rules: prices, what is refused, what is only warned of, where a case stands."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from blocks.inputs import tick_boxes
from blocks.page import Page
from prompts.build import build_request
from prompts.request import estimate
from state.advance import advance, begin
from state.draft.documents import Document
from state.draft.draft import ChatLine, Draft, Provenance, Status, Value
from state.draft.missing import not_choosable
from state.draft.reply import Reply, ToolCall
from state.draft.utterance import Phrase
from state.engine.effects import Announce, CallModel, Post
from state.engine.events import DocumentsReceived, ModelReplied
from state.fields.base import Context
from state.form.field import Data
from state.guards.writes import ProposedWrite, by_its_rules
from state.rules import Decision
from tests.shipped import shipped

CASE = shipped("vehicle_case")
AT = "2026-11-20T12:00:00+00:00"
SAID = Provenance("U0ALEX", AT, "typed")


def draft_of(**answers: Data) -> Draft:
    """A draft with these answers."""
    draft = begin(CASE.form, "d1", "T1", "U0ALEX", "T1:D1:", AT)
    return replace(draft, values={name: Value(data, SAID) for name, data in answers.items()})


class Known:
    """Sources of a person with these cases, on this day."""

    def __init__(self, day: str = "2026-11-20", *records: dict[str, Any]) -> None:
        self.day, self.records = day, list(records)

    async def own_records(self, limit: int = 200) -> list[Any]:
        """The newest ones."""
        return self.records[:limit]

    def today(self) -> str:
        """The day."""
        return self.day


@pytest.mark.parametrize(
    ("answers", "price"),
    [
        ({"elementos": ("escape",)}, 215),
        ({"elementos": ("escape", "manillar")}, 285),
        ({"elementos": ("escape",), "taller": "nuestro"}, 300),
        ({"elementos": ("escape",), "taller": "propio"}, 215),
        ({"elementos": ("espejos",), "cambian_dimensiones": True, "taller": "nuestro"}, 305),
    ],
)
def test_the_price_is_the_opening_the_elements_and_what_is_added(answers: dict[str, Data], price: int) -> None:
    """120 for the case, each element's price, 60 for a change of dimensions, 85 for the firm's certificate; without tax."""
    filing = CASE.rules.file(draft_of(**answers), {})
    assert Decimal(filing.computed["price"]) == price == sum(map(Decimal, filing.computed["price_lines"].values()))
    assert filing.state == "pending_review"


def test_the_quote_says_the_price_without_tax_and_what_to_look_out_for() -> None:
    """Before any photo the person reads the price, what the firm's certificate adds, and the elements' own warnings."""
    decision = CASE.rules.decisions["quote"](draft_of(elementos=("escape",)), {"today": "2026-11-20"})
    assert isinstance(decision, Decision) and decision.trigger == "quoted"
    assert "215 € sin IVA" in decision.told[0] and "85 € más" in decision.told[0] and "marcado" in decision.told[1]


def test_every_element_of_the_form_has_a_price() -> None:
    """An element that can be chosen can be quoted, or is named as one that a technician prices."""
    for choice in CASE.form.fields["elementos"].choices:
        computed = CASE.rules.file(draft_of(elementos=(choice.value,)), {}).computed
        asked = computed["price_on_request"]
        assert asked == ["no_listado"] if choice.value == "no_listado" else not asked
        assert (Decimal(computed["price"]) > 120) is not bool(asked)


@pytest.mark.parametrize(
    ("vehicle", "among", "beyond"),
    [
        ("motocicleta", {"manillar", "portamatriculas"}, {"enganche", "toldo"}),
        ("turismo", {"enganche", "paragolpes"}, {"manillar", "portamatriculas", "toldo"}),
        ("furgoneta", {"enganche", "toldo", "camperizacion"}, {"manillar", "paragolpes"}),
    ],
)
def test_each_kind_of_vehicle_is_offered_its_own_elements(vehicle: str, among: set[str], beyond: set[str]) -> None:
    """The card and a model's tool list what this vehicle can have, and always one for what is not listed."""
    draft = draft_of(tipo_vehiculo=vehicle)
    boxes = tick_boxes(Page(CASE.form, draft, AT[:10]), CASE.form.fields["elementos"])["options"]
    tool = next(t for t in build_request(CASE.form, draft, CallModel(1), AT[:10]).tools if t["name"] == "set_elementos")
    listed = {box["value"] for box in boxes}
    assert listed == set(tool["input_schema"]["properties"]["elementos"]["items"]["enum"])
    assert among | {"no_listado", "escape"} <= listed and not beyond & listed


def test_an_element_of_another_vehicle_is_refused_whoever_names_it() -> None:
    """Neither a click nor a model's call sets what the vehicle cannot have; before the vehicle is told, either may."""
    field = CASE.form.fields["elementos"]
    for vehicle, refused in (("turismo", True), ("motocicleta", False), ("", False)):
        draft = draft_of(**({"tipo_vehiculo": vehicle} if vehicle else {}))
        context = Context(CASE.form.language, AT[:10])
        write = ProposedWrite(CASE.form, CASE.rules, draft, context, draft.owner, field, ["manillar"], "el manillar")
        assert bool(by_its_rules(write)) is refused is bool(not_choosable(field, ("manillar",), draft))


@pytest.mark.parametrize("reader", ["rules", "a-model"])
@pytest.mark.parametrize(
    ("vehicle", "words", "given", "wrong", "left"),
    [
        ("turismo", "he puesto un manillar ancho y llantas", ["manillar", "ruedas"], "Manillar", ("ruedas",)),
        ("motocicleta", "llevo bola de enganche y retrovisores", ["enganche", "espejos"], "Enganche de remolque", ("espejos",)),
        ("furgoneta", "los parachoques", ["paragolpes"], "Paragolpes", ()),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_and_the_rest_is_put_back(
    vehicle: str, words: str, given: list[str], wrong: str, left: tuple[str, ...], reader: str
) -> None:
    """Whoever read it: nothing is set, the person reads which element does not go with what, and one click takes the others."""
    said = ChatLine("user", words, message="m1", asked="elementos", unread=True)
    draft = replace(draft_of(tipo_vehiculo=vehicle), asked="elementos", window=(said,), stage="idle")
    call = ToolCall("c1", "set_elementos", {"elementos": given, "words": words})
    event = ModelReplied("r1", AT, reader, Reply(calls=(call,), model=reader), draft.turn, reader=reader)
    after = advance(CASE.form, CASE.rules, draft, event)
    assert "elementos" not in after.draft.values
    assert [o.data for o in after.draft.offers if o.field == "elementos"] == ([left] if left else [])
    told = [p for e in after.effects if isinstance(e, Post) for p in e.card.lead_in if isinstance(p, Phrase)]
    assert [p.args["choices"] for p in told if p.key == "not_offered"] == [wrong]


def test_an_answer_stored_before_stays_until_the_vehicle_is_another_one() -> None:
    """A draft that was begun with an element which its vehicle is not offered any more goes on with it."""
    draft = replace(draft_of(tipo_vehiculo="turismo", elementos=("manillar",)), stage="collect_element_data")
    kept = advance(CASE.form, CASE.rules, draft, received(1)).draft
    assert kept.values["elementos"].data == ("manillar",)


@pytest.mark.parametrize(
    ("field", "value", "others", "words"),
    [
        ("codigo_postal", "28013", {"provincia": "Barcelona"}, "28013 es de Madrid"),
        ("provincia", "Barcelona", {"codigo_postal": "28013"}, "28013 es de Madrid"),
        ("provincia", "Madrid", {"codigo_postal": "28013"}, ""),
        ("codigo_postal", "28013", {}, ""),
        ("anio", 2027, {}, "posterior a 2026"),
        ("anio", 2026, {}, ""),
        ("taller_telefono", "123456", {}, "nueve cifras"),
        ("taller_telefono", "+34910000000", {}, ""),
    ],
)
def test_what_contradicts_itself_is_refused(field: str, value: Data, others: dict[str, Data], words: str) -> None:
    """A postal code of another province, a year to come, a number too short: a sentence says what to mend; else nothing."""
    said = CASE.rules.checks[field](draft_of(**others), field, value)
    assert words in said if words else said == ""


@pytest.mark.parametrize(
    ("field", "value", "warned"),
    [
        ("matricula", "1234BCD", False), ("matricula", "M1234AB", True), ("matricula", "C1234BBB", True),
        ("escape_homologacion", "e9 1234", False), ("escape_homologacion", "No tiene", True),
        ("intermitentes_separacion", 240, False), ("intermitentes_separacion", 239, True),
        ("ruedas_equivalente", True, False), ("ruedas_equivalente", False, True),
        ("portamatriculas_situacion", "lateral", True), ("portamatriculas_luz", False, True),
    ],
)  # fmt: skip
def test_what_is_only_odd_is_taken_with_a_warning(field: str, value: Data, warned: bool) -> None:
    """Old plates, missing marks and doubtful measures are taken; the sentence is also among the record's reasons."""
    draft = draft_of(**{field: value})
    assert bool(CASE.rules.warnings[field](draft, field, value)) is warned
    assert (
        bool(CASE.rules.file(replace(draft, values={**draft.values, "elementos": Value(("faro",), SAID)}), {}).reasons)
        is warned
    )


@pytest.mark.parametrize(
    ("changes", "day", "status"),
    [
        ({}, "2026-11-20", "collecting"),
        ({"asked": "escape_fotos"}, "2026-11-20", "pending_images"),
        ({"asked": "vistas"}, "2026-11-20", "pending_images"),
        ({}, "2027-03-01", "abandoned"),
        ({"status": Status.CANCELLED}, "2026-11-20", "cancelled"),
        ({"status": Status.SUBMITTED}, "2026-11-20", ""),
    ],
)
async def test_a_case_has_one_status(changes: dict[str, Any], day: str, status: str) -> None:
    """A draft is collecting, waiting for pictures, abandoned or cancelled; once it is filed the record's state counts."""
    draft = replace(draft_of(elementos=("escape",)), **changes)
    assert (await CASE.rules.gather(draft, Known(day)))["status"] == status


async def test_the_status_of_filed_cases_is_told() -> None:
    """The person hears of each of their cases by number, in words."""
    filed = Known("2026-11-20", {"number": "EXPTE-2026-000001", "state": "in_progress"})
    facts = await CASE.rules.gather(replace(draft_of(), status=Status.SUBMITTED), filed)
    assert CASE.rules.commands["status"]("", facts) == ("El expediente EXPTE-2026-000001 está en trámite.",)


def received(n: int, problem: Any = "away") -> DocumentsReceived:
    """A file that Slack did not give, or one that came."""
    return DocumentsReceived(f"e{n}", AT, "documents", (Document("", "a.jpg", problem=problem),), 0)


def test_three_technical_failures_in_a_row_call_a_person() -> None:
    """Files that cannot be fetched three times running hand over, with the reason in the packet; anything else starts the count anew."""
    draft = replace(draft_of(tipo_vehiculo="motocicleta", elementos=("faro",)), stage="collect_element_data")
    for n in range(3):
        assert not draft.handed
        outcome = advance(CASE.form, CASE.rules, draft, received(n))
        draft = outcome.draft
    assert draft.handed == "failures" and draft.stage == "with_person"
    assert [e.reasons for e in outcome.effects if isinstance(e, Announce)] == [("failures",)]


def test_a_file_that_is_the_persons_own_trouble_is_no_technical_failure() -> None:
    """Files of a kind that is not taken are refused as often as they come, and call nobody."""
    draft = replace(draft_of(tipo_vehiculo="motocicleta", elementos=("faro",)), stage="collect_element_data")
    for n in range(4):
        draft = advance(CASE.form, CASE.rules, draft, received(n, "type")).draft
    assert not draft.handed


@pytest.mark.parametrize("count", [1, 6])
def test_a_request_about_elements_stays_within_its_budget(count: int) -> None:
    """However many elements wait, a model is offered the tools of the next two, in a request within the form's tokens."""
    chosen = tuple(choice.value for choice in CASE.form.fields["elementos"].choices[:count])
    draft = replace(draft_of(tipo_vehiculo="motocicleta", elementos=chosen), stage="collect_element_data")
    request = build_request(CASE.form, draft, CallModel(1), AT[:10])
    assert [t["name"] for t in request.tools if t["name"].startswith("set_")] == [f"set_{name}" for name in chosen[:2]]
    assert estimate(request) < CASE.form.request_tokens
