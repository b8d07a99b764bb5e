#!/usr/bin/env bash
# Moves a copy of an installed library to another folder. There every header under TensorFlow's names compiles as C and as
# C++ with the flags of our files for pkg-config, and a program that includes them builds and runs.
# usage: headers.sh PREFIX   PREFIX is what `cargo xtask capi --prefix` installed to
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
moved=$work/moved
mkdir "$moved"
cp -a "$(realpath "$1")/." "$moved"

flags() { # flags PACKAGE FIELD: what pkg-config says, or, without it, what the file says
  local file=$moved/lib/pkgconfig/$1.pc
  if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$moved/lib/pkgconfig pkg-config "--$2" "$1"
  else
    local field=Cflags
    [ "$2" = cflags ] || field=Libs
    sed -n "s/^$field: //p" "$file" | sed "s|\${includedir}|$moved/lib/pkgconfig/../../include|; s|\${libdir}|$moved/lib/pkgconfig/../../lib|"
  fi
}

grep -q '^prefix=${pcfiledir}/../..$' "$moved/lib/pkgconfig/tensorflow.pc" || { echo "tensorflow.pc names a fixed folder"; exit 1; }
count=0
for header in $(cd "$moved/include" && find tensorflow -name '*.h' | sort); do
  printf '#include <%s>\ntypedef int used;\n' "$header" >"$work/alone.c"
  cc -std=c11 -Wall -Wextra -Wpedantic -Werror $(flags tensorflow cflags) -fsyntax-only "$work/alone.c"
  c++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $(flags tensorflow_cc cflags) -fsyntax-only "$work/alone.c"
  count=$((count + 1))
done
for package in tensorflow tensorflow_cc oplink; do
  cc -std=c11 -Wall -Wextra -Werror $(flags $package cflags) "$here/headers.c" -o "$work/c" $(flags $package libs)
  c++ -x c++ -std=c++17 -Wall -Wextra -Werror $(flags $package cflags) "$here/headers.c" -o "$work/cc" -x none $(flags $package libs)
  for program in c cc; do
    diff <(printf '2.21.0 5.5 0\n3\n') <(LD_LIBRARY_PATH=$moved/lib "$work/$program")
  done
done
echo "headers: $count under TensorFlow's names, from a folder that was moved"
