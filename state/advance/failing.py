"""Technical failures in a row: looking up, fetching a file, judging a submission. A form that hands over calls a person in the end."""

from state.advance.moving import hand_over
from state.advance.work import Work
from state.draft.changes import Counted

FAILURES = 3


def count_failure(work: Work, failed: bool) -> None:
    """Count one more, or start anew where it went well. At the third a form with `stuck = "hand_over"` hands over."""
    before = work.draft.failures
    failures = before + 1 if failed else 0
    if failures >= FAILURES and work.form.stuck == "hand_over":
        work.change(Counted("failures", 0))
        hand_over(work, "failures")
    elif failures != before:
        work.change(Counted("failures", failures))
