"""Requirements by questions: the rules and texts beside form.toml."""
