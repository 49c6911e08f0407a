"""Holding what the sandbox emits against shapes of Slack's own JSON: same keys, same kinds of values."""

from bot.sandbox.workspace import Json

VALIDATED_ELSEWHERE = {"blocks", "values", "elements"}
NUMBERS = (int, float)


def unlike(emitted: object, sample: object, extra: dict[str, str], path: str = "") -> list[str]:
    """Where an emitted value differs from the sample; `extra` names paths that Slack sends and the sample lacks."""
    if path in extra or emitted is None or sample in ({}, []):
        return []
    if isinstance(emitted, dict) and isinstance(sample, dict):
        return _objects(emitted, sample, extra, path)
    if isinstance(emitted, list) and isinstance(sample, list):
        merged = _merged(sample)
        return [problem for one in emitted for problem in unlike(one, merged, extra, f"{path}[]")]
    return [] if _same_kind(emitted, sample) else [f"{path}: {emitted!r} where Slack has {type(sample).__name__}"]


def _objects(emitted: Json, sample: Json, extra: dict[str, str], path: str) -> list[str]:
    problems = []
    for key, value in emitted.items():
        inner = f"{path}.{key}".lstrip(".")
        if key in VALIDATED_ELSEWHERE:
            continue
        if key in sample:
            problems += unlike(value, sample[key], extra, inner)
        elif inner not in extra:
            problems.append(f"{inner}: not in Slack's shape")
    return problems


def _merged(sample: list[object]) -> object:
    """One shape for all members of a list."""
    objects = [one for one in sample if isinstance(one, dict)]
    if not objects:
        return sample[0]
    merged: Json = {}
    for one in objects:
        merged |= one
    return merged


def _same_kind(emitted: object, sample: object) -> bool:
    if isinstance(emitted, bool) or isinstance(sample, bool):
        return isinstance(emitted, bool) and isinstance(sample, bool)
    if isinstance(emitted, NUMBERS):
        return isinstance(sample, NUMBERS)
    return type(emitted) is type(sample)
