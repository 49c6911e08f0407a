"""PA dealing's rules: the securities to look up, how a reason is graded, and what a submission becomes."""

from state.form.files import Files
from state.rules import Rules

from .commands import Desk
from .facts import gatherer
from .filing import filer
from .grading import grader
from .policy import read_policy
from .search import Search
from .states import read_states
from .tables import read_tables, stale_rates

VERSION = "1"


def rules(files: Files) -> Rules:
    """Reads policy.toml, states.toml and the tables under data/. Raises FormError with the lines to mend."""
    policy, states, tables = read_policy(files), read_states(files), read_tables(files)
    search = Search(tables.securities.values())
    least, boilerplate = policy.number("justification_words"), policy.words("boilerplate")
    foreign = policy.words("compliance_words")
    return Rules(
        version=f"{VERSION}, policy {policy.version}",
        lookups={"securities": search},
        graders={
            "justification": grader(least, boilerplate, (*foreign, *policy.words("compliance_words_of_trades"))),
            "derivative_reason": grader(least, boilerplate, foreign),
        },
        commands=Desk(policy, tables, search, states).commands,
        gather=gatherer(tables, states),
        file=filer(policy),
        outdated=stale_rates(files, policy.number("rate_valid_for")),
    )
