"""The one retry of a reply that could not be read: the same request, the reply, and what was wrong with it."""

from dataclasses import replace

from prompts.marks import FLAW
from prompts.request import Request

AGAIN = 400
"""Tokens that a retry may add to its request: what `_SHOWN` bytes come to at the most, and the sentences about them."""
_SHOWN = 600
"""Bytes of the unreadable reply, in UTF-8, that are sent back."""


def asked_again(request: Request, reply: str, flaw: str) -> Request:
    """Return the request that says what was wrong; `flaw` is a clause ("a code fence stands around the JSON")."""
    shown = reply.encode("utf-8", "replace")[:_SHOWN].decode("utf-8", "ignore")
    told = (
        f"{FLAW}\nYour last reply could not be read: {flaw}. Nothing in it was done or shown. "
        "Write the whole reply anew, in the one format that is described above."
    )
    said = ({"role": "assistant", "content": shown},) if shown.strip() else ()
    return replace(request, messages=(*request.messages, *said, {"role": "system", "content": told}))
