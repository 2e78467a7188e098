#!/usr/bin/env bash
# Starts PostgreSQL on 127.0.0.1 and prints its address; makes the database at the first start.
# usage: pg-start.sh DEST DATA [PORT=15432]    Runs as nobody if started by root, so DEST and DATA must be readable to all.
set -euo pipefail
B="$(realpath "${1:?usage: pg-start.sh DEST DATA [PORT]}")/pg/bin"; D=$(realpath -m "${2:?DATA}"); PORT=${3:-15432}; RUN=()
mkdir -p "$D"
if [ "$(id -u)" = 0 ]; then chown nobody:nogroup "$D"; RUN=(setpriv --reuid nobody --regid nogroup --clear-groups); fi
[ -e "$D/db/PG_VERSION" ] || "${RUN[@]}" "$B/initdb" -D "$D/db" -U postgres -A trust -E UTF8 --no-sync --no-locale >/dev/null
"${RUN[@]}" "$B/pg_ctl" -D "$D/db" -w -l "$D/log" -o "-c listen_addresses=127.0.0.1 -p $PORT -k $D -c fsync=off" start >/dev/null
echo "postgres://postgres@127.0.0.1:$PORT/postgres"
