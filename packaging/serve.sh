#!/bin/sh
# Serves the index in a folder, and makes the index first if the folder has none. Backups go into
# the same folder. LOOKALIKE_CREATE has options of `lookalike index create` for a new index.
# Usage: serve.sh FOLDER [option of lookalike serve ...]
set -eu
folder=$1
shift
if [ ! -e "$folder/index" ]; then
  # Its words are options, so they are split.
  # shellcheck disable=SC2086
  lookalike index create "$folder/index" ${LOOKALIKE_CREATE:---keep text}
fi
mkdir -p "$folder/backups"
exec lookalike serve "$folder/index" --backups "$folder/backups" "$@"
