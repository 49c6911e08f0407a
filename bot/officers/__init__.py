"""Where reviewers work: what waits for them, what they find, and what they are told of a week."""
