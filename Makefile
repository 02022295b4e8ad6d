# `make` prints what there is to make. All output goes below build/, and the dist folders of web/.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
.SECONDARY:

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export CCACHE_DIR ?= $(CURDIR)/build/ccache
export PATH := $(CURDIR)/build/node/bin:$(PATH)
INPUT ?=
FILTER ?= .
SECONDS ?= 600
SIZE ?= small
ROUNDS ?= 5
ARGS ?=
CORPORA ?=

report_sources := $(shell find web/report \( -name node_modules -o -name dist \) -prune -o -type f -print)
explorer_sources := $(shell find web/explorer \( -name node_modules -o -name dist \) -prune -o -type f -print)
cpp_sources = $(shell find src include server cli fuzz tests \( -name '*.cc' -o -name '*.h' \) -type f)

.PHONY: help demo test test-full bench bench-passages bench-serve bench-plan bench-kernels bench-fingerprint bench-costs bench-sketches bench-machines build wheel docs docs-setup build-tests build-asan build-tsan build-fuzz fuzz web web-test setup format check clean distclean

help: ## Print the targets
	@echo "Lookalike: make TARGET"
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | \
	  awk -F'\t' '{ printf "  %-14s %s\n", $$1, $$2 }'

demo: build ## Build, then deduplicate real text; INPUT=path for your own file
	@bash tools/demo.sh "$(INPUT)"

test: ## Install what is missing, build, run all quick tests
	@bash tools/test.sh quick

test-full: ## As test, with slow tests
	@bash tools/test.sh full

build: build/release/build.ninja web ## Build build/release/bin/lookalike
	@cmake --build --preset release -j $(JOBS) --target lookalike_command

# The compiler by the name that the build has called it, so that ccache knows the objects.
wheel: build ## Build the Python package and install it into build/venv
	@CXX=c++ build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
	  --no-build-isolation --no-deps --force-reinstall .

docs: wheel docs-setup ## Build the documentation site into build/site; runs its notebooks
	@build/venv/bin/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/site
	@echo "build/site/index.html"

docs-setup:
	@bash tools/bootstrap.sh docs

bench: wheel ## Compare with DuckDB and the peers; SIZE=small|full ROUNDS=5
	@cmake --build --preset release -j $(JOBS) --target bench_floor bench_truth bench_fingerprint \
	  bench_sketches
	@build/venv/bin/python bench/compare.py --size $(SIZE) --rounds $(ROUNDS) --docs docs/benchmarks.md $(ARGS)
	@build/venv/bin/python bench/wheel.py --rounds $(ROUNDS) --docs docs/benchmarks.md
	@build/venv/bin/python bench/sketch_page.py costs --rounds $(ROUNDS)

bench-plan: build ## Hold what is predicted against runs, on CORPORA="a.jsonl b.parquet"
	@build/venv/bin/python bench/plan_accuracy.py $(CORPORA) $(ARGS)

bench-kernels: build/release/build.ninja ## Measure every kernel on every instruction set; FILTER=regex
	@cmake --build --preset release -j $(JOBS) --target bench_kernels
	@build/release/bin/bench_kernels --benchmark_filter="$(FILTER)"

bench-fingerprint: build/release/build.ninja ## Measure the batch fingerprinter on one core; FILTER=regex
	@cmake --build --preset release -j $(JOBS) --target bench_fingerprint
	@build/release/bin/bench_fingerprint --benchmark_filter="$(FILTER)"

bench-costs: build/release/build.ninja ## Measure what each kind of sketch and shingle costs
	@cmake --build --preset release -j $(JOBS) --target bench_sketches
	@build/venv/bin/python bench/sketch_page.py costs --rounds $(ROUNDS)

bench-machines: wheel ## Measure Spark and tasks against one run; ARGS for bench/spark.py
	@build/venv/bin/python bench/shards.py
	@build/venv/bin/python bench/spark.py --documents 500000 2000000
	@build/venv/bin/python bench/spark.py --documents 20000 --peers $(ARGS)

bench-passages: build ## Measure passages and decontamination; ARGS for bench/passages.py: --texts FILE.jsonl
	@build/venv/bin/python bench/passages.py $(ARGS)

bench-serve: wheel ## Measure what HTTP costs on top of the index; ARGS for bench/serve.py, such as --soak 60
	@build/venv/bin/python bench/serve.py $(ARGS)

bench-sketches: build ## Compare the kinds of sketch, accuracy and speed; ROUNDS=5
	@cmake --build --preset release -j $(JOBS) \
	  --target bench_kernels bench_truth bench_sketch_accuracy
	@build/venv/bin/python bench/sketch_choice.py --rounds $(ROUNDS) $(ARGS)

build-tests: build/release/build.ninja web
	@cmake --build --preset release -j $(JOBS)

build-asan: build/asan/build.ninja
	@cmake --build --preset asan -j $(JOBS)

build-tsan: build/tsan/build.ninja
	@cmake --build --preset tsan -j $(JOBS) --target core_tests engine_tests

build-fuzz: build/fuzz/build.ninja
	@cmake --build --preset fuzz -j $(JOBS)

fuzz: build-fuzz ## Fuzz every reader of foreign bytes, SECONDS=600 each
	@bash tools/fuzz.sh $(SECONDS)

build/%/build.ninja: CMakePresets.json | setup web
	@cmake --preset $* --log-level=WARNING >/dev/null

web: web/report/dist/report.html web/report/dist/passages.html web/explorer/dist/index.html ## Bundle the report page and the explorer

web/report/dist/report.html web/report/dist/passages.html &: $(report_sources) | setup
	@cd web/report && npm run --silent build
	@touch $@

web/explorer/dist/index.html: $(explorer_sources) $(report_sources) | setup
	@cd web/explorer && npm run --silent build
	@touch $@

web-test: web ## Test the report page and the explorer in headless Chromium
	@cd web/explorer && npm run --silent check
	@cd web/explorer && npm test --silent -- --test-reporter=spec --test-reporter-destination=stdout \
	  $(if $(REPORT),--test-reporter=junit --test-reporter-destination="$(dir $(REPORT))explorer.xml")
	@cd web/report && npm run --silent check
	@cd web/report && npm test --silent -- --test-reporter=spec --test-reporter-destination=stdout \
	  $(if $(REPORT),--test-reporter=junit --test-reporter-destination="$(REPORT)")

setup: ## Install what is missing (Debian, Python and Node packages)
	@bash tools/bootstrap.sh

format: ## Format all C++ in place
	@clang-format-16 -i $(cpp_sources)

check: ## Layers, size budgets, tests in targets, format, types of Python
	@bash tools/check.sh

clean: ## Remove builds and results; keep installed packages and the compiler cache
	rm -rf build/release build/dev build/asan build/tsan build/fuzz build/demo build/junit build/timings.tsv \
	  build/pytest_cache build/site build/doctrees build/cp3* web/report/dist web/explorer/dist

distclean: clean ## Remove everything that was made or installed in this folder
	rm -rf build web/report/node_modules web/explorer/node_modules third_party/node_modules
