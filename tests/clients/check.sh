#!/usr/bin/env bash
# Holds an installed library against what clients expect: exported names, TensorFlow's answers, stored graphs; and against
# what they should not do: wrong arguments, memory errors, many threads.
# usage: check.sh PREFIX [PYTHON]   PREFIX is what `cargo xtask capi --prefix` installed to; PYTHON has numpy
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(realpath "$1")
python=${2:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/symbols.sh" "$prefix/lib/libtensorflow.so.2"
"$here/headers.sh" "$prefix"
diff -u "$here/semantics.txt" <("$python" "$here/semantics.py" "$prefix/lib")
diff -u "$here/experimental.txt" <("$python" "$here/experimental.py" "$prefix/lib")
echo "semantics: as TensorFlow"
diff -u "$here/functions.txt" <("$python" "$here/functions.py" "$prefix/lib")
echo "functions: as TensorFlow"
"$python" "$here/codes.py" "$prefix/lib" --check
diff -u "$here/eager_calls.txt" <("$python" "$here/eager_calls.py" "$prefix/lib")
echo "eager calls: as TensorFlow"
target=${CARGO_TARGET_DIR:-$here/../../target}
sim=$target/debug/liboplink_device_sim.so # built with the library by `cargo xtask capi`
[ -e "$sim" ] || { echo "$sim is not there: run \`cargo xtask capi\` without --release"; exit 1; }
diff -u "$here/devices.txt" <("$python" "$here/devices.py" "$prefix/lib" "$sim")
echo "devices: as TensorFlow"
"$python" "$here/run_graph.py" "$prefix/lib" "$here/../models" $(cd "$here/../models" && ls *.npz | sed 's/\.npz$//')
"$python" "$here/fuzz/run.py" "$prefix/lib/libtensorflow.so.2" --declined "$work/declined"
diff -u "$here/../../docs/c-api-functions.md" <("$python" "$here/exported.py" "$prefix/lib/libtensorflow.so.2" "$work/declined")
"$here/sanitized/run" "$prefix"
