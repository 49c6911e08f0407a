"""What the app sent, kept for tests and for the page: every call with its answer, and those that were refused."""

from collections import Counter
from dataclasses import dataclass, field

from bot.sandbox.errors import Refusal, SlackError
from bot.sandbox.workspace import Json

SENT_KEPT = 5_000


@dataclass(frozen=True)
class Sent:
    """One call of the app (or payload of an ack) and what it was answered."""

    method: str
    args: Json
    answer: Json
    team: str = ""
    """The workspace whose token it was made with, where that was given by OAuth."""

    @property
    def ok(self) -> bool:
        """True when the call was granted."""
        return bool(self.answer.get("ok"))


@dataclass(frozen=True)
class Refused:
    """A payload that breaks Slack's limits, with the reasons in Slack's words."""

    method: str
    args: Json
    problems: tuple[str, ...]


@dataclass
class Records:
    """Both lists, oldest first and bounded; `counts` are all calls, by method and error (empty where it was granted)."""

    sent: list[Sent] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, method: str, args: Json, answer: Json, team: str = "") -> None:
        """Keep a call."""
        self.sent.append(Sent(method, args, answer, team))
        self.counts[method, str(answer.get("error") or "")] += 1
        del self.sent[:-SENT_KEPT]

    def add_error(self, method: str, args: Json, error: SlackError) -> None:
        """Keep a call that was answered with an error; one over the limits is kept among the refused too."""
        self.add(method, args, error.answer())
        if isinstance(error, Refusal):
            self.refused.append(Refused(method, args, error.problems))
            del self.refused[:-SENT_KEPT]
