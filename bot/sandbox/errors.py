"""What goes wrong.

SlackError      the Web API's answer {"ok": false, "error": …}
  Refusal       the payload breaks Slack's limits, for these reasons
ActError        a person cannot do that on this screen; its text is a sentence for them
Undelivered     an interaction found no app to take it
"""

from bot.sandbox.workspace import Json


class SlackError(Exception):
    """An error answer of the Web API; `extra` joins the answer's body."""

    def __init__(self, code: str, **extra: object) -> None:
        super().__init__(code)
        self.code = code
        self.extra: Json = extra

    def answer(self) -> Json:
        """Return the body that the caller gets."""
        return {"ok": False, "error": self.code, **self.extra}


class Refusal(SlackError):
    """A payload over Slack's limits; `problems` are the reasons in Slack's words."""

    def __init__(self, code: str, problems: list[str]) -> None:
        metadata = {"messages": [f"[ERROR] {problem}" for problem in problems]}
        listed = {"errors": problems} if code == "invalid_blocks" else {}
        super().__init__(code, **listed, response_metadata=metadata)
        self.problems = tuple(problems)


class ActError(Exception):
    """What a person tried is not possible; the text says why."""


class Undelivered(Exception):
    """The app did not take an interaction; the text is what Slack would tell the person."""
