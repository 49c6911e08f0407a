"""Faults on demand: what the next calls and deliveries suffer, so that a bot's reliability is tested, not assumed."""

from dataclasses import asdict, dataclass, field, fields

from bot.sandbox.errors import ActError
from bot.sandbox.workspace import Json


@dataclass
class Knobs:
    """All faults; per-method ones are keyed by the method's name, such as "chat.postMessage".

    rate_limit                 how many of the next calls get HTTP 429 with `Retry-After: retry_after` (seconds)
    fail                       for the next calls in turn: an HTTP status (int) or an error of Slack's (str)
    outage                     for every call, as long as it stands: an HTTP status (int), an error of Slack's, "page" or "plain" (an
                               answer that is no JSON), "cut" (no answer, and nothing is carried out); "*" is every method
    timeout_after_delivery     how many of the next calls are carried out and never answered
    disconnect_after_delivery  how many of the next calls are carried out and lose their connection
    delay                      seconds that every call takes longer on its way to Slack
    delay_answers              seconds that every answer takes longer on its way back
    delay_events               seconds that everything takes longer on its way to the app, by "events_api", "interactive", "slash_commands"
    redeliver                  how many more times every event is delivered
    drop_acks                  how many of the next acks are lost on their way
    duplicate_clicks           how many more times every click arrives, as from a nervous finger
    tiers                      Slack's rate limits: 1 as they are, 30 with minutes of two seconds, 0 without any
    """

    rate_limit: dict[str, int] = field(default_factory=dict)
    fail: dict[str, list[int | str]] = field(default_factory=dict)
    outage: dict[str, int | str] = field(default_factory=dict)
    timeout_after_delivery: dict[str, int] = field(default_factory=dict)
    disconnect_after_delivery: dict[str, int] = field(default_factory=dict)
    delay: dict[str, float] = field(default_factory=dict)
    delay_answers: dict[str, float] = field(default_factory=dict)
    delay_events: dict[str, float] = field(default_factory=dict)
    redeliver: int = 0
    drop_acks: int = 0
    duplicate_clicks: int = 0
    retry_after: int = 1
    tiers: int = 1

    def turn(self, given: Json) -> None:
        """Set the knobs named in `given` and leave the others.

        Raises ActError for a knob that does not exist or a value of another kind.
        """
        for name, value in given.items():
            _check(name, value)
        for name, value in given.items():
            setattr(self, name, value)

    def as_json(self) -> Json:
        """The knobs as they stand."""
        return asdict(self)

    def rate_limited(self, method: str) -> bool:
        """Take one from the calls that are still to be rate limited."""
        return _take(self.rate_limit, method)

    def failure(self, method: str) -> int | str | None:
        """The next failure in store for a method, else the outage that stands."""
        store = self.fail.get(method)
        return store.pop(0) if store else self.outage.get(method, self.outage.get("*"))

    def unanswered(self, method: str) -> bool:
        """Take one from the calls that get no answer."""
        return _take(self.timeout_after_delivery, method)

    def cut_off(self, method: str) -> bool:
        """Take one from the calls whose connection breaks before the answer."""
        return _take(self.disconnect_after_delivery, method)

    def ack_dropped(self) -> bool:
        """Take one from the acks that are lost."""
        lost = self.drop_acks > 0
        self.drop_acks -= lost
        return lost


def _take(counters: dict[str, int], method: str) -> bool:
    left = counters.get(method, 0)
    if left > 0:
        counters[method] = left - 1
    return left > 0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_failure(value: object) -> bool:
    return isinstance(value, int | str)


def _is_failures(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_failure, value))


PER_METHOD = {
    "rate_limit": _is_count,
    "fail": _is_failures,
    "outage": _is_failure,
    "timeout_after_delivery": _is_count,
    "disconnect_after_delivery": _is_count,
    "delay": _is_seconds,
    "delay_answers": _is_seconds,
    "delay_events": _is_seconds,
}


def _check(name: str, value: object) -> None:
    if name not in {knob.name for knob in fields(Knobs)}:
        raise ActError(f"There is no knob called {name}.")
    fits = PER_METHOD.get(name)
    if fits is None and not _is_count(value):
        raise ActError(f"{name} takes a whole number.")
    if fits and not (isinstance(value, dict) and all(fits(one) for one in value.values())):
        raise ActError(f"{name} takes an object with one entry per method.")
