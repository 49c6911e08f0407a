"""The dashboard and the alerts of docs/operations: valid, and about metrics that there are."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

from bot.operations import metrics

FOLDER = Path(__file__).parents[2] / "docs" / "operations"
NAME = re.compile(r"\bholdfast_[a-z0-9_]+")
ENDS = {"counter": ("_total", "_created"), "histogram": ("_bucket", "_sum", "_count", "_created"), "gauge": ("",)}
LABELS = re.compile(r"(holdfast_[a-z0-9_]+)\{([^}]*)\}|by \(([^)]*)\)")


def names() -> set[str]:
    """Every series that the bot's own metrics have."""
    ours = (family for family in REGISTRY.collect() if family.name.startswith("holdfast_"))
    return {f"{family.name}{end}" for family in ours for end in ENDS[family.type]}


def labels() -> set[str]:
    """Every label that any of them has, and Prometheus's own."""
    found = (getattr(one, "_labelnames", ()) for one in vars(metrics).values())
    return {"le", "instance"}.union(*found)


def panels() -> list[dict[str, Any]]:
    """The dashboard's panels."""
    return list(json.loads((FOLDER / "dashboard.json").read_text("utf-8"))["panels"])


def rules() -> list[dict[str, Any]]:
    """The alerts."""
    return list(yaml.safe_load((FOLDER / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"])


def expressions() -> Iterator[str]:
    """Every expression of both files."""
    yield from (target["expr"] for panel in panels() for target in panel["targets"])
    yield from (rule["expr"] for rule in rules())


def test_only_metrics_that_there_are_are_looked_at() -> None:
    """Each name in an expression is a series of the registry, each label one that some metric has, and brackets are closed."""
    known = names()
    assert metrics.READY is not None and known
    for expression in expressions():
        named = set(NAME.findall(expression))
        assert named and named <= known, (expression, named - known)
        assert expression.count("(") == expression.count(")") and expression.count("{") == expression.count("}")
        for _, chosen, grouped in LABELS.findall(expression):
            used = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", chosen)) | {
                one.strip() for one in grouped.split(",") if one
            }
            assert used <= labels(), expression


def test_every_metric_is_on_the_dashboard_and_in_the_page() -> None:
    """No figure is kept that nobody is shown."""
    shown = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    page = (FOLDER / "health.md").read_text("utf-8")
    for family in REGISTRY.collect():
        if family.name.startswith("holdfast_"):
            assert family.name in shown, family.name
            assert family.name in page or family.name == "holdfast_performed", family.name


def test_the_dashboard_is_one_that_grafana_takes() -> None:
    """Panels have ids of their own, a kind, a title, and places that do not overlap."""
    whole = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    assert whole["title"] and whole["uid"] and whole["schemaVersion"] and whole["templating"]["list"]
    assert len({panel["id"] for panel in panels()}) == len(panels())
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        grid = panel["gridPos"]
        cells = {
            (x, y) for x in range(grid["x"], grid["x"] + grid["w"]) for y in range(grid["y"], grid["y"] + grid["h"])
        }
        assert panel["title"] and panel["type"] in ("timeseries", "stat") and grid["x"] + grid["w"] <= 24
        assert not taken & cells
        taken |= cells


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
def test_an_alert_says_what_is_wrong_and_where_to_read_on(rule: dict[str, Any]) -> None:
    """Each rule has a summary, how urgent it is, and a page that exists."""
    assert rule["annotations"]["summary"] and rule["labels"]["severity"] in ("page", "ticket")
    page = re.search(r"docs/operations/(\w+\.md)", rule["annotations"]["description"])
    assert page and (FOLDER / page[1]).exists()


def test_every_trouble_has_its_test() -> None:
    """Each row of trouble.md names tests that there are."""
    rows = [line for line in (FOLDER / "trouble.md").read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    tests = FOLDER.parents[1] / "tests"
    for row in rows:
        proofs = re.findall(r"`([\w/]+\.py)::(\w+)`", row)
        assert proofs, row
        for file, name in proofs:
            assert re.search(rf"^(?:async )?def {name}\(", (tests / file).read_text("utf-8"), re.MULTILINE), (
                file,
                name,
            )


def test_pages_name_metrics_that_there_are() -> None:
    """What a page of operations tells people to look at is a series of the registry."""
    known = names()
    bases = {
        name.removesuffix(end) for name in known for end in ("_total", "_bucket", "_sum", "_count", "_created", "")
    }
    for page in FOLDER.glob("*.md"):
        named = set(re.findall(r"`(holdfast_[a-z0-9_]+)", page.read_text("utf-8")))
        assert named <= known | bases, (page.name, named - known - bases)
