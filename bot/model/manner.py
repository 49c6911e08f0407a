"""How requests are put to one endpoint: what is left out of them, and whether the answer is streamed. It learns from 400s."""

import re
from dataclasses import dataclass, replace

from bot.model.sending import Extra, blamed

_TOO_MUCH = re.compile(r"too many|too complex|too large|grammar|limit", re.IGNORECASE)
_STREAMING = re.compile(r"\bstream", re.IGNORECASE)


@dataclass(frozen=True)
class Manner:
    """`lacking` is what the endpoint does not take, `for_now` what this one request is too big for."""

    stream: bool = False
    stream_is_settled: bool = False
    lacking: frozenset[Extra] = frozenset()
    for_now: frozenset[Extra] = frozenset()

    @property
    def without(self) -> frozenset[Extra]:
        """Everything to leave out of the request."""
        return self.lacking | self.for_now

    def after(self, complaint: str, held: frozenset[Extra]) -> "Manner | None":
        """The manner to try next, after a 400 with these words to a request that held these extras; None when none is left."""
        if _STREAMING.search(complaint) and not self.stream_is_settled:
            return replace(self, stream=not self.stream, stream_is_settled=True)
        if not held:
            return None
        guilty = blamed(complaint, held)
        if _TOO_MUCH.search(complaint) or guilty == {Extra.FILES}:  # one file may be bad where others are not
            return replace(self, for_now=self.for_now | guilty)
        return replace(self, lacking=self.lacking | guilty)

    def remembered(self) -> "Manner":
        """What holds for the next request too."""
        return replace(self, for_now=frozenset())
