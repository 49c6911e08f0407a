"""The documentation: what of it is generated, the site, and whether what it says is so."""
