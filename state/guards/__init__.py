"""The guards: every write that a model or a reader proposes is judged by all of them, in this order. No setting takes one out."""

from state.draft.rejection import Rejection
from state.guards.writes import GUARDS, Guard, ProposedWrite, judge

__all__ = ["GUARDS", "Guard", "ProposedWrite", "Rejection", "judge"]
