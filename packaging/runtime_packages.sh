#!/bin/bash
# Prints the Debian packages whose libraries an installed lookalike loads, one a line.
# Usage: runtime_packages.sh PREFIX (that of cmake --install)
set -euo pipefail
prefix=$(realpath "$1")
ldd "$prefix/bin/lookalike" "$prefix"/lib/lookalike/*.so* |
  sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
  while read -r library; do
    real=$(realpath "$library")
    [[ $real == "$prefix"/* ]] && continue
    # dpkg knows some libraries by their path without /usr.
    dpkg-query --search "$real" 2>/dev/null || dpkg-query --search "${real#/usr}"
  done | sed 's/:.*//' | sort -u
