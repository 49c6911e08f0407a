"""Forms that a newcomer writes: a form by the documentation alone, and the files that a submission makes."""

from pathlib import Path

import pytest

from tests.command import holdfast
from tests.forms.form_cases import write
from tests.whole.steps import play
from tests.world import world

FORM = """
title = "Working abroad"
version = "1"
prefix = "ABR"
command = "/abroad"
purpose = "Ask to work from another country"
usage = "[country and days]"
words = ["work abroad", "working abroad", "work from another country", "workation"]
introduction = "Tell me where you want to work from, and for how long."
statement = "By submitting, you confirm that your manager knows of it."

[fields.country]
kind = "choice"
label = "Country"
ask = "From which country do you want to work?"
choices = ["France", "Spain", "Iran", "Another one"]

[fields.other_country]
kind = "text"
label = "Other country"
ask = "Which country is it?"
when = { country = "Another one" }
short = true

[fields.first_day]
kind = "date"
label = "First day"
ask = "From which day?"

[fields.days]
kind = "integer"
label = "Days"
ask = "How many days?"
unit = "days"
minimum = 1
maximum = 90

[fields.cost]
kind = "money"
label = "Cost"
ask = "What will it cost the firm?"
help = "Travel and lodging, roughly. Nothing is 0."
currency = "EUR"

[fields.client_data]
kind = "yes_no"
label = "Client data"
ask = "Will you work with client data?"
lock = "answered"

[filing.states.agreed]
label = "Agreed"
next = "Have a good time. Tell your team when you are away."
decided = true

[[filing.rules]]
state = "escalated"
any_of = [{ country = ["Iran", "Another one"] }, "client_data"]
reason = "The country or client data have to be looked at."

[[filing.rules]]
state = "pending_manager"
any_of = [{ above = { days = 20 } }, { above = { cost = 500 } }]
reason = "More than 20 days, or more than 500 euros: your manager decides."
tell = "managers"

[[filing.rules]]
state = "agreed"
otherwise = true
tell = false
"""
SHORT = """
title = "A short stay is agreed at once"
today = 2026-11-20
at = 09:00:00

[[steps]]
say = "I want to work abroad"
expect = { asked = "country" }

[[steps]]
click = "Spain"
expect = { values = { country = "Spain" }, asked = "first_day" }

[[steps]]
say = "3 March 2027"
expect = { values = { first_day = "2027-03-03" }, asked = "days" }

[[steps]]
say = "10"
expect = { values = { days = 10 }, asked = "cost" }

[[steps]]
say = "300 euros"
expect = { values = { cost = "300.00" }, asked = "client_data" }

[[steps]]
click = "No"
expect = { locked = ["client_data"], review = true }

[[steps]]
click = "Submit"
expect = { status = "submitted", records = 1, record = { state = "agreed" }, says = ["Agreed", "Have a good time"] }
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of workflows from outside the repository, with the form and its scenario."""
    write(tmp_path / "mine" / "abroad", FORM, scenarios__short_toml=SHORT)
    return tmp_path / "mine"


def test_the_form_is_good_and_its_scenario_passes(tmp_path: Path, mine: Path) -> None:
    """`check` says that it is good and what Slack still has to learn; `test` plays its conversation."""
    checked = holdfast("check", "abroad", var=tmp_path, HOLDFAST_WORKFLOWS=str(mine), HOLDFAST_CHANNEL_MANAGERS="C1")
    result, command = checked.stdout.splitlines()
    assert checked.returncode == 0 and result == "Good, with 1 warning: 1 form, 1 scenario."
    assert command.startswith("manifest.yml lacks /abroad: run `holdfast manifest`")
    played = holdfast("test", "abroad", var=tmp_path, HOLDFAST_WORKFLOWS=str(mine))
    assert played.returncode == 0 and "1 passed, 0 failed" in played.stdout, played.stdout


@pytest.mark.parametrize(("days", "place"), [("30", "C0GENERAL"), ("5", "")])
async def test_who_is_told_is_what_the_rule_says(tmp_path: Path, mine: Path, days: str, place: str) -> None:
    """A rule's channel gets the record with its reason, and no other does; a rule that tells nobody is announced nowhere."""
    async with world(tmp_path / "var", holdfast_workflows=str(mine), channels={"managers": "C0GENERAL"}) as w:
        for line in ("work abroad", "Spain", "3 March 2027", days, "EUR 100"):
            await w.say(line)
        await play(w, "[No]", "[Submit]")
        (record,) = await w.records()
        told = [
            c
            for c in ("C0GENERAL", "C0COMPLIANCE")
            for m in w.alex.messages(c)
            if record.number in str(m.get("blocks"))
        ]
        assert told == ([place] if place else [])
        assert record.state == ("pending_manager" if place else "agreed")
        assert ("your manager decides" in w.last()) is bool(place)


RULES = """
from state.draft.operations import Produced
from state.rules import Filing, Rules


def file(draft, facts):
    days = draft.values["days"].data
    return Filing("received", files=(Produced("{number}.md", "Leave {number}", f"{days} days, {{number}}"),))


rules = Rules(file=file)
"""


async def test_a_submission_gives_the_person_its_file(tmp_path: Path) -> None:
    """The file stands in the conversation under the record's number; its text is as the rules wrote it."""
    form, _, _ = FORM.partition("[filing.states")
    write(tmp_path / "mine" / "abroad", form, rules_py=RULES)
    async with world(tmp_path / "var", holdfast_workflows=str(tmp_path / "mine")) as w:
        for line in ("work abroad", "Spain", "3 March 2027", "5", "EUR 100"):
            await w.say(line)
        await play(w, "[No]", "[Submit]")
        (record,) = await w.records()
        shared = [f for m in w.screen() for f in m.get("files", ())]
        assert [(f["name"], f["title"]) for f in shared] == [(f"{record.number}.md", f"Leave {record.number}")]
        stored = w.sandbox.slack.workspace.files[shared[0]["id"]]
        assert stored.content == b"5 days, {number}"
