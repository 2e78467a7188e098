#!/usr/bin/env bash
# usage: pg-stop.sh DEST DATA
B="$(realpath "${1:?DEST}")/pg/bin"; RUN=()
[ "$(id -u)" != 0 ] || RUN=(setpriv --reuid nobody --regid nogroup --clear-groups)
"${RUN[@]}" "$B/pg_ctl" -D "$(realpath "${2:?DATA}")/db" -m fast -w stop >/dev/null
