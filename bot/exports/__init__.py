"""Take data out: dossiers, evidence, sinks, and a person's own data."""
