"""Values as people write them: numerals, marks of money, days, identifiers, places in a list."""
