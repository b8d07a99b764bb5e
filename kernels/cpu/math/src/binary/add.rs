//! `Add`: the sum.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::binary_cloned;
use oplink_ops::math::Add;

#[kernel(Add, device = CPU, T = [TString])]
fn add_strings_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary_cloned::<TString, TString>(context, |x, y| TString::new([x.as_bytes(), y.as_bytes()].concat()))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

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
