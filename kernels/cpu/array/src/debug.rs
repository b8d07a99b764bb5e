//! Values looked at on their way, and references given on.

use oplink::prelude::*;
use oplink_ops::array::{self, CopyHost, DebugGradientIdentity, DebugGradientRefIdentity, DebugIdentity};
use oplink_ops::array::{DebugIdentityV2, DebugIdentityV3, DebugNanCount, DebugNumericSummary, DebugNumericSummaryV2};
use oplink_ops::array::{RefIdentity, RefSelect};

/// The input itself: a value, or a reference.
#[kernel(array::Copy, device = CPU, T = any)]
#[kernel(CopyHost, device = CPU, T = any)]
#[kernel(DebugIdentityV2, device = CPU, T = any)]
#[kernel(DebugGradientIdentity, device = CPU, T = any)]
#[kernel(DebugGradientRefIdentity, device = CPU, T = any)]
#[kernel(RefIdentity, device = CPU, T = any)]
pub fn forwarded_cpu(input: Input<'_>, mut output: OutputSlot<'_>) {
    output.set(input.take());
}

/// `RefSelect` of every dtype.
#[kernel(RefSelect, device = CPU, T = any)]
pub fn ref_select_cpu(index: i32, inputs: InputList<'_>, mut output: OutputSlot<'_>) -> Result<()> {
    let inputs = inputs.into_inputs();
    let count = inputs.len();
    let chosen = usize::try_from(index).ok().and_then(|index| inputs.into_iter().nth(index));
    let Some(chosen) = chosen else { bail!("index {index} is outside of {count} inputs") };
    output.set(chosen.take());
    Ok(())
}

/// `DebugIdentity` and `DebugIdentityV3` of every dtype.
#[kernel(DebugIdentity, device = CPU, T = any)]
#[kernel(DebugIdentityV3, device = CPU, T = any)]
pub fn debug_identity_cpu(
    input: Input<'_>,
    tensor_name: &str,
    debug_urls: &[Vec<u8>],
    mut output: OutputSlot<'_>,
) -> Result<()> {
    check(tensor_name, debug_urls)?;
    output.set(input.take());
    Ok(())
}

/// An error unless the name is that of an output, and nothing has to be sent.
fn check(tensor_name: &str, debug_urls: &[Vec<u8>]) -> Result<()> {
    let named = tensor_name.rsplit_once(':').is_some_and(|(_, output)| output.parse::<u32>().is_ok());
    ensure!(named, "tensor_name must be `node:output`, it is `{tensor_name}`");
    if debug_urls.is_empty() {
        return Ok(());
    }
    Err(Error::unimplemented("values of debug ops are not sent anywhere: debug_urls must be empty"))
}

/// The elements of a tensor of real numbers or bool, in double precision.
fn doubles(tensor: &Tensor) -> Result<Vec<f64>> {
    fn of<T: Element + Copy>(tensor: &Tensor, widen: impl Fn(T) -> f64) -> Result<Vec<f64>> {
        oplink::memory::try_collect(tensor.as_slice::<T>()?.iter().map(|&value| widen(value)))
    }
    match tensor.dtype() {
        DType::Float => of::<f32>(tensor, f64::from),
        DType::Double => of::<f64>(tensor, |value| value),
        DType::Half => of(tensor, f16::to_f64),
        DType::BFloat16 => of(tensor, bf16::to_f64),
        DType::Int8 => of::<i8>(tensor, f64::from),
        DType::Int16 => of::<i16>(tensor, f64::from),
        DType::Int32 => of::<i32>(tensor, f64::from),
        DType::Int64 => of::<i64>(tensor, |value| value as f64),
        DType::UInt8 => of::<u8>(tensor, f64::from),
        DType::UInt16 => of::<u16>(tensor, f64::from),
        DType::UInt32 => of::<u32>(tensor, f64::from),
        DType::UInt64 => of::<u64>(tensor, |value| value as f64),
        DType::Bool => of::<bool>(tensor, |value| f64::from(u8::from(value))),
        other => bail!("elements of {other} are no real numbers"),
    }
}

/// `DebugNanCount` of every real dtype.
#[kernel(DebugNanCount, device = CPU, T = [reals])]
pub fn debug_nan_count_cpu(input: &Tensor, tensor_name: &str, debug_urls: &[Vec<u8>]) -> Result<Tensor> {
    check(tensor_name, debug_urls)?;
    let count = doubles(input)?.iter().filter(|value| value.is_nan()).count();
    Ok([count as i64].into())
}

