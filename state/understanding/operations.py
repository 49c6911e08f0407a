"""Plain lines that ask for an operation, read without any model: "coffee 3,50", "list this month", "delete 12".

Nothing is made up, and nothing is done: whatever would change something waits for a click, in the person's own words, and
what a required field still needs is asked for in the form's own words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from state.draft.draft import Draft
from state.draft.reply import Reply, ToolCall
from state.draft.scope import SAY
from state.fields import kind_of
from state.fields.base import Candidate, Context
from state.fields.naming import is_of_each, place
from state.fields.values.numerals import in_its_language
from state.fields.values.periods import stretches
from state.form import Field, Form
from state.form.field import Data
from state.form.schema import Operation
from state.language import LANGUAGES, Language
from state.language.small_talk import idle
from state.language.table import all_of, clauses, joined, listed, listed_everywhere, phrases
from state.language.tokens import asks, keys_of, masked, tokens
from state.understanding.arguments import explained, field_told, figures, left_over, unfilled
from state.understanding.commands import COURTESIES, asks_leave, without_leads, without_tails
from state.understanding.corrections import put_right, states
from state.understanding.rows import (
    STATED,
    Given,
    OrderLine,
    adding,
    adds,
    change_of,
    change_of_a_row,
    name_field,
    row_of,
    undenied,
    without,
)  # fmt: skip
from state.understanding.wishes import form_names

MOST_ITEMS = 10
EDGES = " \t\n,;:.!…–—-"
PICTURE = "[\u2600-\u27bf\U0001f000-\U0001faff]"
SPACED = re.compile(r" +(?=[,;.:])")
DOUBLED = re.compile(r"([,;:.])(?:\s*[,;:])+")
Found = list[tuple[Operation, Given]]


def read_operations(form: Form, draft: Draft, text: str, message: str, context: Context) -> Reply:
    """Return the calls that one message proposes; a question where a required field is not told; neither where nothing is understood."""
    context = in_its_language(text, context)
    text = _unsigned(text, context.language)
    named = named_operation(form, text, context)
    line = OrderLine(form, named, text, context) if named else None
    named, line = (None, None) if line and line.begins_a_name() else (named, line)
    found = _below(form, named, text, context) if named else change_of_a_row(form, draft, text, context)
    if named and line and not adds(named):
        unwanted = row_of(named) is not None and _denies(text, [r.start for r in line.figures], context)
        found = found or ([] if unwanted else [(named, line.fields(draft))])
    elif not (found := found or _answering(form, draft, text, context)):
        added, row = adding(form), tokens(masked(text), context.language)
        leave = added and asks_leave(text, context) and phrases(added.words, context.language).holds(row)
        told = text if leave else _unasked(text, context.language)
        found = _items(form, told, context, named=named is not None) if told else []
    needed = next(((o, f) for o, given in found for f in _needed(form, o, given, text, context)), None)
    if needed is not None:
        about = {"act": "explain", "about": f"{needed[0].name}.{needed[1].name}"}
        return Reply(needed[1].ask, (ToolCall(f"rules-{message}", SAY, about),), "calls", "rules")
    calls = tuple(ToolCall(f"rules-{message}-{i}", o.name, g) for i, (o, g) in enumerate(found[:MOST_ITEMS], 1))
    return Reply(calls=calls, stop="calls" if calls else "end", model="rules")


def _unsigned(text: str, language: Language) -> str:
    """Return a mail without what stands below the line that ends it."""
    closings, lines = listed_everywhere(language, "closings"), text.splitlines()
    end = next((i for i, line in enumerate(lines) if i and closings.at(tokens(line, language), 0)), len(lines))
    return "\n".join(lines[:end])


def _unasked(text: str, language: Language) -> str:
    """Return a text without its questions ("taxi 18, is that ok?"); nothing where what is before them only begins to ask."""
    found = [*clauses(masked(text), language)]
    ends = [*(c[0].start for c in found[1:]), len(text)][: len(found)]  # no words, no clauses
    asked = [(c[0].start, end) for c, end in zip(found, ends, strict=True) if asks(text[c[-1].end : end])]
    told = next((c for c in found if c[0].start not in [start for start, _ in asked]), ())
    begins = listed_everywhere(language, "asking.verbs", "asking.words", "question_words", "small_talk.question_starts")
    return text if not asked else "" if not told or begins.at(told, 0) else without(text, asked)


def _below(form: Form, named: Operation | None, text: str, context: Context) -> Found:
    """Return what stands below a heading that names no row ("expenses of yesterday: taxi 12, lunch 8"); what the heading tells holds for all."""
    head, colon, rest = text.partition(":")
    if not colon or named is None or row_of(named):
        return []
    ranges = [(p.start, p.end) for p in stretches(head, replace(context, lies="behind"))]
    if adds(named) and left_over(form, named, {}, without(head, ranges), context):
        return []
    items = _items(form, rest, context, named=False)
    return [(operation, {**OrderLine(form, operation, head, context).details, **given}) for operation, given in items]


def told_of_it(form: Form, text: str, context: Context) -> dict[str, Data]:
    """Return what a line tells of one thing ("no, 25", "the taxi was yesterday"), with the name by which it calls it, if any."""
    context, change = in_its_language(text, context), change_of(form)
    line = OrderLine(form, change, text, context) if change else None
    if line and (line.points() or _of_a_thing(line)):
        return {}  # "la 1 …" tells of that row, and no sum
    found = _items(form, text, context, named=True)
    told = {n: data for n, data in found[0][1].items() if data is not None} if len(found) == 1 else {}
    name = str(told.get(name_field(form), ""))
    choices = (f for n, f in found[0][0].fields.items() if f.choices and n in told) if name and len(told) == 2 else ()  # noqa: PLR2004
    called = not any(
        kind_of(f).whole(f, name, context) == told[f.name] for f in choices
    )  # "it's travel" names no thing
    return {n: data for n, data in told.items() if called or n != name_field(form)}


def named_operation(form: Form, text: str, context: Context) -> Operation | None:
    """Return the operation with whose own words the line begins, fillers aside; of several, the one with the longest.

    Where verbs come last, one that changes rows may end the first clause; a question may name what it wants to see anywhere.
    """
    language, i, shown, called = context.language, 0, asks(text), None
    row, fillers = tokens(masked(text), language), listed(language, "orders.fillers", "small", "polite")
    names = phrases(form_names(form), language)
    while i < len(row):
        hits = {o.name: hit[0] for o in form.operations.values() if (hit := phrases(o.words, language).at(row, i))}
        first, name = form.operations[max(hits, key=lambda name: hits[name])] if hits else None, names.at(row, i)
        if first and not name:
            return first
        if not (filler := name or fillers.at(row, i)):
            break
        called = called or first  # "expenses" may be more than the form's name
        i, shown = i + filler[0], shown or name is not None
    return _named_later(form, text, context, shown=shown) or called


def _named_later(form: Form, text: str, context: Context, *, shown: bool) -> Operation | None:
    """Return an operation that changes rows and ends a clause, where verbs come last, or one that takes away what alone is told; or what is to be
    `shown`, where the words name no sum.
    """
    language, tails = context.language, listed_everywhere(context.language, "polite", "small_talk.thanks")
    told = (c for c in clauses(masked(text), language) if not listed(language, "negators").holds(c))
    ends = [without_tails(c, tails) for c in told]
    for operation in form.operations.values():
        words, line = phrases(operation.words, language), OrderLine(form, operation, text, context)
        if row_of(operation) and (last := [(c, hit[0]) for c in ends if (hit := words.ending(c, len(c)))]):
            led = any(line.words("small").ending(c, len(c) - n) for c, n in last)  # "the client had to cancel"
            alone = not (led or field_told(operation, "amount")) and line.tells_one_figure()
            if language.verb_last or alone:
                return operation
        elif shown and operation.confirm == "never" and words.holds(line.row):
            added = adding(form)
            if not (added and figures(added, text, context)):
                return operation
    return next(
        (o for o in form.operations.values() if asks(text) and _names_only_a_range(form, o, text, context)), None
    )


def _names_only_a_range(form: Form, operation: Operation, text: str, context: Context) -> bool:
    """Return True if it shows what is in a range of days, and a line names that and nothing else ("and last week?")."""
    line = OrderLine(form, operation, text, context)
    given = {} if operation.confirm != "never" or line.words("afterwards.starts").at(line.row, 0) else line.details
    ranged = [n for n, f in operation.fields.items() if n in given and f.lies]
    return bool(ranged) and not left_over(form, operation, given, text, context, "also", "and_words", "breaks")


def _needed(form: Form, operation: Operation, given: Given, text: str, context: Context) -> Iterator[Field]:
    """Yield the fields that a call cannot do without; the other words of the line may name the row."""
    row = row_of(operation)
    row = row if row and row.name not in given and left_over(form, operation, given, text, context) else None
    return (f for f in _lacking(operation, given) if f != row)


def _answering(form: Form, draft: Draft, text: str, context: Context) -> Found:
    """Return what a line comes to as the answer to the question that the bot put last, together with the words before that."""
    every = (*draft.opening, *draft.window)
    asked = len(every) > 2 and every[-2].role == "assistant" and not every[-2].clicked  # noqa: PLR2004 words, question, words
    before = every[-3].text if asked and every[-3].role == "user" and not every[-3].clicked else ""
    if not before or {idle(words, context.language) for words in (before, text)} & COURTESIES:
        return []
    wish = named_operation(form, before, context)
    if wish is not None and not adds(wish):
        given = OrderLine(form, wish, text, context).fields(draft)
        rest = left_over(form, wish, given, text, context)
        row = row_of(wish) is not None and not given and not figures(wish, text, context)
        whole = row if rest else bool(given)
        return [(wish, {**OrderLine(form, wish, before, context).fields(draft), **given})] if whole else []
    first, now = (_items(form, words, context, named=True) for words in (before, text))
    if len(first) != 1 or len(now) != 1 or not list(_lacking(*first[0])) or not list(_lacking(*now[0])):
        return []
    before_it = {name: data for name, data in first[0][1].items() if data is not None}
    whole_line = (first[0][0], {**now[0][1], **before_it})
    return [] if list(_lacking(*whole_line)) else [whole_line]


def _lacking(operation: Operation, given: Given) -> Iterator[Field]:
    fields = (f for f in operation.fields.values() if given.get(f.name) is None)
    return (f for f in fields if f.name in given or not unfilled(operation, f))


def _items(form: Form, text: str, context: Context, *, named: bool) -> Found:
    """Return what a line adds, part by part. One date, and one currency, that is told for any part holds for all of them.

    A line that begins with a condition or a denial, a plain no apart, adds nothing ("don't add the taxi 12", "if I'd bought it, 900").
    """
    if (operation := adding(form)) is None:
        return []
    text = undenied(text, figures(operation, text, context), context.language)
    starts = [r.start for r in figures(operation, text, context)]
    if not (named or starts) or _denies(text, starts, context):
        return []
    line = OrderLine(form, operation, text, context)
    if not named and ((len(starts) == 1 and line.points()) or _of_a_thing(line)):
        return []
    found = list[Given]()
    for part in _parts(text, starts):
        _enter(operation, found, part, _item(form, operation, part, context), context)
    for name, field in operation.fields.items():
        said = {given[name] for given in found if name in given}
        if kind_of(field).usual is not None and len(said) == 1:
            found = [{name: next(iter(said)), **given} for given in found]
    return [(operation, given) for given in found]


def _of_a_thing(line: OrderLine) -> bool:
    """Return True if a bare whole figure is a part of a name, about which something else is said right behind it ("bus 42 was late again")."""
    if len(line.figures) != 1 or line.at < 1 or line.figures[0].named:
        return False
    said, behind = without_leads(line.row[line.at + 1 :], line.words("negators")), line.text[line.figures[0].end :]
    hit, does = line.words("orders.stating", "orders.doing").at(said, 0), line.words("orders.doing").at(said, 0)
    if hit is None or (not does and line.words("ties.behalf", "keepers").at(said, hit[0])):  # "was for work"
        return False
    rest = replace(line, text=behind)
    return bool(rest.left(rest.details, *STATED, "hedges", "review.wrong", "orders.priced"))


def _enter(operation: Operation, found: list[Given], part: str, given: Given, context: Context) -> None:
    """Enter what a part gives: over what it puts right or sums up ("no, the bus was 4", "50 in total"), else as one thing more."""
    language, name = context.language, field_told(operation, "name")
    said = given.get(name.name) if name else None
    row = tokens(part, language)
    anew = listed_everywhere(language, "corrections.cues", "no").at(row, 0)
    if name is None or not found or not (anew or listed_everywhere(language, "totals").holds(row)):
        found.append(given)
    elif not said:
        found[-1] |= given
    elif at := [
        o for o in found if anew and {*keys_of(str(said), language)} <= {*keys_of(str(o.get(name.name)), language)}
    ]:
        at[-1] |= {**given, name.name: at[-1][name.name]}
    else:
        found.append(given)


def _denies(text: str, starts: Sequence[int], of: Context) -> bool:
    """Return True if a line says that something is not, was not or must not be, in any language ("no borres el 12", "I almost spent 40")."""
    language = of.language
    whole, figure = tokens(masked(text), language), min(starts, default=len(text))
    row = without_leads(whole, listed_everywhere(language, "orders.fillers", "small", "polite"))
    denials, plain = listed_everywhere(language, "conditions", "negators"), listed_everywhere(language, "yes", "no")
    behind = row[hit[0] :] if (hit := plain.at(row, 0)) else ()  # "no, 14" and "no 14" put right, "no lunch 14" denies
    cued = listed_everywhere(language, "corrections.cues", "small_talk.holds").at(behind, 0)  # "no wait, tea 2.40"
    apart = not behind or cued or behind[0].stop or not text[behind[0].start - 1].isspace()
    stated = states(text, of) and not listed_everywhere(language, "orders.stating").at(behind, 0)
    goes_on = not apart and behind[0].start < figure and not stated
    undone = listed_everywhere(language, "orders.undone").holds([t for t in whole if t.start < figure])
    last = not hit and starts and denials.ending(row, len(row)) and row[-1].start > starts[-1]
    return bool(undone or last or (denials.at(row, 0) and (goes_on or not hit)))


def _parts(text: str, starts: Sequence[int]) -> Sequence[str]:
    """Return the pieces that hold a figure each (`starts`), cut at commas and at "and"; a piece without one goes with the next one."""
    pieces, start = list[str](), 0
    text = _announced().sub(lambda m: f"{m[0][:-1]} ", text)
    for cut in (*_cuts().finditer(text), None) if len(starts) > 1 else ():
        end = cut.start() if cut else len(text)
        if any(start <= at < end for at in starts):
            pieces.append(text[start:end])
            start = cut.end() if cut else end
    if len(pieces) > 1 and not any(map(str.isalpha, pieces[-1])):  # "3 coffees for all of us, 9.60"
        pieces[-2:] = [" ".join(pieces[-2:])]
    if not pieces or text[start:].strip(EDGES):
        pieces[-1:] = [f"{pieces[-1]} {text[start:]}" if pieces else text]
    return pieces


@cache
def _announced() -> re.Pattern[str]:
    """Return the pattern of words that put right what is before, with a comma behind them ("wait, it was 9")."""
    right = "|".join(re.escape(w) for one in LANGUAGES.values() for w in one.corrections.cues)
    return re.compile(rf"(?<!\w)(?:{right}),", re.IGNORECASE)


@cache
def _cuts() -> re.Pattern[str]:
    """Return the pattern of commas that are no decimal marks, other stops, and "and" in any language, none of them before words that put right what
    is before. Each piece has a figure of its own, so a word of another language cuts no name.
    """
    both = "|".join(re.escape(word) for one in LANGUAGES.values() for word in one.and_words)
    right = "|".join(re.escape(w) for one in LANGUAGES.values() for w in (*one.corrections.cues, *one.no))
    cut = rf"[;\n]|,(?![0-9])|(?<![0-9]),|(?<!\w)(?:{both})(?!\w)|{PICTURE}"
    return re.compile(rf"[;\n](?=[^;\n]*[0-9])|(?:{cut})(?!\s*(?:{right})(?!\w))", re.IGNORECASE)


def _item(form: Form, operation: Operation, part: str, context: Context) -> Given:
    """Return one part's values. The rest of its words names the thing; where a second figure is among them, nobody knows the sum."""
    name, amount = field_told(operation, "name"), field_told(operation, "amount")
    given, every = {**OrderLine(form, operation, part, context).details}, figures(operation, part, context)
    sums, gone = put_right(amount, every, part, context) if amount else [], list[tuple[int, int]]()
    for field in operation.fields.values():
        found, kind = kind_of(field).find(field, part, context), kind_of(field)
        given |= {field.name: None} if kind.on_day and found and field.name not in given else {}
        spans = [(r.start, r.end) for r in found] if field.name in given and not kind.common_words else []
        gone += [(min(spans)[0], max(spans)[1])] if kind.on_day and spans else spans
    counts = bool(amount) and len(sums) > 1 and _only_count(part, sums, context.language)
    through = [(every[0].start, sums[0].end)] if len(sums) == 1 else [(r.start, r.end) for r in sums]
    sums, through = (sums[-1:], through[-1:]) if counts else (sums, through)
    told = without(part, [*gone, *through])
    named = without(told, [*_asides(form, operation, told, context)])
    rest = next(filter(None, (_described(form, operation, words, context.language) for words in (named, told))), "")
    whole = amount and len(sums) == 1 and not is_of_each(amount, part, sums[0].start, sums[0].end, context)
    if amount and whole and (counts or not any(c.isdigit() for c in rest)):
        given[amount.name] = sums[0].data
    elif sums:
        rest = _described(form, operation, part, context.language)
    return {name.name: rest, **given} if name and rest else given


