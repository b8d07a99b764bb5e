//! `CheckNumerics` and `CheckNumericsV2`: fail where a tensor has NaN or infinities, and forward it otherwise. V2 names
//! the infinities of either sign.

use num_traits::Float;
use oplink::prelude::*;

use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_support::elementwise::{Arithmetic, ComputeFloat, Computed};
use oplink_ops::nn::{CheckNumerics, CheckNumericsV2};

/// `CheckNumerics` for the floats.
#[kernel(CheckNumerics, device = CPU, T = [floats])]
pub fn check_numerics_cpu<T: Computed<ComputeType: ComputeFloat>>(tensor: Input<'_>, message: &[u8]) -> Result<Tensor> {
    let Numerics { nan, above, below } = found::<T>(&tensor)?;
    let what = match (above || below, nan) {
        (true, true) => "Inf and NaN",
        (true, false) => "Inf",
        (false, true) => "NaN",
        (false, false) => return Ok(tensor.take()),
    };
    bail!("{} : Tensor had {what} values", String::from_utf8_lossy(message))
}

/// `CheckNumericsV2` for the floats.
#[kernel(CheckNumericsV2, device = CPU, T = [floats])]
pub fn check_numerics_v2_cpu<T: Computed<ComputeType: ComputeFloat>>(
    tensor: Input<'_>,
    message: &[u8],
) -> Result<Tensor> {
    let Numerics { nan, above, below } = found::<T>(&tensor)?;
    let kinds = [(below, "-Inf"), (above, "+Inf"), (nan, "NaN")];
    let kinds: Vec<&str> = kinds.into_iter().filter(|kind| kind.0).map(|kind| kind.1).collect();
    let what = match &*kinds {
        [] => return Ok(tensor.take()),
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} and {second}"),
        more => format!("{}, and {}", more[..more.len() - 1].join(", "), more[more.len() - 1]),
    };
    bail!("{} : Tensor had {what} values", String::from_utf8_lossy(message))
}

/// Which values that are no finite numbers a tensor has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Numerics {
    nan: bool,
    /// Positive infinity.
    above: bool,
    /// Negative infinity.
    below: bool,
}

/// Those of `tensor`.
fn found<T: Computed<ComputeType: ComputeFloat>>(tensor: &Tensor) -> Result<Numerics> {
    let values = computed_of(tensor.as_slice::<T>()?);
    // A finite number less itself is 0, all others give NaN.
    let blocks = values.chunks(1024);
    #[allow(clippy::eq_op, reason = "it is not 0 for what is looked for")]
    let odd = blocks.filter(|block| block.iter().fold(T::ComputeType::ZERO, |sum, &x| sum + (x - x)).is_nan());
    Ok(odd.flatten().fold(Numerics::default(), |found, &x| Numerics {
        nan: found.nan || x.is_nan(),
        above: found.above || x == T::ComputeType::infinity(),
        below: found.below || x == T::ComputeType::neg_infinity(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

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

    #[test]
    fn infinities_of_either_sign_are_named() {
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
