# Dossier. `make help` lists what there is.
SHELL := /bin/bash
BIN := bin
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X dossier/internal/command.Version=$(VERSION)
GOLANGCI := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
DEADCODE := go run golang.org/x/tools/cmd/deadcode@v0.52.0
FUZZTIME ?= 20s
FUZZPACKAGES ?= cmd internal
FIRE ?= 1
SEED ?= $(shell date -u +%Y%m%d)
NIGHTS ?= 200
RULES ?= 100
FIRETMP ?= $(shell [ -w /dev/shm ] && echo /dev/shm || echo /tmp)
N ?= 300000
DEMO := demo-data
REPORTS := demo-reports

.DEFAULT_GOAL := help
.PHONY: help build generate notices demo test check lint fuzz fire rig mutate years bench bench-hostile bench-grow bench-night bench-scale e2e e2e-formats e2e-model e2e-opensearch e2e-windows image release release-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/indexer and bin/query, without the C library, as releases are
	@mkdir -p $(BIN)
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/indexer ./cmd/query

generate: ## make the dictionary's tables of internal/lexicon/data
	go generate ./internal/lexicon

notices: ## write THIRD_PARTY_NOTICES, which every release holds: the licences of all that is linked in
	go run ./scripts/notices > THIRD_PARTY_NOTICES.tmp
	mv THIRD_PARTY_NOTICES.tmp THIRD_PARTY_NOTICES

demo: build ## run the whole program on the invented sample: no network, no keys, no model
	@scripts/demo.sh $(BIN) $(DEMO) $(REPORTS)

test: ## run all tests; TESTFLAGS=-v tells of each
	@# The two that take longest begin.
	go test -timeout 30m $(TESTFLAGS) ./internal/store . ./...

check: lint ## lint, vet, tests with the race detector, and every fuzz target for 20 seconds, with the inputs that it tried
	go vet ./...
	go test -race ./...
	$(MAKE) --no-print-directory fuzz

lint: ## static checks
	@test -z "$$(gofmt -l cmd internal scripts *.go)" || { gofmt -l cmd internal scripts *.go; echo 'run gofmt -w on these'; exit 1; }
	$(GOLANGCI) run ./...
	@dead=$$($(DEADCODE) ./cmd/... ./internal/lexicon/gen ./scripts/...) && test -z "$$dead" || { echo "$$dead"; echo 'no command calls these: delete them, or move what tests need to the tests'; exit 1; }

fuzz: ## run every fuzz target of FUZZPACKAGES for FUZZTIME
	@scripts/fuzz.sh $(FUZZTIME) $(FUZZPACKAGES)

fire: ## kill, damage, starve and cut off the store: FIRE=1 tries all, the tests a part; docs/BENCHMARKS.md has the table
	set -o pipefail; TMPDIR=$(FIRETMP) go test ./internal/store -run TestFire -fire $(FIRE) -timeout 6h -v 2>&1 | \
	  grep -avE '^ *(=== |--- PASS)|unable to load snapshot'

rig: ## make the history SEED (today's date) of NIGHTS (200) steps with a store, and hold all of it against a model
	TMPDIR=$(FIRETMP) go test ./internal/store -run 'TestRig$$' -rig.seed $(SEED) -rig.nights $(NIGHTS) -timeout 2h -v

mutate: ## break the program on purpose, 56 places by name and RULES (100) by rule, and see that tests notice
	TMPDIR=$(FIRETMP) go run ./scripts/mutate -rules $(RULES)

years: ## NIGHTS nights in a store that stays as large as it is: what a night and verify take
	TMPDIR=$(FIRETMP) go test ./internal/store -run 'TestYears$$' -years.nights $(NIGHTS) -timeout 2h -v

bench: ## run the benchmarks; docs/BENCHMARKS.md says what they show
	@scripts/bench.sh

bench-hostile: build ## measure what broken and hostile inputs take; docs/BENCHMARKS.md has the table
	@scripts/hostile.sh $(BIN)

bench-grow: build ## import ever more invented records: processor time a record, and memory
	@scripts/grow.sh $(BIN)

bench-night: build ## two nights of sixty topics at the services' limits, over the recorded ones of ../shared, else skips
	@scripts/night.sh $(BIN)

bench-scale: ## the same N records (300000) in a folder and on an OpenSearch of two nodes, side by side; needs Maven and Java, else skips
	@N=$(N) scripts/scale.sh

e2e-model: build ## screen and report through llama.cpp's own server with a random model, and a small trained one that must fail its examination; needs Python and PyPI, else skips
	@scripts/e2e_model.sh $(BIN)

e2e-formats: build ## read the exports with rispy, bibtexparser, Biopython and pandoc, and take theirs in; needs PyPI, else skips
	@scripts/e2e_formats.sh $(BIN)

e2e: build ## look at the page in Chromium (axe, phone, dark, no JavaScript), and ask it much at once; needs npm, else skips
	@scripts/e2e_page.sh $(BIN) $(SHOTS)

e2e-opensearch: ## start an OpenSearch of two nodes and run what is tested against one; needs Maven and Java 17 to 21, else skips
	@scripts/e2e_opensearch.sh $(TESTFLAGS)

e2e-windows: ## run the Windows programs and the store's tests under Wine; skips where that is not there
	@scripts/e2e_windows.sh

image: build ## build the container image, and run it, where podman, buildah or docker is there
	@scripts/image.sh $(BIN)

release: ## pack both programs for each system (SYSTEMS), .deb and .rpm, bill of materials and sums, into dist/
	@scripts/release.sh $(VERSION) dist

release-check: ## make the release twice, in two folders, and compare every byte
	@scripts/release_check.sh $(VERSION)

clean: ## remove what was built, the demo's store and its reports
	rm -rf $(BIN) $(DEMO) $(REPORTS) dist
