"""What is kept of files: once, until their day, and no more than can be seen is ever confirmed."""

import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from slack_sdk.web.async_client import AsyncWebClient

from bot.effects.documents import Documents, Extractor
from bot.slack.downloads import Fetcher
from state.draft.documents import Sent
from state.engine.codec import encode
from state.engine.effects import Fetch
from state.stores.rows import OutboxRow
from tests.documents.conftest import write_form
from tests.documents.files import pdf
from tests.documents.test_document_answers import kept, send
from tests.documents.test_document_readings import waiting
from tests.world import TEAM, World, world

MANY = """\
name = "papers"
title = "Papers"
version = "1"
prefix = "PAP"
words = ["papers"]

[fields.list]
kind = "document"
label = "List"
ask = "Please send the list."
""" + "".join(
    f'\n[fields.n{n}]\nkind = "integer"\nlabel = "Number {n:02d}"\nask = "Number {n}?"\ntool = "numbers"\nfrom_documents = ["list"]\n'
    for n in range(14)
)


class Silent:
    """Nobody is shown that files are fetched."""

    async def show(self, conversation: str, message: str, text: str) -> None: ...


async def test_a_repeated_download_stores_nothing_twice(papers: World) -> None:
    """The same row performed again, as after a crash, gives the same event and one stored file."""
    await send(papers, "march.pdf", pdf())
    draft, client = await papers.draft(), papers.bot.app.client
    there = next(iter(papers.sandbox.workspace.files))

    async def client_for(_team: str) -> AsyncWebClient:
        return client

    documents = Documents(papers.bot.store, Fetcher(client_for), Extractor(), Silent())
    file = Sent(there, "again.pdf", url=f"{papers.sandbox.url}/files/{there}/march.pdf")
    body = {"draft": draft.id, "effect": encode(Fetch((file,), draft.turn, 30))}
    row = OutboxRow("k/1", "documents:x", "fetch", f"{TEAM}:{papers.alex.id}", body)
    first, again = await documents.fetch(row), await documents.fetch(row)
    assert first is not None and again is not None and first.key == again.key
    assert first.body["event"]["documents"] == again.body["event"]["documents"]
    assert [k.name for k in await kept(papers)] == ["march.pdf", "again.pdf"]


async def test_a_running_bot_destroys_what_is_over(tmp_path: Path) -> None:
    """When a bot starts, files whose day has come are gone from the database itself, and the others stay."""
    forms = str(write_form(tmp_path))
    async with world(tmp_path, kept=True, holdfast_workflows=forms) as w:
        await w.say("I need to send papers")
        await send(w, "march.pdf", pdf())
        (stored,) = await kept(w)
        over = await w.bot.store.now() - timedelta(seconds=1)
        await w.bot.store.keep(replace(stored, id="old", content=b"x", keep_until=over))
        assert rows(tmp_path) == 2
    async with world(tmp_path, kept=True, holdfast_workflows=forms) as w:
        await w.sandbox.until(lambda: rows(tmp_path) == 1)
        assert [k.name for k in await kept(w)] == ["march.pdf"]


def rows(var: Path) -> int:
    """Files in the database, whatever their day."""
    with sqlite3.connect(var / "holdfast.db") as database:
        return int(database.execute("SELECT count(*) FROM documents").fetchone()[0])


async def test_a_click_confirms_no_more_than_its_card_shows(tmp_path: Path) -> None:
    """Of many values a card shows the first ones; "all of it" takes those, and the next card shows the next."""
    async with world(tmp_path, holdfast_workflows=str(write_form(tmp_path, MANY))) as w:
        await w.say("papers")
        await send(w, "list.pdf", pdf(*(f"Number {n:02d}: {n + 100}" for n in range(14))))
        assert len(await waiting(w)) == 14 and "Number 09" in w.last() and "Number 10" not in w.last()
        await w.click("All correct")
        assert await w.values() == await w.values() | {f"n{n}": n + 100 for n in range(10)}
        assert set(await waiting(w)) == {"n10", "n11", "n12", "n13"} and "Number 10" in w.last()
        await w.click("Not right")
        assert await waiting(w) == {} and (await w.draft()).asked == "n10"
