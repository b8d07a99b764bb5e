#!/usr/bin/env bash
# Runs the tests of the published Rust crate `tensorflow` 0.21, and its examples, against this library. One process a test,
# so that a crash costs one test. Fails where fewer pass than `tensorflow_rs.passing` says, and asks to raise it where more do.
# usage: tensorflow_rs.sh PREFIX WORK_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
features=eager,ndarray,tensorflow_unstable,experimental
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib CARGO_TARGET_DIR=$work/target
export CARGO_PROFILE_TEST_DEBUG=0 CARGO_PROFILE_DEV_DEBUG=0
if [ ! -d "$work/tensorflow" ]; then
  mkdir -p "$work/user/src"
  printf '[package]\nname = "user"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\ntensorflow = "=0.21.0"\n' \
    > "$work/user/Cargo.toml"
  : > "$work/user/src/lib.rs"
  (cd "$work/user" && cargo vendor --quiet "$work/vendor" > /dev/null 2>&1)
  cp -r "$work/vendor/tensorflow" "$work/tensorflow"
  # The folder may lie inside another workspace.
  printf '\n[workspace]\n' >> "$work/tensorflow/Cargo.toml"
fi
cd "$work/tensorflow"
cargo test --quiet --features "$features" --lib --no-run > "$work/build.log" 2>&1 || { tail -20 "$work/build.log"; exit 1; }
binary=$(find "$work/target/debug/deps" -maxdepth 1 -name 'tensorflow-*' -type f -perm -u+x -printf '%T@ %p\n' | sort -nr | head -1 | cut -d' ' -f2)
passed=0 all=0
: > "$work/failed.txt"
for test in $("$binary" --list 2> /dev/null | sed -n 's/: test$//p'); do
  if timeout 120 "$binary" --exact "$test" > "$work/last.log" 2>&1; then
    grep -q '1 ignored' "$work/last.log" && continue
    passed=$((passed + 1))
  else
    echo "$test" >> "$work/failed.txt"
  fi
  all=$((all + 1))
done
echo "$passed of $all tests pass"
sed 's/^/  fails: /' "$work/failed.txt"
wanted=$(cat "$here/tensorflow_rs.passing")
if [ "$passed" -lt "$wanted" ]; then
  echo "there were $wanted before"
  exit 1
elif [ "$passed" -gt "$wanted" ]; then
  echo "write $passed into tests/clients/tensorflow_rs.passing"
  exit 1
fi
for example in addition regression xor regression_checkpoint regression_savedmodel; do
  cargo run --quiet --features "$features" --example "$example" > "$work/$example.log" 2>&1 || { tail -5 "$work/$example.log"; exit 1; }
  echo "example $example: $(tail -1 "$work/$example.log")"
done
