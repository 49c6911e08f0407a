"""What a model's words may not claim, by what became of the draft."""

from dataclasses import replace

import pytest

from state.draft.draft import Status
from state.guards.speech import flaw
from tests.state.forms import FORM, new_draft

SAVED = ("He guardado su correo.", "No se preocupe, está guardado.", "I have saved it.", "Ho salvato tutto: è salvato.")


@pytest.mark.parametrize("status", [Status.OPEN, Status.SUBMITTED])
@pytest.mark.parametrize("text", SAVED)
def test_nothing_is_said_to_be_saved(text: str, status: Status) -> None:
    """Words never save anything, neither before submission nor after it; a denial in another clause does not make it true."""
    assert flaw(FORM, replace(new_draft(), status=status), text)


@pytest.mark.parametrize(
    "text", ["Todavía no se ha guardado nada.", "Cuando pulse Enviar, quedará registrado.", "Nothing has been saved."]
)
def test_a_denial_and_a_promise_are_no_claims(text: str) -> None:
    """What is denied in its own clause, or tied to what the person will do, may be said."""
    assert not flaw(FORM, new_draft(), text)


@pytest.mark.parametrize(
    ("status", "wrong"), [(Status.OPEN, True), (Status.SUBMITTED, True), (Status.CANCELLED, False)]
)
def test_only_what_was_cancelled_is_called_so(status: Status, wrong: bool) -> None:
    """A model that says "cancelled" is right about a cancelled draft alone."""
    assert bool(flaw(FORM, replace(new_draft(), status=status), "He cancelado su solicitud.")) is wrong
