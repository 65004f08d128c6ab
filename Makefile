# Every target sets up what it needs. `make` alone says what there is.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
PY := .venv/bin/python
CLOUD := .venv-cloud/bin/python
PYTEST_ARGS ?=
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: bench-search venv-bench coverage docs help up down reset test e2e bench check audit format package deploy venv venv-cloud clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

up: venv-cloud ## Run Acervo on this machine, until Ctrl-C; data stay
	@exec $(CLOUD) -m infra.local up

down: venv-cloud ## End what `make up` started, from another shell
	@$(CLOUD) -m infra.local down

reset: venv-cloud ## Delete the data of `make up`
	@$(CLOUD) -m infra.local reset

test: venv venv-cloud ## Run all tests but the benchmarks and those in a browser
	@exec $(PY) -m pytest --ignore=tests/bench --ignore=tests/browser $(PYTEST_ARGS)

coverage: venv ## Hold the last run of tests under coverage (PYTEST_ARGS="--cov --cov-report=") against its goals
	@.venv/bin/coverage report --skip-covered --fail-under=100 \
	  --include='chalicelib/domain/*,chalicelib/knowledge/*,chalicelib/search/*,chalicelib/access/*'
	@.venv/bin/coverage report --skip-covered --fail-under=95

e2e: venv venv-cloud ## Run the tests of the deployed stack
	@exec $(PY) -m pytest tests/e2e $(PYTEST_ARGS)

bench: venv venv-cloud ## Run the benchmarks
	@$(PY) -m pytest tests/bench -s $(PYTEST_ARGS)
	@$(PY) -m tests.bench.publish_lag
	@$(PY) -m tests.bench.stress
	@$(PY) -m tests.bench.recall_quality

bench-search: venv-bench ## Measure search against others, write docs/reference/benchmarks.md
	@exec .venv-bench/bin/python -m tests.bench.bench_search $(BENCH_ARGS)

bench-ingest: venv ## Run extraction against markitdown, which gets an environment of its own
	@infra/environment build/peer tests/bench/requirements-peer.txt
	@$(PY) -m tests.bench.large
	@$(PY) -m tests.bench.ingest build/peer/bin/python

.PHONY: bench-ingest

check: venv ## Lint, types, import directions, dependencies, template
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports
	@.venv/bin/deptry .
	@$(PY) -m infra.package --thin --out build/thin
	@.venv/bin/cfn-lint build/thin/sam.yaml
	@if [ -n "$${CI:-}" ]; then $(MAKE) audit; fi

audit: venv ## Look for known holes in what ships, if the database can be reached
	@found=$$(.venv/bin/pip-audit --progress-spinner off --no-deps --disable-pip -r requirements.txt 2>&1) || true; \
	case "$$found" in \
	*"Found "*" known vulnerabilit"*) echo "$$found"; exit 1;; \
	*"could not be audited"*) echo "pip-audit: its database is out of reach";; \
	*"No known vulnerabilities"*) echo "pip-audit: nothing known";; \
	*) echo "pip-audit: its database is out of reach";; \
	esac

docs: venv ## Write the pages of the reference that are made from the code
	@$(PY) -m infra.references

format: venv ## Format the code
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .

package: venv ## Build what is deployed to AWS; print its size and import time
	@$(PY) -m infra.package

deploy: venv ## Deploy to AWS, or to AWS_ENDPOINT_URL: make deploy STAGE=dev
	@$(PY) -m infra.deploy

venv: ## Make or refresh the project's environment
	@infra/environment .venv requirements-dev.txt

venv-cloud: ## Make or refresh the laptop cloud's environment
	@infra/environment .venv-cloud requirements-local.txt

venv-bench: ## Make or refresh the environment of bench-search
	@infra/environment .venv-bench requirements-bench.txt

clean: ## Delete what builds and tools left (not the data of `make up`)
	@rm -rf build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage

opensearch: venv ## Run a real OpenSearch on this machine, until Ctrl-C; data stay
	@exec $(PY) -m infra.opensearch

test-opensearch: venv ## Run the tests of search on a real OpenSearch
	@exec $(PY) -m pytest tests/contract/opensearch $(PYTEST_ARGS)

.PHONY: opensearch test-opensearch

test-browser: venv venv-cloud ## Run the tests of pages in Chromium (needs npm; installs Chromium, on Debian with apt)
	@infra/chromium
	@exec $(PY) -m pytest tests/browser $(PYTEST_ARGS)

bench-answers: venv venv-cloud ## Measure public answers, beside the AI SDK's own server (needs npm)
	@$(PY) -m tests.bench.answers_door
	@$(PY) -m tests.bench.answers_turn

bench-console: venv venv-cloud ## Measure how long each panel of the console takes until it can be used
	@infra/chromium
	@exec $(PY) -m tests.bench.console_speed

.PHONY: test-browser bench-answers bench-console

conformance: venv ## Run the official MCP conformance suite on the bridge (needs npm)
	@exec $(PY) -m tests.conformance

.PHONY: conformance

clients: venv venv-cloud ## Run real MCP clients against a laptop cloud (needs npm)
	@exec $(PY) -m tests.clients

stories: venv venv-cloud ## Tell the stories of memory, step by step, over a laptop cloud
	@exec $(PY) -m tests.e2e.stories

.PHONY: clients stories

pictures: venv venv-cloud ## Take pictures of the console into build/pictures, to be looked at (PICTURES="search --how narrow-dark-es" for some)
	@infra/chromium
	@exec $(PY) -m tests.browser.console.pictures $(PICTURES)

.PHONY: pictures
