"""`holdfast export`, `show` and `erase`: what was filed, for auditors; a person's erasure, and legal holds. Whoever reads is written down first."""

from datetime import UTC, date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from bot.commands.evidence import write_out
from bot.exports.dossier import Json
from bot.exports.erasure import MOST, Eraser
from bot.exports.export import Kind, Wanted, gather, wanted_records, wanted_text
from bot.exports.export import export as export_bundle
from bot.exports.sections import Section, sections
from bot.exports.sinks import SinksToTell
from bot.operations.evidence import Reading, note, on_this_machine, sign_all, text_hash
from bot.root.installation import OPERATORS, load_workflows, make_cache, opened_store, require_workflow, written_sinks
from bot.settings import Settings, Wrong
from bot.slack.places import person_key
from state.form.source import meant
from state.stores.proof import Scope
from state.stores.store import Store

BARE = (".json", ".csv")
FOLDER = "A PDF comes with its manifest: say where to put them, --output FOLDER or --output FILE.zip."


async def export(settings: Settings, wanted: Wanted, kind: Kind, output: Path | None) -> int:
    """Write records with a signed manifest into a folder or a ZIP, or the bare text into one file or the terminal."""
    workflows = load_workflows(settings)
    if not wanted.record:
        require_workflow(wanted.workflow, workflows)
    if output is not None and output.suffix.lower() in BARE and output.suffix.lower() != f".{kind}":
        raise Wrong([f"{output} is no name for --format {kind}: let it end in .{kind}, or name a folder or a .zip."])
    async with opened_store(settings) as store:
        try:
            known = workflows[wanted.workflow].form.filing.known if wanted.state else ("",)
            anywhere = Wanted(wanted.workflow, state=wanted.state)  # a record may have one of an earlier form's
            if wanted.state not in known and not [one async for one in wanted_records(store, anywhere)]:
                told = f"No record of {wanted.workflow} is ever {wanted.state!r}. There are: {', '.join(known)}."
                raise Wrong([told + meant(wanted.state, known)])
            if output is None or output.suffix.lower() in BARE:
                await _bare(store, wanted, kind, output)
                return 0
            await sign_all(store, settings.holdfast_var)
            manifest = await export_bundle(store, workflows, wanted, kind, on_this_machine(), output)
            await sign_all(store, settings.holdfast_var)
        except ValueError as problem:
            raise Wrong([str(problem)]) from None
    typer.echo(f"{output}: {len(manifest.records)} records, manifest {manifest.hash}.")
    return 0


async def _bare(store: Store, wanted: Wanted, kind: Kind, output: Path | None) -> None:
    """The text without a manifest: the link of the reading has its hash."""
    if kind == "pdf":
        raise Wrong([FOLDER])
    rows, text = await wanted_text(store, wanted, kind)
    asked = wanted.filters | {"format": kind}
    await note(store, Reading(on_this_machine(), "export", rows, text_hash(text), asked))
    await write_out(text, output)


BAR = "│ "


async def show(settings: Settings, number: str, as_of: str) -> int:
    """Print a record as it stood at a time, once it is written down that it was read."""
    workflows, number = load_workflows(settings), number.upper()
    async with opened_store(settings) as store:
        try:
            moment = read_moment(as_of, await store.now()) if as_of else None
            dossier = await gather(store, workflows, number, moment)
            text = printed(dossier)
            asked = {"record": number, "as_of": dossier["as_of"]}
            await note(store, Reading(on_this_machine(), "show", 1, text_hash(text), asked))
            await sign_all(store, settings.holdfast_var)
        except ValueError as problem:
            raise Wrong([str(problem)]) from None
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


async def erase(settings: Settings, team: str, user: str) -> int:
    """Erase a person, and say what went and what stays; 1 where nothing was held."""
    workflows, person = load_workflows(settings), person_key(team, user)
    written = written_sinks(settings, workflows)
    sinks = SinksToTell(lambda: written, workflows, settings.channels.get(OPERATORS, ""))
    cache = await make_cache(settings)
    try:
        async with opened_store(settings, cache.client) as store:
            passed = list(sinks.passed_on(await store.records_of(person, limit=MOST)))
            erasure = await Eraser(store, workflows, settings.channels, sinks).erase(person)
            await sign_all(store, settings.holdfast_var)
    finally:
        if cache.stop:
            await cache.stop()
    if erasure is None:
        typer.echo("Nothing is held of this person.")
        return 1
    gone = erasure.tombstone
    drafts, records = sum(gone.drafts.values()), sum(gone.records.values())
    typer.echo(f"Erased: {drafts} drafts, {gone.events} events, {gone.tool_calls} tool calls, {records} records.")
    for one in erasure.kept:
        why = workflows[one.form].form.why_kept(one.state) if one.form in workflows else ""
        hold = " A legal hold keeps it until that is lifted." if one.held else ""
        typer.echo(f"Kept: {one.number} until {one.until:%Y-%m-%d}. {why}{hold}".rstrip())
    for name, numbers in passed:
        typer.echo(f"May have left for the sink {name}, to be erased there: {', '.join(numbers)}.")
    return 0


WHY = "Say why: --reason “…”. It is kept with the hold, and read by whoever reports on it."


async def hold(settings: Settings, record: str, team: str, user: str, reason: str, *, lift: bool) -> int:
    """Hold a record or a person, or end such a hold; 1 where there was nothing to do."""
    if bool(record) == bool(team and user):
        raise Wrong(["Say what: --record NUMBER, or --team T… --user U… for everything of a person."])
    if not reason.strip():
        raise Wrong([WHY])
    scope: Scope = "record" if record else "person"
    async with opened_store(settings) as store:
        if record and await store.record(record) is None:
            raise Wrong([f"There is no record {record!r}."])
        done = await _done(store, scope, record or person_key(team, user), reason.strip(), lift)
        await sign_all(store, settings.holdfast_var)
        return done


async def _done(store: Store, scope: Scope, name: str, reason: str, lift: bool) -> int:
    act = store.lift if lift else store.hold
    done = await act(scope, name, on_this_machine(), reason)
    if done is None:
        typer.echo(f"No hold stands on {name}." if lift else f"{name} is held already.")
        return 1
    said = (
        "is lifted: what is due goes with the next day's work"
        if lift
        else "stands: nothing of it goes until it is lifted"
    )
    typer.echo(f"Hold {done.id} on {name} {said}.")
    return 0
