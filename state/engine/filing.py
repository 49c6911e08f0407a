"""What a submission becomes: by the form's own rules of filing, unless rules.py says a state itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from state.draft.criteria import Case, Doubt, Sum
from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.money import show_money
from state.form import Form
from state.form.filing import FilingRule, is_decided
from state.language import language_of
from state.rules import Filing, Rules, received

SOURCES = "sources"
"""The fact that tells of the tables which an operator gave."""


def filed(form: Form, rules: Rules, draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """The filing. A state that rules.py gives wins; where it gives none, the form's rules say which."""
    own = Filing("") if rules.file is received else rules.file(draft, facts)
    made = own if own.state else _joined(own, by_rules(form, draft, facts))
    return replace(made, background=(*made.background, *_old_tables(form.house, facts)))


def _old_tables(form: Form, facts: Mapping[str, Any]) -> Iterator[str]:
    """What rests on tables that are older than they may be, for those who decide."""
    said = language_of(form.language).old_table
    late = (one for one in facts.get(SOURCES, {}).values() if one["late"])
    yield from (said.format(label=one["label"], days=one["days"], day=one["as_of"]) for one in late)


def by_rules(form: Form, draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """The filing by the first rule that holds; "received" where none does."""
    found = _first(form, draft, facts)
    why, said = (tuple(dict.fromkeys(_sentence(one, d) for d in found.doubts)) for one in (form.house, form))
    rule = found.rule
    if rule is None:
        return Filing("received", why, told=said)
    words = "" if found.in_doubt else rule.reason if rule.told is None else rule.told
    sums = tuple(_in_words(form.house, Case(form, draft, facts=facts).sum(over)[1]) for over in rule.sums)
    return Filing(rule.state, _some(*why, rule.reason, *sums), told=_some(*said, words), tell=_told(rule))


def _in_words(form: Form, found: Sum) -> str:
    """What a sum came to, for those who decide; nothing where no earlier record is in it."""
    if not found.records:
        return ""
    first = found.entries[0]
    money = show_money(f"{found.total:f}", first.currency, form.language)
    total = money if kind_of(first.field).money else f"{found.total:f}"
    said = language_of(form.language).summed
    return said.format(label=form.fields[first.field.name].label, total=total, records=", ".join(found.records))


def _some(*sentences: str) -> tuple[str, ...]:
    return tuple(sentence for sentence in sentences if sentence)


@dataclass(frozen=True)
class _Found:
    """The rule that counts, what could not be compared on the way to it, and whether it counts for that alone."""

    rule: FilingRule | None
    doubts: tuple[Doubt, ...] = ()
    in_doubt: bool = False


def _first(form: Form, draft: Draft, facts: Mapping[str, Any]) -> _Found:
    """The rule that counts. What is in doubt goes to a person: it never leads to a state that nobody looks at any more."""
    doubts: tuple[Doubt, ...] = ()
    passed: FilingRule | None = None
    for rule, holds, doubtful in _judged(form, draft, facts):
        doubts += doubtful
        settled = is_decided(form.filing, rule.state) is True
        if holds and settled and doubts:
            return _Found(passed, doubts, in_doubt=True)
        if holds:
            return _Found(rule, doubts, bool(doubtful))
        if doubtful and not settled:
            passed = passed or rule
    return _Found(passed, doubts, in_doubt=True)


def _judged(form: Form, draft: Draft, facts: Mapping[str, Any]) -> Iterator[tuple[FilingRule, bool, tuple[Doubt, ...]]]:
    """Each rule, whether it holds, and the doubts on which that hangs."""
    for rule in form.filing.rules:
        held = {
            at: Case(form, draft, *at, facts).holds(rule)
            for at in ((True, True), (True, False), (False, True), (False, False))
        }
        usual = held[True, False]
        if len(set(held.values())) == 1:
            yield rule, usual, ()
        else:
            decided = is_decided(form.filing, rule.state)
            yield rule, usual if decided is None else not decided, tuple(Case(form, draft, facts=facts).doubts(rule))


def _told(rule: FilingRule) -> str | None:
    if isinstance(rule.tell, bool):
        return "" if rule.tell else None
    return rule.tell


def _sentence(form: Form, doubt: Doubt) -> str:
    language = language_of(form.language)
    said = language.other_currency if doubt.currency else language.no_currency
    said = language.earlier_currency if doubt.record else said
    told = {"currency": doubt.currency or "?", "limit": doubt.limit, "record": doubt.record}
    return said.format(label=form.fields[doubt.field.name].label, **told)


def _joined(own: Filing, ruled: Filing) -> Filing:
    """What rules.py said beside the state that the form's rules gave."""
    return replace(
        ruled,
        reasons=(*ruled.reasons, *own.reasons),
        told=(*ruled.told, *own.told),
        computed=own.computed,
        files=own.files,
        background=own.background,
        kept=own.kept,
        tell=ruled.tell if own.tell == "" else own.tell,
    )
