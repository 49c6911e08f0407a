"""How a draft begins, with what its owner said in the conversation before."""

from dataclasses import replace

from state.draft.changes import kept_earlier
from state.draft.draft import ChatLine, Draft, Status
from state.form import Form
from state.understanding.evidence import said_by_person


def begin(
    form: Form, name: str, tenant: str, owner: str, conversation: str, at: str, before: Draft | None = None
) -> Draft:
    """A new, empty draft (revision 0). From the conversation's draft `before` it takes along what its owner said there."""
    fresh = Draft(name, form.name, tenant, owner, conversation, form.version, at, stage=form.first_stage)
    return replace(fresh, earlier=_said_before(fresh, before)) if before else fresh


def _said_before(fresh: Draft, before: Draft) -> tuple[ChatLine, ...]:
    """The same person's words for another form; of the same form, or of one that was given up, nothing counts again."""
    same = (before.tenant, before.owner, before.conversation) == (fresh.tenant, fresh.owner, fresh.conversation)
    if not same or before.form == fresh.form or before.status is Status.CANCELLED:
        return ()
    return tuple(replace(line, before=True) for line in kept_earlier((), said_by_person(before)))
