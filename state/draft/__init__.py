"""One form being filled in by one person: the draft, how it changes, and what it lacks."""

from state.draft.draft import Data, Disclosure, Draft, How, Offer, OpenCard, Option, Proposal, Provenance, Status, Value

__all__ = [
    "Data",
    "Disclosure",
    "Draft",
    "How",
    "Offer",
    "OpenCard",
    "Option",
    "Proposal",
    "Provenance",
    "Status",
    "Value",
]
