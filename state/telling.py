"""A draft's values as people read them, in the form's language."""

from state.draft import Draft, Value
from state.form import Field, Form
from state.kinds import kind_of
from state.kinds.base import Context


def shown(field: Field, value: Value, context: Context) -> str:
    """One value: "250", "No", "Tesco PLC (GB00BLGZ9862)"."""
    return value.label or kind_of(field).show(field, value.data, context)


def told(form: Form, draft: Draft, names: tuple[str, ...], context: Context) -> str:
    """Several values in one breath: "Buy · 200 shares · GBP 720.00"; a money field takes its currency along."""
    currencies = [n for n in names if form.fields[n].kind == "currency"]
    paired = bool(currencies) and any(form.fields[n].kind == "money" for n in names)
    parts = [_part(form, draft, n, context, paired) for n in names if n in draft.values]
    return " · ".join(p for p in parts if p)


def _part(form: Form, draft: Draft, name: str, context: Context, paired: bool) -> str:
    field = form.fields[name]
    text = shown(field, draft.values[name], context)
    if field.kind == "currency" and paired:
        return ""
    if field.kind == "money" and paired:
        code = next(draft.values[n].data for n, f in form.fields.items() if f.kind == "currency" and n in draft.values)
        return f"{code} {text}"
    if field.kind in ("yes_no", "acknowledgement"):
        return f"{field.label}: {text}"
    return f"{text} {field.unit}".strip()
