"""The weekly digest: planned ahead as a row of the outbox for each form, made in words and as a picture when it is due. It names nobody."""

import asyncio
import base64
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import structlog
from babel.units import format_unit

from blocks.page import Page, day_text, moment_of
from blocks.phrases import Phrasebook
from blocks.text import cut, escape
from bot.officers.index import posts_of
from bot.officers.roles import Roles, RolesUnknown
from bot.operations.charts import LIGHT, Look, Panel, Row, draw_card
from bot.operations.tasks import Periodic, write_aside
from bot.slack.people import People
from bot.slack.places import of_team
from state.draft.draft import Draft
from state.draft.working_days import day_of, instant_of
from state.extras import lacking
from state.form import Form
from state.stores.index import Week
from state.stores.rows import OutboxRow, TurnWrites
from state.stores.store import Store
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.digest")


HOUR, DAY = 3600.0, 86_400.0
COMMENT = 3000


@dataclass(frozen=True)
class Digest:
    """A week from `since` up to before `until` (ISO 8601, of the week's own zone), the one before it, and what waits now."""

    since: str
    last: str
    """The week's last day."""
    now: Week
    before: Week
    waiting: int = 0
    late: int = 0

    @property
    def empty(self) -> bool:
        """Return True if there is nothing to tell."""
        return not (self.now.filed or self.now.verdicts or self.waiting or self.now.breached or self.now.open_breaches)


WITHDRAWN = "withdraw"


def decided(week: Week) -> int:
    """Return how many verdicts reviewers gave: a withdrawal is none."""
    return sum(n for name, n in week.verdicts.items() if name != WITHDRAWN)


def title(page: Page, digest: Digest) -> str:
    """ "Weekly digest: Personal account dealing, 16 Nov 2026 – 22 Nov 2026", as plain text."""
    days = {"since": _day(page, digest.since), "until": _day(page, digest.last)}
    return page.say("digest_title", form=page.form.title, **days)


def comment(page: Page, digest: Digest) -> str:
    """Return what stands above the picture, as escaped text."""
    told = (f"• {escape(one)}" for one in lines(page, digest))
    return cut("\n".join((f"*{escape(title(page, digest))}*", *told)), COMMENT)


def lines(page: Page, digest: Digest) -> Iterator[str]:
    """Yield the figures in words, as plain text: what stands beside the picture, and what is read where that is not seen."""
    words, now, before = page.words, digest.now, digest.before
    yield words.say("digest_filed", count=str(now.filed), before=str(before.filed))
    told = ", ".join(f"{verdict_name(page, name)}: {n}" for name, n in now.verdicts.items() if n)
    yield words.say("digest_decided", count=str(decided(now)), before=str(decided(before))) + (
        f" ({told})" if told else ""
    )
    if now.median is not None and now.slowest is not None:
        times = {"median": lasted(words, now.median), "slowest": lasted(words, now.slowest)}
        yield words.say("digest_time", **times)
    yield words.say("digest_waiting", count=str(digest.waiting), late=str(digest.late))
    if now.breached or now.open_breaches:
        yield words.say("digest_breaches", count=str(now.breached), open=str(now.open_breaches))


def verdict_name(page: Page, name: str) -> str:
    """Return a verdict as its button says it, a withdrawal as the state that follows it."""
    return page.state("withdrawn") if name == WITHDRAWN else page.verdict(name)


def lasted(words: Phrasebook, seconds: float) -> str:
    """Return how long something took: minutes below an hour, days from two days on, hours between."""
    locale = words.language.replace("-", "_")
    if seconds < HOUR:
        return format_unit(round(seconds / 60), "duration-minute", "short", locale=locale)
    if seconds < 2 * DAY:
        return format_unit(round(seconds / HOUR, 1), "duration-hour", "short", locale=locale)
    return format_unit(round(seconds / DAY, 1), "duration-day", "short", locale=locale)


def _day(page: Page, iso: str) -> str:
    return day_text(moment_of(iso), page.form.language)


KIND = "digest"
MORNING, EVENING, FRIDAY = 9, 17, 4
"""Hours between which a digest is posted, by the officers' own clock, and the last day of their week (Monday is 0)."""
WEEK = timedelta(days=7)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
HOLDERS = 20
"""Officers who are asked for their time zone."""


