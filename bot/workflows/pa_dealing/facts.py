"""The facts that a request is judged by, gathered once and kept with the record, and the days that matter in them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_date

from state.draft.draft import Draft
from state.draft.working_days import SATURDAY, closed_days
from state.lists.versions import Row
from state.rules import Gatherer, Sources, answer
from state.understanding.commands import names_nothing

from .tables import Search, Tables, same_issuer


def spoken(day: date) -> str:
    """Return a day as people read it: "20 Nov 2026"."""
    return format_date(day, "d MMM y", locale="en_GB")


def last_buy(requests: Iterable[Mapping[str, Any]], isin: str, day: date) -> date | None:
    """Return the last day on which the newest purchase of a security was made, or may still be made, as things stand on `day`.

    What was executed counts from its own date, whatever part of the approval it was; what is approved and not executed counts
    only while it may still be traded; nothing else does.
    """
    mine = (r for r in requests if r["security"] == isin and r["direction"] == "buy")
    return max((d for r in mine if (d := bought_on(r, day)) is not None), default=None)


def bought_on(request: Mapping[str, Any], day: date) -> date | None:
    """Return the day on which a request was executed, or may be at the latest; None where it was not and may not be."""
    if request["traded_on"]:
        return date.fromisoformat(request["traded_on"])
    until = date.fromisoformat(request["may_trade_until"])
    return until if request["may_trade"] and until >= day else None


def holding_until(bought: date | None, days: int, today: date) -> date | None:
    """Return the first day on which a security may be sold again; None where no holding period runs. Each further buy restarts it."""
    free = bought + timedelta(days=days) if bought else None
    return free if free and today < free else None


def approval_until(day: date, business_days: int, exchange: str) -> date:
    """Return the last day of an approval given on `day`: so many business days of the exchange (ISO 10383) later.

    Where the exchange's calendar is not known, weekends alone are left out, which ends the approval sooner, never later.
    """
    closed = closed_days(exchange)
    while business_days:
        day += timedelta(days=1)
        business_days -= day.weekday() < SATURDAY and day not in closed
    return day


CLOSES: Mapping[str, tuple[int, int, str]] = {
    "XLON": (16, 30, "Europe/London"), "XNYS": (16, 0, "America/New_York"), "XNAS": (16, 0, "America/New_York"),
    "XETR": (17, 30, "Europe/Berlin"), "XFRA": (20, 0, "Europe/Berlin"), "XPAR": (17, 30, "Europe/Paris"),
    "XAMS": (17, 30, "Europe/Amsterdam"), "XMIL": (17, 30, "Europe/Rome"), "XMAD": (17, 30, "Europe/Madrid"),
    "XSWX": (17, 30, "Europe/Zurich"), "XTKS": (15, 30, "Asia/Tokyo"), "XHKG": (16, 0, "Asia/Hong_Kong"),
    "XTSE": (16, 0, "America/Toronto"), "XASX": (16, 0, "Australia/Sydney"),
}  # fmt: skip
"""When the trading day of an exchange (ISO 10383) ends, by its own clock."""


def last_chance(draft: Draft, day: str) -> str:
    """Return the instant (ISO 8601, UTC) at which the exchange closes on a day; empty where its hours are not known."""
    hours = CLOSES.get(str(draft.values["security"].facts.get("exchange", ""))) if "security" in draft.values else None
    if hours is None:
        return ""
    hour, minute, zone = hours
    return datetime.combine(date.fromisoformat(day), time(hour, minute), ZoneInfo(zone)).astimezone(UTC).isoformat()


Facts = Mapping[str, Any]
AROUND = " ?.!"
"""Signs around the words of a question that are no part of a name."""
ALL = "all"
"""In the place of an issuer: a closed period for everything."""
MAY_TRADE = frozenset({"approved", "auto_approved"})
"""States in which the trade may still be made, until the day on which the approval ends; where none is known, on that of its filing."""
EXECUTED = "executed"
"""A record of this state without a report counts from the last day on which it can have been traded."""


TOLD: Mapping[str, str] = {"security_isin": "security", "security_name": "name"}
"""What a security that is not listed is known by, in place of what the list says."""
LISTS = ("restricted", "closed_periods", "thresholds", "prohibited_kinds", "exempt_kinds")
ABOUT = frozenset({"can_i_trade", "holding_period"})
"""Commands that are about a security."""


def gatherer(tables: Tables, search: Search) -> Gatherer:
    """Return the gatherer of what a request, or a question about a security, is judged by, as it stands at the moment of the event.

    `today`, the person's own `requests`; of the security since when it is `restricted`, the `closed` period that it is in today,
    its `firm_trades`, and what to say of one that was told as not listed (`unlisted`): its name counts beside its ISIN;
    the currency's `rate`; `limits`, `prohibited_kinds` and `exempt`; and of which versions all that is (`lists`).
    """

    async def gather(draft: Draft, sources: Sources) -> Facts:
        today, currency = sources.today(), answer(draft, "currency")
        lists = {name: await sources.in_force(name) for name in LISTS}
        isin, rate = _about(draft, sources, search), tables.rates.get(currency)
        name = str(answer(draft, "security_name") or "") if isin == answer(draft, "security_isin") else ""
        restricted = _holding(lists["restricted"].rows, today, lambda row: restricts(row, isin, name))
        kinds = {name: [row["kind"] for row in lists[f"{name}_kinds"].rows] for name in ("prohibited", "exempt")}
        return {
            "today": today,
            "about": isin,
            "requests": [_request(record) for record in await sources.own_records()],
            "restricted": restricted["from"] if restricted else None,
            "restricted_note": _why_restricted(restricted, isin) if restricted else "",
            "closed": _holding(lists["closed_periods"].rows, today, lambda row: closes(row, isin, search, name)),
            "firm_trades": [t.day.isoformat() for t in tables.firm_trades if t.isin == isin],
            "unlisted": ("was told by hand, though it is" if isin in tables.securities else "is not") if name else "",
            "rate": {"gbp": str(rate.gbp), "day": rate.day.isoformat(), "source": rate.source} if rate else None,
            "limits": {row["name"]: _limit(row) for row in lists["thresholds"].rows},
            "prohibited_kinds": kinds["prohibited"],
            "exempt": kinds["exempt"],
            "lists": {n: {"version": one.number, "named": one.named, "sha256": one.sha256} for n, one in lists.items()},
        }

    return gather


def _about(draft: Draft, sources: Sources, search: Search) -> str | None:
    """Return the ISIN that is judged: the one that a question is plainly about, else the request's."""
    (command, rest), mine = sources.asked(), traded(draft) or None
    if command not in ABOUT:
        return None if command else mine
    said = rest.strip(AROUND)
    if points(said):
        return mine
    found = search.meant(said).options
    return found[0].id if len(found) == 1 else None


