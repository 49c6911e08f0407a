"""Real people's form-filling conversations, replayed: the Schema-Guided Dialogue data set's dev split, where this machine has it."""
