"""Consent in words, where the form lists them: a whole utterance while the review card is the last thing said."""

from state.advance.work import Work
from state.draft.missing import missing
from state.understanding.evidence import WORD, normalized


def consents(work: Work, text: str) -> bool:
    """Whether the message submits what the open review card shows: never a part of it ("yesterday"), never beside a question that waits."""
    card = work.before.card
    if card is None or card.kind != "review" or not any(_same(text, said) for said in work.form.consent):
        return False
    last = work.before.shown_turn == work.before.turn
    waiting = work.draft.proposal or work.draft.disclosures or missing(work.form, work.draft)
    return last and not waiting and card.hash == work.draft.hash


def _same(text: str, said: str) -> bool:
    return WORD.findall(normalized(text)) == WORD.findall(normalized(said))
