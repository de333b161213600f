# Each target installs what it needs into .venv; you need Python 3.11 to 3.14 and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
COMPILED := $(VENV)/.compiled

# Python caches the bytecode of what it imports, even if the environment forbids it: imports take three times
# as long without it, and compiling every installed file would take half of the set-up.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
CORES ?= all
RUN    = $(BIN)/epochbandits run --cores $(CORES)

.PHONY: help setup figures quick studies publish publish-studies golden report snakemake-report ledger gallery docs test test-units test-laws test-pictures test-workflow test-cluster lint bench format lock site clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

setup: $(READY) ## install the locked environment into .venv

# pip, which every Python has, installs the uv of the lock file. uv installs the rest, four times faster than
# pip. A run compiles its policies in its first job, so the set-up does not.
$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' || \
	  { echo "Python 3.11 to 3.14 is needed; $(PYTHON) is another version. Try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 2; }
	@echo "Setting up $(VENV) (first time only): 7 to 15 s, plus the time to download the packages"
	@echo "  1 of 3: a new environment, and the installer uv"
	@$(PYTHON) -m venv --clear $(VENV)
	@awk '/^[^ ]/ { keep = /^uv==/ } keep' requirements.txt > $(VENV)/uv.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r $(VENV)/uv.txt
	@echo "  2 of 3: the packages of requirements.txt"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.txt
	@echo "  3 of 3: epochbandits itself"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

# Compiled once for all test processes; otherwise each process would compile the policies itself.
$(COMPILED): $(READY)
	@echo "Compiling the policies (once, about a minute)"
	@$(BIN)/snakemake --cores 1 --quiet all --forcerun compile_engine -- data/paper/compiled.txt
	@touch $@

figures: $(READY) ## every figure of the paper, into figures/paper (8 to 14 minutes on two cores)
	$(RUN)

quick: $(READY) ## every figure at reduced scale, no claims, into figures/quick (40 to 60 s on two cores; 90 s the first time)
	$(RUN) config/quick.yaml

studies: $(READY) ## what the paper leaves open, into figures/studies (17 to 25 minutes on two cores)
	$(RUN) --targets studies

publish-studies: studies ## copy figures and data of the studies to figures/published/studies
	$(BIN)/python -m epochbandits.release.publish figures/studies figures/published/studies --only studies

publish: figures ## copy figures, data and verdicts of the paper run to figures/published
	$(BIN)/python -m epochbandits.release.publish figures/paper figures/published
	@$(MAKE) --no-print-directory ledger gallery

ledger: $(READY) ## write the table of claims of the published run into docs/ledger.md
	$(BIN)/python -m epochbandits.release.ledger_page

gallery: $(READY) ## write docs/gallery.md from the published figures
	$(BIN)/python -m epochbandits.release.gallery

golden: quick ## make the quick run's numbers and pictures the golden results of the tests
	$(BIN)/python -m epochbandits.release.publish figures/quick data/golden/quick --only data
	$(BIN)/python -m pytest tests/figures/test_pictures.py -k test_picture --mpl-generate-path=tests/figures/baseline -q

report: $(READY) ## one HTML page with the verdicts and all figures, figures/paper/index.html
	$(RUN) --targets figures/paper/index.html

snakemake-report: figures ## Snakemake's own report: figures, and the jobs that made them
	$(BIN)/snakemake --cores $(CORES) --report figures/paper/report.html

docs: $(READY) ## generate config/README.md, the JSON schema and parts of docs/studies.md
	$(BIN)/python -m epochbandits.release.documentation

test: lint test-units test-laws test-pictures test-workflow ## check style and types, then run all tests

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
APART  := engine figures report workflow cluster
test-units: $(COMPILED) ## the tests of the library
	$(PYTEST) tests $(addprefix --ignore tests/,$(APART))

test-laws: $(COMPILED) ## the tests of the engine, most of them of distributions
	$(PYTEST) tests/engine

test-pictures: $(COMPILED) ## the tests of the figures, and of the report in a browser
	$(PYTEST) tests/figures tests/report

# The tests of a file share one run of the workflow, so one process runs them.
test-workflow: $(COMPILED) ## the tests that run the workflow
	$(BIN)/python -m pytest tests/workflow -n 2 --dist loadfile

test-cluster: $(READY) ## the tests that run the workflow on a temporary Slurm (root, Debian's packages)
	$(BIN)/python -m pytest tests/cluster

lint: $(READY) ## ruff, mypy, snakefmt, Snakemake's linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check --compact-diff Snakefile workflow
	$(BIN)/snakemake --lint --quiet

bench: $(COMPILED) ## speed of the engine, as ratios to plain C++, NumPy and the reference
	$(BIN)/python benchmarks/bench.py

format: $(READY) ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

lock: $(READY) ## resolve pyproject.toml into requirements.txt
	$(BIN)/uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
	  --extra cluster --extra gym --group dev --upgrade --custom-compile-command "make lock" pyproject.toml --output-file requirements.txt

	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --group site --constraint requirements.txt \
	  --upgrade --custom-compile-command "make lock" --output-file requirements-site.txt

# The pages are linked, not copied, and keep their paths, so that links between them work.
PAGES := README.md CHANGELOG.md CONTRIBUTING.md docs config examples figures/published
site: $(READY) ## the documentation as a site, build/site/index.html
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-site.txt
	rm -rf build/pages && mkdir -p build/pages/figures
	for page in $(PAGES); do ln -s "$(CURDIR)/$$page" "build/pages/$$page"; done
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

clean: ## remove the environment and the caches of the tools
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .hypothesis
