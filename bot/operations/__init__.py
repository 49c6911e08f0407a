"""Watch the process and its files: logs, metrics, reference data, the report."""
