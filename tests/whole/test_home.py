"""App Home: requests and drafts by what they are about, any of them opened, in the person's language, however many there are."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.slack.places import person_key
from state.advance import begin
from state.draft.draft import Provenance, Value
from state.engine.codec import encode
from state.stores.rows import Record, StoredDraft, StoredEvent, TurnWrites
from tests.documents.files import png
from tests.whole.officers import home
from tests.whole.steps import REASON, file_request, open_request, own_form, play, speaks
from tests.world import TEAM, World, words_of, world

ABOUT = "Buy 200 Tesco PLC · GBP 720.00 · pension"


@pytest.mark.behind(walk=file_request)
async def test_a_request_is_listed_with_what_it_is_about(w: World) -> None:
    """The row says what was asked for, its state by a mark and in words, until when it holds, its number and the day."""
    (record,) = await w.records()
    shown = words_of((await home(w))["blocks"])
    assert f"*{ABOUT}*\n🟢 Approved automatically until " in shown and f" · {record.number} · " in shown


@pytest.mark.behind(walk=file_request)
async def test_a_request_opens_with_everything_that_was_told(w: World) -> None:
    """Open shows every answer and where it came from, what happened when, and what to do now; nothing in it can be clicked."""
    await w.click("Open", await home(w))
    modal = w.alex.modal
    assert modal is not None and modal["title"]["text"] == "PA-2026-000001" and not modal.get("submit")
    shown = words_of(modal["blocks"])
    for told in (
        f"*{ABOUT}*",
        "Approved automatically",
        "You can trade until the end of that day",
        "*Justification*",
        REASON,
    ):
        assert told in shown, told
    assert (
        "*Direction*  _chosen_\nBuy" in shown and "*Value*  _chosen_\nGBP 720.00" in shown and "*Currency*" not in shown
    )
    assert (
        "Started" in shown
        and "Answered: Value, Currency, Direction, Quantity" in shown
        and shown.index("Started") < shown.index("Submitted")
    )
    assert not [b for b in modal["blocks"] if b["type"] in ("actions", "input")]


@pytest.mark.behind(walk=file_request)
async def test_nobody_opens_another_person_s_request(w: World) -> None:
    """A click that names somebody else's record, or one that is none, is met with the same sentence."""
    view = await home(w)
    dana = w.sandbox.person("U0DANA")
    await home(w, dana)
    (button,) = [b["accessory"] for b in view["blocks"] if "hf-request" in str(b.get("accessory"))]
    for value in (button["value"], "PA-2026-999999", "", "%"):
        w.sandbox.workspace.homes[dana.id].body["blocks"] = [
            {
                "type": "section",
                "block_id": "b",
                "text": view["blocks"][1]["text"],
                "accessory": {**button, "value": value},
            }
        ]
        await dana.click("Open", dana.home)
        await w.settled()
        assert "You can't see this request" in words_of((dana.modal or {})["blocks"]), value


@pytest.mark.behind(walk=open_request)
async def test_a_draft_is_listed_with_what_is_told_so_far(w: World) -> None:
    """A row of what is in progress says what it is about and how far it is, and its button brings its card back."""
    view = await home(w)
    assert f"*{ABOUT}*\nPersonal account dealing · 6 of 13" in words_of(view["blocks"])
    before = w.screen()[-1]["ts"]
    await w.click("Continue", view)
    assert w.screen()[-1]["ts"] > before and "Is this a derivative?" in w.last()


@pytest.mark.parametrize(("locale", "filed", "opens", "state", "opened", "begins"), [
    ("it-IT", "Inviate", "Apri", "Approvata automaticamente", "Risposte", "Operazioni personali"),
    ("es-LA", "Enviadas", "Abrir", "Aprobada automáticamente", "Respuestas", "Préstamos"),
    ("de-DE", "Eingereicht", "Öffnen", "Automatisch genehmigt", "Antworten", "Mitarbeitergeschäfte"),
    ("ja-JP", "Submitted", "Open", "Approved automatically", "Answers", "Loans"),
])  # fmt: skip
async def test_the_page_speaks_the_person_s_language(
    w: World, locale: str, filed: str, opens: str, state: str, opened: str, begins: str
) -> None:
    """Headings, states, buttons and names of forms are in the language that the person has set in Slack; what was answered is in the form's."""
    speaks(w, w.alex, locale)
    await file_request(w)
    view = await home(w)
    headers = [b["text"]["text"] for b in view["blocks"] if b["type"] == "header"]
    assert filed in headers and f"🟢 {state}" in words_of(view["blocks"]) and begins in words_of(view["blocks"])
    await w.click(opens, view)
    assert w.alex.modal is not None
    assert opened in words_of(w.alex.modal["blocks"]) and "*Leveraged product*" in words_of(w.alex.modal["blocks"])


