"""What a library wrote into its own source where it logs: that much of its line is safe to repeat, and nothing else.

The call is looked up by file and line, and read as a syntax tree. What was put into the text at run time is a hole.
"""

import ast
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

Part = str | None
"""Words of the source, or None: a hole."""
METHODS: Final = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log"})
LARGEST: Final = 1_000_000
"""Bytes of a file that is still read."""
PERCENT: Final = re.compile(r"%(?:\(\w+\))?[-#0-9 +.*]*[a-zA-Z%]")
BRACES: Final = re.compile(r"\{[^{}]*\}")

Site = tuple[int, int, tuple[tuple[Part, ...], ...]]
"""First line, last line, and the ways in which the text may have been put together."""


def ways(path: str, line: int) -> tuple[tuple[Part, ...], ...]:
    """How the text that was logged here may have been put together; none where the source does not say."""
    return next((found for first, last, found in _sites(path) if first <= line <= last), ())


@lru_cache(maxsize=64)
def _sites(path: str) -> tuple[Site, ...]:
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST:
            return ()
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(_within(tree, {}))


def _within(node: ast.AST, names: dict[str, list[ast.expr]]) -> list[Site]:
    """Every call that logs, with what the function around it has assigned to names."""
    found: list[Site] = []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
        names = {**names, **_assigned(node)}
    for child in ast.iter_child_nodes(node):
        found += _within(child, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
        text = _text(node)
        if text is not None:
            found.append((node.lineno, node.end_lineno or node.lineno, _ways(text, names)))
    return found


def _text(call: ast.Call) -> ast.expr | None:
    place = 1 if isinstance(call.func, ast.Attribute) and call.func.attr == "log" else 0
    return call.args[place] if len(call.args) > place else None


def _assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    given: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    given.setdefault(target.id, []).append(node.value)
    return given


def _ways(text: ast.expr, names: dict[str, list[ast.expr]]) -> tuple[tuple[Part, ...], ...]:
    if isinstance(text, ast.Name):
        return tuple(_parts(value) for value in names.get(text.id, ()))
    return (_parts(text),)


def _parts(text: ast.expr) -> tuple[Part, ...]:
    """An expression as words and holes, in order."""
    match text:
        case ast.Constant(value=str() as words):
            return _with_holes(words, PERCENT)
        case ast.JoinedStr(values=values):
            return tuple(part for value in values for part in _piece(value))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return (*_parts(left), *_parts(right))
        case ast.BinOp(left=left, op=ast.Mod()):
            return _parts(left)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as words), attr="format")):
            return _with_holes(words, BRACES)
    return (None,)


def _piece(value: ast.expr) -> tuple[Part, ...]:
    return (str(value.value),) if isinstance(value, ast.Constant) else (None,)


def _with_holes(words: str, hole: re.Pattern[str]) -> tuple[Part, ...]:
    parts: list[Part] = []
    end = 0
    for found in hole.finditer(words):
        parts += [words[end : found.start()], "%" if found[0] == "%%" else None]
        end = found.end()
    return (*parts, words[end:])
