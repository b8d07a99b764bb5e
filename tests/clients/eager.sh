#!/usr/bin/env bash
# Times eager calls of a scalar addition against this library and, where given, TensorFlow's own, in turns.
# usage: eager.sh PREFIX [TENSORFLOW_FOLDER]   PREFIX is what `cargo xtask capi --prefix` installed to
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -DEAGER_C_API='"oplink/c/eager/c_api.h"' -I "$here/../../capi/include" "$here/eager.c" -o "$work/eager" \
  -L "$prefix/lib" -ltensorflow
for _ in 1 2 3; do
  LD_LIBRARY_PATH="$prefix/lib" "$work/eager"
  if [ $# -gt 1 ]; then
    # The same program: its symbols are looked for in TensorFlow's libraries instead.
    ln -sf "$(realpath "$2")/libtensorflow_cc.so.2" "$work/libtensorflow.so.2"
    TF_CPP_MIN_LOG_LEVEL=3 LD_LIBRARY_PATH="$work:$(realpath "$2")" \
      LD_PRELOAD="$2/libtensorflow_framework.so.2:$2/libtensorflow_cc.so.2" "$work/eager" 2>/dev/null
  fi
done
