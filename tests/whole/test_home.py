"""App Home: requests and drafts by what they are about, any of them opened, in the person's language, however many there are."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.people import Person
from bot.slack.places import person_key
from state.advance import begin
from state.draft.draft import Provenance, Value
from state.engine.codec import encode
from state.stores.rows import Record, StoredDraft, StoredEvent, TurnWrites
from tests.whole.steps import REASON, file_request, open_request
from tests.world import TEAM, World, words_of, world

ABOUT = "Buy 200 Tesco PLC · GBP 720.00 · pension"


async def home(w: World, person: Person | None = None) -> dict[str, Any]:
    """The home tab as it is published when the person opens it."""
    who = person or w.alex
    before = w.sandbox.workspace.homes.pop(who.id, None)
    await who.open_home()
    await w.sandbox.until(lambda: who.home)
    assert who.home is not None and who.home is not before
    return who.home


def speaks(w: World, person: Person, locale: str) -> None:
    """Set the person's language in Slack."""
    people = w.sandbox.workspace.people
    people[person.id] = replace(people[person.id], locale=locale)


async def test_a_request_is_listed_with_what_it_is_about(plain: World) -> None:
    """The row says what was asked for, its number, its state in words, until when it holds, and the day."""
    await file_request(plain)
    (record,) = await plain.records()
    shown = words_of((await home(plain))["blocks"])
    assert f"*{ABOUT}*\n{record.number} · Approved automatically until " in shown


async def test_a_request_opens_with_everything_that_was_told(plain: World) -> None:
    """Open shows every answer and where it came from, what happened when, and what to do now; nothing in it can be clicked."""
    await file_request(plain)
    await plain.click("Open", await home(plain))
    modal = plain.alex.modal
    assert modal is not None and modal["title"]["text"] == "PA-2026-000001" and not modal.get("submit")
    shown = words_of(modal["blocks"])
    for told in (
        f"*{ABOUT}*",
        "Approved automatically",
        "You may trade until that day has ended",
        "*Justification*",
        REASON,
    ):
        assert told in shown, told
    assert (
        "*Direction*  _chosen_\nBuy" in shown and "*Value*  _chosen_\nGBP 720.00" in shown and "*Currency*" not in shown
    )
    assert (
        "Begun" in shown
        and "Told: Value, Currency, Direction, Quantity" in shown
        and shown.index("Begun") < shown.index("Submitted")
    )
    assert not [b for b in modal["blocks"] if b["type"] in ("actions", "input")]


async def test_a_change_stands_in_what_happened(plain: World) -> None:
    """An answer that was changed is in the timeline with what it was and what it became."""
    await open_request(plain)
    await plain.say("actually make it 250 shares")
    for _ in range(5):
        await plain.click("No")
    await plain.click("I understand")
    await plain.say(REASON)
    await plain.click("Submit")
    await plain.click("Open", await home(plain))
    assert plain.alex.modal is not None
    assert "Quantity changed from “200” to “250”" in words_of(plain.alex.modal["blocks"])


async def test_nobody_opens_another_person_s_request(plain: World) -> None:
    """A click that names somebody else's record, or one that is none, is met with the same sentence."""
    await file_request(plain)
    view = await home(plain)
    dana = plain.sandbox.person("U0DANA")
    await home(plain, dana)
    (button,) = [b["accessory"] for b in view["blocks"] if "hf-request" in str(b.get("accessory"))]
    for value in (button["value"], "PA-2026-999999", "", "%"):
        plain.sandbox.workspace.homes[dana.id].body["blocks"] = [
            {
                "type": "section",
                "block_id": "b",
                "text": view["blocks"][1]["text"],
                "accessory": {**button, "value": value},
            }
        ]
        await dana.click("Open", dana.home)
        await plain.settled()
        assert "not there for you" in words_of((dana.modal or {})["blocks"]), value


async def test_a_draft_is_listed_with_what_is_told_so_far(plain: World) -> None:
    """A row of what is in progress says what it is about and how far it is, and its button brings its card back."""
    await open_request(plain)
    view = await home(plain)
    assert f"*{ABOUT}*\nPersonal account dealing · 6 of 13" in words_of(view["blocks"])
    before = plain.screen()[-1]["ts"]
    await plain.click("Continue", view)
    assert plain.screen()[-1]["ts"] > before and "Is this a derivative?" in plain.last()


