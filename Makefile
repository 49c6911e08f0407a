PYTHON ?= python3
BIN := .venv/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile # what is used is compiled when it is
, := ,
# uv does in 4 s of CPU what takes pip 60; where it has no wheel or no way to the packages, pip has
INSTALL = { $(PIP) --only-binary uv 'uv>=0.13,<1' && $(BIN)/uv pip install --quiet --python $(BIN)/python -e '.[$(1)]'; } || $(PIP) -e '.[$(1)]'
.DEFAULT_GOAL := run
# processes of tests: more than cores, since tests also wait
WORKERS ?= $$((3 + $$(getconf _NPROCESSORS_ONLN)))
LINTS := lint-types lint-style lint-format lint-imports lint-forms
unexport PYTHONDONTWRITEBYTECODE # or each process that a test starts compiles the whole bot anew
.PHONY: run install test lint bench house chaos mutants replay animation docs format clean $(LINTS)

run: .venv/run ## install what is needed and start the bot
	@$(BIN)/holdfast run

install: .venv/all ## install everything, for development

test: .venv/all ## install and pass every test (TESTS="tests/whole tests/rights" for some, TEST_CLOCK=leap_day at another time)
	$(BIN)/python -m pytest --forks $(WORKERS) $(TESTS)

lint: .venv/all ## style, types, and the direction of imports, the others beside the types; all that is wrong is told
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target $(LINTS)

lint-types:
	$(BIN)/mypy

lint-style:
	$(BIN)/ruff check .

lint-format:
	$(BIN)/ruff format --check .

lint-imports:
	$(BIN)/lint-imports

lint-forms:
	$(BIN)/holdfast check

bench: .venv/all $(if $(findstring peers,$(BENCH)),.venv-peers/all) ## figures of speed and size, each beside its bare peer (BENCH="click --document"); BENCH=peers beside two libraries
	$(BIN)/python -m tests.bench $(BENCH)

house: .venv/all ## how big the house is, and how far a click and a sentence go through it, beside what was reached and the goal
	$(BIN)/python -m tests.house

chaos: .venv/all ## kill, flush, redeliver, for long (CHAOS=--document puts it into docs/reliability.md); every clock; then every property with many examples
	$(BIN)/python -m tests.chaos $(CHAOS)
	$(BIN)/python -m tests.clocks
	$(BIN)/python -m pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile=long

mutants: .venv/all ## take each guard out, and tell which tests fall (MUTANTS=--document puts the table into docs/reliability.md)
	$(BIN)/python -m tests.mutants $(MUTANTS)

replay: .venv/all ## real conversations, replayed beside a model that misbehaves
	$(BIN)/python -m tests.replay

animation: .venv/all ## play README's animation and the pictures of docs/how_to in the page and write them anew (needs chromium)
	PYTHONPATH=. $(BIN)/python tests/browser/animation.py
	PYTHONPATH=. $(BIN)/python tests/browser/screenshots.py docs/how_to docs

docs: .venv/all ## write the generated pages and build the site with search into build/site
	$(BIN)/python -m tests.docs
	$(BIN)/zensical build --clean --strict

format: .venv/all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Holdfast needs Python 3.11 or newer: set PYTHON=/path/to/python3.11" if sys.version_info < (3, 11) else 0)'
	@echo "Installing into .venv (once) ..."
	@$(PYTHON) -m venv .venv

.venv/run: .venv/bin/python pyproject.toml
	@$(call INSTALL,charts$(,)pdf$(,)fast)
	@touch $@

.venv/all: .venv/bin/python pyproject.toml
	@$(call INSTALL,test$(,)lint$(,)docs)
	@touch $@ .venv/run

# the libraries that Holdfast is compared with stay out of its own environment
.venv-peers/all: .venv/all
	@$(PYTHON) -m venv .venv-peers
	@$(BIN)/uv pip install --quiet --python .venv-peers/bin/python -e '.[peers]' || .venv-peers/bin/python -m pip install --quiet -e '.[peers]'
	@touch $@

clean:
	rm -rf .venv .venv-peers build dist *.egg-info
