"""The talk with the adviser as an iCalendar file (RFC 5545). Imported when there is one: the library is 2 MB."""

from datetime import UTC, date, datetime, time, timedelta

from icalendar import Calendar, Event, vCalAddress, vText

from state.draft.draft import Draft

from .broker import Broker


def invitation(draft: Draft, broker: Broker, begins: datetime, today: date) -> bytes:
    """Return the file's content; `begins` is in the broker's zone."""
    calendar = Calendar()
    calendar.add("prodid", "-//Holdfast//Prestiti//IT")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(_event(draft, broker, begins, today))
    calendar.add_missing_timezones()
    content: bytes = calendar.to_ical()
    return content


def _event(draft: Draft, broker: Broker, begins: datetime, today: date) -> Event:
    event = Event()
    event.add("uid", f"{draft.id}@{broker.email.partition('@')[2]}")
    event.add("dtstamp", datetime.combine(today, time(), UTC))
    event.add("dtstart", begins)
    event.add("dtend", begins + timedelta(minutes=broker.minutes))
    event.add("summary", f"Consulenza con {broker.name}")
    event.add(
        "description", f"Il consulente La chiama al numero che ha indicato. Per spostare o annullare: {broker.phone}."
    )
    event.add("status", "CONFIRMED")
    organizer = vCalAddress(f"mailto:{broker.email}")
    organizer.params["cn"] = vText(broker.name)
    event["organizer"] = organizer
    return event
