"""The folder of a new form: form.toml, a scenario that files it, and a README that says what to change. It is there whole or not at all."""

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.numbers import format_decimal

from blocks.phrases import Phrasebook
from bot.commands.new.words import Table, Words
from bot.settings import Wrong
from state.draft.draft import Draft, Provenance, Value
from state.draft.missing import missing
from state.fields import element_of, kind_of
from state.fields.base import Context
from state.form import Field, Form
from state.form.field import Data
from state.form.source import FormError
from state.workflow.load import Sentences, load_folder
from state.workflow.scenario import read_scenario

TODAY, HOUR = "2026-11-20", "09:00:00"
STEPS = 200
"""Questions of one scenario."""
ANSWERS: Mapping[str, Data] = {
    "acknowledgement": True, "date": "2027-03-03", "time": "14:30", "period": "2027-03-01/2027-03-05", "currency": "EUR",
    "email": "ana@example.org", "phone": "+442079460018", "link": "https://example.org/page", "identifier": "GB82WEST12345698765432",
    "document": "f", "documents": ("f",), "text": "Example",
}  # fmt: skip
"""What the scenario answers, in canonical form; numbers and choices depend on their field."""
README = Path(__file__).with_name("new_form.md")


def write(
    target: Path, top: Table, parts: Mapping[str, Any], words: Words, left: Iterable[str], sentences: Sentences
) -> Form:
    """Write the folder and return its form. Raises Wrong where it is there already, or the form would not load; then nothing is written."""
    if target.exists():
        raise Wrong([f"{target} is there already, and nothing is overwritten. Choose another name."])
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))  # no bot takes a folder that begins with a point
    made = aside / target.name
    try:
        (made / "scenarios").mkdir(parents=True)
        (made / "form.toml").write_text(form_text(top, parts), "utf-8")
        form = load_folder(made, (), sentences).form
        scenario = made / "scenarios" / "plain.toml"
        scenario.write_text(scenario_text(form, words), "utf-8")
        read_scenario(scenario, form)
        (made / "README.md").write_text(_readme(form, tuple(left)), "utf-8")
        made.rename(target)
    except FormError as wrong:
        told = "; ".join(problem.text for problem in wrong.problems[:3])
        raise Wrong([f"That makes no form that loads, so nothing was written: {told}"]) from wrong
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return form


def _readme(form: Form, left: tuple[str, ...]) -> str:
    deciders = [f"`{role}`" for role in form.filing.roles]
    route = f"{', then '.join(deciders)}, who stand in roles.toml" if deciders else "nobody; a request is only noted"
    kinds = ", ".join(f"{field.base} is `{field.kind}`" for field in form.fields.values() if field.slot < 2)  # noqa: PLR2004  the first time
    text = README.read_text("utf-8").format(
        title=form.title, name=form.name, kinds=kinds, route=route, command=form.command
    )
    return text + ("\nPlease look at:\n\n" + "".join(f"- {line}\n" for line in left) if left else "")


def form_text(top: Table, parts: Mapping[str, Any]) -> str:
    """Return form.toml: what stands at its top, then a table for each part; lists of tables one by one."""
    lines = [f"# How each key works: “Form reference” in the documentation\n\n{_pairs(top)}"]
    for name, part in parts.items():
        if name == "says":
            lines += [f"[says]\n{_pairs(part)}"] if part else []
        elif name == "rules":
            lines += [f"[[filing.rules]]\n{_pairs(rule)}" for rule in part]
        else:
            lines += [f"[{name}.{key}]\n{_pairs(table)}" for key, table in part.items()]
    return "\n".join(lines)


def _pairs(table: Table) -> str:
    return "".join(f"{key} = {toml(value)}\n" for key, value in table.items() if key != "name" or "title" in table)


