"""The parts of a language. Words are written as people write them; accents and case do not matter.

Entries that every reader needs are on the language itself, by subject; those of one place, under that place's name. An entry
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
    asks_by_order: bool = False
    """A question word and then a verb before who it is of make a question, question mark or none ("what did I say")."""
    ordinal_point: bool = False
    """A point after one or two digits makes them a place in an order and ends no sentence ("3. März")."""
    apostrophe_accents: Mapping[str, str] = field(default_factory=dict)
    """Words with an apostrophe in the place of their accent ("e'" for "è")."""
    short_thousands: bool = False
    """A thousand and one digit in one word may leave out the hundred ("milleotto" for 1,800)."""
    contractions: Phrases = ()
    """Words that the hasty write without their apostrophe ("dont")."""
    digraphs: Mapping[str, str] = field(default_factory=dict)
    """How letters that a keyboard may lack are written ("ue" for "ü")."""
    verb_last: bool = False
    """What is wished for is named at the end of the sentence ("ich möchte Aktien kaufen")."""
    plural_ending: str = ""
    """The ending that makes a noun plural, where one does."""
    grouped_from: int = 4
    """Digits from which a whole number is written with separators (CLDR: minimumGroupingDigits)."""
    written_day: str = "d MMM y"
    """How a day is shown, as a pattern of Unicode's locale data (UTS 35)."""
    written_money: str = "{symbol}{amount}"
    """How a sum in the form's one currency is shown."""
    other_currency: str
    """The reason why a person decides: a field ({label}) is in {currency}, and what it is compared with in {limit}."""
    no_currency: str
    """The same where no currency was told."""
    earlier_currency: str
    """The same where it is an earlier {record} that is in another currency."""
    old_table: str
    """The reviewers' sentence about an old table: its `label`, how many `days`, and of which `day` it is."""
    reply: str
    """The label of a person's answer to the reviewers' question."""
    summed: str
    """The sum ({total}) of a field and of the earlier {records} that count."""
    legal_forms: Phrases = ()
    """Endings of firms' names ("plc"), whatever the language of the form."""
    shortened: Phrases
    """Ends of names that are words written with a point ("Inc."), whatever the language of the form; initials ("S.p.A.") are told by their shape."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """Yes, no, and what makes either uncertain."""

    yes_label: str
    no_label: str
    """How the answers are shown."""
    unlisted_label: str
    """How it is shown that a list does not hold a thing."""
    yes: Phrases
    no: Phrases
    denying: Phrases = ()
    """Words beside a denial that leave it a short answer ("I haven't got any"); none that limits it, and nobody ("not me")."""
    leaning: Mapping[str, bool] = field(default_factory=dict)
    """Clauses that lean to a yes or a no without that word ("I have some", "not that I know"): put back where they stand beside a question."""
    enough: Phrases
    """Words that say that there is no more to tell ("that's everything", "nothing else")."""
    negators: Phrases
    excepting: Phrases
    """Words behind which something is named that is not meant ("all but the mirrors")."""
    acknowledging: Phrases
    conditions: Phrases


@dataclass(frozen=True, eq=False, kw_only=True)
class Sentences:
    """Words that join clauses and words that ask."""

    conjunctions: Phrases
    also: Phrases
    """Words by which what they stand beside comes to what was told."""
    adding: Phrases
    """Words that want a thing to come to those that were told ("add", "I forgot")."""
    and_words: Phrases
    but_words: Phrases
    other_times: Phrases
    """Verbs and words of what was, will be or is wished for: beside them nothing is said of today."""
    or_words: Phrases
    question_words: Phrases
    asking_meaning: Phrases
    """Words that ask what a question means or is for."""
    means: Phrases = ()
    """Verbs of meaning: behind a doubt and a question word they ask ("no clue what leverage means")."""
    whys: Phrases = ()
    """Words that ask for a reason: with some of those below behind them, why a question is asked."""
    asking_us: Phrases = ()
    """Words that turn to whoever asks ("do you", "wollen sie"), or point at the question ("is this")."""
    defining: Phrases
    """Beginnings of a question about what something is or counts as: what it names is no answer."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Surroundings:
    """Words around a value: those that add nothing, name it, end it, or make something else of it."""

    polite: Phrases
    hesitating: Phrases = ()
    """Words by which an answer is begun or ended, and that say nothing of it ("well, no", "no then")."""
    small: Phrases
    """Words around a value that need no explanation: articles, pronouns, being, having, wanting. None that limits, hedges, denies or compares."""
    vague: Phrases
    """Words that mean no one thing ("some", "any of"), so that nothing is looked up by them."""
    parts: Phrases
    """Words for a part of what somebody has."""
    leading: Phrases
    """Words before a name or place that are no part of it, and that would limit a number ("from", "at")."""
    naming: Phrases
    """Words between a field's name and its value ("quantity is 200")."""
    breaks: Phrases
    """Words at which a name or the reach of a number ends."""
    keepers: Phrases
    """Words between an account, or another thing, and who keeps it ("an ISA with …")."""
    within: Phrases
    """Words before an account that holds something ("in my … ISA")."""
    units: Phrases
    estimates: Phrases = ()
    """Words before a value that make an estimate of it ("around", "gegen")."""
    rejected: Phrases
    """Words that put aside the value after them ("not 200", "instead of 200")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers:
    """Numbers in words, places in a list, and money."""

    numbers: Mapping[str, int]
    hedges: Phrases = ()
    """Words by which somebody says that they are not quite sure ("I think"): a value beside them is asked."""
    people: Phrases = ()
    """Words for people, in one and in many, by which a field counts them and the speaker among them."""
    company: Mapping[str, int] = field(default_factory=dict)
    """How many people the speaker is with, in words that are no number ("just me", "zu viert")."""
    one_article: Phrases = ()
    """Articles that are the number one as well: behind a value they speak of each ("3.60 a share")."""
    closings: Phrases = ()
    """How a letter ends: below that line is who wrote it."""
    each: Phrases = ()
    """Words beside a sum that is told of each, not of all ("£25 each", "jeweils 25 Euro")."""
    against: Mapping[str, str] = field(default_factory=dict)
    """Words beside a sum in another measure than a field's whose name has a word that begins so ("lordi" = "nett")."""
    containing: Phrases = ()
    """Words before a part of the sum that was told ("90 *of which* 30 wine")."""
    totals: Phrases = ()
    """Words beside a sum that is told of all ("50 in total")."""
    halves: Mapping[str, float] = field(default_factory=dict)
    """Parts of one, and what they come to: behind "and" they are added ("three and a half"), before a unit they count it ("half a year")."""
    scales: Mapping[str, int] = field(default_factory=dict)
    """Words by which a number is multiplied, and that CLDR lacks ("grand", "dozen"); 0 for one of which it is not clear by how much. One that is
    among the `currencies` as well is a note ("a tenner")."""
    last: Phrases
    option_words: Phrases
    percent: Phrases = ()
    """Words for percent that CLDR lacks."""
    currencies: Mapping[str, str]
    """Names of money that CLDR lacks, and their ISO codes; the empty code where several countries use the name."""
    minor: Phrases = ()
    """Names of the hundredth parts of money."""
    nicknames: Mapping[str, str] = field(default_factory=dict)
    """Names that several countries use, and the currency that they mostly stand for."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Calendar:
    """Days, and stretches of them."""

    days: Mapping[str, int]
    """Names of days, counted from today."""
    not_days: Phrases = ()
    """Phrases that hold the name of a day and mean none."""
    gone: Phrases
    gone_by: Phrases = ()
    """Those that may mean the week before as well, of a day of this week ("last Tuesday", on a Friday): both are read."""
    weeks_away: Phrases
    """Words beside a weekday that put it off by weeks ("Monday week"): which day is meant is not said."""
    following: Phrases
    """Words beside a weekday that mean the coming one or that of the week after ("next Friday"): both are read."""
    next_week: Phrases
    """Words beside a weekday that put it in the next week ("Friday next week")."""
    days_away: Mapping[str, int] = field(default_factory=dict)
    """How days are counted from today, "{}" for their number, to 1 where they lie ahead and -1 where they are gone; of weeks, to their days."""
    months_away: Mapping[str, int] = field(default_factory=dict)
    """The same of months."""
    day_leads: Phrases
    """Words before the number of a day of the month."""
    day_endings: Phrases = ()
    """Endings that make digits the day of a month ("12th")."""
    day_after_month: bool = False
    """The day may follow its month ("March 3")."""
    months: Mapping[str, int] = field(default_factory=dict)
    """Short forms of months that the locale data lacks."""
    weekdays: Mapping[str, int] = field(default_factory=dict)
    """Short forms of the days of the week, Monday 0; one that is a word of its own, with the word before it ("on sat")."""
    of_words: Phrases
    begin_words: Phrases
    """Words of the beginning of a stretch, beside a value or in a field's name ("from", "start")."""
    periods: Mapping[str, str]
    """Stretches counted from today: "month -1" is the last month; also "week" and "year"."""
    between: Phrases
    """Words between the first day of a stretch and its last."""
    ranging: Phrases = ()
    """Words before the first of two numbers between which something lies."""
    since: Phrases
    """Words before the first day of a stretch that ends today."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Clock:
    """Times of day."""

    clock24: bool
    """Hours without am or pm are hours of the whole day."""
    noon: Phrases
    midnight: Phrases
    hour_marks: Phrases
    """Words after which a bare number is an hour."""
    hour_marks_after: Phrases = ()
    """Words before which a bare number is an hour ("14 Uhr")."""
    clock_before: Mapping[str, int] = field(default_factory=dict)
    """Words right before an hour, to the minutes that they add to it ("half past", "Viertel vor")."""
    clock_after: Mapping[str, int] = field(default_factory=dict)
    """The same right behind it ("e mezza", "menos cuarto")."""
    minutes_before: Mapping[str, int] = field(default_factory=dict)
    """Words between minutes and the hour behind them: 1 adds them ("twenty past eight"), -1 takes them away."""
    minutes_after: Mapping[str, int] = field(default_factory=dict)
    """The same between an hour and its minutes ("otto e venti")."""
    mornings: Phrases
    """Words beside an hour that say that it lies before noon."""
    afternoons: Phrases
    nights: Phrases = ()
    """The same of the night: before midnight from six on, else behind it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Commands(Complete):
    """Orders as whole utterances, and the installation's own slash commands."""

    orders: Mapping[str, Phrases]
    """A command's name to the utterances that give it."""
    leads: Phrases
    """Words that may come before an order."""
    person: Phrases
    """Words by which a longer message asks for a person."""
    forms: Phrases = ()
    """Whole utterances that ask which forms there are."""
    abilities: Phrases = ()
    """Whole utterances that ask what the bot does."""
    verdicts: Phrases = ()
    """Whole utterances with which somebody decides, where only a button counts."""
    queue: Phrases = ()
    """Whole utterances with which an officer asks what waits for their decision."""
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
    restricting: Phrases
    """Words that leave nothing beside what they name."""
    dropping: Phrases = ()
    """Words that take one of several things off what waits ("scratch the second")."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Offers(Complete):
    """Answers to a thing that was offered, or that is on screen."""

    accepting: Phrases
    """Words that take what was offered, beside a plain yes."""
    beside: Phrases
    """Small words that may stand in an acceptance."""
    refusing: Phrases
    """Words that put an offer aside, beside a plain no and negations."""
    keeping: Phrases
    """Words that put it aside for what stands."""
    picking: Phrases = ()
    """Words that take the one result on screen, beside a plain yes."""
    pointing: Phrases = ()
    """Small words around the name of a result, beside articles and courtesies."""
    among: Phrases = ()
    """The results, behind a word for none of them ("none of these")."""
    unlisted: Phrases
    """Words for what a list does not hold."""
    all_of: Phrases = ()
    """Words that speak of all things that wait."""
    confirming: Phrases = ()
    """Verbs of confirming and of calling off, as they stand beside those."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Review(Complete):
    """What is said of the summary before it is filed, beside a plain yes or no and an order to submit."""

    right: Phrases
    """Words that find it right."""
    wrong: Phrases
    """Words that find a mistake in it, without saying which."""
    beside: Phrases
    """Words around either that say nothing of an answer."""


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
class Orders(Complete):
    """Words that ask for an operation on rows, wherever they stand in a message, in whatever form the verb is."""

    undone: Phrases
    """The same that say that it is not, and will not be."""
    done: Phrases
    """Whole utterances, fillers aside, that say that what was approved is done."""
    another: Phrases
    """A further one of the same."""
    wishing: Phrases
    """Words of a wish for a form, and what any form may be called."""
    leaving: Phrases
    """Words by which somebody turns from one form to another ("first", "go to")."""
    refunds: Phrases
    """Words for money that came back: it is not spent, and adds nothing."""
    not_refunds: Phrases = ()
    """Phrases that hold one of these and are spent ("abono transporte", a season ticket)."""
    rows: Phrases = ()
    """Words before the number of a row ("entry 12", "la 12"); none that is itself what costs ("gasto 12")."""
    filing: Phrases = ()
    """Words that order a row to count as something, and words between its number and that ("file 12 under travel"); none by which one pays."""
    stating: Phrases
    """Words between a thing and what it was or cost ("the taxi *was* 14")."""
    swapping: Phrases
    """Words that put one thing in the place of another ("swap my Tesco for Shell")."""
    doing: Phrases
    """Words for what a thing does, right behind a figure that is a part of its name ("gate 12 *closes*")."""
    priced: Phrases
    """Words that find a sum much or little."""
    fillers: Phrases
    """Words beside an operation or the name of a form that add nothing to it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SmallTalk(Complete):
    """Utterances that answer no question, and beginnings of questions."""

    greetings: Phrases
    thanks: Phrases
    """Thanks and praise."""
    approvals: Phrases
    holds: Phrases
    """Words that ask for a moment, or put off."""
    meanwhile: Phrases
    """Words beside these that say why, what or until when ("in a meeting", "the photos", "tonight")."""
    doubts: Phrases
    mistakes: Phrases
    """Words that say that something is not right, and not what."""
    refusals: Phrases
    reminders: Phrases
    """Words that say that it was said already ("as I said"), and do not say it again; so does what was `told` with when or where (`earlier`)."""
    told: Phrases
    earlier: Phrases
    beside_told: Phrases
    """Words that stand beside these two, and say nothing more."""
    references: Phrases
    """Words that point at what was said or done another time ("same as last time")."""
    requests: Phrases
    """Beginnings of what somebody is to do ("tell me …"), which name nothing."""
    question_starts: Phrases
    """Beginnings of questions that need no question mark."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Asides(Complete):
    """Words that speak to whoever asks, and tell nothing of the matter that is asked about."""

    leads: Phrases
    """Beginnings of what somebody is about to do, or will not do, beside those of a wish."""
    consulting: Phrases
    """Asking or thinking before one answers."""
    doing: Phrases
    """What is done to a form or an answer."""
    around: Phrases
    """Words beside these that add nothing."""
    auxiliaries: Phrases
    subjects: Phrases
    """What makes a question behind one of these, at its beginning or behind a question word ("will my …", "what kind do you …")."""
    us: Phrases
    """Words that are said to whoever asks, or of their questions."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Afterwards(Complete):
    """Words by which a filed request is asked about: a question is recognised by one that `asks`, or by its mark."""

    starts: Phrases
    """Beginnings of a question to the reviewers that has no question mark."""
    asks: Phrases
    """Beginnings of a question, beside those that any question has."""
    wants: Phrases
    """Beginnings of a wish: with one of them only what changes the request, or asks why and who, is a question about it."""
    may: Phrases
    """Beginnings of a question for leave to go ahead."""
    withdraw: Phrases
    change: Phrases
    valid: Phrases
    time: Phrases
    why: Phrases
    who: Phrases
    next: Phrases
    state: Phrases


@dataclass(frozen=True, eq=False, kw_only=True)
class Ties(Complete):
    """People close to somebody and their ties to a firm, which a form's `disclosure` may name in braces."""

    own: Phrases
    """Words that say whose relation it is ("my")."""
    kin: Phrases
    """Words for relatives, friends and others who are close."""
    acquainted: Phrases
    """The same where no such word stands before it ("a friend", "someone I know")."""
    working: Phrases
    """Verbs of working for somebody, and what one is there."""
    telling: Phrases
    """Verbs of passing something on to the person."""
    behalf: Phrases
    """Words for acting for somebody, before who it is."""
    mine: Phrases
    """Words for acting for oneself."""
    along: Phrases
    """Words before who else it is for."""
    saving: Phrases
    """What the trade is to pay for: money for somebody, and no trade for them ("to save for my kids")."""
    there: Phrases
    """Words that point at what the form is about ("there", "the company")."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Language(Writing, Answers, Sentences, Surroundings, Numbers, Calendar, Clock):
    """One language, whole."""

    commands: Commands
    corrections: Corrections
    offers: Offers
    orders: Orders
    review: Review
    small_talk: SmallTalk
    asides: Asides
    ties: Ties
    afterwards: Afterwards

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    asking: Asking
