#!/bin/bash
# Succeeds if a server on this machine answers GET /healthz with 200 within three seconds. It needs
# nothing but bash, because the image has no curl.
# Usage: healthcheck.sh [port]
set -u
exec 2>/dev/null
exec 3<>"/dev/tcp/127.0.0.1/${1:-8780}" || exit 1
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 3 status <&3 && [[ $status == 'HTTP/1.1 200 '* ]]
