"""The engine: one event of a draft handled, settled and presented. Each `on_*` module is one event; `state/advance.py` reads first."""
