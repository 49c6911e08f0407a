"""Auditors in Slack: they get the dossier of a record in their direct message, noted first, and decide nothing."""

from pathlib import Path
from typing import Any

from blocks.elements import plain_button
from blocks.ids import DOSSIER
from bot.operations.evidence import readings
from bot.sandbox.people import Person
from tests.whole.officers import CHANNEL, file_large, home, notes, officer, press, state
from tests.world import World, words_of, world

ROLES = '[roles.auditor]\nusers = ["U0SASHA"]\n[roles.manager]\nusers = ["U0ROBIN", "U0SASHA"]\n[roles.compliance]\nusers = ["U0DANA"]\n'


async def ask_for(w: World, who: Person) -> str:
    """Ask for the dossier on the decision card's modal; what the modal says then."""
    await who.click("Sources", channel=CHANNEL)
    await who.click("Dossier (PDF)")
    await w.settled()
    shown = words_of((who.modal or {}).get("blocks"))
    await who.close()
    return shown


async def forged(w: World, who: Person) -> None:
    """Press the dossier's button as somebody who is shown none."""
    view, button = await home(w, who), plain_button("Dossier (PDF)", DOSSIER, (await w.records())[0].number)
    asked = {"type": "actions", "block_id": "forged", "elements": [button]}
    w.sandbox.workspace.homes[who.id].body["blocks"] = [*view["blocks"], asked]
    await who.click("Dossier (PDF)", who.home)
    await w.settled()


def files_of(w: World, who: Person) -> list[dict[str, Any]]:
    """The files in a person's direct message."""
    return [file for message in w.screen(who) for file in message.get("files") or ()]


async def test_an_auditor_reads_and_changes_nothing(tmp_path: Path) -> None:
    """The PDF and the signed ZIP come to them alone, the reading is a link, their verdict is refused though they hold the role as well."""
    (tmp_path / "roles.toml").write_text(ROLES)
    async with world(tmp_path) as w:
        await file_large(w)
        sasha, number = officer(w, "U0SASHA"), (await w.records())[0].number
        assert "send you the dossier in a direct message" in await ask_for(w, sasha)
        assert [file["name"] for file in files_of(w, sasha)] == [f"{number}.pdf", f"{number}.zip"]
        assert not files_of(w, officer(w, "U0ALEX")) and "signed ZIP" in words_of(w.screen(sasha)[-1]["text"])
        opened, noted = await readings(w.bot.store)
        assert (opened.reading.what, opened.reading.filters["part"]) == ("open", "origins")
        assert (noted.reading.by, noted.reading.what, noted.reading.filters["record"]) == (
            "T0HOLDFAST:U0SASHA",
            "dossier",
            number,
        )
        await press(w, "U0SASHA", "Approve")
        assert "not decide them" in notes(w, "U0SASHA")[-1] and await state(w) == "pending_manager"
        await press(w, "U0ROBIN", "Approve")
        assert await state(w) == "pending_compliance"


async def test_who_neither_audits_nor_decides_gets_no_dossier(tmp_path: Path) -> None:
    """Nor does the requester, whatever role they hold, nor anybody while roles cannot be read; deciders of the form do."""
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0ROBIN"]\n')
    async with world(tmp_path) as w:
        await file_large(w, "U0ROBIN")
        for name, words in (("U0DANA", "is only for auditors and reviewers"), ("U0ROBIN", "not for the requester")):
            await forged(w, officer(w, name))
            assert words in words_of(w.screen(officer(w, name))[-1]["text"]) and not files_of(w, officer(w, name))
        (tmp_path / "roles.toml").write_text("[roles\n")
        dana = officer(w, "U0DANA")
        await forged(w, dana)
        assert "couldn't check your roles" in words_of(w.screen(dana)[-1]["text"])
        assert not [one for one in await readings(w.bot.store) if one.reading.rows]
        (tmp_path / "roles.toml").write_text(ROLES)
        await ask_for(w, dana)
        assert len(files_of(w, dana)) == 2
        assert [one.reading.what for one in await readings(w.bot.store) if one.reading.rows] == ["open", "dossier"]