class Digests(Periodic):
    """`channels` are the settings': a form whose officers have no channel has no digest."""

    name = "digests"

    def __init__(
        self, store: Store, workflows: Mapping[str, Workflow], channels: Mapping[str, str], roles: Roles, people: People
    ) -> None:
        self._store, self._channels, self._roles, self._people = store, channels, roles, people
        self._workflows = workflows

    @property
    def _forms(self) -> Mapping[str, Form]:
        return {n: w.form for n, w in self._workflows.items() if posts_of(w.form)}

    async def look(self) -> None:
        """Put out this week's digest of every form and workspace, and the next one's: the first to come does, and once."""
        now = await self._store.now()
        for name in self._forms:
            for tenant in await self._store.tenants(name):
                if self._channel(tenant, name):
                    zone = await self._zone(tenant, self._forms[name])
                    today = date.fromisoformat(day_of(now.isoformat(), zone))
                    this = today - timedelta(days=today.weekday())
                    rows = [
                        self._row(tenant, name, monday, zone, due_at)
                        for monday in (this, this + WEEK)
                        if (due_at := due(monday, now, zone))
                    ]
                    await write_aside(self._store, f"digests:{uuid.uuid4().hex}", TurnWrites(outgoing=rows))

    async def made(self, row: OutboxRow) -> OutboxRow | None:
        """Return what is to be posted for a planned week; None where there is nothing to tell, or nowhere."""
        tenant, name, monday = (str(row.body[key]) for key in ("team", "form", "monday"))
        channel, form = self._channel(tenant, name), self._forms.get(name)
        if not channel or form is None:
            return None
        digest = await self._digest(tenant, form, date.fromisoformat(monday), str(row.body.get("zone") or ""))
        if digest is None or digest.empty:
            return None
        page = Page(form, Draft("", name, tenant, "", ""), digest.last)
        picture = b"" if lacking("charts", "") else await asyncio.to_thread(draw, page, digest)
        told = title(page, digest)
        body = {
            "team": tenant, "channel": channel, "thread": "", "title": told,
            "name": f"{name}-{monday}.{'png' if picture else 'txt'}", "text": "\n".join((told, *lines(page, digest))),
            "data": base64.b64encode(picture).decode(), "alt": " ".join((f"{told}.", *lines(page, digest))),
            "comment": comment(page, digest),
        }  # fmt: skip
        return replace(row, body=body)

    async def _digest(self, tenant: str, form: Form, monday: date, zone: str) -> Digest | None:
        """Return the week before this Monday, and the one before that; None where nothing had been filed by then."""
        edges = [_at(monday - n * WEEK, 0, zone) for n in (2, 1, 0)]
        if not (await self._store.week(tenant, form.name, EVER, edges[-1])).filed:
            return None
        before, now = [await self._store.week(tenant, form.name, *edges[n : n + 2]) for n in (0, 1)]
        posts = [(form.name, post) for post in posts_of(form)]
        waits = await self._store.waiting_for(tenant, posts, "", limit=1)
        last = (monday - timedelta(days=1)).isoformat()
        return Digest((monday - WEEK).isoformat(), last, now, before, waits.count, waits.late)

    def _row(self, tenant: str, name: str, monday: date, zone: str, due_at: datetime) -> OutboxRow:
        key = f"{KIND}:{tenant}:{name}:{monday.isoformat()}"
        body = {"team": tenant, "form": name, "monday": monday.isoformat(), "zone": zone}
        return OutboxRow(key, key, KIND, f"{tenant}:", body, due_at=due_at)

    def _channel(self, tenant: str, form: str) -> str:
        return of_team(self._channels, tenant).get(form, "")

    async def _zone(self, tenant: str, form: Form) -> str:
        """Return the time zone of most reviewers; UTC where none is known."""
        roles = dict.fromkeys(posts_of(form).values())
        try:
            users = [user for role in roles for user in sorted(await self._roles.holders(tenant, role))]
        except RolesUnknown:
            return ""
        zones = [await self._people.zone(tenant, user) for user in users[:HOLDERS]]
        return next((zone for zone, _ in Counter(filter(None, zones)).most_common(1)), "")


def due(monday: date, now: datetime, zone: str) -> datetime | None:
    """When the digest of the week before this Monday is posted: that morning, or, where that is past, in the next hours of work.

    None once its own week is over: the next one is near then.
    """
    for day in range(FRIDAY + 1):
        opens, closes = (_at(monday + timedelta(days=day), hour, zone) for hour in (MORNING, EVENING))
        if now < closes:
            return max(now, opens)
    return None


def _at(day: date, hour: int, zone: str) -> datetime:
    return datetime.fromisoformat(instant_of(day, hour, zone))


def draw(page: Page, digest: Digest, look: Look = LIGHT) -> bytes:
    """Return a PNG, 800 pixels wide at twice their density."""
    legend = (page.say("digest_now"), page.say("digest_before"))
    return draw_card(title(page, digest), legend, [one for one in panels(page, digest) if one.rows], look).png()


def panels(page: Page, digest: Digest) -> list[Panel]:
    """Counts on one scale, durations on another, what waits now on a third."""
    waits = [
        _row(page.say("digest_waits"), digest.waiting),
        _row(page.say("digest_late"), digest.late, loud=bool(digest.late)),
    ]
    if digest.now.open_breaches:
        waits.append(_row(page.say("digest_open_breaches"), digest.now.open_breaches, loud=True))
    return [
        Panel(page.say("digest_counts"), list(_counts(page, digest))),
        Panel(page.say("digest_times"), list(_times(page, digest))),
        Panel(page.say("digest_open"), waits),
    ]


def _counts(page: Page, digest: Digest) -> Iterator[Row]:
    now, before = digest.now, digest.before
    yield _row(page.say("digest_requests"), now.filed, before.filed)
    for name in dict.fromkeys((*now.verdicts, *before.verdicts)):
        yield _row(verdict_name(page, name), now.verdicts.get(name, 0), before.verdicts.get(name, 0))
    if now.breached or before.breached:
        yield _row(page.say("digest_breached"), now.breached, before.breached, loud=bool(now.breached))


def _times(page: Page, digest: Digest) -> Iterator[Row]:
    for name in ("median", "slowest"):
        took, before = getattr(digest.now, name), getattr(digest.before, name)
        if took is not None:
            slim = None if before is None else before / HOUR
            yield Row(page.say(f"digest_{name}"), took / HOUR, lasted(page.words, took), before=slim)


def _row(label: str, now: int, before: int | None = None, *, loud: bool = False) -> Row:
    return Row(label, now, str(now), before=before, loud=loud)
