#!/usr/bin/env bash
# How long the tests of a family of CPU kernels take after one op file was touched: build and run, in seconds.
#
# usage: benches/retest.sh [FAMILY...]    without arguments: the three largest
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=1
for family in "${@:-array math nn}"; do
  for name in $family; do
    tests=(cargo test --quiet -p oplink-kernels-cpu --no-default-features --features "$name")
    "${tests[@]}" >/dev/null 2>&1
    file=$(grep -rl '^#\[kernel' "kernels/cpu/src/$name" | sort | sed -n 1p)
    cp "$file" "$file.kept"
    trap 'mv "$file.kept" "$file"' EXIT
    # Before the first kernel, so that every kernel of the file moves and is compiled again.
    awk -v n="$RANDOM" '/^#\[kernel/ && !done { print "#[used]\nstatic TOUCHED: usize = " n ";\n"; done = 1 } { print }' "$file.kept" >"$file"
    start=$(date +%s.%N)
    "${tests[@]}" >/dev/null
    echo "$name, after a change of $file: $(awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $start }") s"
    mv "$file.kept" "$file"
    trap - EXIT
  done
done
