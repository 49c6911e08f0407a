"""The Web API: one file per family of methods, each with a table METHODS from name to function."""
