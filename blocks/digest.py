"""The weekly digest in the officers' channel: what a week brought, in figures and in words. Nobody is named in it, and no request."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from babel.units import format_unit

from blocks.page import Page, day_text, moment_of
from blocks.phrases import Phrasebook
from blocks.text import cut, escape

HOUR, DAY = 3600.0, 86_400.0
COMMENT = 3000


@dataclass(frozen=True)
class Figures:
    """A week's figures. Durations are in seconds; `verdicts` are counted by their name, a withdrawal among them."""

    filed: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    median: float | None = None
    slowest: float | None = None
    breached: int = 0
    open_breaches: int = 0

    @property
    def decided(self) -> int:
        """Verdicts of those who decide."""
        return sum(n for name, n in self.verdicts.items() if name != WITHDRAWN)


@dataclass(frozen=True)
class Digest:
    """A week from `since` up to before `until` (ISO 8601, of the week's own zone), the one before it, and what waits now."""

    since: str
    last: str
    """The week's last day."""
    now: Figures
    before: Figures
    waiting: int = 0
    late: int = 0

    @property
    def empty(self) -> bool:
        """Return True if there is nothing to tell."""
        return not (self.now.filed or self.now.verdicts or self.waiting or self.now.breached or self.now.open_breaches)


WITHDRAWN = "withdraw"


def title(page: Page, digest: Digest) -> str:
    """ "Weekly digest: Personal account dealing, 16 Nov 2026 – 22 Nov 2026", as plain text."""
    days = {"since": _day(page, digest.since), "until": _day(page, digest.last)}
    return page.say("digest_title", form=page.form.title, **days)


def lines(page: Page, digest: Digest) -> list[str]:
    """Return the figures in words, as plain text: what stands beside the picture, and what is read where that is not seen."""
    return list(_lines(page, digest))


def comment(page: Page, digest: Digest) -> str:
    """Return what stands above the picture, as escaped text."""
    told = (f"• {escape(one)}" for one in lines(page, digest))
    return cut("\n".join((f"*{escape(title(page, digest))}*", *told)), COMMENT)


def _lines(page: Page, digest: Digest) -> Iterator[str]:
    words, now, before = page.words, digest.now, digest.before
    yield words.say("digest_filed", count=str(now.filed), before=str(before.filed))
    told = ", ".join(f"{verdict_name(page, name)}: {n}" for name, n in now.verdicts.items() if n)
    yield words.say("digest_decided", count=str(now.decided), before=str(before.decided)) + (
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
