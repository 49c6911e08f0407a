"""A folder becomes a workflow: loaded, checked, with its rules and scenarios."""
