//! `Add` of strings: one after the other.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::binary_cloned;
use oplink_ops::math::Add;

/// `Add` of strings.
#[kernel(Add, device = CPU, T = [TString])]
pub fn add_strings_cpu(x: &Tensor, y: &Tensor, z: OutputSlot<'_>) -> Result<()> {
    binary_cloned::<TString, TString>(x, y, z, |x, y| TString::new([x.as_bytes(), y.as_bytes()].concat()))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("Add", [["a", "b"].map(TString::from).into(), "c".into()], ["ac", "bc"].map(TString::from));
        let empty = || Tensor::zeros(DType::String, [0, 3]).unwrap();
        check("Add", [empty(), "c".into()], empty());
    }
}
