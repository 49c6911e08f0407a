"""Forms are data: what a workflow folder declares, loaded and checked before anything runs."""

from state.form.field import Choice, Condition, Field, Paper
from state.form.schema import Command, Form, Operation, Repeat, Stage, Transition

__all__ = ["Choice", "Command", "Condition", "Field", "Form", "Operation", "Paper", "Repeat", "Stage", "Transition"]
