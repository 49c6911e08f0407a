"""The catalogue of guards is true: each stands where it says, and taking one out is noticed."""

from pathlib import Path

import pytest

from tests.mutants.catalogue import JUDGES, MUTANTS, Mutant
from tests.mutants.cuts import Function
from tests.mutants.taking_out import ROOT, Lost, copy_tree, fallen, find, without


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.guard)
def test_every_guard_of_the_catalogue_is_in_the_product(mutant: Mutant) -> None:
    """A guard that is written otherwise, or went, has to be named anew in the catalogue, and its tests are there."""
    file, cut = find(ROOT, mutant)
    compile(cut, file.name, "exec")
    assert all((ROOT / name.partition("::")[0]).exists() for name in mutant.tests)


def test_a_guard_that_is_taken_out_falls_tests(tmp_path: Path) -> None:
    """The short form of the table: without the lock's guard a test falls, with it none does."""
    tree, (unlocked,) = copy_tree(ROOT, tmp_path), [m for m in JUDGES if "unlocked" in m.guard]
    with without(tree, unlocked):
        assert any("locked" in name for name in fallen(tree, unlocked.tests, "-p", "no:xdist"))


def test_a_guard_that_went_is_told(tmp_path: Path) -> None:
    """What cannot be found is no guard that was taken out."""
    with pytest.raises(Lost, match="a guard of old"):
        find(copy_tree(ROOT, tmp_path), Mutant("a guard of old", (), Function("of_old"), ()))
