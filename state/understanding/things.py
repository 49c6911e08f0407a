"""Names and texts in open words: a thing that is looked up, a few words, what is left of a message."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby, islice, pairwise

from state.fields import kind_of
from state.fields.naming import Spans, is_denied, names, place
from state.fields.text import end_of_name, is_few_words, stripped, unframed
from state.form import Field
from state.language import LANGUAGES, Language
from state.language.asides import asks_by_order
from state.language.small_talk import REMINDING, NoAnswer, only_agrees, puzzled
from state.language.table import (
    Clause,
    Table,
    all_of,
    calendar,
    coded,
    joined,
    listed,
    listed_everywhere,
    phrases,
    sentences,
)
from state.language.tokens import Token, asks, masked, tokens
from state.understanding.commands import is_asking, no_answer, without_leads, without_tails
from state.understanding.corrections import Assignment
from state.understanding.message import SMALL, MessageInContext, names_of_fields, said_in, until

NUMBERED = re.compile(r"[0-9]+(?:(?:\s*[;&+]\s*|,?\s+)[0-9]+)+")
"""Several numbers and nothing else, which a look-up may know ("12, 13")."""
PRICED = re.compile(r"\s(?:@|[x×]\s?(?=[0-9]))")
"""What a name ends before: a price, a number of pieces."""
FEW = 5
"""Words of the longest name of a thing that is looked up."""
LONG = 10
"""Words of the longest message that is proposed as a whole for a name."""
VAGUE = (
    "vague", "estimates", "small_talk.references", "but_words", "following", "weeks_away", "people", "ties.kin", "ties.acquainted",
)  # fmt: skip
"""Words that beside small ones mean no one thing."""
MOST = 4
"""Names of one message among which the person says which one is meant."""
ASKED_WITHIN = re.compile(r"[?？](?=[\"'”’»“])")
"""The mark of a question that is quoted."""
CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'’&.-]*"
PARTICLES = "van|von|vom|zu|zum|der|den|de|la|las|los|del|della|dei|degli|di|da|do|dos|das|du|des|le|bin|ibn|bint|ben|af|av|ter|ten"
"""Small words within the names of people, in many languages ("Ines van der Holt")."""
PROPER = re.compile(rf"{CAPITAL}(?:(?<![^\W\d_]{{4}}\.)\s(?:&\s|(?:(?:{PARTICLES})\s){{0,3}}(?:al-)?{CAPITAL}))*")


def texts(heard: MessageInContext, told: list[Assignment], spent: Spans) -> Iterator[Assignment]:
    """Yield what is left of the words: behind a text's own name, for the text that was asked, or for the thing that is looked up."""
    read = {t.field: t.data for t in told if not kind_of(t.field).verbatim and not kind_of(t.field).searchable}
    again = ((r, f, data) for f, data in read.items() for r in kind_of(f).find(f, heard.text, heard.context))
    twice = (
        (r.start, r.end) for r, f, data in again if r.data == data or f.choices
    )  # said once more, or another choice
    used = Spans([*((t.start, t.end) for t in told), *twice, *spent])
    done = {t.field for t in told} | ({heard.asked} if heard.elsewhere else set())
    wanted = [f for f in heard.open_fields if (kind_of(f).verbatim or kind_of(f).searchable) and f not in done]
    wanted = [f for f in wanted if not spent.starts or _is_told(heard, f)]
    wanted = [f for f in wanted if not (f.short and only_agrees(heard.row, heard.context.language))]
    for field in sorted(wanted, key=lambda f: (not _is_told(heard, f), kind_of(f).searchable)):
        question = heard.idle is NoAnswer.QUESTION and not may_state(heard)
        told_by_name = names(field, heard.context).holds(heard.row)
        if field == heard.asked and field.short and not told_by_name and (proper := _proper(heard, used)):
            found = (Assignment(field, heard.text[a:b], a, b) for a, b in proper)
            yield from (one for one in found if not _is_hollow(heard, str(one.data)))
            continue
        known = next(
            (r for r in kind_of(field).find(field, heard.text, heard.context) if not used.hits(r.start, r.end)), None
        )
        if known and field == heard.asked:
            beside = Spans([*used, (known.start, known.end)])
            known = None if any(left_of(heard, clause, beside) for clause in heard.clauses) else known
        asked = question and field == heard.asked
        span = (known.start, known.end) if known else None if asked else _stretch(heard, field, used, bool(told))
        if kind_of(field).searchable and not known and not (span and _has_capital(heard, *span)):
            polar = {(t.start, t.end) for t in told if kind_of(t.field).polar}  # "my brother at Tesco says …"
            within = _stretch(heard, field, Spans(s for s in used if s not in polar), bool(told))
            span = within if within and not heard.text.isupper() and _has_capital(heard, *within) else span
        if span is not None and not (kind_of(field).searchable and _swaps(heard)):
            if known is None and not any(_is_told(heard, f) for f in wanted if f != field):
                yield from _whole_line(heard, field, span, told)
            start = place(heard.row, span[0])  # "no lleva marca" does not say "lleva marca"
            free = kind_of(field).verbatim and not known and not heard.row[start].stop
            denial = listed(heard.context.language, "negators").ending(heard.row, start) if free else None
            span = (heard.row[start - denial[0]].start, span[1]) if denial else span
            if field.short and _is_hollow(heard, heard.text[slice(*span)]):
                continue
            yield Assignment(field, known.data if known else heard.text[slice(*span)], *span)
            used = Spans([*used, span])


