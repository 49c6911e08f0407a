"""The vehicle case through the whole bot: finalised once whatever a model does, handed over with a packet, silent until handed back."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, call, text, tools
from bot.sandbox.scenarios.staging import paper
from bot.sandbox.talk import Upload
from state.draft.draft import Draft, Status
from tests.stored.finishing import press
from tests.whole.steps import play
from tests.whole.vehicle_steps import CLOSING, ONLY, SEND, send, to_photos, to_review
from tests.whole.walks import behind
from tests.world import World, shown, world

FINALIZE = "finalizar_expediente"
REVIEW = "C0COMPLIANCE"


def after(request: dict[str, Any]) -> str:
    """What the newest user turn holds: words, or results of tools."""
    users = [m["content"] for m in request["messages"] if m["role"] == "user"]
    return users[-1] if isinstance(users[-1], str) else json.dumps(users[-1], ensure_ascii=False)


class Thanked:
    """A model that finalises `times` in one reply when it is thanked, and says its sentence once it has the results."""

    def __init__(self, times: int = 1, stubborn: bool = False) -> None:
        self.times, self.stubborn, self.results = times, stubborn, list[dict[str, Any]]()

    def __call__(self, request: dict[str, Any]) -> Answer:
        now = after(request)
        if "tool_result" in now:
            blocks = [m["content"] for m in request["messages"] if m["role"] == "user"][-1]
            self.results += [json.loads(b["content"]) for b in blocks if b["type"] == "tool_result"]
        if "Gracias" in now or (self.stubborn and "tool_result" in now):
            return tools(*(call(FINALIZE) for _ in range(self.times)))
        return text("De nada, un saludo.")


async def finalisations(w: World) -> list[tuple[str, bool]]:
    """Status and idempotence of the logged finalising calls, oldest first."""
    calls = await w.bot.store.tool_calls((await w.draft()).id)
    return [(c.status, c.idempotent) for c in calls if c.finalizes]


async def submissions(w: World) -> int:
    """How many times the draft's status became submitted."""
    events = await w.bot.store.events((await w.draft()).id)
    changes = [c for e in events for c in e.changes]
    return sum(c["kind"] == "StatusMoved" and c["to"] == "submitted" for c in changes)


@pytest.mark.behind(walk=to_review)
async def test_a_case_is_finalised_by_exactly_one_update_and_the_bot_stays_active(w: World) -> None:
    """One click on the review makes one record and one closing message; the bot answers afterwards and opens a new case."""
    await w.click(SEND)
    (record,) = await w.records()
    assert (record.state, await submissions(w)) == ("pending_review", 1)
    assert w.transcript().count(CLOSING) == 1 and not (await w.draft()).handed
    await w.say("¿cuánto cuesta?")
    assert "160 €" in w.transcript() or "245 €" in w.last()
    await w.click("Abrir otro expediente")
    draft = await w.draft()
    assert (draft.status, draft.stage, len(await w.records())) == (Status.OPEN, "idle", 1)


@pytest.mark.parametrize("times", [1, 2])
async def test_finalising_again_on_thanks_writes_nothing_and_is_answered_naturally(
    times: int, tmp_path: Path, walks: Path
) -> None:
    """Once or twice in a turn, it succeeds with `already_finalized` and the closing message, no update, a friendly sentence."""
    model = Thanked(times)
    async with behind(to_review, tmp_path, walks, model, **ONLY) as w:
        await w.click(SEND)
        before, revision = await w.records(), (await w.draft()).hash
        await w.say("Gracias")
        assert (await w.records(), (await w.draft()).hash, await submissions(w)) == (before, revision, 1)
        assert await finalisations(w) == [("success", True)] * times
        assert (
            w.last() == "Con mucho gusto."
            and "De nada, un saludo." not in w.transcript()
            and not (await w.draft()).handed
        )
    results = model.results[-times:]
    assert all(r["already_finalized"] and r["message"].startswith(CLOSING) for r in results)


