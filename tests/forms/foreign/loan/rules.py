"""The one decision and the one operation that the loan's stages need."""

from state.operations.terms import Ask, Result, Rows
from state.rules import Rules
from state.told import Words


async def delete_data(_ask: Ask, _rows: Rows) -> Result:
    """Says that it was called."""
    return Result((Words("delete_data"),))


rules = Rules(decisions={"match_products": lambda _draft, _facts: "partial"}, operations={"delete_data": delete_data})
