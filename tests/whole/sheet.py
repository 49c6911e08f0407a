"""What a person sees of a draft's sheet: which messages of it can be clicked, and what an act cost of Slack's calls."""

from collections.abc import Iterator
from dataclasses import dataclass

from blocks import ids
from bot.sandbox.people import Person
from bot.sandbox.workspace import Json, Profile
from state.draft.draft import Draft
from tests.stored.finishing import clickable
from tests.world import World

POST, UPDATE, WAY = "chat.postMessage", "chat.update", "response_url"
AFTER_THE_END = (
    "begin", "show", "help", "person", "missing", "command", "hand_back", "withdraw", "report", "unused", "extend",
)  # fmt: skip
"""Acts that a closed draft's notices may offer: none of them touches what was filed, at most its record."""


def joined(world: World, name: str) -> World:
    """The same world with one more person at the keyboard, who has a direct message of their own."""
    world.sandbox.workspace.add_person(Profile(f"U0{name}", name.lower(), name), f"D0{name}")
    return World(world.sandbox, world.bot, world.model, world.sandbox.person(f"U0{name}"))


def presses(message: Json, draft: str) -> list[ids.Press]:
    """What the elements of a message mean for a draft."""
    made = (ids.read_press(e.get("value")) or ids.read_press(e.get("block_id")) for e in clickable(message))
    return [press for press in made if press is not None and press.draft == draft]


def alive(world: World, draft: Draft) -> list[Json]:
    """The messages on which something of this draft can be clicked."""
    return [m for m in world.screen() if any(p.act not in AFTER_THE_END for p in presses(m, draft.id))]


def shown_card(draft: Draft) -> str:
    """The one card that may be clicked: what waits for a click, else the open one."""
    if draft.proposal is not None and (draft.card is None or draft.card.hidden):
        return draft.proposal.card
    return draft.card.id if draft.card is not None else ""


async def faults(world: World) -> list[str]:
    """What is wrong with the screen of the present draft, once everything is out."""
    draft = await world.draft()
    stands = await world.bot.store.posted(shown_card(draft))
    missing = stands is None or stands.ts not in {m["ts"] for m in world.screen()}
    lost = ["the open card is nowhere"] if draft.open and not draft.handed and missing else []
    return [*lost, *_faults(world, draft)]


def _faults(world: World, draft: Draft) -> Iterator[str]:
    living = alive(world, draft)
    if not draft.open or draft.handed:
        yield from (f"a button is alive after the end: {presses(m, draft.id)}" for m in living)
    elif len(living) > 1:
        yield f"{len(living)} messages can be clicked: {[presses(m, draft.id)[:2] for m in living]}"
    for message in living:
        cards = {p.card for p in presses(message, draft.id)}
        if draft.open and not draft.handed and cards != {shown_card(draft)}:
            yield f"the living message carries {cards}, the draft has {shown_card(draft)!r}"


@dataclass(frozen=True)
class Cost:
    """Calls to Slack that changed a person's conversation: posts, updates, and those of them that Slack counts."""

    posts: int
    updates: int
    counted: int


def cost(world: World, who: Person, since: int) -> Cost:
    """What was posted to and updated in a direct message after so many calls; a `response_url` is an update that no tier counts."""
    sent = [s for s in world.sandbox.sent[since:] if s.ok]
    posts = [s for s in sent if s.method == POST and s.args.get("channel") == who.dm]
    updates = [s for s in sent if s.method == WAY or (s.method == UPDATE and s.args.get("channel") == who.dm)]
    return Cost(len(posts), len(updates), sum(s.method == UPDATE for s in updates))
