"""Lists of texts in the workflow's tables."""

from state.form.source import FormError, Source


def texts(source: Source, key: str) -> tuple[str, ...]:
    """Return a list of texts under a key. Raises FormError where it is missing or holds anything else."""
    given = source.data.get(key)
    if not isinstance(given, list) or not given or not all(isinstance(entry, str) and entry.strip() for entry in given):
        raise FormError([source.problem((key,), f"`{key}` must be a list of texts in quotes.")])
    return tuple(given)
