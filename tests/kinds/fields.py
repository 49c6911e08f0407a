"""Fields of every kind, contexts of every language, and short ways to read with them."""

from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Choice, Field
from state.form.field import Data

TODAY = "2026-11-20"  # a Friday
ENGLISH, ITALIAN, SPANISH = Context("en-GB", TODAY), Context("it-IT", TODAY), Context("es-ES", TODAY)
AMERICAN = Context("en-US", TODAY)
CONTEXTS = (ENGLISH, ITALIAN, SPANISH, AMERICAN)

QUANTITY = Field(
    name="quantity", kind="integer", label="Quantity", ask="How many?", words=("quantity",), unit="shares", minimum=1
)
COUNT = Field(name="count", kind="integer", label="Count", ask="How many?")
HEIGHT = Field(name="height", kind="decimal", label="Height", ask="How high?", unit="m", minimum=0, maximum=4)
RATE = Field(name="rate", kind="percentage", label="Share", ask="Which share of it?", words=("share of it",))
VALUE = Field(name="value", kind="money", label="Value", ask="What is it worth?", words=("value", "total"), minimum=1)
NET = Field(name="net", kind="money", label="Netto", ask="Quanto guadagna?", currency="EUR")
YEN = Field(name="yen", kind="money", label="Fare", ask="How much?", currency="JPY")
CURRENCY = Field(name="currency", kind="currency", label="Currency", ask="In which currency?", words=("currency",))
DAY = Field(name="day", kind="date", label="Trade date", ask="When?", words=("date",))
HOUR = Field(name="hour", kind="time", label="Time", ask="At what time?")
PERIOD = Field(name="range", kind="period", label="Range", ask="Which days?", words=("range",))
LEVERAGED = Field(
    name="leveraged", kind="yes_no", label="Leveraged product", ask="Is this a leveraged product?",
    words=("leveraged", "leverage"),
)  # fmt: skip
INSIDE = Field(
    name="inside", kind="yes_no", label="Inside information", ask="Do you hold any inside information about {security}?",
    words=("inside information", "inside info"), worse=True, disclosure=("hear something from", "heard something from"),
)  # fmt: skip
HOLDING = Field(
    name="holding", kind="acknowledgement", label="Holding period", ask="Do you accept the 30-day holding period?",
    words=("holding period",),
)  # fmt: skip
DIRECTION = Field(
    name="direction", kind="choice", label="Direction", ask="Buy or sell?", words=("direction",),
    choices=(
        Choice(value="buy", label="Buy", words=("purchase", "buying")),
        Choice(value="sell", label="Sell", words=("selling", "dispose of")),
    ),
)  # fmt: skip
BROKER = Field(
    name="broker", kind="choice", label="Account type", ask="Which account?",
    choices=(Choice(value="checking", label="Checking"), Choice(value="savings", label="Savings")),
)  # fmt: skip
SEATS = Field(
    name="seats", kind="choice", label="Seats", ask="How many seats?", words=("seat", "seats"),
    choices=tuple(Choice(value=str(n), label=str(n)) for n in range(1, 7)),
)  # fmt: skip
EMAIL = Field(name="email", kind="email", label="Email", ask="What is your address?")
PHONE = Field(name="phone", kind="phone", label="Telefono", ask="Quale numero?", words=("telefono", "cellulare"))
LINK = Field(name="page", kind="link", label="Page", ask="Where does it stand?")
SECURITY = Field(name="security", kind="lookup", label="Security", ask="Which security?", words=("security",))
ISIN = Field(name="isin", kind="identifier", label="ISIN", ask="Which ISIN?", scheme=("isin",))
REASON = Field(
    name="reason", kind="text", label="Reason", ask="Why?", known=("growth", "long-term income"),
    before=("because", "my reason is"), max_length=200,
)  # fmt: skip
GEAR = Field(
    name="gear", kind="choices", label="Gear", ask="What do you take along?", words=("gear",),
    choices=(
        Choice(value="tent", label="Tent"),
        Choice(value="boat", label="Boat", words=("canoe",)),
        Choice(value="skis", label="Skis"),
    ),
)  # fmt: skip
EVERY = (
    PERIOD, QUANTITY, COUNT, HEIGHT, RATE, VALUE, NET, YEN, CURRENCY, DAY, HOUR, LEVERAGED, INSIDE, HOLDING, DIRECTION, SEATS, EMAIL,
    LINK, SECURITY, ISIN, REASON, GEAR,
)  # fmt: skip


def whole(field: Field, text: str, context: Context = ENGLISH) -> Data | None:
    """The value of a message that is a plain answer."""
    return kind_of(field).whole(field, text, context)


def found(field: Field, text: str, context: Context = ENGLISH) -> list[Data]:
    """The values that the text gives, in the order of `find`."""
    return [r.data for r in kind_of(field).find(field, text, context)]


def parsed(field: Field, given: object, context: Context = ENGLISH) -> Data:
    """The canonical value of an entry."""
    return kind_of(field).parse(field, given, context)


def refused(field: Field, given: object, context: Context = ENGLISH) -> str:
    """The key of the refusal of an entry; empty where it is taken."""
    try:
        kind_of(field).parse(field, given, context)
    except Unreadable as problem:
        return problem.key
    return ""


def shown(field: Field, data: Data, context: Context = ENGLISH) -> str:
    """The value as people read it."""
    return kind_of(field).show(field, data, context)