def _asides(form: Form, operation: Operation, part: str, context: Context) -> Iterator[tuple[int, int]]:
    """Yield the clauses that name no thing: they say how sure one is, or which of the choices it is ("leisure, not food", "I think")."""
    choices = (w for f in operation.fields.values() for c in f.choices for w in (c.label, *c.words))
    small = (
        "hedges", "estimates", "polite", "negators", "leading", "offers.all_of",
        "small_talk.greetings", "small_talk.doubts", "small_talk.thanks",
    )  # fmt: skip
    known = joined(explained(form, operation, context.language, *small), phrases(choices, context.language))
    yield from ((c[0].start, c[-1].end) for c in clauses(masked(part), context.language) if all_of(c, known))


def _only_count(part: str, sums: Sequence[Candidate], language: Language) -> bool:
    """Return True if all figures but one at the end count what stands behind them ("2 nights in Leeds 180"), and that one is of all of it."""
    row = tokens(masked(part), language)
    small = listed_everywhere(language, "leading", "breaks", "or_words", "and_words", "each")
    behind = [row[at] if (at := place(row, s.end)) < len(row) else None for s in sums]
    things = all(
        t and part[s.end : t.start].isspace() and t.key.isalpha() and not (s.named or small.at((t,), 0))
        for s, t in zip(sums[:-1], behind, strict=False)
    )
    totals = listed_everywhere(language, "totals")
    ends = behind[-1] is None or all_of(row[place(row, sums[-1].end) :], totals)
    return things and ends and not small.ending(row, place(row, sums[-1].start))


