#!/bin/bash
# Makes pools, scores and students in an order in which early results are useful. Run it again and
# it goes on: whole files and shards stay, a training resumes from its checkpoint.
#   WORK=/folder/for/large/files TEACHER=/models/ms-marco-MiniLM-L-12-v2 PYTHON=venv/bin/python \
#     MULTIHOP_DATA=... MULTIHOP_CACHE=... bash lab/learning/ranker/all.sh [STEP...]
# Steps: pools dev-pools first dev-scores first-students more students judge (this order).
set -euo pipefail
: "${WORK:?}" "${TEACHER:?}" "${PYTHON:?}" "${MULTIHOP_DATA:?}" "${MULTIHOP_CACHE:?}"
export NODE_OPTIONS=${NODE_OPTIONS---max-old-space-size=8192}
HERE=$(cd "$(dirname "$0")" && pwd)
LAB() { (cd "$HERE/../../.." && node tools/node24/run.mjs lab/main.ts ranker "$@"); }
# ObliQA states no licence: it may judge, and train students that are never shipped.
SHIPPED_WITHOUT=${SHIPPED_WITHOUT-obliqa}
EPOCHS=${EPOCHS-2}
DOMAINS=(documents wikipedia news obliqa lihua-world)
declare -A COUNT=([documents]=8000 [wikipedia]=6000 [news]=2500 [obliqa]=2000 [lihua-world]=800)

# Pools, about 620,000 pairs; with WORK/asked.jsonl (ranker questions) those of a model too.
step_pools() {
  mkdir -p "$WORK/pools"
  for name in "${DOMAINS[@]}"; do
    [ -e "$WORK/pools/$name.jsonl" ] ||
      LAB pools --domain "$name" --count "${COUNT[$name]}" --out "$WORK/pools/$name.jsonl"
  done
  by_model=$WORK/pools/documents-by-model.jsonl
  [ ! -e "$WORK/asked.jsonl" ] || [ -e "$by_model" ] ||
    LAB pools --domain documents --asked "$WORK/asked.jsonl" --count 10000 --out "$by_model"
}

step_dev-pools() {
  mkdir -p "$WORK/dev"
  for name in "${DOMAINS[@]}"; do
    [ -e "$WORK/dev/$name.jsonl" ] ||
      LAB pools --dev --domain "$name" --count 200 --out "$WORK/dev/$name.jsonl"
  done
}

SCORE() { "$PYTHON" "$HERE/score.py" --teacher "$TEACHER" "$@"; }
# What the teacher gave to some pairs stands here: an hour of two cores.
[ -e "$WORK/scores" ] || { mkdir -p "$WORK" && cp -r "$HERE/scores" "$WORK/scores"; }
step_first() { SCORE --pools "$WORK"/pools/*.jsonl --out "$WORK/scores" --pairs 100000; }
step_dev-scores() { SCORE --pools "$WORK"/dev/*.jsonl --out "$WORK/dev-scores/teacher"; }
step_more() { SCORE --pools "$WORK"/pools/*.jsonl --out "$WORK/scores"; }

# train OUT [option...]: a student, which scores the dev pools named by the variable JUDGED.
train() {
  out=$WORK/$1
  shift
  [ -e "$out/ranker.safetensors" ] ||
    "$PYTHON" "$HERE/train.py" --teacher "$TEACHER" --pools "$WORK"/pools/*.jsonl \
      --scores "$WORK/scores" --out "$out" --epochs "$EPOCHS" "$@"
}
judged() { # judged OUT DOMAIN: scores one dev file by a student, under the label of its stage.
  SCORE --student "$WORK/$1/ranker.safetensors" --pools "$WORK/dev/$2.jsonl" \
    --out "$WORK/dev-scores/$(dirname "$1")"
}

# The first student that says anything: of the pairs that are scored by now.
step_first-students() {
  train first/without-documents --without documents
  judged first/without-documents documents
  LAB judge --pools "$WORK/dev/documents.jsonl" --scores "teacher=$WORK/dev-scores/teacher" \
    --scores "student=$WORK/dev-scores/first"
}

# One student a domain that saw nothing of it, and the one to ship.
step_students() {
  for name in "${DOMAINS[@]}"; do
    train "all/without-$name" --without "$name"
    judged "all/without-$name" "$name"
  done
  train all/shipped --without $SHIPPED_WITHOUT
}

step_judge() {
  pools=()
  for name in "${DOMAINS[@]}"; do pools+=(--pools "$WORK/dev/$name.jsonl"); done
  LAB judge "${pools[@]}" --scores "teacher=$WORK/dev-scores/teacher" \
    --scores "student=$WORK/dev-scores/all"
}

[ $# -gt 0 ] || set -- pools dev-pools first dev-scores first-students more students judge
for step in "$@"; do
  echo "== $step $(date +%H:%M)"
  "step_$step"
done
