# Each target does its own set-up. Without make: bash scripts/setup.sh, then the command that stands under the target.

.PHONY: setup demo test bench long-run fuzz golden lock

setup:
	@bash scripts/setup.sh

demo: setup
	.venv/bin/autoplayer demo

test: setup
	.venv/bin/python -m pytest -n auto -q

bench: setup
	.venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -r bench/requirements.txt
	.venv/bin/python -m bench

# A bot plays the bundled windows, all games in turn, for an hour; what came of it is written to docs/long-run.md.
LEVELS ?= 1000
long-run: setup
	.venv/bin/python -m bench.playing.long --levels $(LEVELS) --out docs/long-run.md

# Bad input, tried by machine (docs/fuzzing.md): every target for SECONDS; or those that TARGETS names.
SECONDS ?= 60
fuzz: setup
	.venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -r fuzz/requirements.txt
	.venv/bin/python -m fuzz --seconds $(SECONDS) $(TARGETS)

# The golden transcripts in tests/golden, written anew; look at the difference before you commit it.
golden: setup
	.venv/bin/python -m tests.golden

# What is pinned, written anew from pyproject.toml with the newest packages (needs uv).
lock:
	uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 --upgrade -o requirements.txt
	uv pip compile --group bench --constraint requirements.txt --universal --python-version 3.11 --upgrade \
		-o bench/requirements.txt
	uv pip compile --group fuzz --universal --python-version 3.11 --upgrade -o fuzz/requirements.txt
