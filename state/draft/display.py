"""A draft's values, and those of a report, as people read them, in the form's language; and those that wait for a click on the open card."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from state.draft.draft import Draft, Offer, Provenance, Sentences, Value
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field, Form
from state.form.field import Data
from state.form.filing import ReportTable

BRACES = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def display_value(field: Field, value: Value, context: Context) -> str:
    """Return one value: "250", "No", "Tesco PLC (GB00BLGZ9862)"."""
    return value.label or plainly(field, value.data, context)


def plainly(field: Field, data: Data, context: Context) -> str:
    """Return a bare value as people read it; a sum in the form's one currency with that currency's sign."""
    return kind_of(field).displayed(field, data, context)


def asked(form: Form, draft: Draft, field: Field, context: Context) -> str:
    """Return a field's question, with the answers that it names, or the labels of what has none."""
    return _with_answers(form, draft, field.ask, context)


def declared_by(form: Form, draft: Draft, names: Iterable[str], context: Context) -> Sentences:
    """Return the sentences that answers to these fields would declare now."""
    declaring = {n: d for n in names if n in form.fields and (d := form.fields[n].declares)}
    return {
        n: (_with_answers(form, draft, d.yes, context), _with_answers(form, draft, d.no, context))
        for n, d in declaring.items()
    }


def stated(field: Field, answer: str, sentence: str) -> str:
    """Return an answer with the sentence that it declares; an acknowledgement says nothing beyond that."""
    return f"{answer} – {sentence}" if sentence and kind_of(field).polar else sentence or answer


def _with_answers(form: Form, draft: Draft, text: str, context: Context) -> str:
    def named(found: re.Match[str]) -> str:
        other, value = form.fields.get(found[1]), draft.values.get(found[1])
        if other is None or value is None:
            return other.label if other else found[0]
        return " ".join(display_value(other, value, context).removesuffix(f" ({value.data})").split())

    return BRACES.sub(named, text)


def currency_field(form: Form, amount: Field) -> Field | None:
    """Return the field that tells an amount's currency: the first one asked after it; None where the amount has its own, or is none."""
    if kind_of(amount).money != "amount" or amount.currency:
        return None
    names = list(form.fields)
    after = (form.fields[n] for n in names[names.index(amount.name) + 1 :])
    halves = (f for f in after if kind_of(f).money and not f.currency)
    found = next(halves, None)
    return found if found is not None and kind_of(found).money == "currency" else None


def currency_of(form: Form, draft: Draft, amount: Field) -> Value | None:
    """Return the answered currency of an amount; None where it is not told, or not a field of its own."""
    beside = currency_field(form, amount)
    return draft.values.get(beside.name) if beside else None


def stands_with_amount(form: Form, draft: Draft, field: Field) -> bool:
    """Return True if the field is the currency of an answered amount: the two are one answer on screen."""
    if kind_of(field).money != "currency":
        return False
    return any(name in form.fields and currency_field(form, form.fields[name]) == field for name in draft.values)


def display_whole(form: Form, draft: Draft, field: Field, context: Context) -> str:
    """Return a field's answer: an amount with its currency, a number with its unit, a declaration's sentence; empty where there is none."""
    value = draft.values.get(field.name)
    if value is None:
        return ""
    text = stated(field, display_value(field, value, context), value.declared)
    currency = currency_of(form, draft, field)
    return f"{currency.data} {text}" if currency else f"{text} {field.unit}".strip()


def display_values(form: Form, draft: Draft, names: tuple[str, ...], context: Context) -> str:
    """Return several values in one breath: "Buy · 200 shares · GBP 720.00"; a money field takes its currency along."""
    paired = {"amount", "currency"} <= {kind_of(form.fields[n]).money for n in names}
    parts = [_part(form, draft, n, context, paired) for n in names if n in draft.values]
    return " · ".join(p for p in parts if p)


def _part(form: Form, draft: Draft, name: str, context: Context, paired: bool) -> str:
    field = form.fields[name]
    kind = kind_of(field)
    text = display_value(field, draft.values[name], context)
    if kind.money == "currency" and paired:
        return ""
    if kind.money == "amount" and paired:
        codes = (n for n, f in form.fields.items() if kind_of(f).money == "currency")
        return f"{next(draft.values[n].data for n in codes if n in draft.values)} {text}"
    if kind.declaration:
        return f"{field.label}: {text}"
    return f"{text} {field.unit}".strip()


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


def shown(form: Form, draft: Draft, fields: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return what a card for these fields shows (for none, the review): all that was read, but a declaration with its own question alone."""
    here = (o for o in draft.offers if o.said and o.field in form.fields)
    return tuple(o for o in here if not fields or o.field in {*fields, *draft.values} or not _declares(form, o))


def usable(form: Form, draft: Draft, fields: Collection[str] = ()) -> tuple[Offer, ...]:
    """Return those that one click takes together: one value for a field that has none yet, and never a declaration."""
    every = shown(form, draft, fields)
    count = Counter(o.field for o in every)
    return tuple(o for o in every if count[o.field] == 1 and o.field not in draft.values and not _declares(form, o))


def _declares(form: Form, offer: Offer) -> bool:
    return kind_of(form.fields[offer.field]).declaration
