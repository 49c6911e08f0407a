"""`holdfast show`: one record as it is, or as it was, with everything that proves it."""

import typer

from bot.commands.trouble import Sentence
from bot.evidence.checkpointer import HEADS, sign
from bot.installation import load_workflows
from bot.proof.dossier import Json
from bot.proof.gather import gather
from bot.proof.moment import read_moment
from bot.proof.reading import Reading, note, on_this_machine, text_hash
from bot.proof.sections import Section, sections
from bot.settings import Settings
from bot.storage import make_store
from state.stores.evidence.heads import HeadsFile

BAR = "│ "


async def show(settings: Settings, number: str, as_of: str) -> int:
    """Print a record as it stood at a time, once it is written down that it was read."""
    workflows, store = load_workflows(settings), make_store(settings)
    await store.start()
    try:
        moment = read_moment(as_of, await store.now()) if as_of else None
        dossier = await gather(store, workflows, number, moment)
        text = printed(dossier)
        asked = {"record": number, "as_of": dossier["as_of"]}
        await note(store, Reading(on_this_machine(), "show", 1, text_hash(text), asked))
        await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
    except ValueError as problem:
        raise Sentence(str(problem)) from None
    finally:
        await store.stop()
    typer.echo(text, nl=False)
    return 0


def printed(dossier: Json) -> str:
    """The dossier for a terminal."""
    return "\n".join("\n".join(_section(one)) + "\n" for one in sections(dossier))


def _section(section: Section) -> list[str]:
    mark = BAR if section.quoted else "  "
    return [section.heading, *(f"{mark}{line}" for line in section.lines if line)]