async def test_hundreds_of_requests_are_a_page_at_a_time(w: World) -> None:
    """Home says how many more there are, and its buttons turn the pages there and back; each row opens its own request."""
    await put_records(w, 95)
    view = await home(w)
    assert "… and 55 more." in words_of(view["blocks"]) and "PA-2026-000095" in str(view)
    await w.click("Older", view)
    await w.sandbox.until(lambda: "PA-2026-000055" in str(w.alex.home))
    assert "… and 15 more." in words_of(w.alex.home) and "PA-2026-000056" not in str(w.alex.home)
    await w.click("Older", w.alex.home)
    await w.sandbox.until(lambda: "PA-2026-000001" in str(w.alex.home))
    assert "Older" not in words_of(w.alex.home) and "more." not in words_of(w.alex.home)
    await w.click("hf-request.PA-2026-000007", w.alex.home)
    assert w.alex.modal is not None and w.alex.modal["title"]["text"] == "PA-2026-000007"
    await w.click("Newer", w.alex.home)
    await w.sandbox.until(lambda: "PA-2026-000055" in str(w.alex.home))


@pytest.mark.behind(walk=open_request)
async def test_an_open_draft_is_found_behind_many_closed_ones(w: World) -> None:
    """What is in progress is listed however much was filed since."""
    await put_records(w, 30)
    assert "6 of 13" in words_of((await home(w))["blocks"])


async def test_a_record_of_a_form_that_is_gone_is_listed_still(w: World) -> None:
    """A request whose form is loaded no more stands there with its number, and cannot be opened."""
    await put_records(w, 1, form="gone")
    view = await home(w)
    assert "*PA-2026-000001*" in words_of(view["blocks"]) and "hf-request" not in str(view)


async def test_a_record_of_an_earlier_version_opens(w: World) -> None:
    """A record that was filed before receipts said what was decided is shown with what it has."""
    await put_records(w, 1)
    await w.click("Open", await home(w))
    assert w.alex.modal is not None and "*Quantity*  _written_\n1 shares" in words_of(w.alex.modal["blocks"])


async def test_a_click_is_acknowledged_though_slack_shows_nothing_yet(w: World) -> None:
    """Where Slack lets a page of Home wait for longer than a click may, the click is acknowledged all the same, and the page comes when it can."""
    await put_records(w, 95)
    view = await home(w)
    w.sandbox.knobs.rate_limit["views.publish"], w.sandbox.knobs.retry_after = 1, 4
    await w.alex.click("Older", view)
    assert "PA-2026-000095" in str(w.alex.home)
    await w.sandbox.until(lambda: "PA-2026-000055" in str(w.alex.home))


async def put_records(w: World, count: int, form: str = "pa_dealing") -> None:
    """File many requests of Alex's at once, as an earlier version did."""
    store, person = w.bot.store, person_key(TEAM, w.alex.id)
    pa = w.bot.workflows["pa_dealing"].form
    for n in range(1, count + 1):
        there = f"{TEAM}:D0MANY{n}:"
        draft = begin(pa, f"many{n}", TEAM, w.alex.id, there, "2026-11-20T14:00:00+00:00", None)
        said = Provenance(w.alex.id, "2026-11-20T14:00:00+00:00", "typed", "", str(n))
        draft = replace(draft, values={"quantity": Value(n, said)})
        body = {"values": encode(draft)["values"], "owner": w.alex.id}
        lease = await store.take(there, 30)
        assert lease is not None
        stored = StoredDraft(draft.id, person, there, form, "submitted", 0, encode(draft))
        event = StoredEvent(draft.id, "Began", encode(draft), (), 0)
        record = Record(f"PA-2026-{n:06}", draft.id, form, person, TEAM, "pending_manager", "", body)
        await store.write(lease, TurnWrites(draft=stored, events=[event], records=[record]))
        await store.release(lease)


FILES = """
title = "Damage"
version = "1"
prefix = "DMG"
words = ["damage"]
language = "de-DE"
essence = "{what}"

[fields.what]
kind = "text"
label = "Schaden"
ask = "Was ist beschädigt?"

[fields.iban]
kind = "identifier"
scheme = ["iban"]
label = "IBAN"
ask = "Auf welches Konto?"
sensitive = true

[fields.picture]
kind = "document"
label = "Bild"
ask = "Bitte schicken Sie ein Bild."
"""


@pytest.fixture
async def damage(tmp_path: Path) -> AsyncIterator[World]:
    """A German form with a file and a sensitive answer."""
    async with world(tmp_path / "var", holdfast_workflows=own_form(tmp_path, "damage", FILES)) as w:
        yield w


async def test_files_and_what_is_sensitive_are_shown_to_their_owner_alone(damage: World) -> None:
    """Requests are listed in words as in App Home, also where the form says nothing of a list; files stand by name; what is sensitive only inside."""
    await play(damage, "damage", "meine Anträge")
    assert "Sie haben hier noch nichts eingereicht." in damage.last()
    await play(damage, "Die Windschutzscheibe", "[✓ Die Windschutzscheibe]", "DE89370400440532013000")
    await damage.alex.upload("scheibe.png", png(), "image/png")
    await damage.settled()
    await play(damage, "[Einreichen]", "meine Anträge")
    (record,) = await damage.records()
    assert f"{record.number}: Die Windschutzscheibe, " in damage.last() and "Eingegangen." in damage.last()
    view = await home(damage)
    assert "*Die Windschutzscheibe*" in words_of(view["blocks"]) and "0532" not in str(view)
    await damage.click("Open", view)
    assert damage.alex.modal is not None
    shown = words_of(damage.alex.modal["blocks"])
    assert "• scheibe.png" in shown and "DE89" in shown and "Files" in shown
