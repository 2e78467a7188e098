#!/usr/bin/env bash
# Starts a cluster of OpenSearch on 127.0.0.1, waits until all nodes joined and prints its address, which DATA/url keeps;
# DATA/nodeN.pid holds their process ids.
# usage: opensearch-start.sh HOME DATA [NODES=1] [HTTP_PORT=19200|any] [HEAP=256m|FIRST:MOST]
# The ports are HTTP_PORT and those after it, and 100 more for transport. Runs as nobody if started by root, so HOME and DATA must be readable to all.
set -euo pipefail
H=$(realpath "${1:?usage: opensearch-start.sh HOME DATA [NODES] [HTTP_PORT] [HEAP]}"); D=$(realpath -m "${2:?DATA}")
N=${3:-1}; PORT=${4:-19200}; HEAP=${5:-256m}
if [ "$PORT" = any ]; then   # at random, so that clusters that start together do not meet
  for _ in $(seq 1 50); do
    PORT=$((20000 + RANDOM % 50 * 200 + RANDOM % 10 * 10)) TAKEN=
    for i in $(seq 0 $((N-1))); do
      for p in $((PORT+i)) $((PORT+100+i)); do ! (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null || TAKEN=yes; done
    done
    [ -n "$TAKEN" ] || break
  done
fi
OPENSEARCH_JAVA_HOME=$("$(dirname "${BASH_SOURCE[0]}")/opensearch-java.sh"); export OPENSEARCH_JAVA_HOME
RUN=(); ROOT=$(id -u)
[ "$ROOT" != 0 ] || RUN=(setpriv --reuid nobody --regid nogroup --clear-groups)
SEEDS=; NAMES=
for i in $(seq 1 "$N"); do SEEDS+="${SEEDS:+,}127.0.0.1:$((PORT+100+i-1))"; NAMES+="${NAMES:+,}node$i"; done
mkdir -p "$D"
for i in $(seq 1 "$N"); do
  d="$D/node$i"; mkdir -p "$d"/{config,data,logs,tmp}
  cp -r "$H"/config/. "$d/config/"
  sed -i -e '/gc\.log/d' -e "s#-XX:HeapDumpPath=data#-XX:HeapDumpPath=$d/logs#" -e "s#-XX:ErrorFile=logs/#-XX:ErrorFile=$d/logs/#" "$d/config/jvm.options"
  cat > "$d/config/opensearch.yml" <<Y
cluster.name: multihop-$PORT
node.name: node$i
path.data: $d/data
path.logs: $d/logs
network.host: 127.0.0.1
http.port: $((PORT+i-1))
transport.port: $((PORT+100+i-1))
discovery.seed_hosts: [$SEEDS]
cluster.initial_cluster_manager_nodes: [$NAMES]
cluster.routing.allocation.disk.threshold_enabled: false
node.store.allow_mmap: false
bootstrap.memory_lock: false
Y
  [ "$ROOT" != 0 ] || chown -R nobody:nogroup "$d"
  OPENSEARCH_PATH_CONF="$d/config" OPENSEARCH_TMPDIR="$d/tmp" OPENSEARCH_JAVA_OPTS="-Xms${HEAP%:*} -Xmx${HEAP#*:} ${EXTRA_JAVA_OPTS:-}" \
    nohup "${RUN[@]}" "$H/bin/opensearch" >"$d/out.log" 2>&1 </dev/null &
  echo $! > "$D/node$i.pid"
done
for _ in $(seq 1 240); do
  for i in $(seq 1 "$N"); do
    kill -0 "$(cat "$D/node$i.pid")" 2>/dev/null || { echo "node$i ended" >&2; tail -30 "$D/node$i/out.log" >&2; exit 1; }
  done
  joined=$(curl -s -m 2 "http://127.0.0.1:$PORT/_cluster/health" | sed -n 's/.*"number_of_nodes":\([0-9]*\).*/\1/p' || true)
  [ "${joined:-0}" != "$N" ] || { echo "http://127.0.0.1:$PORT" | tee "$D/url"; exit 0; }
  sleep 0.5
done
echo "$N nodes did not join within two minutes" >&2; exit 1
