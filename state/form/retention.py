"""How long records are kept, by their class: the form's own years, or those of the state that a record is in."""

from collections.abc import Mapping

from state.form.schema import Form


def years_kept(form: Form, state: str) -> int:
    """Years from filing for which a record in this state is kept, also where its person is erased; 0 where nothing asks for it."""
    known = form.filing.states.get(state)
    if known is not None and known.years is not None:
        return known.years
    return form.retain.years if form.retain else 0


def why_kept(form: Form, state: str) -> str:
    """What asks for it, in a sentence."""
    known = form.filing.states.get(state)
    basis = known.basis if known is not None and known.years is not None else ""
    return basis or (form.retain.why if form.retain else "")


def classes(form: Form) -> Mapping[str, int]:
    """States whose records are kept for another time than the form's others."""
    return {name: state.years for name, state in form.filing.states.items() if state.years is not None}


def keeps(form: Form) -> Mapping[str, int]:
    """Years by class as the store takes them: "form" and "form/state"."""
    own = {form.name: form.retain.years} if form.retain else {}
    return own | {f"{form.name}/{state}": years for state, years in classes(form).items()}
