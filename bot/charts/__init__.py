"""How charts look, for the report and for whatever a workflow draws: a card of its own colour, bars with their values at the end."""