def _whole_line(
    heard: MessageInContext, field: Field, span: tuple[int, int], told: list[Assignment]
) -> Iterator[Assignment]:
    """Yield a few words to their own question as they stand, beside what is left of them: the person says which."""
    unsure = listed(heard.context.language, "hedges", "no", "corrections.cues").holds(heard.row)
    text = unframed(heard.text, heard.context) if unsure else stripped(heard.text, " .!")
    if field == heard.asked and field.short and not told and is_few_words(text) and heard.text[slice(*span)] != text:
        yield Assignment(field, text, 0, len(text))


def _is_told(heard: MessageInContext, field: Field) -> bool:
    """Return True if the words hold a value that the form knows for a text, or the text's own name."""
    known = kind_of(field).find(field, heard.text, heard.context)
    return bool(known) or names(field, heard.context).holds(heard.row)


def may_state(heard: MessageInContext) -> bool:
    """Return True if many words to a question for a text may only begin like a question ("what we miss is …")."""
    plain = not asks(heard.text) and not puzzled(heard.row, heard.context.language)
    return wants_many_words(heard) and plain and len(heard.text.split()) > FEW


def wants_many_words(heard: MessageInContext) -> bool:
    """Return True if a text was asked for that is more than a name."""
    return heard.asked is not None and kind_of(heard.asked).verbatim and not heard.asked.short


def told_beside(heard: MessageInContext) -> Assignment | None:
    """Return many words for the text that was asked, if sentences that ask nothing stand beside one that does
    ("Page hangs after login. Any idea why?"): from the first of these to the last.
    """
    field = heard.asked if wants_many_words(heard) and asks(heard.text) else None
    if field is None or puzzled(heard.row, heard.context.language):
        return None
    text = ASKED_WITHIN.sub(" ", heard.text)
    every = [*sentences(masked(text), heard.context.language)]
    ends = [*(s.clauses[0][0].start for s in every[1:]), len(text)]
    told = [(s.clauses[0][0].start, end) for s, end in zip(every, ends, strict=False) if not s.asks]
    words = sum(len(text[a:b].split()) for a, b in told)
    start, end = (told[0][0], told[-1][1]) if words >= FEW - 1 else (0, 0)
    stated = every[0].clauses[:-1] if len(every) == 1 else ()  # "it fell a lot and will recover, why not buy now?"
    if sum(map(len, stated)) >= FEW // 2 and not asks_by_order(stated[0], heard.context.language):
        start, end = 0, len(heard.text)
    return Assignment(field, heard.text[start:end].strip(), start, end) if end else None


def _swaps(heard: MessageInContext) -> bool:
    """Return True if the words are two trades in one ("swap my Tesco for Shell"): neither is the one that is meant."""
    language, verbs = heard.context.language, listed_everywhere(heard.context.language, "orders.swapping")
    row = without_leads(heard.row, listed_everywhere(language, "small", "polite"))
    ends = verbs.ending(heard.row, len(heard.row))
    names_ = [i for i, t in enumerate(row) if (i or ends) and heard.text[t.start].isupper()]
    between = row[names_[0] + 1 : names_[-1]] if names_ and (ends or verbs.at(row, 0)) else ()
    return listed_everywhere(language, "breaks", "leading", "orders.swapping").holds(between)


