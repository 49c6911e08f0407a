"""What a form says of how a model may speak, of consent in words, and of phases."""

from collections.abc import Iterator

from state.workflow.form_case import Finding, FormCase

LONGEST = 600
"""Characters of a reminder: it stands in requests beside everything else."""


def persona(case: FormCase) -> Iterator[Finding]:
    """A reminder says what and when; a shape tells its parts apart; nothing is listed that cannot be said."""
    given = case.form.persona
    if bool(given.reminder.strip()) != (given.remind_every > 0):
        key = "reminder" if given.reminder.strip() else "remind_every"
        yield (
            ("persona", key),
            "A reminder needs `reminder` and `remind_every`, 1 or more. Write both, or none.",
        )
    if len(given.reminder) > LONGEST:
        yield ("persona", "reminder"), f"The reminder has {len(given.reminder)} characters. Keep it to {LONGEST}."
    if len(set(given.shape)) != len(given.shape) or any(not mark.strip() for mark in given.shape):
        yield ("persona", "shape"), "Each part of the shape opens in its own way. Write openings that differ."
    for key in ("forbidden", "examples"):
        if any(not phrase.strip() for phrase in getattr(given, key)):
            yield ("persona", key), f"An entry of `{key}` is empty. Take it out."


def consent(case: FormCase) -> Iterator[Finding]:
    """An utterance that submits has words; a form whose worse answers must not be passed over is submitted by a click."""
    if any(not any(c.isalnum() for c in said) for said in case.form.consent):
        yield ("consent",), "An utterance without letters is no consent. Take it out."
    if case.form.consent and any(field.worse is not None for field in case.form.fields.values()):
        yield ("consent",), "A form with a `worse` answer is submitted by a click alone. Take `consent` out."


def phases(case: FormCase) -> Iterator[Finding]:
    """Phases are computed: there are some, they have no ways of their own, and only they have words."""
    form = case.form
    if form.phases and not form.stages and not case.unread("stages"):
        yield ("phases",), "`phases` needs stages, one for each phase. Add some, or take it out."
    if form.phases and (form.anywhere or any(s.transitions or s.code_only for s in form.stages.values())):
        yield (
            ("phases",),
            "Phases follow from what is told. Take out transitions, `anywhere` and `code_only`, or `phases`.",
        )
    for stage in form.stages.values():
        if stage.words and not form.phases:
            yield (
                ("stages", stage.family or stage.name, "words"),
                "Only phases are gone to by words. Write `phases = true`.",
            )


CHECKS = (persona, consent, phases)
