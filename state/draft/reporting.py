"""The report of what was done, as a small form of its own: its fields are read, checked and shown as any form's are."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from state.draft.display import currency_field, display_whole, stands_with_amount
from state.draft.draft import Draft, Provenance, Value
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Form
from state.form.field import Data, Field
from state.form.filing import ReportTable

Figures = Mapping[str, Data]


@lru_cache(maxsize=64)
def report_form(form: Form) -> Form:
    """Return the report's fields as a form. Raises ValueError where the form wants no report."""
    return Form(
        name=form.name, title=form.title, version=form.version, language=form.language, prefix=form.prefix,
        says=form.says, fields=table_of(form).fields,
    )  # fmt: skip


def table_of(form: Form) -> ReportTable:
    """Return what the form says of its report. Raises ValueError where it wants none."""
    if form.filing.report is None:
        raise ValueError(f"{form.name} wants no report")
    return form.filing.report


def report_draft(draft: Draft, figures: Figures) -> Draft:
    """Return a draft of the small form that holds these figures."""
    came = Provenance(draft.owner, draft.began, "entered")
    values = {name: Value(data, came) for name, data in figures.items()}
    return Draft(
        draft.id,
        draft.form,
        draft.tenant,
        draft.owner,
        draft.conversation,
        draft.form_version,
        draft.began,
        values=values,
    )


def approved_figures(form: Form, draft: Draft) -> Figures:
    """Return what was approved, by the report's fields."""
    named = table_of(form).approved
    return {name: draft.values[answer].data for name, answer in named.items() if answer in draft.values}


def filled_in(form: Form, draft: Draft, today: str) -> Figures:
    """Return what the box begins with: the last report, what was read of the person's words, or what was approved, today."""
    last = draft.filed.reporting or draft.filed.report
    return last.figures if last else {**approved_figures(form, draft), table_of(form).day: today}


def shown_fields(form: Form, figures: Figures) -> tuple[Field, ...]:
    """Return the report's fields as a person answers them: an amount and its currency are one."""
    mini, held = report_form(form), Draft("", "", "", "", "", values=report_draft(NOBODY, figures).values)
    return tuple(f for f in mini.fields.values() if not stands_with_amount(mini, held, f))


NOBODY = Draft("", "", "", "", "")


def shown_figures(form: Form, figures: Figures, context: Context) -> Iterator[tuple[str, str]]:
    """Yield each figure's label, and how people read it."""
    mini, held = report_form(form), report_draft(NOBODY, figures)
    for field in shown_fields(form, figures):
        if field.name in figures:
            yield field.label, display_whole(mini, held, field, context)


def read_entries(
    form: Form, entries: Mapping[str, Data], context: Context
) -> tuple[dict[str, Data], dict[str, Unreadable]]:
    """Return what stands in the box, in canonical form, and what of it cannot be read, by field."""
    mini, found, wrong = report_form(form), dict[str, Data](), dict[str, Unreadable]()
    for name, field in mini.fields.items():
        if name not in entries:
            continue
        try:
            found |= _read(mini, field, entries[name], context)
        except Unreadable as problem:
            wrong[name] = problem
    day = table_of(form).day
    if str(found.get(day, "")) > context.today:
        wrong[day] = Unreadable("report_ahead")
    return found, wrong


def _read(mini: Form, field: Field, entry: Data, context: Context) -> dict[str, Data]:
    """Return an entry, with the currency that stands beside an amount. Raises Unreadable."""
    beside = currency_field(mini, field)
    if beside is None:
        return {field.name: kind_of(field).parse(field, entry, context)}
    told = {reading.data for reading in kind_of(beside).find(beside, str(entry), context)}
    amount = kind_of(field).parse(field, entry, context)
    if len(told) != 1:
        raise Unreadable("ambiguous_currency" if told else "report_currency")
    return {field.name: amount, beside.name: told.pop()}
