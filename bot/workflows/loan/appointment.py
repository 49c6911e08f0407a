"""The talk with the adviser: who gives it and when it can be (broker.toml), and the calendar file that the person gets."""

import base64
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from state.draft.draft import Draft
from state.draft.operations import Produced
from state.draft.working_days import SATURDAY, closed_days
from state.form.field import Part
from state.form.files import Files
from state.form.validation import read_as

from .said import day as shown

FILE, COUNTRY = "broker.toml", "IT"


class Broker(Part):
    """broker.toml. `zone` is an IANA name; `opens` and `closes` are local times of working days."""

    name: str = Field(min_length=1)
    oam: str = Field(pattern=r"^[A-Z]{1,2}[0-9]{1,6}$")
    phone: str = Field(min_length=5)
    information_sheet: str = Field(pattern=r"^https://")
    privacy: str = Field(pattern=r"^https://")
    email: str = Field(pattern=r"^[^@\s]+@[^@\s]+$")
    zone: str = "Europe/Rome"
    opens: time
    closes: time
    minutes: int = Field(ge=5, le=240)
    days_ahead: int = Field(ge=1, le=365)

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError('This is no time zone. Write one like "Europe/Rome".') from error
        return zone

    def works_on(self, day: date) -> bool:
        """Return True from Monday to Friday, Italy's public holidays left out."""
        return day.weekday() < SATURDAY and day not in closed_days(COUNTRY)

    def works_at(self, at: time) -> bool:
        """Return True if an appointment that begins then ends before closing."""
        end = datetime.combine(date.min, at) + timedelta(minutes=self.minutes)
        return self.opens <= at and end <= datetime.combine(date.min, self.closes)


def read_broker(files: Files) -> Broker:
    """Read and check broker.toml. Raises FormError with the lines to mend."""
    return read_as(Broker, files.toml(FILE))


DAY, TIME = "appointment_day", "appointment_time"


def day_problem(broker: Broker, when: date, today: date) -> str:
    """Return why there can be no talk on that day; empty where there can."""
    if when <= today:
        return "Scelga un giorno a partire da domani, per favore."
    if when > today + timedelta(days=broker.days_ahead):
        return f"Scelga un giorno entro il {shown(today + timedelta(days=broker.days_ahead))}, per favore."
    if not broker.works_on(when):
        return f"Il {shown(when)} il consulente non è disponibile: scelga un giorno feriale, dal lunedì al venerdì."
    return ""


def time_problem(broker: Broker, at: time) -> str:
    """Return why there can be no talk at that time; empty where there can."""
    if broker.works_at(at):
        return ""
    latest = datetime.combine(date.min, broker.closes) - timedelta(minutes=broker.minutes)
    return f"Scelga un orario tra le {broker.opens:%H:%M} e le {latest:%H:%M}, per favore."


def booked(draft: Draft, broker: Broker) -> datetime | None:
    """Return when the talk begins, in the broker's zone; None while there is none."""
    if DAY not in draft.values or TIME not in draft.values:
        return None
    when, at = date.fromisoformat(str(draft.values[DAY].data)), time.fromisoformat(str(draft.values[TIME].data))
    return datetime.combine(when, at, ZoneInfo(broker.zone))


def calendar_file(draft: Draft, broker: Broker, today: date) -> Produced | None:
    """Return the talk as an iCalendar file; None while there is none."""
    begins = booked(draft, broker)
    if begins is None:
        return None
    data = base64.b64encode(_invitation(draft, broker, begins, today)).decode()
    return Produced("appuntamento.ics", f"Appuntamento del {shown(begins.date())} alle {begins:%H:%M}", data=data)


def _invitation(draft: Draft, broker: Broker, begins: datetime, today: date) -> bytes:
    """Return the talk as an iCalendar file (RFC 5545); `begins` is in the broker's zone."""
    from icalendar import Calendar, Event, vCalAddress, vText  # noqa: PLC0415  2 MB that only an appointment is worth

    event, calendar = Event(), Calendar()
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
    calendar.add("prodid", "-//Holdfast//Prestiti//IT")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    calendar.add_missing_timezones()
    content: bytes = calendar.to_ical()
    return content