async def test_the_third_identical_call_hands_a_filed_case_over(tmp_path: Path, walks: Path) -> None:
    """A model that finalises again and again is stopped at the third call: a person gets the packet, nothing is written."""
    async with behind(to_review, tmp_path, walks, Thanked(stubborn=True), **ONLY) as w:
        await w.click(SEND)
        await w.say("Gracias")
        assert await finalisations(w) == [("success", True)] * 3
        assert (await w.draft()).handed == "loop" and len(await w.records()) == 1
        assert "El mismo paso se repitió" in shown(w.alex.messages(REVIEW)[-1])


async def test_before_the_click_finalising_waits_however_often_it_is_called(tmp_path: Path, walks: Path) -> None:
    """Twice in one turn before the person confirmed: both calls wait, nothing is written; then the click files once."""
    async with behind(to_review, tmp_path, walks, Thanked(2), **ONLY) as w:
        await w.say("Gracias, lo he leído todo")
        assert await finalisations(w) == [("waiting", False)] * 2
        assert await w.records() == [] and (await w.draft()).open
        await w.click(SEND)
        assert len(await w.records()) == 1 and await submissions(w) == 1


def never_done(request: dict[str, Any]) -> Answer:
    """A model that finalises when it is greeted."""
    return tools(call(FINALIZE)) if "hola" in after(request) else text("Sigamos, por favor.")


async def test_without_a_complete_case_finalising_is_a_clear_error(tmp_path: Path) -> None:
    """In a case that lacks something, and in one that was cancelled, the call is refused and never a success."""
    async with world(tmp_path, never_done, ONLY) as w:
        await to_photos(w)
        await play(w, "hola, buenas", "cancelar", "[Sí, cancélela]", "hola otra vez")
        assert await finalisations(w) == [("rejected", False)] * 2
        assert await w.records() == []


def silent_since(seen: list[dict[str, Any]]) -> Any:
    """A model that keeps what it is asked, and calls a person when it is told of trouble."""

    def answer(request: dict[str, Any]) -> Answer:
        seen.append(request)
        if "no me aclaro" in after(request):
            return tools(call("escalar_a_humano", reason="no se aclara"))
        return text("Muy bien.")

    return answer


async def test_a_person_gets_the_packet_and_the_model_hears_of_the_stretch(tmp_path: Path) -> None:
    """The packet says what is filled, what is missing and why; until a person hands back no model is asked; then it is told."""
    seen: list[dict[str, Any]] = []
    async with world(tmp_path, silent_since(seen), ONLY) as w:
        await to_photos(w)
        await w.say("no me aclaro con esto")
        packet = shown(w.alex.messages(REVIEW)[-1])
        assert all(part in packet for part in ("Ha pedido hablar", "Motocicleta", "Espejos", "Espejos: fotos"))
        asked, said = len(seen), len(w.screen())
        await w.say("mi moto es roja")
        assert (len(seen), len(w.screen())) == (asked, said)
        await w.sandbox.person("U0DANA").click("Devolver la conversación a Holdfast", channel=REVIEW)
        await w.settled()
        assert (await w.draft()).asked == "espejos_fotos" and not (await w.draft()).handed
        await w.say("las tengo en casa de mi hermano")
    told = json.dumps(seen[asked]["messages"], ensure_ascii=False)
    parts = ("A person took the conversation over", "mi moto es roja", "A person handed the conversation back")
    assert [told.find(p) for p in parts] == sorted(told.find(p) for p in parts) and all(p in told for p in parts)


async def test_three_turns_in_which_nothing_changed_hand_over(w: World) -> None:
    """Three messages without an answer in them end with a person, not with the same question for ever."""
    await to_photos(w)
    for words in ("azul", "verde", "rojo"):
        assert not (await w.draft()).handed
        await w.say(words)
    assert (await w.draft()).handed == "stuck"


def overflowing(request: dict[str, Any]) -> Answer:
    """A model that calls more than it may."""
    if "todo junto" not in after(request):
        return text("Muy bien.")
    return tools(*(call("explain_form", field=f"f{n}") for n in range(14)))


