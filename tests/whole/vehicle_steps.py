"""A vehicle case by talking, clicking and sending: everything up to the review card."""

from collections.abc import Sequence

from bot.sandbox.scenarios.staging import paper
from bot.sandbox.talk import Upload
from tests.whole.steps import answer
from tests.world import World

ONLY = {"only": "vehicle_case"}
SEND = "Enviar el expediente"
CLOSING = "Hemos recibido su expediente."
ANSWERS = (
    "los dos", "E9 1234", ("anverso.jpg", "reverso.jpg"), "eso es todo", ("permiso.pdf",),
    ("frente.jpg", "detras.jpg", "izquierda.jpg", "derecha.jpg"), "eso es todo", "Lucía", "Marín Peña", "12345678Z",
    "lucia.marin@example.org", "Calle del Olmo 4", "28013", "Madrid", "Madrid", "ITV Norte", "Aurora", "Corza 400", "2019",
    "1234 BCD", "no",
)  # fmt: skip
"""After the photos: what is typed, and the names of the files that are sent."""


async def send(world: World, names: Sequence[str]) -> None:
    """Send files in one message, and wait."""
    await world.alex.share([Upload(name, paper(name, "")) for name in names])
    await world.settled()


async def to_photos(world: World) -> None:
    """The quote is accepted; photos are asked for."""
    await world.say("Quiero homologar los espejos de mi moto")
    await world.click("Usar todo")
    await world.click("Abrir el expediente")


async def to_review(world: World) -> None:
    """Everything up to the review card."""
    await to_photos(world)
    await from_photos(world)


async def from_photos(world: World) -> None:
    """Everything from there up to the review card."""
    await send(world, ("espejos.jpg",))
    await world.say("eso es todo")
    for given in ANSWERS:
        await (answer(world, given) if isinstance(given, str) else send(world, given))
    await world.click("El de Brezo Azul")
    draft = await world.draft()
    assert draft.card is not None and draft.card.kind == "review", draft.asked
