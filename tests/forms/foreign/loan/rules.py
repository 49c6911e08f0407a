"""The one decision that the loan's stages need."""

from state.rules import Rules

rules = Rules(decisions={"match_products": lambda _draft, _facts: "partial"})
