# `make` or `make help` lists what can be done.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

help:  ## list these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

install: $(BIN)/tallymark  ## make .venv with the package and all that the tests need

$(BIN)/tallymark: pyproject.toml CMakeLists.txt $(wildcard native/*)
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --quiet --python $(VENV) install --editable '.[test]'
	@touch $@
	@$(BIN)/tallymark --version

test: install  ## run the fast tests, on the kernels that are installed
	$(BIN)/python -m pytest -q -n auto

test-all: install  ## run the fast and the full tests: oracles, brute force, coverage, retraining, other libraries
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow"

test-slow: install  ## run the slow tests, on other compilers and on engines, too, and the fast ones on the oldest dependencies and on other Pythons
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m slow --ignore=tests/engines
	$(PYTHON) -m pip --quiet --python $(VENV) install --editable '.[test,engines]'
	$(BIN)/python -m pytest -q tests/engines -m ""
	$(PYTHON) tests/versions.py oldest
	$(PYTHON) tests/versions.py 3.12 -n auto
	$(PYTHON) tests/versions.py 3.13 -n auto
	$(PYTHON) tests/versions.py 3.14 -n auto

twins: install  ## run the fast and the full tests on both kinds of kernels
	TALLYMARK_KERNELS=native $(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow"
	TALLYMARK_KERNELS=numpy $(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow"

browser: install  ## run the tests of pages in chromium and Node, with axe-core and TypeScript from npm
	$(PYTHON) -m pip --quiet --python $(VENV) install --editable '.[browser]'
	npm install --silent --no-save --prefix build axe-core@4.14.1 typescript@7.0.2
	TALLYMARK_REQUIRE_BROWSER=1 $(BIN)/python -m pytest -q tests/browser -m "$(or $(TIER),full and not slow)"

lint: install  ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install  ## check types
	$(BIN)/mypy

sanitize:  ## run the C++ kernels under the address and undefined-behaviour sanitizers
	@mkdir -p build
	$(CXX) -std=c++20 -O1 -g -DTALLYMARK_PLAIN -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror \
	    -Inative tests/kernels/sanitize.cpp -o build/sanitize && ./build/sanitize

docs: install  ## write the pages that are made from the code
	$(BIN)/python docs/make.py

coverage: install  ## simulate intervals and tests, for hours; goes on where it stopped
	OMP_NUM_THREADS=1 $(BIN)/python docs/simulate.py --jobs 2

bench: install  ## compare speed with other tools, in an environment of its own; with ARGS=--quick under two minutes
	$(PYTHON) benchmarks/run.py $(ARGS)
	$(BIN)/python docs/make.py

bench-large: install  ## compare files larger than memory with DuckDB; prints the disk that it needs (2.5 GB); not in CI
	$(BIN)/python benchmarks/bigger.py $(ARGS)

instructions:  ## count the instructions of the kernels, next to the stored counts
	$(PYTHON) benchmarks/instructions.py

size: install  ## count the package and the functions that two calls enter; ARGS='--store "why"' stores the figures
	$(BIN)/python benchmarks/size.py $(ARGS)

clean:  ## remove what was built
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

.PHONY: help install test test-slow test-all twins lint types sanitize docs coverage bench bench-large instructions size clean
