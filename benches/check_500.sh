#!/usr/bin/env bash
# Times `cargo check` of a crate of 500 `#[kernel]`s on 100 ops, its dependencies checked before: what the annotations
# cost a person who edits such a crate. Prints seconds, of 1 run cold and 3 after a change.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
crate=$target/check_500
mkdir -p "$crate/src"

cat > "$crate/Cargo.toml" <<EOF
[package]
name = "check-500"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
oplink = { package = "oplink-api", path = "$root/core/api" }

[workspace]
EOF
cp "$root/Cargo.lock" "$crate/Cargo.lock"

# The crate with this many ops, each in a module with five kernels: three for a dtype, one for two, one of the context.
write() {
  local ops=$1
  {
    echo '//! Synthetic kernels.'
    for ((i = 0; i < ops; i++)); do
      cat <<EOF
pub mod op$i {
    use oplink::prelude::*;

    /// \`y = x * scale\`.
    #[op("Synthetic$i", input = "x: T", input = "scale: T", output = "y: T", attr = "shift: float = 0.0",
         attr = "T: {float, double, half, int8, int32, int64}", shape = shape_fns::unchanged)]
    pub struct Synthetic$i;

    #[kernel(Synthetic$i, device = CPU, T = [f32], forward(x => y))]
    fn in_place(y: InOut<'_, f32>, scale: f32, shift: f32) { y.map(|x| x * scale + shift); }

    #[kernel(Synthetic$i, device = CPU, T = [f64])]
    fn double(x: ArrayViewD<'_, f64>, scale: f64) -> ArrayD<f64> { x.mapv(|x| x * scale) }

    #[kernel(Synthetic$i, device = CPU, T = [i8])]
    fn small(x: ArrayViewD<'_, i8>, scale: i8) -> ArrayD<i8> { x.mapv(|x| x.wrapping_mul(scale)) }

    #[kernel(Synthetic$i, device = CPU, T = [i32, i64])]
    fn integers<T: Number>(x: ArrayViewD<'_, T>, scale: T) -> ArrayD<T> { x.mapv(|x| x * scale) }

    #[kernel(Synthetic$i, device = CPU, T = [f16])]
    fn half(context: &mut KernelContext<'_>) -> Result<()> {
        let x = context.take_input(0);
        context.set_output(0, x);
        Ok(())
    }
}
EOF
    done
  } > "$crate/src/lib.rs"
}

report() {
  local start end
  start=$(date +%s.%N)
  cargo check --quiet --offline --manifest-path "$crate/Cargo.toml"
  end=$(date +%s.%N)
  awk -v what="$1" -v start="$start" -v end="$end" 'BEGIN { printf "%-16s %.2f s\n", what, end - start }'
}

export CARGO_TARGET_DIR=$target
write 0
export CARGO_INCREMENTAL=1
cargo check --quiet --manifest-path "$crate/Cargo.toml"
touch "$crate/src/lib.rs"
report "no kernels"
write 100
report "500 kernels"
for run in 1 2 3; do
  echo "pub const EDIT$run: u32 = $run;" >> "$crate/src/lib.rs"
  report "after a change"
done
