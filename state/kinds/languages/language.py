"""What a language has to tell the kinds. Words are written as people write them; accents and case do not matter."""

from collections.abc import Mapping
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Language:
    """One language's words. Several words in one entry are a phrase."""

    code: str
    elides: bool
    """An apostrophe ends a word ("un'opzione") rather than standing inside it ("don't")."""
    no_negates: bool
    """A bare "no" in front of a verb negates it ("no lo es")."""
    concord: bool
    """Two negations in one clause still negate ("non ho nessuna informazione")."""
    clock24: bool
    """Hours without am or pm are hours of the whole day."""
    grouped_from: int
    """Digits from which a whole number is written with separators (CLDR: minimumGroupingDigits)."""

    accented: Words
    """Words whose accent makes another word of them ("è" is not "e"); elsewhere accents do not matter."""

    yes: Words
    no: Words
    negators: Words
    be: Words
    have: Words
    weak_verbs: Words
    """Verbs that say nothing when nothing follows them ("it's")."""
    subjects: Words
    links: Words
    """Words that may stand between a verb or a negation and what it is about."""
    acknowledging: Words
    doubts: Words
    """Words that make a whole sentence uncertain."""
    hedges: Words
    """Words that make their clause uncertain: conditions, other people's words, the past."""
    conditions: Words
    exceptions: Words
    """Words that take back part of what was just said."""
    conjunctions: Words
    or_words: Words
    question_words: Words
    question_verbs: Words
    """Verbs that make a question when a subject follows them."""

    polite: Words
    filler: Words
    """Words of a plain answer that add nothing to it."""
    naming: Words
    """Words between a field's name and its value ("quantity is 200")."""
    breaks: Words
    """Words at which a name or the reach of a number ends."""
    articles: Words
    units: Words
    durations: Words
    """Words that make the number before them a length of time, unless the field is named so."""
    bounds: Words
    """Words that make the number after them a limit and not a value."""
    rejected: Words
    """Words that put aside the value after them ("not 200", "instead of 200")."""
    year_words: Words
    price_words: Words
    """Words that make the number after them a price."""
    each: Words
    """Words that make the sum before them the price of one."""

    numbers: Mapping[str, int]
    more_numbers: Words
    """Number words beyond those; a number word beside one of them is a part of a larger number."""
    ordinals: Mapping[str, int]
    last: Words
    option_words: Words
    multiples: Mapping[str, int]
    currencies: Mapping[str, str]
    """Names of money and its ISO code; the empty code where several countries use the name."""

    days: Mapping[str, int]
    """Names of days, counted from today."""
    not_days: Words
    """Phrases that hold the name of a day and mean none."""
    coming: Words
    gone: Words
    this_week: Words
    next_week: Words
    this_month: Words
    day_leads: Words
    """Words before the number of a day of the month."""
    units_of_days: Mapping[str, int]
    ahead_before: Words
    ahead_after: Words
    ago_before: Words
    ago_after: Words
    months: Mapping[str, int]
    """Short forms of months that the locale data lacks."""
    of_words: Words

    noon: Words
    midnight: Words
    hour_parts: Mapping[str, int]
    """Minutes that a phrase adds to its hour: "half past" five."""
    hour_parts_lead: bool
    """Whether such a phrase stands before its hour."""
    morning: Words
    afternoon: Words
    halves: Mapping[str, str]
    """Halves of the day named before the hour ("afternoon 3:45"): "a" or "p"."""
    hour_marks: Words
    """Words after which a bare number is an hour."""

    written_day: str = "d MMM y"
    """How a day is shown, as a pattern of Unicode's locale data (UTS 35)."""
    written_money: str = "{symbol}{amount}"
    """How a sum in the form's one currency is shown."""
