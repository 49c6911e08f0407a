"""Cases: a breach that somebody has to close, a note that somebody has to judge. Opened here, each on a card of its own before those who decide."""

import hashlib
from collections.abc import Mapping

from state.draft.changes import BreachSet
from state.draft.decisions import Breach, Note
from state.draft.draft import Draft
from state.engine.cards import Phrase, Utterance, Verbatim
from state.engine.context import TurnContext
from state.engine.effects import Announce

CASES = 20
"""The number of the first case among an event's cards: no other card gets so far."""


def case_of(draft: Draft, name: str) -> Breach | Note | None:
    """The breach or the note of this id."""
    cases: tuple[Breach | Note, ...] = (*draft.breaches, *draft.notes)
    return next((one for one in cases if one.id == name), None)


def waits(case: Breach | Note | None) -> bool:
    """Whether it waits for a person."""
    return case.open if isinstance(case, Breach) else case is not None and case.came == "unread"


def case_hash(draft: Draft, name: str) -> str:
    """SHA-256 over what a case's card shows: the case, what was reported, and the answers."""
    said = f"{draft.hash}|{case_of(draft, name)!r}|{len(draft.reports)}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def open_breach(turn: TurnContext, kind: str, said: Mapping[str, str], words: str = "", by: str = "") -> Breach | None:
    """Open a breach and put it before those who close it; None where the very same was opened before."""
    known = turn.draft.breaches
    if any((one.kind, one.said, one.words) == (kind, said, words) for one in known):
        return None
    card = case_card(turn)
    breach = Breach(f"breach-{len(known) + 1}", kind, turn.event.at, said, words, by, card)
    turn.change(BreachSet(breach))
    announce(turn, breach)
    return breach


def case_card(turn: TurnContext) -> str:
    """The id of the event's next case card."""
    return turn.card_id(CASES + len(turn.draft.breaches) + len(turn.draft.notes))


def announce(turn: TurnContext, case: Breach | Note) -> None:
    """Put a case before those who decide, where the record is theirs."""
    to = turn.draft.docket.channel
    turn.do(Announce("record", record=turn.draft.record, state=turn.draft.state, to=to, id=case.card, case=case.id))


def sentence_of(breach: Breach) -> Utterance:
    """What is wrong, in a sentence."""
    return Verbatim(breach.words) if breach.words else Phrase(f"breach_{breach.kind}", breach.said)
