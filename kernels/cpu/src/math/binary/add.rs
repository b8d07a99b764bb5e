//! `Add`: the sum.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, binary, binary_cloned};

/// Computes `x + y`, joining strings; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Add",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Add;

/// `Add` of numbers, on the host.
#[kernel(Add, device = CPU, T = [f16, bf16, f32, f64, u8, i8, i16, i32, i64, complex])]
pub fn add_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, Arithmetic::add)
}

#[kernel(Add, device = CPU, T = [TString])]
fn add_strings_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary_cloned::<TString, TString>(context, |x, y| TString::new([x.as_bytes(), y.as_bytes()].concat()))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Add",
            [[1.0f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, -f32::INFINITY, -0.0].into()],
            [3.0f32, f32::NAN, f32::NAN, -0.0],
        );
        check("Add", [[2147483647i32, -3].into(), [1i32, 5].into()], [-2147483648i32, 2]);
        check("Add", [["a", "b"].map(TString::from).into(), "c".into()], ["ac", "bc"].map(TString::from));
    }
}
