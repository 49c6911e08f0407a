"""PA dealing: pre-clearance of employees' personal trades. `form.toml` is the form, `rules.py` what data cannot say."""
