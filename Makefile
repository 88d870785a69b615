# The commands of the project. Each makes what it needs; a machine with Python 3.11+, pip and make is enough.
#
#   make demo                     the shortest way to see privboost work
#   make test ARGS="-k forest"    ARGS go to pytest
#   make test PYTHON=python3.12   another interpreter, when .venv is made for the first time

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
ARGS ?=

# An editable install points at the folder it was made in. The folder is part of the stamp's name, hence a checkout that
# was copied or moved, .venv and all, is installed again rather than silently running the code of its old place.
FOLDER := $(shell printf '%s' "$(CURDIR)" | cksum | cut -d ' ' -f 1)
VENV_PYTHON := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed-$(FOLDER)
INSTALLED_DEV := $(VENV)/.installed-dev-$(FOLDER)
PIP := $(VENV_PYTHON) -m pip --disable-pip-version-check --quiet

# Other packages are compared in an environment of their own: some need an older scikit-learn.
BENCH_VENV ?= $(VENV)-bench
BENCH_PYTHON := $(BENCH_VENV)/bin/python
INSTALLED_BENCH := $(BENCH_VENV)/.installed-$(FOLDER)

# Tables of the paper's study, and where its smoke run goes.
STUDY_DATA ?= ../shared/data
STUDY_OUT ?= out/study-smoke

# Factor of the trainings of audit-full.
SCALE ?= 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install demo test lint audit audit-full bench study-smoke picture clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

install: $(INSTALLED) ## make .venv and install privboost and its command line into it

demo: $(INSTALLED) ## train, explain and save a private model of scikit-learn's breast-cancer table
	$(VENV_PYTHON) examples/breast_cancer.py

test: $(INSTALLED_DEV) ## run the whole test suite
	$(VENV_PYTHON) -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

lint: $(INSTALLED_DEV) ## style, types, and the floors that imports may not climb
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m mypy
	$(VENV_PYTHON) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

audit: $(INSTALLED_DEV) ## hold learners against their claims: a minute or two
	$(VENV_PYTHON) benchmarks/audit_table.py

audit-full: $(INSTALLED_DEV) ## the same with many more trainings: an hour or more, or SCALE=0.1
	$(VENV_PYTHON) benchmarks/audit_table.py --full --scale $(SCALE)

bench: $(INSTALLED_BENCH) ## time privboost against other packages; ARGS="--only NAME", see docs/performance.md
	@$(BENCH_PYTHON) benchmarks/speed.py $(if $(wildcard ../shared/data/domains.json),--data ../shared/data) $(ARGS)

study-smoke: $(INSTALLED) ## run a small part of the paper's study, if its tables are there: two minutes
	@if [ ! -d "$(STUDY_DATA)" ]; then \
	  echo "Skipped: $(STUDY_DATA) is absent. Name the folder of the study's tables: make study-smoke STUDY_DATA=..."; \
	else \
	  rm -rf "$(STUDY_OUT)"; \
	  $(VENV)/bin/privboost reproduce --grid smoke --data "$(STUDY_DATA)" --out "$(STUDY_OUT)" --jobs $(WORKERS); \
	fi

picture: $(INSTALLED_DEV) ## measure the README's picture again (minutes)
	$(VENV_PYTHON) examples/picture.py

clean: ## delete what these commands made
	rm -rf $(VENV) $(BENCH_VENV) demo-output build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Some systems ship Python without the module that puts pip into a virtual environment; the outer pip then does it.
$(VENV_PYTHON) $(BENCH_PYTHON): %/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "privboost needs Python 3.11 or newer; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $* || { $(PYTHON) -m venv --clear --without-pip $* && \
	  $(PYTHON) -m pip --python $* install --quiet pip; }

$(INSTALLED): pyproject.toml | $(VENV_PYTHON)
	$(PIP) install --editable '.[cli]'
	@touch $@

$(INSTALLED_DEV): pyproject.toml | $(VENV_PYTHON)
	$(PIP) install --editable '.[dev]'
	@touch $(INSTALLED) $@

# Without the other packages the table still has our own times.
$(INSTALLED_BENCH): pyproject.toml | $(BENCH_PYTHON)
	$(BENCH_PYTHON) -m pip --disable-pip-version-check --quiet install --editable '.[bench]' || \
	  $(BENCH_PYTHON) -m pip --disable-pip-version-check --quiet install --editable '.[cli]'
	@touch $@
