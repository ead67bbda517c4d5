#!/usr/bin/env bash
# Makes .venv with the pinned packages and the autoplayer command in it, and sees to the system programs: through apt
# where that is allowed, else by naming what is missing and the command that installs it. Run again, it does only what
# has changed. Also for those without make: bash scripts/setup.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

# apt, if it is here and we may use it
as_root=""
apt_works() {
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" = 0 ]; then return 0; fi
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as_root="sudo"; return 0; fi
  return 1
}
updated=no
apt_install() { # package…; true if they are installed
  apt_works || return 1
  say "apt-get install $*"
  if [ "$updated" = no ]; then
    $as_root apt-get update -qq >&2 || say "apt-get update failed; trying with the lists that are here"
    updated=yes
  fi
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# A Python that is new enough
python=""
for name in python3 python3.11 python3.12 python3.13 python3.14 python; do
  if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$name
    break
  fi
done
if [ -z "$python" ]; then
  say "Python 3.11 or newer was not found; install it, for example: sudo apt-get install python3 python3-venv"
  exit 5
fi

# The virtual environment; anew where the folder has been moved, because the programs in it name their place
if [ -f .venv/.setup-place ] && [ "$(cat .venv/.setup-place)" != "$PWD" ]; then
  say "this folder has been moved; .venv is made anew"
  rm -rf .venv
fi
if ! .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    apt_install "python$version-venv" || apt_install python3-venv || true
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
      say "$python cannot make virtual environments; install that with: sudo apt-get install python$version-venv"
      exit 5
    fi
  fi
  say "making .venv with $("$python" --version)"
  "$python" -m venv --clear .venv
fi

# The pinned packages, and autoplayer itself; anew where what they are made from has changed
stamp=$(cat requirements.txt pyproject.toml scripts/setup.sh | cksum)
if [ "$(cat .venv/.setup-stamp 2>/dev/null)" != "$stamp" ] || [ ! -x .venv/bin/autoplayer ]; then
  say "installing the pinned packages into .venv (the first time this takes a minute or two)"
  # Python compiles what is imported, when it is imported: most of what is installed never is.
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-compile -r requirements.txt
  .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
  printf '%s' "$PWD" >.venv/.setup-place
  printf '%s' "$stamp" >.venv/.setup-stamp
fi

# System programs: what is missing is installed, or named with what it is for
need() { # program package purpose
  PATH="$PATH:/usr/games" command -v "$1" >/dev/null && return # Debian keeps games there, beside many people's PATH
  apt_install "$2" || say "$2 is missing ($3); install it with: sudo apt-get install $2"
}
if [ "$(uname -s)" = Linux ]; then
  need Xvfb xvfb "needed for the demo where there is no screen, and for the tests"
  need openbox openbox "optional: a window manager for that"
  need xrandr x11-xserver-utils "optional: two tests change a screen's resolution with it"
  need sgt-bridges sgt-puzzles "optional: a real window of Hashi, which the tests play"
  need tesseract tesseract-ocr "optional: a further voice in reading glyphs"
fi
