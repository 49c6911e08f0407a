"""The service behind the replayed forms: it takes a submission, or does not answer this time."""

from collections.abc import Mapping
from typing import Any

from state.draft.draft import Draft
from state.rules import Rules, Sources

silent: set[str] = set()
"""People whose next submission the service does not answer."""


class Silence(Exception):
    """The service did not answer."""


async def gather(draft: Draft, _sources: Sources | None) -> Mapping[str, Any]:
    """Nothing is needed of the service but its answer. Raises Silence, once per person in `silent`."""
    if draft.owner in silent:
        silent.discard(draft.owner)
        raise Silence
    return {}


rules = Rules(gather=gather)
