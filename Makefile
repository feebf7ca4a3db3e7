# Every task. Those that prepare what they need work on a bare machine without make, too: bash .ci/NAME

PYTHON = .venv/bin/python
BIN = .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo coverage test quick fuzz conformance check ci lint format types imports spelling docs package clean

help:  ## list the tasks
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

demo:  ## make a workspace, index it and show what memwiki does
	bash .ci/demo

coverage:  ## which lines the tests that are not slow reach
	bash .ci/coverage

test:  ## install what is missing with all extras, and run all tests
	bash .ci/test

quick:  ## the tests that are not slow, on all cores
	bash .ci/test -n auto --dist worksteal -q -m "not slow"

fuzz:  ## the properties with new examples and many of them
	HYPOTHESIS_PROFILE=wide bash .ci/test -n auto --dist worksteal -q tests/properties tests/cli tests/catalog

conformance:  ## the MCP server against the protocol's own suite; needs Node 22
	bash .ci/conformance

check:  ## all that has to pass but the tests
	bash .ci/run --no-tests

ci:  ## everything that has to pass
	bash .ci/run

lint:  ## rules and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format:  ## put the code into its form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types:  ## mypy, strict
	$(BIN)/mypy

imports:  ## who may import whom
	$(BIN)/lint-imports

spelling:  ## codespell
	$(BIN)/codespell

docs:  ## write the generated pages of docs/
	$(PYTHON) docs/generate.py

package:  ## build the wheel into dist/
	$(PYTHON) -m build --wheel

clean:  ## remove what the other tasks leave behind
	rm -rf .venv dist build .coverage .coverage.* .pytest_cache .ruff_cache .mypy_cache .hypothesis
