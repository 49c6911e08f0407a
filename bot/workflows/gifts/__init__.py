"""The register of gifts and entertainment, in English and Italian: data alone, no rules.py."""
