//! `CheckNumerics`: fails where a tensor has NaN or infinities, and passes it on otherwise.

use oplink::prelude::*;

use super::numerics::{Numerics, found};
use crate::support::elementwise::{FloatLane, Lanes};

/// The tensor, if it has neither NaN nor infinities; else an error that begins with `message`.
#[op("CheckNumerics",
     input = "tensor: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "message: string",
     stateful,
     shape = shape_fns::unchanged)]
pub struct CheckNumerics;

/// `CheckNumerics` for the floats.
#[kernel(CheckNumerics, device = CPU, T = [floats])]
pub fn check_numerics_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    let Numerics { nan, above, below } = found::<T>(context.input(0))?;
    let what = match (above || below, nan) {
        (true, true) => "Inf and NaN",
        (true, false) => "Inf",
        (false, true) => "NaN",
        (false, false) => {
            context.set_output(0, context.input(0).clone());
            return Ok(());
        }
    };
    bail!("{} : Tensor had {what} values", context.attr::<&str>("message")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn only_finite_tensors_pass() {
        let check =
            |values: &[f32]| run("CheckNumerics", &[("message", "here".into())], vec![Tensor::from_slice(values)]);
        assert_eq!(check(&[1.0, -2.0]).unwrap()[0].as_slice::<f32>().unwrap(), [1.0, -2.0]);
        for (values, what) in [([1.0, f32::NAN], "NaN"), ([f32::NEG_INFINITY, 0.0], "Inf")] {
            let error = check(&values).unwrap_err();
            assert_eq!(error.message(), format!("here : Tensor had {what} values"));
        }
    }
}
