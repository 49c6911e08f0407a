"""The persona's reminder: in every so many turns of the person, in the request alone and never in the stored conversation."""

from prompts.marks import REMINDER
from prompts.view import View


def reminder(view: View) -> str:
    """Return the block as text; empty in the turns between, and where the form has none."""
    persona, turn = view.form.persona, view.draft.turn
    due = persona.remind_every > 0 and turn > 0 and turn % persona.remind_every == 0
    return f"{REMINDER}\n{persona.reminder.strip()}" if due and persona.reminder else ""
