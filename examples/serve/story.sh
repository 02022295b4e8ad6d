#!/bin/sh
# Makes an index, serves it, and does with curl what a program would do: it adds documents, leaves
# out one that is like another, asks, and makes a backup.
#
#   examples/serve/story.sh FOLDER
#
# LOOKALIKE names the command, PORT the port [8780].
set -eu
folder=$1
command=${LOOKALIKE:-lookalike}
url=http://127.0.0.1:${PORT:-8780}
json='Content-Type: application/json'

send() {  # METHOD PATH [BODY]
  echo "$1 $2"
  curl --silent --show-error --fail-with-body --request "$1" "$url$2" \
    --header "$json" ${3:+--data "$3"}
  echo
}

mkdir -p "$folder/backups"
"$command" index create "$folder/notes" --keep text --quiet
"$command" serve "$folder/notes" --backups "$folder/backups" --listen "${url#http://}" --quiet &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
curl --silent --fail --output /dev/null --retry 50 --retry-delay 1 --retry-connrefused "$url/readyz"

fox='The quick brown fox jumps over the lazy dog and runs into the dark forest to sleep.'
like='The quick brown fox jumps over the lazy dog and runs into the dark forest to rest.'
ship='A ship sails across the wide sea with a load of tea, silk and stories from far away.'

send PUT /v1/documents/fox "{\"text\": \"$fox\", \"metadata\": {\"from\": \"Ada\"}}"
send PUT /v1/documents/ship "{\"text\": \"$ship\"}"

# The guard: a document that is like another one is not added.
send PUT '/v1/documents/fox-2?unless_similar=0.8' "{\"text\": \"$like\"}"
send POST /v1/query "{\"text\": \"$like\", \"top\": 3}"
send POST /v1/compare "{\"a\": {\"id\": \"fox\"}, \"b\": {\"id\": \"ship\"}}"

# A backup is an operation: it has begun when the answer comes.
send POST /v1/admin/backup '{"name": "first"}'
until send GET /v1/operations/1 | grep '"state":"done"'; do sleep 0.1; done

send GET /v1/stats
kill $server
wait $server
echo "the copy has $("$command" index stats "$folder/backups/first" --json)"
