# `make run` sets up and runs the main job; `make test` passes every test.

TABLES := .data/tablebase
TABLEBASE := target/release/boombots-tablebase --dir $(TABLES)
TOOLS := target/tools
POSITION := 1a6/1a1a4/3A3A/8/8/8/6A1/8 w

.PHONY: run tables test lint check audit web web-check web-browser wasm wasm-check screenshots \
	bench verify-all cluster-simulation cluster-chaos cluster-kills cluster-equality cluster-load \
	analysis-simulation analysis-agreement analysis-scaling analysis-set \
	fuzz load protocol

# Runs the game server at http://localhost:8008; it builds the tables up to 3v3 itself, if they are missing.
run: web
	cargo run --release -p boombots-server -- --web web/dist

# Builds the tables of 2v2, 3v2 and 3v3, checks a sample of each, and answers a probe.
tables:
	cargo build --release -p boombots-retrograde
	$(TABLEBASE) build-3v3
	$(TABLEBASE) verify --sample 50
	$(TABLEBASE) stats
	$(TABLEBASE) probe "$(POSITION)"
	$(TABLEBASE) line "$(POSITION)"

# Everything that must pass before a change lands.
test: lint check audit wasm-check web-check web-browser

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

check:
	cargo test --workspace

# Licences, sources and duplicates of dependencies.
audit: $(TOOLS)/bin/cargo-deny
	$(TOOLS)/bin/cargo-deny --config .cargo-deny.toml check bans licenses sources

$(TOOLS)/bin/cargo-deny:
	cargo install --root $(TOOLS) cargo-deny

# Builds the web client into web/dist.
web: web/node_modules
	cd web && npm run build

web/node_modules: web/package.json web/package-lock.json
	cd web && npm ci
	touch web/node_modules

# Lint, types, unit tests, the build, and known faults of what is shipped.
web-check: web
	cd web && npm run lint
	cd web && npm run typecheck
	cd web && npm test
	cd web && npm run audit

# The web client in Chromium against the real server.
web-browser: web
	cargo build -p boombots-server
	cd web && npm run test:browser

# Makes the screenshots of docs/screenshots anew.
screenshots: web
	cargo build -p boombots-server
	cd web && BOOMBOTS_SCREENSHOTS=1 npx vitest run --config vitest.browser.config.ts tests/views.test.ts

# Makes the committed WebAssembly of the rules anew, with its types and its corpus.
wasm:
	cd web/rules-wasm && BOOMBOTS_UPDATE=1 cargo test --locked
	web/rules-wasm/build

# The same without changing anything: types and corpus are fresh, and what is built here answers the
# corpus as the Rust crate does. Without a WebAssembly toolchain only the committed file is checked.
wasm-check: web/node_modules
	cd web/rules-wasm && cargo fmt --check
	cd web/rules-wasm && cargo clippy --locked --all-targets -- -D warnings
	cd web/rules-wasm && cargo test --locked
	cd web && npm test -- src/rules
	web/rules-wasm/build web/rules-wasm/target/rebuilt.wasm; case $$? in \
		0) cd web && BOOMBOTS_RULES_WASM=rules-wasm/target/rebuilt.wasm npm test -- src/rules ;; \
		3) ;; \
		*) exit 1 ;; \
	esac

# Benchmarks; docs/performance.md has the figures.
bench:
	cargo bench --workspace

# Every position of every class up to 3v3 and 4v2 by the plain rules; minutes.
verify-all:
	cargo build --release -p boombots-retrograde
	$(TABLEBASE) build-3v3
	$(TABLEBASE) build 4v2
	$(TABLEBASE) verify

# Twenty thousand seeded runs of the cluster's scheduler; BOOMBOTS_SEED=N replays one.
cluster-simulation:
	BOOMBOTS_SEEDS=20000 cargo test -p boombots-coordinator --test simulation

# Real processes building 3v3 while workers and the coordinator are killed; minutes.
cluster-chaos:
	BOOMBOTS_CHAOS=3v3 cargo test --release -p boombots-coordinator --test processes chaos -- --test-threads 1 --nocapture

# Real processes building 4v2 while a worker is killed every four seconds; minutes.
cluster-kills:
	BOOMBOTS_KILLS=4v2:4 cargo test --release -p boombots-coordinator --test processes work_done_twice -- --nocapture

# 3v3 by 1, 2 and 3 workers in 1, 4 and 16 shards a side, compared with one process; minutes.
cluster-equality:
	BOOMBOTS_EQUALITY=3v3 cargo test --release -p boombots-coordinator --test processes the_same_bytes -- --nocapture

# Analyses in thousands of seeded runs with crashes and restarts; minutes.
analysis-simulation:
	BOOMBOTS_SEEDS=5000 cargo test -p boombots-coordinator --test analysis

# Results of analyses compared with the tables on a thousand random positions of 3v3; minutes.
analysis-agreement:
	BOOMBOTS_AGREEMENT=3v3:1000 cargo test --release -p boombots-coordinator --test cluster results_agree -- --nocapture

# The set of won positions proved by 1, 2, 4 and 16 workers in virtual time; minutes.
analysis-scaling: $(TABLES)/3v3.wdl.bbtb
	cargo bench -p boombots-coordinator --bench analysis_scaling -- --tables $(abspath $(TABLES)) --nodes 3500000

# The set of won positions proved by one worker and by two, in real time; minutes.
analysis-set: $(TABLES)/3v3.wdl.bbtb
	cargo build --release
	coordinator/benches/analysis-set $(TABLES) 1
	coordinator/benches/analysis-set $(TABLES) 2

$(TABLES)/3v3.wdl.bbtb:
	cargo build --release -p boombots-retrograde
	$(TABLEBASE) build-3v3

# A thousand simulated workers and one coordinator thread.
cluster-load:
	cargo bench -p boombots-coordinator --bench thousand_workers

# Fuzzes what parses text of engines, frames of the cluster and messages of clients; needs cargo-fuzz.
fuzz:
	cd search && RUSTC_BOOTSTRAP=1 cargo fuzz run ugi -- -max_total_time=60
	cd coordinator && RUSTC_BOOTSTRAP=1 cargo fuzz run frames -- -max_total_time=60
	cd server && RUSTC_BOOTSTRAP=1 cargo fuzz run messages -- -max_total_time=60

# Two thousand clients against a server over loopback, without and with two bots that think.
load:
	cargo bench -p boombots-server --bench load -- --clients 2000 --seconds 15
	cargo bench -p boombots-server --bench load -- --clients 2000 --seconds 15 --bots 2
	cargo bench -p boombots-server --bench load -- --clients 2000 --seconds 15 --stalled 1

# Writes the TypeScript of the game protocol anew.
protocol:
	BOOMBOTS_UPDATE=1 cargo test -p boombots-protocol typescript