async def test_no_more_than_twelve_calls_of_a_turn_are_looked_at(tmp_path: Path) -> None:
    """The thirteenth call of a turn and those after it are refused unread."""
    async with world(tmp_path, overflowing, ONLY) as w:
        await to_photos(w)
        await w.say("todo junto de golpe")
        calls = [c for c in await w.bot.store.tool_calls((await w.draft()).id) if c.reader != "rules"]
        assert [c.reason for c in calls if c.status == "rejected"] == ["many", "many"] and len(calls) == 14


async def test_what_is_to_be_added_may_be_named_afterwards_or_come_with_its_photos(w: World) -> None:
    """ "Otro elemento" brings the list back, and what is then named comes to what stands; photos beside the wish are that element's."""
    await to_photos(w)
    await w.say("quiero añadir otro elemento")
    assert (await w.draft()).asked == "elementos"
    await play(w, "el faro", "[Abrir el expediente]")
    await w.alex.share([Upload("m.jpg", paper("m.jpg", ""))], "añado también el manillar, aquí va la foto")
    await w.settled()
    draft = await w.draft()
    assert draft.values["elementos"].data == ("manillar", "espejos", "faro")
    assert "manillar_fotos" in draft.values and "espejos_fotos" not in draft.values


async def test_a_model_adds_and_takes_nothing_away(tmp_path: Path) -> None:
    """Elements that are on the list stay there, be it that a model names them again or the new one alone."""
    for value in (["manillar"], ["manillar", "espejos"]):
        correcting = tools(call("correct", field="elementos", value=value, words="añadir también el manillar"))
        async with world(
            tmp_path, lambda r, c=correcting: c if "manillar" in after(r) else text("Sigamos."), ONLY
        ) as w:
            await to_photos(w)
            await w.say("quiero añadir también el manillar")
            if (await w.draft()).proposal:  # a model's correction is a card
                await w.click("hf.change")
            assert (await w.draft()).values["elementos"].data == ("manillar", "espejos"), value


@pytest.mark.behind(walk=to_review)
async def test_an_element_may_be_added_on_the_review_and_no_more_once_it_is_filed(w: World) -> None:
    """On the review it leads back over the quote to its photos and on to a new review; after filing the case stands, and a new one may be opened."""
    await play(w, "quiero añadir también el manillar", "[Abrir el expediente]")
    assert (await w.draft()).asked == "manillar_fotos"
    await send(w, ("manillar.jpg",))
    for answer in ("eso es todo", "Recto", "28 mm", "720"):
        await w.say(answer)
    assert shown_review(await w.draft())
    await w.click(SEND)
    before = await w.records()
    for words in ("quiero añadir también el faro", "falta el faro", "y el faro", "otro elemento"):
        await w.say(words)
    draft = await w.draft()
    assert await w.records() == before and not draft.handed and not draft.open
    assert "Abrir otro expediente" in w.transcript()


def shown_review(draft: Draft) -> bool:
    """Return True if the review is the open card."""
    return draft.card is not None and draft.card.kind == "review"


async def test_several_choices_that_were_read_alone_have_a_button(w: World) -> None:
    """What was read for a list of choices, and nothing beside it, is used by one click like any other value."""
    await play(w, "hola, quiero homologar el escape", "[✓ Escape]")
    assert await w.values() == {"elementos": ("escape",)}


async def test_a_conversation_is_handed_back_once(w: World) -> None:
    """Whoever hands a conversation back after a colleague has is told so in private, where they clicked; nothing changes."""
    await play(w, "hola, quiero homologar el escape", "[✓ Escape]", "quiero hablar con una persona")
    draft = await w.draft()
    assert draft.handed
    for _ in range(2):
        await press(w, "hand_back", draft.id, REVIEW)
    revision = (await w.draft()).revision
    await press(w, "hand_back", draft.id, REVIEW)
    assert [shown(m) for m in w.sandbox.person("U0DANA").ephemerals(REVIEW)] == 2 * [
        "Ya me habían devuelto la conversación, así que su clic no ha cambiado nada."
    ]
    assert (await w.draft()).revision == revision
