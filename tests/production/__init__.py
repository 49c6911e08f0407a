"""What docs/production holds: files that people deploy, each started or checked."""
