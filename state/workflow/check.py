"""What a form's shape alone does not show: everything in it must name what exists, and lead somewhere."""

from collections.abc import Callable, Iterator

from state.draft.stages import with_variants
from state.form.locate import Path as Keys
from state.form.schema import Form
from state.workflow import check_fields, check_filing, check_links, check_records, check_stages, check_words
from state.workflow.form_case import Finding, FormCase

CHECKS: tuple[Callable[[FormCase], Iterator[Finding]], ...] = (
    *check_fields.CHECKS,
    *check_links.CHECKS,
    *check_words.CHECKS,
    *check_stages.CHECKS,
    *check_filing.CHECKS,
    *check_records.CHECKS,
)


def check(form: Form, broken: frozenset[Keys] = frozenset()) -> tuple[Finding, ...]:
    """Return every finding about a form as it was written; `broken` are the keys of parts that could not be read."""
    case = FormCase(with_variants(form), broken)
    spread = check_stages.variants(form)
    return tuple(dict.fromkeys((*spread, *(finding for run in CHECKS for finding in run(case)))))