def points(said: str) -> bool:
    """Return True if words point at what is being talked about, and name nothing themselves: "it today", "the shares I have"."""
    return names_nothing("en-GB", said, "security", "one")


def _holding(rows: Iterable[Row], today: str, concerns: Callable[[Row], bool]) -> dict[str, str] | None:
    """Return the first row that concerns the security on that day, with its days and its note."""
    on_day = (row for row in rows if row["from"] <= today and (not row["until"] or today <= row["until"]))
    row = next((row for row in on_day if concerns(row)), None)
    return {name: row.get(name, "") for name in ("isin", "name", "from", "until", "note")} if row else None


def _why_restricted(row: Mapping[str, str], isin: str | None) -> str:
    by_name = f"by its name, as {row['name']}" if row["isin"] != isin else ""
    return "; ".join(filter(None, (by_name, row["note"])))


def restricts(row: Row, isin: str | None, name: str) -> bool:
    """Return True if an entry of the restricted list is about a security: by its ISIN, or by the `name` of one that is not listed."""
    return isin is not None and (row["isin"] == isin or same_issuer(row.get("name", ""), name))


def closes(row: Row, isin: str | None, search: Search, name: str) -> bool:
    """Return True if a closed period is about a security: by its ISIN, by its issuer, or about all that there are."""
    if isin is None or row["isin"] == isin or row["issuer"] == ALL:
        return isin is not None
    return isin in {option.id for option in search.issued_by(row["issuer"]).options} or same_issuer(row["issuer"], name)


def _limit(row: Row) -> dict[str, Any]:
    days = {"effective": row["effective"], "stale_after": row.get("stale_after") or date.max.isoformat()}
    return {"value": int(row["value"]), "unit": row.get("unit", ""), "source": row["source"], **days}


def _request(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the rules look at in an earlier request: how long its approval counts, and on which day it was executed, if it was."""
    values, filed, reported = record.get("values", {}), str(record["filed_at"])[:10], record.get("reported", {})
    until = record.get("valid_until") or record.get("computed", {}).get("approval_until")
    return {
        "number": record["number"],
        "state": record["state"],
        "essence": record.get("essence", ""),
        "day": filed,
        "may_trade": record["state"] in MAY_TRADE,
        "approval_until": until,
        "may_trade_until": until or filed,
        "traded_on": reported.get("traded_on") or (until or filed if record["state"] == EXECUTED else None),
        "traded_quantity": reported.get("traded_quantity"),
        **{name: values[name]["data"] if name in values else None for name in ("security", "direction", "quantity")},
        "name": "",
        **{to: values[of]["data"] for of, to in TOLD.items() if of in values},
    }


def says_yes(draft: Draft, name: str) -> bool:
    """Return True if yes was answered, or disclosed beside another answer."""
    return answer(draft, name) is True or any(d.field == name for d in draft.disclosures)


def fact(draft: Draft, name: str) -> str:
    """Return what the look-up knew of the security: its name, its kind, its exchange; of one that is not listed what the person told."""
    return str(draft.values["security"].facts.get(name) or answer(draft, f"security_{name}") or "")


def traded(draft: Draft) -> str:
    """Return the ISIN of the security, in the list or not; empty while there is none."""
    return str(answer(draft, "security_isin") or answer(draft, "security") or "")


def on(iso: str) -> str:
    """Return a stored day as people read it."""
    return spoken(date.fromisoformat(iso))
