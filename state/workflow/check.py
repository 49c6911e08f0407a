"""What a form's shape alone does not show: everything in it must name what exists, and lead somewhere."""

from collections.abc import Callable, Iterator

from state.draft.stages import with_variants
from state.form.locate import Path as Keys
from state.form.schema import Form
from state.workflow import (
    check_again,
    check_essence,
    check_execution,
    check_fields,
    check_filing,
    check_groups,
    check_links,
    check_order,
    check_persona,
    check_repeats,
    check_route,
    check_stages,
    check_words,
)
from state.workflow.form_case import Finding, FormCase

CHECKS: tuple[Callable[[FormCase], Iterator[Finding]], ...] = (
    *check_fields.CHECKS,
    *check_links.CHECKS,
    *check_groups.CHECKS,
    *check_order.CHECKS,
    *check_again.CHECKS,
    *check_words.CHECKS,
    *check_stages.CHECKS,
    *check_repeats.CHECKS,
    *check_persona.CHECKS,
    *check_essence.CHECKS,
    *check_filing.CHECKS,
    *check_route.CHECKS,
    *check_execution.CHECKS,
)


def check(form: Form, broken: frozenset[Keys] = frozenset()) -> tuple[Finding, ...]:
    """Every finding about a form as it was written; `broken` are the keys of parts that could not be read."""
    case = FormCase(with_variants(form), broken)
    spread = check_stages.variants(form)
    return tuple(dict.fromkeys((*spread, *(finding for run in CHECKS for finding in run(case)))))
