"""The one decision and the one operation that the loan's stages need."""

from state.draft.operations import Ask, Result, Rows
from state.draft.utterance import Verbatim
from state.rules import Rules


async def delete_data(_ask: Ask, _rows: Rows) -> Result:
    """Says that it was called."""
    return Result((Verbatim("delete_data"),))


rules = Rules(decisions={"match_products": lambda _draft, _facts: "partial"}, operations={"delete_data": delete_data})
