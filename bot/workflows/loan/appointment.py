"""The talk with the adviser: when it can be, and the calendar file that the person gets."""

import base64
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from state.draft.draft import Draft
from state.draft.operations import Produced

from .broker import Broker
from .said import day as shown

DAY, TIME = "appointment_day", "appointment_time"


def day_problem(broker: Broker, when: date, today: date) -> str:
    """Why there can be no talk on that day; empty where there can."""
    if when <= today:
        return "Scelga un giorno a partire da domani, per favore."
    if when > today + timedelta(days=broker.days_ahead):
        return f"Scelga un giorno entro il {shown(today + timedelta(days=broker.days_ahead))}, per favore."
    if not broker.works_on(when):
        return f"Il {shown(when)} il consulente non è disponibile: scelga un giorno feriale, dal lunedì al venerdì."
    return ""


def time_problem(broker: Broker, at: time) -> str:
    """Why there can be no talk at that time; empty where there can."""
    if broker.works_at(at):
        return ""
    return f"Scelga un orario tra le {broker.opens:%H:%M} e le {_last(broker):%H:%M}, per favore."


def booked(draft: Draft, broker: Broker) -> datetime | None:
    """When the talk begins, in the broker's zone; None while there is none."""
    if DAY not in draft.values or TIME not in draft.values:
        return None
    when, at = date.fromisoformat(str(draft.values[DAY].data)), time.fromisoformat(str(draft.values[TIME].data))
    return datetime.combine(when, at, ZoneInfo(broker.zone))


def calendar_file(draft: Draft, broker: Broker, today: date) -> Produced | None:
    """Return the talk as an iCalendar file; None while there is none."""
    begins = booked(draft, broker)
    if begins is None:
        return None
    from .invitation import invitation  # noqa: PLC0415

    data = base64.b64encode(invitation(draft, broker, begins, today)).decode()
    return Produced("appuntamento.ics", f"Appuntamento del {shown(begins.date())} alle {begins:%H:%M}", data=data)


def _last(broker: Broker) -> time:
    """Return the latest time at which a talk may begin."""
    return (datetime.combine(date.min, broker.closes) - timedelta(minutes=broker.minutes)).time()
