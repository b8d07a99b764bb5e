#!/usr/bin/env bash
# Compares the functions that a library exports with `exported.txt`, all those that TensorFlow 2.21's C library exports, and
# with `symbols.txt`, those that published clients and plugins use: none may be missing, and all are of the version node
# `tensorflow`.
# usage: symbols.sh LIBRARY
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
exported=$(mktemp)
trap 'rm -f "$exported"' EXIT
nm -D --defined-only --with-symbol-versions "$1" | sed -n 's/.* T \(\(TF\|TFE\|TSL\|SE\)_[A-Za-z0-9_]*\)@@tensorflow$/\1/p' | LC_ALL=C sort -u > "$exported"
missing=$(cut -d' ' -f1 "$here/symbols.txt" "$here/exported.txt" | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$exported")
if [ -n "$missing" ]; then
  echo "not exported:"
  echo "$missing"
  exit 1
fi
echo "symbols: all $(wc -l < "$here/exported.txt") of TensorFlow's and all $(wc -l < "$here/symbols.txt") of clients exported, $(wc -l < "$exported") in all"
