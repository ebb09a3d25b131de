# Two commands: `make demo` and `make test`. Each makes its own environment in .venv and installs what it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
PIP     = $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES = $(shell find pyproject.toml CMakeLists.txt src reproductions -type f -not -name "*.pyc" -not -name "*.so" 2>/dev/null)

# Waiting BLAS threads slow short steps down; the suite runs in several processes anyway.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: demo test lint docs clean

demo: $(VENV)/.core
	$(BIN)/sparsespan demo --out demo.html

test: $(VENV)/.tests
	$(BIN)/python -m pytest --numprocesses auto

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "sparsespan needs Python 3.11 or later; say which with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip

$(VENV)/.core: $(VENV)/bin/python $(SOURCES)
	$(PIP) install '.[cli]'
	@touch $@

# Extras that cannot be had here are left out with a word; their tests skip and say why.
$(VENV)/.tests: $(VENV)/.core
	$(PIP) install '.[cli,test]'
	@for extra in learn lattice sos metabolic plot images oracles; do \
	  $(PIP) install ".[$$extra]" || echo "extra '$$extra' could not be installed: its tests will be skipped"; \
	done
	@touch $@

$(VENV)/.lint: $(VENV)/.tests
	$(PIP) install '.[lint]'
	@touch $@

clean:
	rm -rf $(VENV) build demo.html .pytest_cache .mypy_cache .ruff_cache .hypothesis
