# The front door: `make` alone lists what there is. Go and make are enough for
# run, test, lint, generate, bench, fuzz and soak; test-full wants what `make
# tools` installs. Nothing here needs a port, a database or a file prepared.

GO ?= go
GIT = git -c safe.directory='*'
PKG ?= ./...
BENCH ?= .
FUZZTIME ?= 20s

# No cgo: what is tested is what is shipped, resolver included, and no C
# compiler is asked for. No version stamp: a checkout of another user's must build.
export CGO_ENABLED = 0
export GOFLAGS := $(GOFLAGS) -buildvcs=false

LINT := .cache/golangci-lint

# A make that is killed with -9 cannot stop the service that it started; where
# util-linux is there the kernel does it.
BOUND = $(shell setpriv --pdeathsig TERM true 2>/dev/null && echo setpriv --pdeathsig TERM)

.DEFAULT_GOAL := help
.PHONY: help run test test-full test-race soak services build ui ui-check lint audit \
	generate generate-check bench fuzz lines tools docker release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: services build ## build and start the service with a sandbox world; Ctrl-C stops all of it
	@exec $(BOUND) bin/outreach dev $(ARGS)

test: services ## all tests that need nothing but Go; PKG=./jobs chooses
	$(GO) test -timeout 30m $(PKG)
	cd third_party/go-imap && $(GO) test ./...

# The linter is built while the browser walks, which leaves the processors idle most of the time.
test-full: services ## what test leaves out: browser, real servers, foreign clients
	$(MAKE) -j2 ui-check $(LINT)
	$(GO) test -tags full -timeout 30m -run "$$(tools/fulltests)" $(PKG)
	cd deploy/check && $(GO) test -count=1 ./...

soak: services ## the long rounds: an hour or so
	$(GO) test -tags 'full soak' -run Soak -timeout 90m -v ./...

test-race: services ## the tests under the race detector; needs gcc
	CGO_ENABLED=1 $(GO) test -race $(PKG)

services: ## fetch or install Postgres and Redis where they are missing
	$(GO) run ./devstack/install

# Without -trimpath, so that the tests find what this has compiled.
build: ## bin/outreach
	$(GO) build -o bin/outreach ./cmd/outreach

ui: ## the web application: install, generate and build into ui/dist
	cd ui && npm ci --no-audit --no-fund && npm run generate && npm run build

# What is committed under ui/dist is what the sources build to, then a browser uses it.
ui-check: tools ui ## format, lint, types, tests and the browser walk of the web application
	$(call unchanged,ui/dist ui/src/gql)
	cd ui && npm run lint && npm test && npm run e2e

lint: $(LINT) audit ## gofmt, vet, golangci-lint (.golangci.yml says why each linter is on), audit
	@files=$$(find . -name '*.go' -not -path '*/node_modules/*' -not -path './third_party/*' -exec gofmt -l {} +); \
		test -z "$$files" || { echo "gofmt -w" $$files; exit 1; }
	$(GO) vet -tags 'full soak' ./...
	$(LINT) run --allow-serial-runners ./...

audit: ## look for known vulnerabilities of dependencies, where the databases answer
	@tools/audit

# Two to four minutes the first time, seconds when Go's build cache is warm.
$(LINT): tools/go.mod tools/go.sum
	cd tools && nice -n 19 $(GO) build -trimpath -ldflags='-s -w' -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

generate: ## write graph/exec from schema.graphqls and the root package
	$(GO) run ./graph/generate

generate-check: generate ## prove that the generated code is the committed one
	$(call unchanged,graph/exec)

# The garbage collector is set as the program sets it.
bench: services ## benchmarks; PKG=./graph BENCH=List chooses
	GOGC=400 $(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(PKG)

fuzz: ## every fuzz target for FUZZTIME (20s)
	@for file in $$(grep -rl '^func Fuzz' --include='*_test.go' --exclude-dir=node_modules .); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' $$file); do \
			echo "== $$file $$name"; \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$file) || exit 1; \
		done; \
	done

lines: ## count the lines of code; OF=/tmp/other counts another checkout
	@tools/lines $(OF)

tools: ## install what test-full needs; as root, and only what is missing
	@tools/install

docker: ## build the image
	docker build -t outreach .

release: ui ## bin/release: binaries, lists of what they contain (CycloneDX), checksums
	@tools/release

clean: ## remove what was built; .outreach, the data of `make run`, stays
	rm -rf bin .cache

# $(call unchanged,paths) fails when generation left other bytes, or new files.
define unchanged
	@test -z "$$($(GIT) status --porcelain -- $(1))" || \
		{ $(GIT) status --short -- $(1); $(GIT) diff --stat -- $(1); echo "generated code differs from what is committed" >&2; exit 1; }
endef
