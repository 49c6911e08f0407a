"""Forms that are edited while the sandbox runs: real folders on disk, the page's own HTTP, and conversations meanwhile."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp

from bot.root.installation import HERE
from bot.sandbox.preview import Forms
from state.draft.draft import Draft
from tests.command import holdfast
from tests.forms.own import example
from tests.sandbox.slack_verdicts import message
from tests.shipped import shipped
from tests.whole.steps import play
from tests.whole.test_form_away import AWAY
from tests.world import World, words_of, world

RULES = """
from state.rules import Filing, Rules
rules = Rules(version="1", file=lambda draft, facts: Filing("received", told=("WORDS",)))
"""


@dataclass
class Desk:
    """Somebody who edits the form `holiday` beside the page."""

    w: World
    folder: Path
    http: aiohttp.ClientSession

    @property
    def form(self) -> Path:
        return self.folder / "form.toml"

    async def get(self, path: str, **query: str) -> Any:
        async with self.http.get(f"{self.w.sandbox.url}/ui/{path}", params=query) as answer:
            return await answer.json()

    async def shown(self) -> Any:
        """Return the forms as the page shows them."""
        return (await self.get("state"))["forms"]

    def edit(self, was: str, now: str) -> None:
        """Save as an editor does: another file, which takes the place of the first."""
        text = self.form.read_text("utf-8")
        assert was in text
        beside = self.form.with_name(".form.toml.swp")
        beside.write_text(text.replace(was, now), "utf-8")
        beside.replace(self.form)

    async def until(self, version: int) -> Any:
        """Wait for so many changes of forms."""

        async def reached() -> Any:
            shown = await self.shown()
            return shown if shown["version"] >= version else None

        return await self.w.sandbox.until(reached)

    async def has(self, form: str, there: bool) -> None:
        """Wait until the sandbox shows a form, or shows it no more."""

        async def reached() -> bool:
            return (form in [one["name"] for one in (await self.shown())["forms"]]) is there

        await self.w.sandbox.until(reached)


@asynccontextmanager
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    mine = example(tmp_path)
    async with (
        world(tmp_path / "var", options={"watches": True}, holdfast_workflows=str(mine)) as w,
        aiohttp.ClientSession() as http,
    ):
        yield Desk(w, mine / "holiday", http)


async def test_an_open_draft_keeps_its_version(tmp_path: Path) -> None:
    """A draft is asked, reviewed and filed by the form with which it began; the next one, its rules and its new command are the edited form's."""
    async with desk(tmp_path) as d:
        await play(d.w, "I need a holiday from 3 March 2027", "[✓ 3 Mar 2027]")
        d.edit('ask = "How many days?"', 'ask = "How many days off?"')
        await d.until(1)
        cover = '[fields.cover]\nkind = "text"\nlabel = "Cover"\nask = "Who covers for you?"\n\n[fields.handed_over]'
        d.edit("[fields.handed_over]", cover)
        d.edit('command = "/holiday"', 'command = "/leave"')
        (d.folder / "rules.py").write_text(RULES.replace("WORDS", "Enjoy it."), "utf-8")
        await d.until(2)
        await play(d.w, "5", "[Yes]", "[Submit]")
        (record,) = await d.w.records()
        assert set(record.body["values"]) == {"first_day", "days", "handed_over"} and "Enjoy it." not in d.w.last()
        commands = (await d.get("state"))["commands"]
        assert "/leave" in commands and "/holiday" not in commands
        (d.folder / "rules.py").write_text(RULES.replace("WORDS", "Relax now"), "utf-8")  # as long, in the same second
        await d.until(3)
        await d.w.alex.command("/leave", "from 4 March 2027")
        await d.w.settled()
        await play(d.w, "[✓ 4 Mar 2027]")
        assert "How many days off?" in d.w.last()
        await play(d.w, "3")
        assert "Who covers for you?" in d.w.last()
        await play(d.w, "Ana Example", "[✓ Ana Example]", "[Yes]", "[Submit]")
        assert "Relax now" in d.w.last()


