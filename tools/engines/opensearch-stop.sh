#!/usr/bin/env bash
# usage: opensearch-stop.sh DATA
for p in "$1"/node*.pid; do [ ! -e "$p" ] || kill "$(cat "$p")" 2>/dev/null; done
for p in "$1"/node*.pid; do
  [ -e "$p" ] || continue
  while kill -0 "$(cat "$p")" 2>/dev/null; do sleep 0.3; done
  rm "$p"
done