/// `DebugNumericSummary` of every real dtype and bool.
#[kernel(DebugNumericSummary, device = CPU, T = [f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool])]
pub fn debug_numeric_summary_cpu(
    input: &Tensor,
    tensor_name: &str,
    debug_urls: &[Vec<u8>],
    lower_bound: f32,
    upper_bound: f32,
) -> Result<Tensor> {
    check(tensor_name, debug_urls)?;
    let values = doubles(input)?;
    let (low, high) = (f64::from(lower_bound), f64::from(upper_bound));
    let [mut nans, mut below, mut negative, mut zeros, mut positive, mut above] = [0.0; 6];
    for &value in &values {
        let counter = match value {
            value if value.is_nan() => &mut nans,
            value if value <= low => &mut below,
            value if value >= high => &mut above,
            value if value < 0.0 => &mut negative,
            value if value > 0.0 => &mut positive,
            _ => &mut zeros,
        };
        *counter += 1.0;
    }
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let (least, most) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    let count = finite().count() as f64;
    let mean = finite().sum::<f64>() / count;
    let variance = finite().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    let mut summary = vec![1.0, values.len() as f64, nans, below, negative, zeros, positive, above];
    summary.extend([least, most, mean, variance, f64::from(input.dtype().number()), input.rank() as f64]);
    summary.extend(input.shape().iter().map(|&extent| extent as f64));
    Ok(summary.into())
}

/// Extents that a summary of a shape has.
const EXTENTS: usize = 6;

/// `DebugNumericSummaryV2` of every real dtype and bool.
#[kernel(DebugNumericSummaryV2, device = CPU, T = [reals, bool], output_dtype = [f32, f64])]
pub fn debug_numeric_summary_v2_cpu(
    input: &Tensor,
    output_dtype: DType,
    tensor_debug_mode: i64,
    tensor_id: i64,
) -> Result<Tensor> {
    let values = doubles(input)?;
    let count = |which: &dyn Fn(f64) -> bool| values.iter().filter(|&&value| which(value)).count() as f64;
    let (below, above) = (count(&|value| value == f64::NEG_INFINITY), count(&|value| value == f64::INFINITY));
    let nans = count(&f64::is_nan);
    let (id, total) = (tensor_id as f64, values.len() as f64);
    let (dtype, rank) = (f64::from(input.dtype().number()), input.rank() as f64);
    let summary = match tensor_debug_mode {
        2 => vec![id, f64::from(u8::from(below + above + nans > 0.0))],
        3 => vec![id, total, below, above, nans],
        4 => {
            let negative = count(&|value| value < 0.0) - below;
            let positive = count(&|value| value > 0.0) - above;
            let zeros = count(&|value| value == 0.0);
            vec![id, -1.0, dtype, rank, total, below, above, nans, negative, zeros, positive]
        }
        5 => {
            let last = input.shape().iter().rev().take(EXTENTS).rev().map(|&extent| extent as f64);
            let mut summary = vec![id, dtype, rank, total];
            summary.extend(last);
            summary.resize(4 + EXTENTS, 0.0);
            summary
        }
        8 => vec![
            if below > 0.0 { f64::NEG_INFINITY } else { 0.0 },
            if above > 0.0 { f64::INFINITY } else { 0.0 },
            if nans > 0.0 { f64::NAN } else { 0.0 },
        ],
        other => return Err(Error::unimplemented(format!("tensor_debug_mode {other} is not one of 2, 3, 4, 5 and 8"))),
    };
    Ok(match output_dtype {
        DType::Double => summary.into(),
        _ => summary.iter().map(|&number| number as f32).collect::<Vec<_>>().into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn summaries_are_those_of_tensorflow() {
        let values = Tensor::from_vec([1, 4], vec![1f32, f32::NAN, f32::NEG_INFINITY, 0.0]).unwrap();
        let summary = |mode: i64| {
            let attrs: [(&str, AttrValue); 3] = [
                ("tensor_debug_mode", AttrValue::Int(mode)),
                ("tensor_id", AttrValue::Int(5)),
                ("output_dtype", DType::Double.into()),
            ];
            let out = run("DebugNumericSummaryV2", &attrs, vec![values.clone()]).unwrap();
            out[0].as_slice::<f64>().unwrap().to_vec()
        };
        assert_eq!(summary(2), [5.0, 1.0]);
        assert_eq!(summary(3), [5.0, 4.0, 1.0, 0.0, 1.0]);
        assert_eq!(summary(4), [5.0, -1.0, 1.0, 2.0, 4.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
        assert_eq!(summary(5), [5.0, 1.0, 2.0, 4.0, 1.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
