"""The rule-based reader: plain answers, commands, picks, and open words without a model."""
