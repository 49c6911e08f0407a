"""The files of docs/production, that people deploy, each started or checked."""
