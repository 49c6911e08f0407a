"""Requesters and officers in Slack: a request that people decide on, the card in their channel, their queue in App Home."""

from typing import Any

from bot.sandbox.people import Person
from tests.whole.steps import to_review
from tests.world import World, shown, words_of

CHANNEL = "C0COMPLIANCE"
NUMBER = "PA-2026-000001"
LARGE = "GBP 50,000"
"""Worth more than what is approved by rule."""
BETTER = "A long-term holding for my retirement, on the advice of my pension's manager"


async def file_large(w: World, person: str = "U0ALEX") -> None:
    """A request that people have to decide on."""
    w.alex = w.sandbox.person(person)
    await to_review(w)
    await w.edit("value", LARGE)
    await w.click("Submit")


def officer(w: World, person: str) -> Person:
    return w.sandbox.person(person)


async def press(w: World, person: str, verdict: str, **written: str) -> None:
    """A verdict's button on the newest decision card, with its words where it asks for some."""
    who = officer(w, person)
    await who.click(verdict, channel=CHANNEL)
    if written:
        assert who.modal and who.modal["title"]["text"] == verdict.rstrip("…"), "its box is called like the button"
        await who.submit(values=written)
    await w.settled()


async def ask(w: World, person: str, *fields: str, note: str = "Who advised you?") -> None:
    """Press Ask for more, pick these fields and write what is wanted."""
    who = officer(w, person)
    await who.click("Ask for more…", channel=CHANNEL)
    await who.submit(values={"fields": list(fields), "note": note})
    await w.settled()


def cards(w: World) -> list[str]:
    """What stands in the officers' channel, oldest first."""
    return [shown(m) for m in officer(w, "U0ROBIN").messages(CHANNEL)]


def notes(w: World, person: str) -> list[str]:
    """What only this officer reads there."""
    return [shown(m) for m in officer(w, person).ephemerals(CHANNEL)]


async def state(w: World) -> str:
    """The newest record's."""
    return (await w.records())[0].state


async def home(w: World, person: Person | None = None) -> dict[str, Any]:
    """The home tab as it is published when the person opens it."""
    who = person or w.alex
    before = w.sandbox.workspace.homes.pop(who.id, None)
    await who.open_home()
    await w.sandbox.until(lambda: who.home)
    assert who.home is not None and who.home is not before
    return who.home


async def desk(w: World, person: str) -> str:
    """What an officer's Home says when they open it."""
    return words_of((await home(w, w.sandbox.person(person)))["blocks"])


async def opened(w: World, person: str, number: str = NUMBER) -> Person:
    """An officer with a request of their queue before them."""
    who = w.sandbox.person(person)
    await home(w, who)
    await who.click(f"hf-listed.{number}", who.home)
    return who


async def pressed(w: World, who: Person, *buttons: str, **written: Any) -> str:
    """What the modal says after some buttons, and a box filled in."""
    for button in buttons:
        await who.click(button, who.modal)
    if written:
        await who.submit(values=written)
    await w.settled()
    return words_of(who.modal["blocks"]) if who.modal else ""
