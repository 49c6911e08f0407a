"""Files that a submission makes: put into the conversation once, named after the record."""

import shutil
from pathlib import Path

from tests.whole.test_contributing import example
from tests.world import World, world

RULES = """
from state.draft.operations import Produced
from state.rules import Filing, Rules


def file(draft, facts):
    days = draft.values["days"].data
    return Filing("received", files=(Produced("{number}.md", "Leave {number}", f"{days} days, {{number}}"),))


rules = Rules(file=file)
"""


async def file_holiday(w: World) -> None:
    """The example's form, filled in and submitted."""
    for words in ("I need a holiday", "3 March 2027", "5"):
        await w.say(words)
    await w.click("Yes")
    await w.click("Submit")


async def test_a_submission_gives_the_person_its_file(tmp_path: Path) -> None:
    """The file stands in the conversation under the record's number; its text is as the rules wrote it."""
    mine = example(tmp_path)
    (mine / "holiday" / "rules.py").write_text(RULES, "utf-8")
    shutil.rmtree(mine / "holiday" / "scenarios")
    async with world(tmp_path / "var", holdfast_workflows=str(mine)) as w:
        await file_holiday(w)
        (record,) = await w.records()
        shared = [f for m in w.screen() for f in m.get("files", ())]
        assert [(f["name"], f["title"]) for f in shared] == [(f"{record.number}.md", f"Leave {record.number}")]
        stored = w.sandbox.slack.workspace.files[shared[0]["id"]]
        assert stored.content == b"5 days, {number}"
