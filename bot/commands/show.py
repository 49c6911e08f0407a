"""`holdfast show`: one record as it is, or as it was, with everything that proves it."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from bot.commands.trouble import Sentence
from bot.exports.checkpointer import HEADS, sign
from bot.exports.dossier import Json
from bot.exports.records import gather
from bot.exports.sections import Section, sections
from bot.officers.readings import Reading, note, on_this_machine, text_hash
from bot.root.installation import load_workflows
from bot.root.storage import opened_store
from bot.settings import Settings
from state.stores.evidence.heads import HeadsFile

BAR = "│ "


async def show(settings: Settings, number: str, as_of: str) -> int:
    """Print a record as it stood at a time, once it is written down that it was read."""
    workflows = load_workflows(settings)
    async with opened_store(settings) as store:
        try:
            moment = read_moment(as_of, await store.now()) if as_of else None
            dossier = await gather(store, workflows, number, moment)
            text = printed(dossier)
            asked = {"record": number, "as_of": dossier["as_of"]}
            await note(store, Reading(on_this_machine(), "show", 1, text_hash(text), asked))
            await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
        except ValueError as problem:
            raise Sentence(str(problem)) from None
    typer.echo(text, nl=False)
    return 0


def printed(dossier: Json) -> str:
    """Return the dossier for a terminal."""
    return "\n".join("\n".join(_section(one)) + "\n" for one in sections(dossier))


def _section(section: Section) -> list[str]:
    mark = BAR if section.quoted else "  "
    return [section.heading, *(f"{mark}{line}" for line in section.lines if line)]


END_OF_DAY = time(23, 59, 59, 999999)
EXAMPLES = "Write it as 2026-11-22T14:30:00Z, 2026-11-22T14:30+01:00, “2026-11-22 14:30 Europe/Rome”, or 2026-11-22 for the end of that day (UTC)."


def read_moment(text: str, now: datetime) -> datetime:
    """Return a moment in UTC from ISO 8601, with an offset, a zone's name behind it, or neither (UTC). ValueError with a sentence."""
    moment = _read(text.strip())
    if moment > now:
        raise ValueError(
            f"{moment:%Y-%m-%d %H:%M:%S} UTC has not come yet. Leave --as-of out for how things stand now."
        )
    return moment


def _read(text: str) -> datetime:
    written, zone = _parted(text)
    try:
        day = len(written) == len("2026-11-22")
        found = datetime.combine(date.fromisoformat(written), END_OF_DAY) if day else datetime.fromisoformat(written)
    except ValueError:
        raise ValueError(f"{text!r} is no time. {EXAMPLES}") from None
    if zone is not None and found.tzinfo is not None:
        raise ValueError(f"{text!r} has an offset and a zone: leave one of them out.")
    return (found if found.tzinfo else found.replace(tzinfo=zone or UTC)).astimezone(UTC)


def _parted(text: str) -> tuple[str, ZoneInfo | None]:
    """Return the time, and the zone whose name stands behind it."""
    written, _, name = text.rpartition(" ")
    if not written or not name[:1].isalpha():
        return text, None
    try:
        return written.strip(), ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"There is no time zone {name!r}. {EXAMPLES}") from None
