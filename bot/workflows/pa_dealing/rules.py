"""PA dealing's rules: the securities to look up, how a reason is graded, and what a submission becomes."""

from state.form.files import Files
from state.rules import Rules

from .commands import Desk
from .facts import gatherer
from .filing import approved_until, filer
from .grading import grader
from .holding import last_chance
from .note import reader_of_notes
from .policy import read_policy, vet_threshold
from .search import Search
from .tables import read_tables, stale_rates
from .trades import judge_of_trades

VERSION = "1"


def rules(files: Files) -> Rules:
    """Reads policy.toml and the tables under data/. Raises FormError with the lines to mend."""
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
        commands=Desk(policy, tables, search).commands,
        gather=gatherer(tables, search),
        shipped=policy.shipped,
        vets={"thresholds": vet_threshold},
        file=filer(policy),
        until=approved_until(policy),
        closes=last_chance,
        limits=lambda name, facts: policy.as_of(facts).number(name),
        breaches=judge_of_trades(policy, tables),
        note=reader_of_notes(tables),
        outdated=stale_rates(files, policy.number("rate_valid_for")),
    )