def _described(form: Form, operation: Operation, words: str, language: Language) -> str:
    """Return words without fillers, words of correction and the operation's own words at either end."""
    kept, small = " ".join(words.split()), explained(form, operation, language)
    right = listed_everywhere(
        language, "corrections.cues", "estimates", "no", "polite", "totals", "hedges", "small_talk.holds", "small_talk.approvals",
        "hesitating", "orders.another", "also", "but_words", "and_words", "one_article",
    )  # fmt: skip
    leads = joined(small, right)
    tails = listed_everywhere(
        language, "totals", "review.wrong", "but_words", "orders.stating", "hedges", "estimates", "polite", "small_talk.thanks",
        "orders.priced", "also", "mornings", "afternoons", "nights",
    )  # fmt: skip
    row = without_leads(tokens(kept, language), leads)
    cue = listed_everywhere(language, "corrections.cues").ending(row, len(row))  # "the lunch was actually 14"
    row = (
        row[: -cue[0]] if cue and listed_everywhere(language, "orders.stating").ending(row, len(row) - cue[0]) else row
    )
    each = listed(language, "each").ending(row, len(row))
    row = row if each else without_tails(row, joined(small, tails))
    if not row:
        return ""
    ends = row[-1].end + (kept[row[0].start : row[-1].end].count("(") > 0 and kept.startswith(")", row[-1].end))
    return DOUBLED.sub(r"\1", SPACED.sub("", kept[row[0].start : ends]))
