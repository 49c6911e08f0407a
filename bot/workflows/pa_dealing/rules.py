"""PA dealing's rules: the securities to look up, how a reason is graded, and what a submission becomes."""

import re
from collections.abc import Iterable

from state.draft.draft import Draft
from state.form.files import Files
from state.rules import Grade, Grader, Rules

from .commands import Answers
from .facts import gatherer, last_chance
from .filing import approved_until, filer
from .policy import read_policy, vet_threshold
from .tables import Search, read_tables, stale_rates
from .trades import judge_of_trades, reader_of_notes

WORD = re.compile(r"[^\W_]+(?:['’\-–][^\W_]+)*")
REASON, SHORT = 2, 2
"""Words that must be left of a reason once all that any trade has in common is taken away; shorter ones say nothing."""
FILLER = (
    "a an the i i'm i'd i've me my we our you your it it's its this that these those is am are was were be been and or but so as "
    "if to for of in on at by with from into about than then there here do does did have has had will would can could should "
    "may might want wants wanted like need buy buys buying bought sell sells selling sold trade trading deal dealing purchase "
    "invest investing investment investments stock stocks share shares security securities company unit units order now today "
    "please just only also because since reason think thought believe feel hope good great nice very really some more much all "
    "any no not yes ok thing something anything lot well thanks"
)
"""Words that give no reason by themselves."""


def grader(least: int, boilerplate: Iterable[str], off_topic: Iterable[str]) -> Grader:
    """Return a grader: GOOD has at least `least` words and a reason, `boilerplate` is none, `off_topic` phrases belong elsewhere."""
    filler = frozenset(FILLER.split())
    empty_phrases, foreign = _phrases(boilerplate), _phrases(off_topic)

    def grade(text: str) -> Grade:
        words = _level(text)
        if not words:
            return Grade.EMPTY
        said = " ".join(words)
        if foreign and foreign.search(said):
            return Grade.OFF_TOPIC
        left = empty_phrases.sub(" ", said).split() if empty_phrases else words
        reason = {w for w in left if w not in filler and len(w) > SHORT}
        return Grade.GOOD if len(words) >= least and len(reason) >= REASON else Grade.BRIEF

    return grade


def _level(text: str) -> list[str]:
    return [w.casefold().replace("’", "'") for w in WORD.findall(text)]


def _phrases(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """Return any of the phrases where a word begins; "inside info" is found in "inside information" too."""
    level = [r"[\s\-–]+".join(map(re.escape, re.split(r"[\s\-–]+", p.casefold()))) for p in phrases if _level(p)]
    return re.compile(rf"\b(?:{'|'.join(level)})") if level else None


VERSION = "1"
CODE = re.compile(r"(?=.*\d)[A-Za-z0-9]{6,}")
"""A word that is a code and no name, such as an ISIN, right or wrong."""


def wants_name(_draft: Draft, _field: str, told: str) -> str:
    """Return what to write in the place of a security's code, where its name is asked."""
    if not any(c.isalpha() for c in told):
        return "That is only a figure. Please write the security's name here."
    return (
        "That reads like a code. Please write the name here; I ask for the ISIN next." if CODE.fullmatch(told) else ""
    )


def rules(files: Files) -> Rules:
    """Read policy.toml and the tables under data/. Raises FormError with the lines to mend."""
    policy, tables = read_policy(files), read_tables(files)
    search = Search(tables.securities.values())
    least, boilerplate = policy.number("justification_words"), policy.words("boilerplate")
    foreign = policy.words("compliance_words")
    return Rules(
        version=f"{VERSION}, policy {policy.version}",
        lookups={"securities": search, "issuers": search.issued_by},
        graders={
            "justification": grader(least, boilerplate, (*foreign, *policy.words("compliance_words_of_trades"))),
            "derivative_reason": grader(least, boilerplate, foreign),
        },
        checks={"security_name": wants_name},
        commands=Answers(policy, tables, search).commands,
        gather=gatherer(tables, search),
        shipped=policy.shipped,
        vets={"thresholds": vet_threshold},
        file=filer(policy),
        until=approved_until(policy),
        closes=last_chance,
        limits=lambda name, facts: policy.as_of(facts).number(name),
        breaches=judge_of_trades(policy, tables),
        note=reader_of_notes(),
        outdated=stale_rates(files, policy.number("rate_valid_for")),
    )
