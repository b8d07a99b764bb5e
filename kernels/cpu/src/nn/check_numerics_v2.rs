//! `CheckNumericsV2`: fails where a tensor has NaN or infinities, telling those of either sign apart, and passes it on
//! otherwise.

use oplink::prelude::*;

use super::numerics::{Numerics, found};
use crate::support::elementwise::{FloatLane, Lanes};

/// The tensor, if it has neither NaN nor infinities; else an error that begins with `message`.
#[op("CheckNumericsV2",
     input = "tensor: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "message: string",
     stateful,
     shape = shape_fns::unchanged)]
pub struct CheckNumericsV2;

/// `CheckNumericsV2` for the floats.
#[kernel(CheckNumericsV2, device = CPU, T = [floats])]
pub fn check_numerics_v2_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    let Numerics { nan, above, below } = found::<T>(context.input(0))?;
    let kinds = [(below, "-Inf"), (above, "+Inf"), (nan, "NaN")];
    let kinds: Vec<&str> = kinds.into_iter().filter(|kind| kind.0).map(|kind| kind.1).collect();
    let what = match &*kinds {
        [] => {
            context.set_output(0, context.input(0).clone());
            return Ok(());
        }
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} and {second}"),
        more => format!("{}, and {}", more[..more.len() - 1].join(", "), more[more.len() - 1]),
    };
    bail!("{} : Tensor had {what} values", context.attr::<&str>("message")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn only_finite_tensors_pass() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let check =
            |values: &[f64]| run("CheckNumericsV2", &[("message", "here".into())], vec![Tensor::from_slice(values)]);
        assert!(check(&[1.0, -2.0]).is_ok());
        let cases: [(&[f64], &str); 3] =
            [(&[-inf], "-Inf"), (&[nan, inf], "+Inf and NaN"), (&[nan, -inf, inf], "-Inf, +Inf, and NaN")];
        for (values, what) in cases {
            assert_eq!(check(values).unwrap_err().message(), format!("here : Tensor had {what} values"));
        }
    }
}