async def test_what_is_wrong_is_shown_until_it_is_mended(tmp_path: Path) -> None:
    """The page has the file, the line and the sentence of `holdfast check`; the last good version goes on, and other forms are still taken."""
    async with desk(tmp_path) as d:
        whole = d.form.read_text("utf-8")
        d.edit("minimum = 1\n", "minimun = 1\n")
        (problem,) = (await d.until(1))["problems"]
        line = whole.splitlines().index("minimum = 1") + 1
        assert (Path(problem["file"]), problem["line"]) == (d.form, line) and "minimum" in problem["text"]
        assert (
            f"{problem['file']}:{line}: {problem['text']}"
            in holdfast("check", var=tmp_path, HOLDFAST_WORKFLOWS=str(d.folder.parent)).stderr
        )
        await play(d.w, "I need a holiday from 3 March 2027", "[✓ 3 Mar 2027]")
        assert "How many days?" in d.w.last()
        second = d.folder.with_name("desk_move")
        shutil.copytree(d.folder, second)
        (second / "scenarios" / "plain.toml").unlink()
        other = whole.replace('"holiday"', '"desk_move"').replace("Holiday request", "Desk move").replace("HOL", "DSK")
        (second / "form.toml").write_text(other, "utf-8")
        (clash,) = [one for one in (await d.until(2))["problems"] if "desk_move" in one["file"]]
        assert "/holiday" in clash["text"], "whoever came first keeps the command"
        (second / "form.toml").write_text(other.replace("/holiday", "/desk"), "utf-8")
        shown = await d.until(3)
        assert [one["file"] for one in shown["problems"]] == [str(d.form)]
        assert "Desk move" in [one["title"] for one in shown["forms"]]
        d.form.write_text(whole[:200], "utf-8")  # half of it, and the rest later
        assert (await d.until(4))["problems"]
        d.form.write_text(whole, "utf-8")
        assert (await d.until(5))["problems"] == []
        await play(d.w, "5")
        assert "Is your work handed over?" in d.w.last()


async def test_a_folder_goes_and_comes_back(tmp_path: Path) -> None:
    """The draft of a form whose folder is gone says so and waits; once it is back, it is finished by the form with which it began."""
    async with desk(tmp_path) as d:
        await play(d.w, "I need a holiday from 3 March 2027", "[✓ 3 Mar 2027]")
        aside = tmp_path / "aside"
        d.folder.rename(aside)
        await d.has("holiday", False)
        await d.w.say("5")
        assert AWAY in d.w.last()
        aside.rename(d.folder)
        d.edit("How many days?", "How many days off?")
        await d.has("holiday", True)
        await play(d.w, "5", "[Yes]", "[Submit]")
        assert len(await d.w.records()) == 1


async def test_a_form_is_looked_at_without_filling_it_in(tmp_path: Path) -> None:
    """Every question is there in order, in each language, with its condition in words, then review and receipt; the database hears nothing."""
    async with world(tmp_path) as w, aiohttp.ClientSession() as http:
        d = Desk(w, tmp_path, http)
        (gifts,) = [one for one in (await d.shown())["forms"] if one["name"] == "gifts"]
        for language in gifts["languages"]:
            form = w.bot.workflows["gifts"].spoken_in(language)
            cards = (await d.get("preview", form="gifts", language=language))["cards"]
            asked = [one["name"] for card in cards[:-2] for one in card["about"]]
            assert asked == list(form.fields) and cards[-1]["about"][0]["label"] == "Receipt"
            for card, name in zip(cards, asked, strict=False):
                assert form.fields[name].ask.split("{")[0] in words_of(card["blocks"])
        conditions = {one["name"]: one["when"] for card in cards for one in card["about"] if one.get("when")}
        assert conditions == {"attended": "asked if “Omaggio od ospitalità” is Ospitalità"}
        assert (await d.get("preview", form="nothing", language=""))["cards"] == []
        assert await w.bot.store.held() == {} and not [t for t in asyncio.all_tasks() if t.get_name() == "edits"]


def test_a_conversation_without_an_end_takes_the_edited_form() -> None:
    """Where a form is filled in, its drafts keep their version; operations are those of the newest."""
    until = datetime(2027, 3, 1, tzinfo=UTC)
    for name in ("gifts", "expenses"):
        was = shipped(name)
        now = replace(was, earlier=((until, was),))
        before, after = (Draft("1", name, "", "", "", began=f"2027-0{month}-01T09:00:00+00:00") for month in (2, 4))
        assert now.of(before) is (now if name == "expenses" else was) and now.of(after) is now


def test_every_card_of_every_form_can_be_looked_at() -> None:
    """Each form of the house is shown whole in each of its languages, and within Slack's limits."""
    forms = Forms({file.parent.name: shipped(file.parent.name) for file in HERE.glob("*/form.toml")})
    for form in forms.listed()["forms"]:
        for language in form["languages"]:
            for card in forms.preview(form["name"], language):
                assert "cannot be shown" not in words_of(card["blocks"]), card["about"]
                assert message(*card["blocks"]) == ("", []), card["about"]
