"""`holdfast new`: a folder with a form, a scenario and a README, from a few words, a JSON Schema or a table."""