@pytest.mark.parametrize(
    ("locale", "filed", "opened"),
    [
        ("it-IT", "Registrate", "Risposte"),
        ("es-LA", "Registradas", "Respuestas"),
        ("de-DE", "Eingereicht", "Antworten"),
        ("ja-JP", "Filed", "Answers"),
    ],
)
async def test_the_page_speaks_the_person_s_language(plain: World, locale: str, filed: str, opened: str) -> None:
    """What stands around the rows is in the language that the person has set in Slack, a row in its form's."""
    speaks(plain, plain.alex, locale)
    await file_request(plain)
    view = await home(plain)
    headers = [b["text"]["text"] for b in view["blocks"] if b["type"] == "header"]
    assert filed in headers and "Approved automatically" in words_of(view["blocks"])
    await plain.click("Open", view)
    assert plain.alex.modal is not None
    assert opened in words_of(plain.alex.modal["blocks"]) and "*Leveraged product*" in words_of(
        plain.alex.modal["blocks"]
    )


async def test_hundreds_of_requests_are_a_page_at_a_time(plain: World) -> None:
    """Home says how many more there are, and its buttons turn the pages there and back; each row opens its own request."""
    await put_records(plain, 95)
    view = await home(plain)
    assert "… and 55 more." in words_of(view["blocks"]) and "PA-2026-000095" in str(view)
    await plain.click("Older", view)
    await plain.sandbox.until(lambda: "PA-2026-000055" in str(plain.alex.home))
    assert "… and 15 more." in words_of(plain.alex.home) and "PA-2026-000056" not in str(plain.alex.home)
    await plain.click("Older", plain.alex.home)
    await plain.sandbox.until(lambda: "PA-2026-000001" in str(plain.alex.home))
    assert "Older" not in words_of(plain.alex.home) and "more." not in words_of(plain.alex.home)
    await plain.click("hf-request.PA-2026-000007", plain.alex.home)
    assert plain.alex.modal is not None and plain.alex.modal["title"]["text"] == "PA-2026-000007"
    await plain.click("Newer", plain.alex.home)
    await plain.sandbox.until(lambda: "PA-2026-000055" in str(plain.alex.home))


async def test_an_open_draft_is_found_behind_many_closed_ones(plain: World) -> None:
    """What is in progress is listed however much was filed since."""
    await open_request(plain)
    await put_records(plain, 30)
    assert "6 of 13" in words_of((await home(plain))["blocks"])


async def test_a_record_of_a_form_that_is_gone_is_listed_still(plain: World) -> None:
    """A request whose form is loaded no more stands there with its number, and cannot be opened."""
    await put_records(plain, 1, form="gone")
    view = await home(plain)
    assert "*PA-2026-000001*" in words_of(view["blocks"]) and "hf-request" not in str(view)


async def test_a_record_of_an_earlier_version_opens(plain: World) -> None:
    """A record that was filed before receipts said what was decided is shown with what it has."""
    await put_records(plain, 1)
    await plain.click("Open", await home(plain))
    assert plain.alex.modal is not None and "*Quantity*  _written_\n1 shares" in words_of(plain.alex.modal["blocks"])


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
scheme = "iban"
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
    folder = tmp_path / "forms" / "damage"
    folder.mkdir(parents=True)
    (folder / "form.toml").write_text(FILES.replace('"iban"\nlabel', '["iban"]\nlabel'))
    async with world(tmp_path / "var", holdfast_workflows=str(tmp_path / "forms")) as w:
        yield w


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


async def test_an_opened_request_names_its_files_and_shows_its_owner_everything(damage: World) -> None:
    """Files stand by name; what is sensitive is shown to whom it belongs, and nowhere in the list."""
    await damage.say("damage")
    await damage.say("Die Windschutzscheibe")
    await damage.click("✓ Die Windschutzscheibe")
    await damage.say("DE89370400440532013000")
    await damage.alex.upload("scheibe.png", PNG, "image/png")
    await damage.settled()
    await damage.click("Einreichen")
    (record,) = await damage.records()
    assert record.form == "damage"
    view = await home(damage)
    assert "*Die Windschutzscheibe*" in words_of(view["blocks"]) and "0532" not in str(view)
    await damage.click("Öffnen", view)
    assert damage.alex.modal is not None
    shown = words_of(damage.alex.modal["blocks"])
    assert "• scheibe.png" in shown and "DE89" in shown and "Files" in shown


async def test_every_form_lists_its_requests_in_words(damage: World) -> None:
    """Whoever asks for their requests reads the same line as in App Home, also where the form says nothing of such a list."""
    await damage.say("damage")
    await damage.say("meine Anträge")
    assert "Sie haben hier noch nichts eingereicht." in damage.last()
    await damage.say("Die Windschutzscheibe")
    await damage.click("✓ Die Windschutzscheibe")
    await damage.say("DE89370400440532013000")
    await damage.alex.upload("scheibe.png", PNG, "image/png")
    await damage.settled()
    await damage.click("Einreichen")
    await damage.say("meine Anträge")
    (record,) = await damage.records()
    assert f"{record.number}: Die Windschutzscheibe, " in damage.last() and "Eingegangen." in damage.last()
