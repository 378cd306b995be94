# make demo       sets up, then takes the tour: a small world is made, asked about, repaired, audited, answered, told
# make test       sets up, then runs the tests that are quick
# make test-slow  the tests that take their time
# make check      format, lint, types, import order, generated docs
# make bench      speed and memory, side by side with what is compared
# make docs       prints the reference pages anew
# make site       builds the documentation as a site, site/index.html; a warning is a mistake

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do command -v $$p && break; done)
BIN := .venv/bin
# Two processes with a thread each for what PyTorch computes: more threads would wait for each other.
TEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test test-slow check bench docs site clean

demo: .venv/base
	$(BIN)/eyechart demo

test: .venv/dev
	$(TEST) --dist loadfile -q -m "not slow"

test-slow: .venv/dev
	$(TEST) --dist loadfile -q -m slow tests

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/build.py --check
	$(BIN)/towncrier build --draft --version next > /dev/null

bench: .venv/dev
	@for claim in benchmarks/bench_*.py; do $(BIN)/python $$claim || exit 1; done

docs: .venv/dev
	$(BIN)/python docs/build.py

site: .venv/dev
	$(BIN)/python -m sphinx -b html -W --keep-going -q docs site

clean:
	rm -rf .venv site demo benchmarks/data

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found: install it, or run make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

# Each mark is newer than the files that say what to install, so that a second run installs nothing.
.venv/base: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) -e '.[features,models,report,text,web]'
	@touch $@

.venv/dev: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) -e '.[dev,docs,all]'
	@touch .venv/base $@
