"""Where records go that were decided: sinks that an operator names in sinks.toml, a webhook or a folder of CSV files."""
