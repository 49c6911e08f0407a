"""Who answers for the conversation: the broker's identity and opening hours, as configuration."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from state.draft.working_days import SATURDAY, closed_days
from state.form.files import Files
from state.form.source import FormError
from state.form.wording import worded

FILE, COUNTRY = "broker.toml", "IT"


class Broker(BaseModel):
    """broker.toml. `zone` is an IANA name; `opens` and `closes` are local times of working days."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    def _known(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError('This is no time zone. Write one like "Europe/Rome".') from error
        return zone

    def works_on(self, day: date) -> bool:
        """Monday to Friday, Italy's public holidays left out."""
        return day.weekday() < SATURDAY and day not in closed_days(COUNTRY)

    def works_at(self, at: time) -> bool:
        """Return True if an appointment that begins then ends before closing."""
        end = datetime.combine(date.min, at) + timedelta(minutes=self.minutes)
        return self.opens <= at and end <= datetime.combine(date.min, self.closes)


def read_broker(files: Files) -> Broker:
    """Read and check broker.toml. Raises FormError with the lines to mend."""
    source = files.toml(FILE)
    try:
        return Broker.model_validate(source.data)
    except ValidationError as error:
        raise FormError(worded(source, error, {"": Broker})) from error