def toml(value: Any) -> str:
    """Return a value as TOML writes it: JSON has the same texts, numbers and lists."""
    if isinstance(value, Mapping):
        return (
            "{ "
            + ", ".join(f"{key if key.isidentifier() else toml(key)} = {toml(one)}" for key, one in value.items())
            + " }"
        )
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def scenario_text(form: Form, words: Words) -> str:
    """Return a scenario in which every question is answered, the request is filed and everybody who decides approves."""
    book = Phrasebook(form.language, form.says)
    head = {"title": words.say("scenario")}
    times = f"today = {TODAY}\nat = {HOUR}\n"
    language = f"language = {toml(form.language)}\n" if words.code != "en" else ""
    steps = [*_answers(form, book), *_verdicts(form, book)]
    return _pairs(head) + times + language + "".join(f"\n[[steps]]\n{_pairs(step)}" for step in steps)


def _answers(form: Form, book: Phrasebook) -> Iterator[Table]:
    context = Context(form.language, TODAY)
    draft = Draft("d", form.name, "T", "U", "c")
    act: Table = {"say": form.command}
    for _ in range(STEPS):
        asked = next(iter(missing(form, draft)), None)
        yield act | {"expect": {"asked": asked.name} if asked else {"review": True}}
        if asked is None:
            break
        data = _sample(form, asked)
        *before, act = _act(asked, data, book, context)
        yield from before
        said = Provenance("U", f"{TODAY}T{HOUR}+00:00", "typed")
        draft = Draft("d", form.name, "T", "U", "c", values={**draft.values, asked.name: Value(data, said)})
    else:
        raise Wrong([f"A form asks at most {STEPS} questions, and this one asks more. Make two of it."])
    states = form.filing.states
    first = form.filing.rules[0].state if form.filing.rules else next(iter(states), "received")
    yield {"click": book.say("submit"), "expect": {"status": "submitted", "records": 1, "record": {"state": first}}}


def _verdicts(form: Form, book: Phrasebook) -> Iterator[Table]:
    for state in (one for one in form.filing.states.values() if one.waits):
        follows = state.decide["approve"]
        yield {"click": book.say("verdict_approve"), "by": state.by, "expect": {"record": {"state": follows}}}


def _sample(form: Form, field: Field) -> Data:
    repeat = form.repeats.get(field.repeat)
    if field.kind == "yes_no":
        return not (repeat and repeat.more == field.base)
    if field.choices and field.kind != "acknowledgement":
        first = field.choices[0].value
        return (first,) if kind_of(field).several else first
    if field.kind == "text":
        return str(ANSWERS["text"])[: field.max_length]
    if field.kind in ANSWERS:
        return ANSWERS[field.kind]
    number = max(field.minimum if field.minimum is not None else 1, 1)
    number = min(number, field.maximum) if field.maximum is not None else number
    return number if field.kind == "integer" else f"{number}.00" if field.kind == "money" else str(number)


def _act(field: Field, data: Data, book: Phrasebook, context: Context) -> list[Table]:
    """Return what a person does to give an answer."""
    element, shown = element_of(field), kind_of(field).show(field, data, context)
    if element == "yes_or_no":
        return [{"click": context.language.yes_label if data else context.language.no_label, "on": field.name}]
    if element == "acknowledge":
        return [{"click": field.choices[0].label if field.choices else book.say("acknowledge"), "on": field.name}]
    if element == "tick":
        return [{"tick": [shown]}]
    if element == "buttons":
        return [{"click": shown, "on": field.name}]
    if element in ("file", "files"):
        name = "example.pdf" if "pdf" in (field.accept or ("pdf",)) else "example.png"
        sent = [{"send": {name: f"{field.label} {n + 1}"}} for n in range(max(1, field.minimum or 1))]
        return [*sent, {"click": book.say("that_is_all")}] if element == "files" else sent
    if kind_of(field).kin == "number" or field.kind == "money":
        return [{"say": format_decimal(str(data), locale=context.babel)}]
    return [{"enter" if field.kind == "text" else "say": shown}]
