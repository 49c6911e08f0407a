"""The weekly digest as a picture: what was filed and decided beside the week before, how long it took, what waits."""

from collections.abc import Iterator

from blocks.digest import HOUR, Digest, lasted, title, verdict_name
from blocks.page import Page
from bot.charts.look import LIGHT, Look
from bot.charts.panel import Panel, Row


def draw(page: Page, digest: Digest, look: Look = LIGHT) -> bytes:
    """A PNG, 800 pixels wide at twice their density."""
    from bot.charts.card import draw_card  # noqa: PLC0415  slow to import, and needed once a week

    legend = (page.say("digest_now"), page.say("digest_before"))
    return draw_card(title(page, digest), legend, [one for one in panels(page, digest) if one.rows], look).png()


def panels(page: Page, digest: Digest) -> list[Panel]:
    """Counts on one scale, durations on another, what waits now on a third."""
    return [
        Panel(page.say("digest_counts"), list(_counts(page, digest))),
        Panel(page.say("digest_times"), list(_times(page, digest))),
        Panel(page.say("digest_open"), list(_open(page, digest))),
    ]


def _counts(page: Page, digest: Digest) -> Iterator[Row]:
    now, before = digest.now, digest.before
    yield _row(page.say("digest_requests"), now.filed, before.filed)
    for name in dict.fromkeys((*now.verdicts, *before.verdicts)):
        yield _row(verdict_name(page, name), now.verdicts.get(name, 0), before.verdicts.get(name, 0))
    if now.breached or before.breached:
        yield _row(page.say("digest_breached"), now.breached, before.breached, loud=bool(now.breached))


def _times(page: Page, digest: Digest) -> Iterator[Row]:
    pairs = (
        ("median", digest.now.median, digest.before.median),
        ("slowest", digest.now.slowest, digest.before.slowest),
    )
    for name, took, before in pairs:
        if took is not None:
            shown = lasted(page.words, took)
            yield Row(
                page.say(f"digest_{name}"), took / HOUR, shown, before=before / HOUR if before is not None else None
            )


def _open(page: Page, digest: Digest) -> Iterator[Row]:
    yield _row(page.say("digest_waits"), digest.waiting)
    yield _row(page.say("digest_late"), digest.late, loud=bool(digest.late))
    if digest.now.open_breaches:
        yield _row(page.say("digest_open_breaches"), digest.now.open_breaches, loud=True)


def _row(label: str, now: int, before: int | None = None, *, loud: bool = False) -> Row:
    return Row(label, now, str(now), before=before, loud=loud)
