"""Tool scoping: the tools that a model is offered for a draft, and in them only the fields that may still be filled."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from state.draft.draft import Draft
from state.draft.missing import missing, once_a_draft, reachable, unfilled
from state.draft.route import REPLY
from state.draft.stages import at_review, chosen_ways
from state.fields import file_field, is_offerable, kind_of, tools_of
from state.form import Field, Form

CORRECT, DISCLOSE, OFFER, EXPLAIN, PERSON, GO = "correct", "disclose", "offer", "explain_form", "hand_over", "go"
READ, SAY = "read_document", "say"
SUBMIT = ("submit", "submit_request", "finalize", "finalise", "submit_form")
"""Names by which models try to submit; none is ever offered, each is judged by the draft's status."""


def own_names(form: Form) -> tuple[str, ...]:
    """Return names that the form gives to tools which every form has: to finish, to call a person, to cancel."""
    return tuple(name for name in (form.finalize, form.escalate, form.cancel) if name)


@dataclass(frozen=True)
class Scope:
    """`setters`: tool name to the fields it may set. `correctable`: fields with a value. `disclosable`: fields with a worse answer.

    `ways`: triggers that the person may pull now. `finalize`: the form's finalising tool, where it means something.
    `cancel`: its cancelling tool, while there is something to cancel. `person`: the form's tool that calls a person.
    """

    setters: Mapping[str, tuple[Field, ...]]
    correctable: tuple[Field, ...]
    disclosable: tuple[Field, ...]
    ways: tuple[str, ...] = ()
    finalize: str = ""
    offerable: tuple[Field, ...] = ()
    """Fields for which the bot may offer a value: open ones, and answered ones that nothing locks."""
    operations: tuple[str, ...] = ()
    """Operations that may be called in this stage."""
    documents: tuple[str, ...] = ()
    """Ids of the documents that may be read."""
    conversational: bool = False
    """True if there are operations and nothing to fill in."""
    cancel: str = ""
    person: str = ""

    @property
    def always(self) -> tuple[str, ...]:
        """Return the tools beside the setters; those about something only where they could be about something."""
        some = (
            (CORRECT, self.correctable),
            (DISCLOSE, self.disclosable),
            (OFFER, self.offerable),
            (GO, self.ways),
            (READ, self.documents),
            (self.finalize, self.finalize),
            (self.cancel, self.cancel),
        )
        return tuple(filter(None, (*(name for name, about in some if about), SAY, self.person)))

    @property
    def names(self) -> frozenset[str]:
        """Return every tool on offer."""
        return frozenset((*self.setters, *self.operations, *self.always))


@once_a_draft
def scope(form: Form, draft: Draft) -> Scope:
    """Return what is offered now: nothing to set once the draft is closed, a finished field nowhere but in `correct`."""
    fillable = {f.name for f in unfilled(form, draft) if not kind_of(f).by_file} - {REPLY} if draft.open else set()
    setters = {name: tuple(f for f in fields if f.name in fillable) for name, fields in tools_of(form).items()}
    answered = tuple(
        f for f in reachable(form, draft) if f.name in draft.values.keys() - {REPLY} and not kind_of(f).by_file
    )
    return Scope(
        setters=MappingProxyType(_at_once(form, draft, {name: fields for name, fields in setters.items() if fields})),
        correctable=answered if draft.open else (),
        disclosable=tuple(f for f in answered if f.worse is not None),
        ways=tuple(dict.fromkeys(w.on for w in chosen_ways(form, draft))) if draft.open else (),
        finalize=form.finalize if not draft.open or (not missing(form, draft) and at_review(form, draft)) else "",
        offerable=_offerable(form, draft, answered) if draft.open else (),
        operations=_operations(form, draft),
        documents=tuple(i for i in draft.documents if i in draft.held) if draft.open else (),
        conversational=form.conversational,
        cancel=form.cancel if draft.open else "",
        person=form.escalate,
    )


def _at_once(form: Form, draft: Draft, setters: dict[str, tuple[Field, ...]]) -> dict[str, tuple[Field, ...]]:
    """As many as the stage takes at a time."""
    stage = form.stages.get(draft.stage)
    most = stage.at_once if stage is not None and stage.at_once else len(setters)
    return dict(list(setters.items())[:most])


def _offerable(form: Form, draft: Draft, answered: tuple[Field, ...]) -> tuple[Field, ...]:
    """Declarations and graded reasons are the person's own to give; what is looked up is offered from results on screen."""
    open_ones = unfilled(form, draft)
    again = (f for f in answered if f not in open_ones and not f.suggest)
    held = {f.name for f in form.fields.values() for d in form.dependents(f.name) if d.name in draft.locked_fields}
    fields = (f for f in (*open_ones, *again) if f.name not in draft.locked_fields | held | {REPLY})
    return tuple(f for f in fields if is_offerable(f) and (not kind_of(f).searchable or f.name in draft.options))


def _operations(form: Form, draft: Draft) -> tuple[str, ...]:
    """Return those that the stage names, and those that no stage names; none that a file calls, and none once the draft is closed."""
    named = {name for stage in form.stages.values() for name in stage.operations}
    here = form.stages[draft.stage].operations if draft.stage in form.stages else ()
    spoken = (name for name, operation in form.operations.items() if not file_field(operation))
    return tuple(name for name in spoken if name in here or name not in named) if draft.open else ()
