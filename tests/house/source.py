"""What can be counted in the source without running it."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("bot", "blocks", "state", "prompts")
SMALL = 80
"""Lines of a file that may be a fragment of another."""
IDIOMS = re.compile(
    r"^Whether\b|\b(?:becomes? of|comes of|those who decide|bears? out|put up|takes? up)\b|^What\b", re.IGNORECASE
)
"""Ways of speaking in docstrings that nobody else writes."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Nodes = Sequence[ast.AST]
"""All of a module's tree."""


def counts() -> Mapping[str, float]:
    """Count the product's and the tests' source.

    Lines and files; lines that import; files under `SMALL` lines; modules that one other module imports; rooms (packages) of `bot` and
    `state`, and modules that lie loose in `bot`; functions, their median in lines, private ones that are called once; docstrings, and the
    percentages of them with an idiom and in the imperative.
    """
    texts = {path: path.read_text("utf-8") for path in files(*PRODUCT)}
    nodes = {path: list(ast.walk(ast.parse(text))) for path, text in texts.items()}
    lengths = {path: len(text.splitlines()) for path, text in texts.items()}
    functions = [f for some in nodes.values() for f in _functions(some)]
    docs = [doc for some in nodes.values() for doc in _docstrings(some)]
    orders = [doc for f in functions if (doc := ast.get_docstring(f))]
    return {
        "lines": sum(lengths.values()),
        "files": len(nodes),
        "files_small": sum(n < SMALL for path, n in lengths.items() if path.name != "__init__.py"),
        "import_lines": sum(map(_import_lines, nodes.values())),
        "imported_once": sum(n == 1 for n in _importers(nodes).values()),
        "bot_rooms": len({p.parent for p in nodes if p.is_relative_to(ROOT / "bot")}),
        "bot_loose": sum(p.parent == ROOT / "bot" and p.name != "__init__.py" for p in nodes),
        "state_rooms": len({p.parent for p in nodes if p.is_relative_to(ROOT / "state")}),
        "functions": len(functions),
        "function_median": median(_length(f) for f in functions),
        "called_once": sum(map(_called_once, nodes.values())),
        "docstrings": len(docs),
        "idioms_percent": _percent(sum(bool(IDIOMS.search(doc)) for doc in docs), len(docs)),
        "imperative_percent": _percent(sum(map(_is_order, orders)), len(orders)),
        "test_lines": sum(len(p.read_text("utf-8").splitlines()) for p in files("tests")),
    }


def files(*folders: str) -> Iterator[Path]:
    """Give every Python file below these folders of the project."""
    return (p for folder in folders for p in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in p.parts)


def _functions(nodes: Nodes) -> Iterator[Function]:
    return (node for node in nodes if isinstance(node, Function))


def _docstrings(nodes: Nodes) -> Iterator[str]:
    """Every string that stands as a statement: docstrings, those of attributes among them."""
    return (
        node.value.value.strip()
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


def _is_order(doc: str) -> bool:
    """Return True if a docstring opens with a verb that says what the function does ("Return …", "Post …")."""
    first = re.split(r"\W", doc, maxsplit=1)[0]
    return first in ORDERS


ORDERS = frozenset(Path(__file__).with_name("orders.txt").read_text("utf-8").split())
"""Verbs with which a docstring gives an order."""


def _importers(trees: Mapping[Path, Nodes]) -> Counter[str]:
    """Count for each module how many others import it or a name of it."""
    modules = {_module(path) for path in trees}
    found: Counter[str] = Counter()
    for path, nodes in trees.items():
        named = {
            name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module
            for name in (node.module, *(f"{node.module}.{a.name}" for a in node.names))
        }
        found.update((named & modules) - {_module(path)})
    return found


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _import_lines(nodes: Nodes) -> int:
    return sum(_length(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def _called_once(nodes: Nodes) -> int:
    """Count private functions of a module whose name stands in it once beside their own."""
    used = Counter(
        n.id if isinstance(n, ast.Name) else n.attr for n in nodes if isinstance(n, ast.Name | ast.Attribute)
    )
    return sum(f.name.startswith("_") and not f.name.startswith("__") and used[f.name] == 1 for f in _functions(nodes))


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _percent(some: int, every: int) -> float:
    return round(100 * some / every, 1)
