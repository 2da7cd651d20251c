# Needs python3.11 (with venv), pip and make; everything else comes from the hashed locks.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
DEVELOPMENT := $(VENV)/.development
LAWS := tests/test_knowledge.py tests/test_masking.py tests/test_views.py tests/test_legality.py tests/test_totality.py

.PHONY: setup run test check soak bench lock clean

setup: $(RUNTIME)

# The project is installed after its requirements: an editable install cannot carry a hash.
$(RUNTIME): requirements.lock pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and "Python 3.11 is needed: make PYTHON=/path/to/python3.11")'
	"$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --no-index -e .
	@touch $@

$(DEVELOPMENT): requirements-dev.lock $(RUNTIME)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

# One command with exec, so that a signal to make's child reaches the program itself.
run: $(RUNTIME)
	@exec $(BIN)/paipu serve

test: $(DEVELOPMENT)
	$(BIN)/python -m pytest -n auto

check: $(DEVELOPMENT)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports

soak: $(DEVELOPMENT)
	$(BIN)/python -m tools.drills
	PAIPU_EXAMPLES=200 PAIPU_SECONDS=3600 PAIPU_PAIRS=20 $(BIN)/python -m pytest --timeout 7200 tests/faces/http/test_contract.py tests/network/test_hidden.py
	for time in $$(seq 20); do $(BIN)/python -m pytest -n auto --hypothesis-profile=others $(LAWS) || exit 1; done

bench: $(DEVELOPMENT)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-bench.lock
	$(BIN)/python -m tools.bench

# Rewrites the locks; uv need not be part of them.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate -q requirements.in -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate -q -c requirements.lock requirements-dev.in -o requirements-dev.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate -q -c requirements-dev.lock requirements-bench.in -o requirements-bench.lock

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find schemas engine services tools tests -name __pycache__ -type d -prune -exec rm -rf {} +
