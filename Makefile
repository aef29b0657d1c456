# Every target works as the first command in a fresh clone: it builds .venv if that is missing or out of date.
# Needed on the machine: Python 3.11 or newer with its venv module, git, make. Nothing here needs root.
#
#   make test ARGS="tests/events -k gap"     hands further words to pytest (likewise demo, bench, soak)
#   make test WORKERS=1                      in one process; two is what two cores do best
#   make setup PYTHON=/opt/python/bin/python3.12

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
PACKAGES := $(wildcard events games projections replay cli web)
ARGS ?=
WORKERS ?= 2

.PHONY: help setup demo test check format bench soak docs lock wheel clean

help: ## list the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 16

setup: $(VENV)/.installed ## build .venv from the lock and install recoup into it

# Two stamps, so that an edit of pyproject.toml costs two seconds and not a whole environment.
$(VENV)/.locked: requirements-test.lock
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "error: found no '$(PYTHON)'; Recoup needs Python 3.11 or newer" >&2; \
	  echo "hint: install Python 3.11, or name one: make setup PYTHON=/path/to/python3.11" >&2; exit 3; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: $(PYTHON) is $$("$(PYTHON)" -V 2>&1); Recoup needs Python 3.11 or newer" >&2; \
	  echo "hint: install Python 3.11, or name one: make setup PYTHON=/path/to/python3.11" >&2; exit 3; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "error: $(PYTHON) has no venv module, which builds the environment" >&2; \
	  echo "hint: Debian and Ubuntu keep it in the package python3-venv" >&2; exit 3; }
	@[ -x $(PY) ] && $(PY) -c '' 2>/dev/null || "$(PYTHON)" -m venv --clear $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup ## a night of all seven games, from the record to rulings and an evidence pack
	@$(VENV)/bin/recoup demo $(ARGS)

test: setup ## the whole test suite
	@$(PY) -m pytest -n $(WORKERS) --dist loadgroup $(ARGS)

check: setup ## lint, format, types, import contracts
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy $(PACKAGES)
	$(VENV)/bin/lint-imports

format: setup ## mend what ruff can mend
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: setup ## how fast, against the goals
	@$(PY) -m benchmarks $(ARGS)

soak: setup ## how long, under load
	@$(PY) -m benchmarks.soak $(ARGS)

docs: setup ## write the generated pages
	@$(PY) -m docs.generate $(ARGS)

wheel: setup ## dist/recoup-*.whl, as deploy/Containerfile wants it
	@rm -rf dist
	$(PY) -m build --no-isolation --wheel --outdir dist .

# --universal: one lock for every platform. Without ARGS=--upgrade a pin stays while pyproject.toml allows it.
COMPILE = build/lock/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" --quiet $(ARGS)

lock: ## pin the dependencies anew (ARGS=--upgrade raises the pins)
	@[ -x build/lock/bin/uv ] || { "$(PYTHON)" -m venv build/lock && build/lock/bin/pip install --quiet uv; }
	$(COMPILE) pyproject.toml --output-file requirements.lock
	$(COMPILE) pyproject.toml --extra test --constraints requirements.lock --output-file requirements-test.lock
	$(COMPILE) --group build --constraints requirements-test.lock --output-file requirements-build.lock

clean: ## remove .venv, caches and builds
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
