"""What a language is made of. Words are written as people write them; accents and case do not matter.

What every reader needs stands on the language itself, by subject; what one place needs, under that place's name. An entry
without a default must be filled in: a language that leaves one out does not load.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields

Phrases = tuple[str, ...]
"""Words and phrases; several words in one entry are a phrase."""


class IncompleteLanguage(ValueError):
    """A language's file leaves out what every language must have."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Complete:
    """Raises IncompleteLanguage where an entry without a default is empty."""

    def __post_init__(self) -> None:
        needed = (f.name for f in fields(self) if f.default is MISSING and f.default_factory is MISSING)
        empty = [name for name in needed if getattr(self, name) in ("", (), {})]
        if empty:
            where = f" of {self.code!r}" if isinstance(self, Writing) else ""
            raise IncompleteLanguage(f"{type(self).__name__}{where} leaves {', '.join(empty)} empty")


@dataclass(frozen=True, eq=False, kw_only=True)
class Writing(Complete):
    """How the language is written and shown."""

    code: str
    """ISO 639-1, the name of the file."""
    example: str
    """A locale of this language ("en-GB")."""
    elides: bool
    """An apostrophe ends a word ("un'opzione") rather than standing inside it ("don't")."""
    accented: Phrases = ()
    """Words whose accent makes another word of them ("è" is not "e"); elsewhere accents do not matter."""
    ordinal_point: bool = False
    """A point after one or two digits makes them a place in an order and ends no sentence ("3. März")."""
    apostrophe_accents: Mapping[str, str] = field(default_factory=dict)
    """Words with an apostrophe in the place of their accent ("e'" for "è")."""
    digraphs: Mapping[str, str] = field(default_factory=dict)
    """How letters that a keyboard may lack are written ("ue" for "ü")."""
    plural_ending: str = ""
    """What makes a noun many, where one ending does."""
    grouped_from: int = 4
    """Digits from which a whole number is written with separators (CLDR: minimumGroupingDigits)."""
    written_day: str = "d MMM y"
    """How a day is shown, as a pattern of Unicode's locale data (UTS 35)."""
    written_money: str = "{symbol}{amount}"
    """How a sum in the form's one currency is shown."""
    other_currency: str
    """Why a person decides: a field ({label}) is in {currency}, and what it is compared with in {limit}."""
    no_currency: str
    """The same where no currency was told."""
    earlier_currency: str
    """The same where it is an earlier {record} that is in another currency."""
    old_table: str
    """What those who decide read of a table that is old: its `label`, how many `days`, and of which `day` it is."""
    summed: str
    """What a field comes to ({total}) together with the earlier {records} that count."""
    legal_forms: Phrases = ()
    """What ends the name of a firm ("plc"), whatever the language of the form."""
    no_tickers: Phrases = ()
    """Words that people write in capitals and that are no ticker, whatever the language of the form."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """Yes, no, and what makes either uncertain."""

    yes_label: str
    no_label: str
    """How the answers are shown."""
    yes: Phrases
    no: Phrases
    bare_no: str
    """The shortest no."""
    no_negates: bool
    """A bare no in front of a verb negates it ("no lo es")."""
    inverts: bool = False
    """An echo may put its verb first ("ist es nicht")."""
    concord: bool
    """Two negations in one clause still negate ("non ho nessuna informazione")."""
    negators: Phrases
    be: Phrases
    have: Phrases
    weak_verbs: Phrases = ()
    """Verbs that say nothing when nothing follows them ("it's")."""
    subjects: Phrases
    other_subjects: Phrases = ()
    """Subjects that are other people, in questions."""
    links: Phrases
    """Words that may stand between a verb or a negation and what it is about."""
    acknowledging: Phrases
    doubts: Phrases
    """Words that make a whole sentence uncertain."""
    hedges: Phrases
    """Words that make their clause uncertain: conditions, other people's words, the past."""
    conditions: Phrases
    exceptions: Phrases
    """Words that take back part of what was just said."""
    wants: Phrases = ()
    """Verbs of wanting, needing and using, and of echoing the question: they state what they are about."""
    agreeing: Phrases = ()
    """Words that agree to a proposal, and answer no other question."""
    praising: Phrases = ()
    """Words of praise, which may agree to a proposal or only be kind."""
    proposing: Phrases = ()
    """Words by which a question proposes something: "want", "shall", "agree"."""
    declining: Phrases = ()
    """Words that turn a proposal down softly."""
    short_forms: Mapping[str, str] = field(default_factory=dict)
    """How people shorten words in an answer ("nn" for "non"), one word for one."""
    negating_prefixes: Phrases = ()
    """What makes the contrary of a word ("unleveraged")."""
    asides: Phrases = ()
    """Words beside a yes or no that add nothing to it."""
    softeners: Phrases = ()
    """Words that make an answer softer and leave its direction ("I think", "as far as I know")."""
    maybes: Phrases = ()
    """Words that make a choice a likely one, and a yes or no none."""
    already: Phrases = ()
    """Words that turn a wish down where they stand with having ("I already have one")."""
    soft_denials: Phrases = ()
    """Words that softly deny what follows them ("I don't think", "I wouldn't call")."""
    leaning_yes: Phrases = ()
    """Soft answers that mean yes, by themselves."""
    leaning_no: Phrases = ()
    """Soft answers that mean no, by themselves."""
    no_idioms: Phrases = ()
    """Phrases with a yes or no in them that answer neither ("no idea", "no problem", "rather not say")."""
    nothing_words: Phrases = ()
    """Words that deny a thing when they stand behind its name ("leverage: none")."""
    reasons: Phrases = ()
    """Words that may begin the reason behind an answer."""
    harmless: Phrases = ()
    """Words that may follow a no to a question with a worse answer, and disclose nothing."""
    excepting: Phrases = ()
    """Words that put aside the choice after them ("anything but fish")."""
    choosing: Phrases = ()
    """Words around a choice that add nothing to it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sentences:
    """What joins clauses and what asks."""

    conjunctions: Phrases
    also: Phrases
    """Words by which what they stand beside comes to what was told."""
    adding: Phrases
    """Words that want a thing to come to those that were told ("add", "I forgot")."""
    and_words: Phrases
    but_words: Phrases
    or_words: Phrases
    question_words: Phrases
    question_verbs: Phrases = ()
    """Verbs that make a question when a subject follows them."""
    asking_meaning: Phrases
    """Words that ask what a question means or is for."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Surroundings:
    """Words around a value: those that add nothing, name it, end it, or make something else of it."""

    polite: Phrases
    filler: Phrases
    """Words of a plain answer that add nothing to it."""
    value_fillers: Phrases
    """The same around a number, a sum, a day or an hour that was asked for, and around nothing else."""
    naming: Phrases
    """Words between a field's name and its value ("quantity is 200")."""
    breaks: Phrases
    """Words at which a name or the reach of a number ends."""
    articles: Phrases
    stand_ins: Phrases = ()
    """Words that stand for a thing already named ("the Tesco one")."""
    units: Phrases
    durations: Phrases
    """Words that make the number before them a length of time, unless the field is named so."""
    duration_names: Mapping[str, str] = field(default_factory=dict)
    """Further names of a length of time, and the one that forms use ("yrs": "years")."""
    bounds: Phrases
    """Words that make the number after them a limit and not a value."""
    rejected: Phrases
    """Words that put aside the value after them ("not 200", "instead of 200")."""
    was: Phrases
    """Those among them that put aside what another value follows, and alone only tell of it ("it was 200")."""
    year_words: Phrases
    price_words: Phrases = ()
    """Words that make the number after them a price."""
    each: Phrases
    """Words that make the sum before them the price of one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """Numbers in words, places in a list, and money."""

    numbers: Mapping[str, int]
    more_numbers: Phrases
    """Number words beyond those; a number word beside one of them is a part of a larger number."""
    one_article: Phrases = ()
    """Articles that count one where a unit follows ("in a week"), and that are no number elsewhere."""
    ordinals: Mapping[str, int]
    last: Phrases
    option_words: Phrases
    multiples: Mapping[str, int]
    currencies: Mapping[str, str]
    """Names of money and its ISO code; the empty code where several countries use the name."""
    sums: Phrases = ()
    """Words of numbers that are always sums of money ("grand")."""
    worth_before: Phrases
    """Words before a sum that say what something is worth ("to the value of")."""
    worth_of: Phrases
    """Words between a sum and what it buys ("worth of")."""
    worth_alone: Phrases = ()
    """Those that make a bare number a sum ("3k worth of")."""
    worth_in: Phrases
    """The same that lead to many other things as well ("in"): what it buys has a capital then."""
    issuers: Mapping[str, str]
    """Words that say whose money a mark of several countries is, and the country's code ("dollars, US")."""
    issuer_links: Phrases
    """Small words between such a mark and those ("dollars, the US ones")."""
    minor_units: Phrases
    """Hundredths of money: the number before them is no sum of whole units."""
    percent: Phrases
    """Words that make the number before them a percentage."""
    number_words: Mapping[str, int]
    """Words that add up to a number, zero included: units, teens, tens, and hundreds that are one word."""
    scales: Mapping[str, int]
    """Words that multiply what stands before them: a hundred, thousands, millions."""
    elided_numbers: Mapping[str, int] = field(default_factory=dict)
    """Number words as they stand before others within one word ("vent" in "ventotto")."""
    and_after_tens: bool = False
    """An "and" may stand between tens and units ("treinta y cinco")."""
    units_first: bool = False
    """The unit stands before its tens ("fünfundzwanzig")."""
    number_courtesies: Phrases = ()
    """Courtesies that hold a number word ("grazie mille")."""
    fractions: Mapping[str, int]
    """Hundredths that a phrase makes of what follows it ("half a": 50)."""
    halves_after: Phrases
    """What adds a half to the number before it."""
    point_words: Phrases
    """Words before the decimals of a number."""
    collectives: Mapping[str, int]
    """Nouns that count exactly ("a dozen")."""
    rough_collectives: Mapping[str, int] = field(default_factory=dict)
    """Nouns that count roughly ("un centinaio")."""
    of_many: Phrases = ()
    """A word between a collective and what it counts ("a couple of hundred")."""
    vague: Phrases
    """Words that make a number of no one size of the one after them ("a few hundred")."""
    range_words: Phrases = ()
    """Words between the two ends of a range, beside "and" and "or"."""
    approximations: Phrases
    """Words before a value that make it an estimate."""
    approximations_after: Phrases
    """The same after it."""
    approximate_endings: Phrases = ()
    """Endings of a number that make it an estimate ("200ish")."""
    qualifiers: Mapping[str, str] = field(default_factory=dict)
    """Words that say of what kind a sum is, by group: "per month", "per year", "tax net", "tax gross"."""
    money_links: Phrases = ()
    """What stands between millions and their currency ("2 milioni di euro")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Calendar:
    """Days, and stretches of them."""

    days: Mapping[str, int]
    """Names of days, counted from today."""
    not_days: Phrases = ()
    """Phrases that hold the name of a day and mean none."""
    no_slips: Phrases = ()
    """Words that are no slip in the name of a day or a month, near as they are ("vienes")."""
    coming: Phrases
    gone: Phrases
    this_week: Phrases
    next_week: Phrases
    this_month: Phrases
    day_leads: Phrases
    """Words before the number of a day of the month."""
    day_endings: Phrases = ()
    """What makes digits the place of a day in its month ("12th")."""
    ended_days: bool = False
    """After a lead, only digits with such an ending are a day ("the 12th", but not "the 12")."""
    day_after_month: bool = False
    """The day may follow its month ("March 3")."""
    units_of_days: Mapping[str, int]
    ahead_before: Phrases
    ahead_after: Phrases = ()
    ago_before: Phrases = ()
    ago_after: Phrases
    months: Mapping[str, int] = field(default_factory=dict)
    """Short forms of months that the locale data lacks."""
    of_words: Phrases
    begin_words: Phrases
    """Words of the beginning of a stretch, beside a value or in a field's name ("from", "start")."""
    end_words: Phrases
    """The same of its end ("until", "last")."""
    end_prepositions: Phrases
    """Those among them that stand between the two ends."""
    between_words: Phrases
    to_words: Phrases
    """Words that lead to the end of a stretch only where its beginning stands before them ("to")."""
    direction_links: Phrases = ()
    """Small words between any of these and the value."""
    week_after: Phrases = ()
    """Words around a weekday that put it off by a week ("Monday week", "a week on Monday")."""
    periods: Mapping[str, str]
    """Stretches counted from today: "month -1" is the last month; also "week" and "year"."""
    between: Phrases
    """Words between the first day of a stretch and its last."""
    since: Phrases
    """Words before the first day of a stretch that ends today."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Clock:
    """Times of day."""

    clock24: bool
    """Hours without am or pm are hours of the whole day."""
    noon: Phrases
    midnight: Phrases
    hour_parts: Mapping[str, int]
    """Minutes that a phrase adds to its hour: "half past" five."""
    hour_parts_lead: bool
    """Whether such a phrase stands before its hour."""
    minutes_past: Phrases = ()
    """Words between minutes and the hour that they follow ("ten past five"), or the hour and its minutes ("le otto e venti")."""
    minutes_to: Phrases = ()
    """The same of minutes that lack to the hour."""
    morning: Phrases
    afternoon: Phrases
    halves: Mapping[str, str] = field(default_factory=dict)
    """Halves of the day named before the hour ("afternoon 3:45"): "a" or "p"."""
    hour_marks: Phrases
    """Words after which a bare number is an hour."""
    hour_marks_after: Phrases = ()
    """Words before which a bare number is an hour ("14 Uhr")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Commands(Complete):
    """Orders as whole utterances, and the installation's own slash commands."""

    orders: Mapping[str, Phrases]
    """A command's name to the utterances that give it."""
    leads: Phrases
    """What may stand before an order."""
    tails: Phrases
    """What may stand after it."""
    person: Phrases
    """Words by which a longer message asks for a person."""
    forms: Phrases = ()
    """Whole utterances that ask which forms there are. The first one is what a button for them says."""
    find: Phrases = ()
    """Words behind `/holdfast` with which an officer looks for a request."""
    slash: Mapping[str, str] = field(default_factory=dict)
    """An act to the slash command that does it ("my_data": "/my_data"); each has to stand in manifest.yml as well."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Corrections(Complete):
    """Words that put something said before right."""

    cues: Phrases
    """Words that announce a correction."""
    changes: Phrases
    """Words that order a change of what they name."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Offers(Complete):
    """What people say to a thing that was offered, or that lies before them."""

    accepting: Phrases
    """Words that take what was offered, beside a plain yes."""
    wanting: Phrases
    """Words that want what they are followed by."""
    beside: Phrases
    """Small words that may stand in an acceptance."""
    refusing: Phrases
    """Words that put an offer aside, beside a plain no and negations."""
    picking: Phrases = ()
    """Words that take the one result on screen, beside a plain yes."""
    pointing: Phrases = ()
    """Small words around the name of a result, beside articles and courtesies."""
    among: Phrases = ()
    """The results, behind a word for none of them ("none of these")."""
    all_of: Phrases = ()
    """Words that speak of all things that wait."""
    confirming: Phrases = ()
    """Verbs of confirming and of calling off, as they stand beside those."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Asking(Complete):
    """How a question of a model's begins; an entry that ends in "*" is every word that begins so. At most fifteen in all."""

    words: Phrases
    """Question words."""
    verbs: Phrases
    """Verbs that ask for a yes or no where they come first."""
    clauses: Phrases = ()
    """Words behind a comma that no pause stands for."""
    capital_nouns: bool = False
    """Every noun has a capital, so that one capital makes no name; two words with capitals do."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Purchases(Complete):
    """Lines such as "bread x2 at 12"."""

    each: Phrases
    """Words before the price of one."""
    edges: Phrases
    """Words at the edges of what was bought that are no part of its name."""
    naming: Phrases = ()
    """Words between the name of a row's field and its value, beside the usual ones."""
    leads: Phrases = ()
    """Words before a line that say no more than that it is a further one, or comes next."""
    titles: Phrases = ()
    """The same where a mark sets them off ("first:"), and a part of a name elsewhere ("first aid kit")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Orders(Complete):
    """Words that ask for an operation on rows, wherever they stand in a message, in whatever form the verb is."""

    deleting: Phrases
    changing: Phrases
    """Beside those that announce a correction."""
    telling: Phrases
    """What asks to be shown, summed up or given something."""
    things: Phrases
    """Those among all of them that are names of things as well ("oil change"): they ask only at the beginning of a clause."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Wishes(Complete):
    """How people ask for a form: "I want to file an expense", "another one"."""

    leads: Phrases
    """What a wish opens with."""
    verbs: Phrases
    """What is done with a form: filed, opened, gone over to."""
    beside: Phrases
    """Small words that may stand in a wish, beside articles and courtesies."""
    papers: Phrases
    """What a form may be called in any house ("a request"), beside its own names."""
    on: Phrases
    """Words after the form's name that lead to what it is about ("an expense for lunch")."""
    another: Phrases
    """A further one of the same, with its noun ("another one")."""
    further: Phrases
    """Words that make a further one of the form's name behind them ("another")."""
    more: Phrases = ()
    """A further one, where a wish leads to it ("I want to buy something else")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SmallTalk(Complete):
    """What people write that answers no question; and what leads to an answer within a sentence."""

    greetings: Phrases
    thanks: Phrases
    """Thanks and praise."""
    owing: Phrases
    """Words that make a cause of the thanks before them ("thanks to")."""
    approvals: Phrases
    holds: Phrases
    """Words that ask for a moment."""
    doubts: Phrases
    refusals: Phrases
    references: Phrases
    """Words that point at what was said or done another time ("same as last time")."""
    remarks: Phrases
    """What people say of the situation, whole."""
    evaluations: Phrases
    """What a situation is called: "mess", "complicated"."""
    exclaiming: Phrases
    """Words that begin an exclamation: "what a", "che"."""
    question_starts: Phrases
    """Beginnings of questions that need no question mark."""
    small: Phrases
    """Words that may stand beside any of these and add nothing."""
    no_names: Phrases
    """Words that point at a thing, order something or tell of a form, and are the name of nothing that could be looked up."""
    introducing: Phrases
    """Words before a person's own name."""
    introducing_weakly: Phrases
    """Words before a person's own name, and before other things as well ("I'm")."""
    name_words: Phrases
    """What a field that asks for a name is called, and words that say whose."""
    reasons: Phrases
    """Words before an open answer that are no part of it ("because", "it's for")."""
    requesting: Phrases
    """Beginnings of sentences that want something done ("find me", "I need"): they tell no name and no place."""
    stating: Phrases
    """Words before a short answer that are no part of it ("I live in")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Cues(Complete):
    """What a field's own words say of its answers, and what leads to them in a message."""

    counting: Phrases
    """Words before what a field counts ("number of", "how many")."""
    people: Phrases
    """People, as they are counted."""
    seats: Phrases
    """What is counted by people: seats, tickets."""
    ratings: Phrases
    """Words that make the number before them a rank and no count ("4 star")."""
    counted_for: Phrases
    """Words before a number of people ("a table for two")."""
    things: Phrases
    """Words in a field's name by which it asks for a name or a place, and for no sentence."""
    leads: tuple[tuple[Phrases, Phrases], ...]
    """Words in a field's name, and those that lead to its answer in a message ("destination": "to")."""
    proposing: Phrases
    """Beginnings of questions that want what they name ("how about the 5th?")."""
    elsewhere: Phrases
    """What people ask a bot about beside their form: the weather, the news."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ties(Complete):
    """People close to somebody and what ties them to a firm: what a form's `disclosure` may name in braces."""

    own: Phrases
    """Words that say whose relation it is ("my")."""
    kin: Phrases
    """What relatives, friends and others who are close are called."""
    acquainted: Phrases
    """The same where no such word stands before it ("a friend", "someone I know")."""
    working: Phrases
    """Verbs of working for somebody, and what one is there."""
    telling: Phrases
    """Verbs of passing something on to the person."""
    there: Phrases
    """Words that point at what the form is about ("there", "the company")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Blankets(Complete):
    """One answer to many questions: "no to all declarations", "none of these apply", "nothing to declare"."""

    no: Phrases
    yes: Phrases
    same: Phrases
    """Words that repeat a yes or no said before ("no, and the same for the rest")."""
    every: Phrases
    """Words for all questions."""
    rest: Phrases
    """Words for those that are left."""
    everywhere: Phrases
    """Words beside a yes or no that give it to all questions ("across the board")."""
    leading: Phrases
    """Words that lead from a yes or no to the questions ("to", "for")."""
    small: Phrases
    """Words between any of these that add nothing."""
    declarations: Phrases
    """What such questions are called; a plain no beside it is meant for all of them."""
    questions: Phrases
    """Further names of questions, several of them or one."""
    none: Phrases
    """Words that deny several things ("none of these")."""
    none_of: Phrases
    """The same, where the name of the things has to follow ("none of the")."""
    none_softly: Phrases
    """Words that deny several things, or the one that was asked ("none of that")."""
    applying: Phrases
    """Words by which a statement is so ("apply", "are true")."""
    whole: Phrases
    """Whole blanket denials ("nothing to declare")."""
    after: Phrases
    """Words that may follow, beside courtesies."""
    joining: Phrases
    """Words with which something else begins."""
    saying: Phrases
    """Verbs of answering; denied, the denial is none ("I can't say no to all")."""
    asking_for: Phrases = ()
    """Beginnings of questions that want it written down ("can you put no for all")."""
    others: Phrases
    """People whose answer it may be, and words that take it back."""
    no_blankets: Phrases = ()
    """Phrases that only look like parts of one ("all right", "that's all")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Doing(Complete):
    """How people tell that they have done what was approved, or have not."""

    whole: Phrases
    """Whole utterances that say it is done."""
    verbs: Phrases
    """Words that tell of having done it, wherever they stand: "bought", "traded"."""
    weakly: Phrases
    """Words that tell of it where a number stands with them: "got", "went through"."""
    unreal: Phrases
    """Words that make what is told a mere thought ("would have")."""
    acts: Phrases
    """The same as what may be done: behind a negation they say that it was not ("didn't buy")."""
    undone: Phrases
    """Words that say by themselves that it was not done, and will not be."""
    not_yet: Phrases
    """Words that leave it open: nothing is reported by these."""
    priced: Phrases
    """Words before the price of one."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Language(Writing, Answers, Sentences, Surroundings, Numbers, Calendar, Clock):
    """One language, whole."""

    commands: Commands
    corrections: Corrections
    offers: Offers
    asking: Asking
    purchases: Purchases
    orders: Orders
    wishes: Wishes
    small_talk: SmallTalk
    cues: Cues
    ties: Ties
    blankets: Blankets
    doing: Doing

    def __repr__(self) -> str:
        return f"Language({self.code!r})"