def _stretch(heard: MessageInContext, field: Field, used: Spans, others: bool) -> tuple[int, int] | None:
    """Return the words for a text, without small ones before it: behind its name, or, where it was asked, what is left of the message."""
    kind, text = kind_of(field), heard.text
    own = phrases((field.label, *field.words, *field.before), heard.context.language)
    several, stated = len(heard.clauses) > 1 or (heard.asking and heard.asked is None), heard.stated
    telling = [c for c in stated if not (several and no_answer(said_in(heard, c), heard.context))]
    if heard.waits and (field.short or kind.searchable):  # "one sec, phone's ringing" names nothing
        telling = [c for c in telling if any(heard.text[t.start].isupper() for t in c)]
    naming = [c for c in telling if not (field.short and _names_nothing(heard, c))]
    parts = (p for c in naming for p in (_by_names(heard, c, used) if field.short else (c,)))
    parts = (p for p in parts if own.holds(p) or not (field == heard.asked and heard.calls_another(p)))
    parts = (q for p in parts for q in (_between(p, used) if kind.searchable else (p,)))
    parts = (p for p in parts if not (kind.searchable and (_says_who_keeps(heard, p) or _goes_on(heard, p))))
    stretches = [(s, own.holds(p)) for p in parts if (s := left_of(heard, p, used, widely=kind.searchable))]
    named = next((s for s, is_named in stretches if is_named), None)
    if kind.searchable and field == heard.asked and (row := NUMBERED.fullmatch(text.strip())):
        at = text.index(row[0])
        return at, at + len(row[0])
    if kind.searchable:
        beside = [piece for c in heard.stated for piece in _behind_told(heard, c, used)] if others else []
        short = ((s, text[slice(*s)]) for s, _ in stretches)
        few = [s for s, words in short if len(words.split()) <= FEW and not is_asking(words, heard.context)]
        leads = [] if heard.spoken.verb_last else [s for s in few if _only_leads(heard, *s, used)]
        few = [s for s in few if s not in leads] + (leads if field == heard.asked else [])
        told = field == heard.asked or ((others or named) and not heard.asking)
        few = (few if told else ()) or _proper(heard, used) or [*_counted(heard, used)]
        here = Spans((c[0].start, c[-1].end) for c in stated)
        things = [s for s in (*beside, *few) if here.hits(*s) and not _is_vague(heard, text[slice(*s)])]
        things = _put_last(heard, things)
        return next(iter(sorted(things, key=lambda s: not _has_capital(heard, *s))), None)
    if named and field == heard.asked:
        named = _with_kind(heard, own, *named)
    if named or field != heard.asked or not stretches:
        return named
    if not field.short:
        free = (
            [c for c in telling if not used.hits(c[0].start, c[-1].end) and left_of(heard, c, used)] if others else []
        )
        span = (free[0][0].start, free[-1][-1].end) if free else (stretches[0][0][0], stretches[-1][0][1])
        return None if used.hits(*span) else span
    bare = stripped(text.lstrip(" .!"), " .!") if _is_title(text) else unframed(text, heard.context)
    more = others or len(naming) < len(telling) or heard.calls_another(*heard.clauses[1:])
    at = text.find(bare) if bare and not more else -1
    span = (at, at + len(bare)) if at >= 0 else stretches[0][0]
    return span if len(text[slice(*span)].split()) <= LONG else None


AGREEING = (
    "yes", "no", "polite", "small", "hesitating", "vague", "enough", "review.right", "offers.accepting", "offers.pointing", "offers.picking",
    "small_talk.approvals", "small_talk.reminders",
)  # fmt: skip
BEFORE = ("yes", "polite", "small", "hesitating", "conjunctions", "but_words", "orders.wishing", "small_talk.approvals")


def _names_nothing(heard: MessageInContext, clause: Clause) -> bool:
    """Return True if a clause only agrees ("yup, looks good"), or has something done ("tell me the price")."""
    language = heard.context.language
    requests, leads = listed_everywhere(language, "small_talk.requests"), listed_everywhere(language, *BEFORE)
    begun, row = requests.at(clause, 0), clause
    while not begun and row and (lead := leads.at(row, 0)):
        row = row[lead[0] :]
        begun = requests.at(row, 0) if row else None
    reminds = all(listed_everywhere(language, part).holds(clause) for part in REMINDING)
    told = (*REMINDING, "small_talk.beside_told") if reminds else ()
    return begun is not None or all_of(clause, listed_everywhere(language, *AGREEING, *told))


