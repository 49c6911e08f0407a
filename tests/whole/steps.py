"""Acts that many tests share: a request filed by talking and clicking."""

from dataclasses import replace
from pathlib import Path

from bot.sandbox.people import Person
from tests.forms.form_cases import write
from tests.stored.finishing import TAKES, clickable
from tests.world import World

OPENING = "I'd like to buy 200 Tesco for my pension, about £720"
REASON = "A long-term holding because I expect steady dividends for my retirement"
DECLARATIONS = ("is_derivative", "is_leveraged", "has_inside_info", "is_related_party", "has_client_conflict")
FILED = {
    "security": "GB00BLGZ9862", "direction": "buy", "quantity": 200, "value": "720.00", "currency": "GBP",
    "account": "pension", "holding_period_ack": True, **dict.fromkeys(DECLARATIONS, False), "justification": REASON,
}  # fmt: skip


def own_form(tmp_path: Path, name: str, text: str) -> str:
    """Write a form into a folder of workflows, and give that folder as the setting names it."""
    write(tmp_path / "forms" / name, text)
    return str(tmp_path / "forms")


async def play(world: World, *acts: str) -> None:
    """Do one act after the other: click what is in brackets, say the rest."""
    for act in acts:
        await (world.click(act[1:-1]) if act.startswith("[") and act.endswith("]") else world.say(act))


async def open_request(world: World) -> None:
    """Say what to trade, use what was read of it and pick the security."""
    await world.say(OPENING)
    if any(element["action_id"].startswith("hf.begin") for element in clickable(world.screen()[-1])):
        await world.click("Start: Personal account dealing")  # another one, beside what was approved
    await world.click("Use all of it")
    await world.click("Use this")


async def tell(world: World, words: str) -> None:
    """Say several things at once, and use all that was read of them."""
    await world.say(words)
    await world.click("Use all of it")


async def answer(world: World, words: str, person: Person | None = None) -> None:
    """Say the answer to the open question, and click it where it is put back."""
    await world.say(words, person)
    buttons = (element["action_id"] for element in clickable(world.screen(person)[-1]))
    if found := next((action for action in buttons if action.startswith(TAKES)), ""):
        await (person or world.alex).click(found)
        await world.settled()


async def declare(world: World, upto: str = "") -> None:
    """Answer the declarations by clicks, up to (and without) one of them."""
    for name in DECLARATIONS:
        if name == upto:
            return
        assert (await world.draft()).asked == name
        await world.click("No")


async def to_review(world: World) -> None:
    """Everything up to the review card."""
    await open_request(world)
    await declare(world)
    await world.click("I understand")
    await world.say(REASON)


async def file_request(world: World) -> None:
    """A whole request."""
    await to_review(world)
    await world.click("Submit")


def speaks(w: World, person: Person, locale: str) -> None:
    """Set the person's language in Slack."""
    people = w.sandbox.workspace.people
    people[person.id] = replace(people[person.id], locale=locale)
