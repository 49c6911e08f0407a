"""The guards: every write that a model or a reader proposes is judged by all of them, in this order. No setting takes one out."""

from state.guards.judging import GUARDS, Case, Guard, judge
from state.guards.rejection import Rejection

__all__ = ["GUARDS", "Case", "Guard", "Rejection", "judge"]