def _counted(heard: MessageInContext, used: Spans) -> Iterator[tuple[int, int]]:
    """Yield what stands beside a word for shares or pieces where words begin a form ("vodafone shares", "azioni di Enel")."""
    language, breaks = heard.context.language, listed(heard.spoken, "breaks").rows
    units, leads = listed_everywhere(language, "units"), listed_everywhere(language, "of_words", "within")
    for clause in heard.stated if not heard.draft.asked else ():
        for first, after, _ in units.spans(clause):
            lead = leads.at(clause, after)
            rest = clause[after + (lead[0] if lead else 0) :]
            begin = max((i + 1 for i, t in enumerate(clause[:first]) if used.hits(t.start, t.end)), default=0)
            sides = clause[begin:first], until(rest, breaks)
            before, behind = (left_of(heard, some, used, widely=True) for some in sides)
            yield from [before] if before and before[1] == clause[first - 1].end else []
            yield from [behind] if behind and behind[0] == rest[0].start else []


def _put_last(heard: MessageInContext, things: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those behind words of correction, or that nothing puts aside, if any is ("Tesco, no wait, Vodafone", "not Tesco, Vodafone")."""
    row, language = heard.row, heard.context.language
    kept = [s for s in things if not is_denied(row, *s, language)] or things
    ends = [row[b - 1].end for _, b, _ in listed_everywhere(language, "corrections.cues").spans(row)]
    ends += [c[-1].end for c in heard.clauses if all_of(c, listed_everywhere(language, "no"))]
    after = next((t.start for t in row if ends and t.start >= max(ends)), len(heard.text))
    return [(max(a, after), b) for a, b in kept if b > after] or kept


def _with_kind(heard: MessageInContext, own: Table[str], start: int, end: int) -> tuple[int, int]:
    """Return where a name stands, the field's own word beside it being a part of it: before it with a capital ("con la Banca del Corso"), or
    right behind it ("joint account")."""
    small, row = listed(heard.context.language, "small", "of_words", "leading").rows, heard.row
    at, after = place(row, start), place(row, end)
    before = [t for t in row[:at] if t.key not in small][-1:]
    part = bool(before) and joined(own, heard.called).at(before, 0) is not None
    part = part and not row[at].stop and ":" not in heard.text[before[0].end : start]
    start = before[0].start if part and heard.text[before[0].start].isupper() else start
    behind = own.at(row, after) if after < len(row) and heard.text[end : row[after].start] == " " else None
    return start, row[after + behind[0] - 1].end if behind else end


def _has_capital(heard: MessageInContext, start: int, end: int) -> bool:
    """Return True if a word of the stretch has a capital."""
    return any(word[0].isupper() for word in heard.text[start:end].split())


def _is_vague(heard: MessageInContext, words: str) -> bool:
    """Return True if the words deny something, or mean no one thing in any language ("some shares", "qualche azione", "a trade").

    Of a word that is all that is said, and of "all of them", the look-up may know what it means.
    """
    own = heard.context.language
    polite = listed(own, "polite")
    said, every = without_tails(without_leads(heard.row, polite), polite), listed_everywhere(own, "offers.all_of")
    denied = listed_everywhere(own, "no", "negators")
    if len(said) == 1 or all_of(said, every):
        return denied.at(said, 0) is not None and not words.isupper()
    row, money = tokens(words, own), coded(own, "currencies").rows
    if words.islower() and (denied.holds(row) or heard.turns_down):
        return True
    sums = all(t.key.isdigit() or t.key in money for t in row) and (len(row) == 1 or any(t.key in money for t in row))
    if listed(own, "negators").holds(row) or sums:
        return True
    called = (*heard.form.words, *heard.form.called)
    return any(all_of(tokens(words, one), _nothing(one, called)) for one in LANGUAGES.values())


def _is_hollow(heard: MessageInContext, words: str) -> bool:
    """Return True if the words are small ones and days: what is left between the values of a sentence is no name."""
    return all_of(tokens(words, heard.context.language), _nothing(heard.context.language, ()))


@cache
def _nothing(language: Language, words: tuple[str, ...]) -> Table[str]:
    said = listed(language, *SMALL, *VAGUE)
    return joined(phrases((*words, *calendar(language)), language), said)


def _behind_told(heard: MessageInContext, clause: Clause, used: Spans) -> Iterator[tuple[int, int]]:
    """Yield what is left of a clause right behind a value: a thing is there ("sell my 80 lloyds"), and it ends before "to buy a house"."""
    ends = [t.end for t in clause if used.hits(t.start, t.end)]
    breaks = listed(heard.spoken, "breaks").rows.keys() - listed(heard.spoken, "and_words").rows.keys()
    for at, after in pairwise((*ends, len(heard.text))):
        row = tuple(t for t in clause if at <= t.start and t.end <= after)
        how = listed_everywhere(heard.context.language, "keepers").at(row, 0)  # "with immediate effect" is no thing
        parts = (until(row, breaks), *([] if _goes_on(heard, row) else [row])) if not how else ()
        pieces = (left_of(heard, words, used, widely=True) for words in parts)
        yield from islice((p for p in pieces if p and len(heard.text[slice(*p)].split()) <= FEW), 1)


def _says_who_keeps(heard: MessageInContext, part: Clause) -> bool:
    """Return True if words lead to who keeps something, with nothing but small ones before them ("it's held at …")."""
    keepers, small = listed_everywhere(heard.context.language, "keepers"), heard.small
    return any(keepers.at(part, i) for i in range(len(part)) if all_of(part[:i], small))


def _goes_on(heard: MessageInContext, part: Clause) -> bool:
    """Return True if words for shares begin the part, and what they are for or when follows, not of what they are ("shares to pay for the house")."""
    language = heard.context.language
    small, units = joined(heard.small, listed_everywhere(language, "vague")), listed_everywhere(language, "units")
    begin = next((i for i in range(len(part)) if units.at(part, i) or not all_of(part[: i + 1], small)), len(part))
    unit = units.at(part, begin) if begin < len(part) else None
    rest = part[begin + unit[0] :] if unit else ()
    leads = listed_everywhere(language, "of_words", "within")
    return bool(rest) and listed(heard.spoken, "breaks").at(rest, 0) is not None and not leads.at(rest, 0)


def _between(clause: Clause, used: Spans) -> Iterator[Clause]:
    """Yield what stands before, between and behind the values of a clause."""
    return (tuple(run) for told, run in groupby(clause, key=lambda t: used.hits(t.start, t.end)) if not told)


def _only_leads(heard: MessageInContext, start: int, end: int, used: Spans) -> bool:
    """Return True for words before a value with others between: they lead to it, and name nothing ("planning to sell …")."""
    at, row = place(heard.row, end), heard.row
    told = next((i for i in range(at, len(row)) if used.hits(row[i].start, row[i].end)), at)
    return told > at and not any(t.stop for t in row[at : told + 1]) and not _has_capital(heard, start, end)


def _by_names(heard: MessageInContext, clause: Clause, used: Spans) -> Iterator[Clause]:
    """Yield a clause cut before each name of a short text that comes behind words for another one."""
    short = (f for f in heard.open_fields if f.short)
    called = phrases((w for f in short for w in (f.label, *f.words)), heard.context.language)
    start = 0
    for first, _, _ in called.spans(clause):
        if left_of(heard, clause[start:first], used):
            yield clause[start:first]
            start = first
    yield clause[start:]


def _is_title(text: str) -> bool:
    """Return True if a few words are written as a name is ("Be My Baby")."""
    words = text.split()
    return (
        is_few_words(text) and len(words) > 1 and all(w[0].isupper() or w[0].isdigit() for w in (words[0], words[-1]))
    )


def _proper(heard: MessageInContext, used: Spans) -> list[tuple[int, int]]:
    """Return names in a longer message: words with capitals that stand side by side, one word at the beginning of a sentence aside."""
    if is_few_words(unframed(heard.text, heard.context)):
        return []
    runs = [
        (m.start(), end_of_name(heard.text, m.start() + len(m[0].rstrip(".")))) for m in PROPER.finditer(heard.text)
    ]
    begins = {c[0].start for c in heard.clauses}
    fit = [(a, b) for a, b in runs if not (a in begins and " " not in heard.text[a:b]) and not used.hits(a, b)]
    return fit[:MOST]


def left_of(
    heard: MessageInContext, clause: Clause, used: Spans, *filled: Field, widely: bool = False
) -> tuple[int, int] | None:
    """Return the words of a clause from the first to the last that nothing explains."""
    known = joined(heard.called, names_of_fields(filled, heard.context.language)) if filled else heard.called
    small = heard.small if widely else listed(heard.context.language, *SMALL)
    spans = [(a, b) for table in (known, small) for a, b, _ in table.spans(clause)]
    hollow = {
        i
        for a, b in spans
        for i in range(a, b)
        if b - a > 1 or not heard.abbreviations.hits(clause[a].start, clause[a].end)
    }
    left = [t for i, t in enumerate(clause) if i not in hollow and not used.hits(t.start, t.end)]
    left = _with_capitals(heard, clause, used, _named_thing(heard, clause, left)) if widely else left
    return (left[0].start, end_of_name(heard.text, left[-1].end)) if left else None


def _named_thing(heard: MessageInContext, clause: Clause, left: list[Token]) -> list[Token]:
    """Return what is looked up without words at either end that mean no one thing ("un paio di …", "… ones"); all where nothing else is."""
    said = listed_everywhere(
        heard.context.language, "vague", "parts", "units", "small_talk.references", "but_words", "ties.own"
    )
    spans = [*said.spans(clause), *heard.small.spans(clause)]
    within = {t for first, after, _ in spans for t in clause[first:after] if not t.stop or t is clause[0]}
    part = listed_everywhere(heard.context.language, "parts").holds(heard.row)  # "a third of my 300 Tesco"
    within |= {t for t in left if part and t.key.isdigit()}
    cues = listed_everywhere(heard.context.language, "corrections.cues", "no")  # "100 no sorry 150 Tesco"
    within |= {t for t in left[:1] if t.key.isdigit() and cues.ending(heard.row, place(heard.row, t.start))}
    title = len(left) > 2 and all(heard.text[t.start].isupper() for t in left)  # noqa: PLR2004 ("More Than Gold")
    core = [] if title else [i for i, t in enumerate(left) if t not in within]
    left = left[core[0] : core[-1] + 1] if core else left
    left = _first_of(heard, _from_capital(heard, left))
    priced = PRICED.search(heard.text, left[0].start) if left else None
    left = [t for t in left if not priced or t.start < priced.start()]
    breaks = listed_everywhere(
        heard.context.language, "breaks"
    ).rows  # "10 Eni per …", of a message too short to be of a language
    return left[:-1] if len(left) > 1 and len(left[-1].key) > 1 and left[-1].key in breaks else left


def _with_capitals(heard: MessageInContext, clause: Clause, used: Spans, left: list[Token]) -> list[Token]:
    """Return what is looked up with the words of the language that begin its name, having capitals ("10 Think Smart"). One that begins the clause
    may be a hedge ("Maybe Ltd"): a search makes nothing of a word too many.
    """
    first = start = clause.index(left[0]) if left and not heard.text.isupper() else 0
    if not first or not all(w[0].isupper() for w in heard.text[left[0].start : left[-1].end].split()):
        return left
    hedges = listed_everywhere(heard.context.language, "hedges")
    parts = joined(hedges, listed(heard.spoken, "small", "breaks", "leading"))
    while first and not clause[first].stop and heard.text[clause[first - 1].start].isupper():
        told = used.hits(clause[first - 1].start, clause[first - 1].end) or heard.called.at(clause, first - 1)
        if told or not (hedges if first == 1 else parts).at(clause, first - 1):
            break
        first -= 1
    return [*clause[first:start], *left]


def _first_of(heard: MessageInContext, left: list[Token]) -> list[Token]:
    """Return the first of several things ("Tesco or Vodafone", "Tesco and 100 Vodafone"); none where small letters say more than a name."""
    either, both = (listed_everywhere(heard.context.language, name).rows.keys() for name in ("or_words", "and_words"))

    def within(one: Token, other: Token) -> set[str]:
        return {t.key for t in heard.row if one.start < t.start <= other.start}

    gaps = [
        within(*pair) if pair[0].key.isalpha() else set[str]() for pair in pairwise(left)
    ]  # "numbers 1 and 2" are two
    cuts = (i for i, keys in enumerate(gaps, 1) if keys & either or (keys & both and any(map(str.isdigit, keys))))
    left = left[: next(cuts, len(left))]
    names = listed(heard.spoken, "of_words", "and_words", "breaks", "leading").rows.keys()
    said = within(left[0], left[-1]) & (listed(heard.spoken, "small").rows.keys() - names) if left else set()
    plain = bool(said) and not any(map(str.isupper, heard.text[left[0].start : left[-1].end]))
    return [] if plain else left


def _from_capital(heard: MessageInContext, left: list[Token]) -> list[Token]:
    """Return words from the first one of a name on, where others stand between it and what is before ("gonna bin my Tesco"; not "van Elle", "3i")."""
    named = (i for i, t in enumerate(left) if any(c.isupper() or c.isdigit() for c in heard.text[t.start : t.end]))
    first = next(named, 0)
    apart = first and place(heard.row, left[first].start) - place(heard.row, left[0].start) > 1
    return left[first:] if apart else left
