//! The gradients of fake quantization: those of values inside a range pass, the others are summed for its ends.

use super::steps::{self, Steps};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::nn::{
    FakeQuantWithMinMaxArgsGradient, FakeQuantWithMinMaxVarsGradient, FakeQuantWithMinMaxVarsPerChannelGradient,
};

/// `FakeQuantWithMinMaxArgsGradient` in f32.
#[kernel(FakeQuantWithMinMaxArgsGradient, device = CPU)]
pub fn fake_quant_with_min_max_args_gradient_cpu(
    gradients: &Tensor,
    inputs: &Tensor,
    min: f32,
    max: f32,
    num_bits: i64,
    narrow_range: bool,
    backprops: &mut Tensor,
) -> Result<()> {
    ensure!(min < max, "min has to be smaller than max, they are {min} and {max}");
    let steps = Steps::new(num_bits, narrow_range, min, max)?;
    pass(gradients, inputs, &[Some(steps)], backprops)?;
    Ok(())
}

/// `FakeQuantWithMinMaxVarsGradient` in f32.
#[kernel(FakeQuantWithMinMaxVarsGradient, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn fake_quant_with_min_max_vars_gradient_cpu(
    gradients: &Tensor,
    inputs: &Tensor,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    backprops_wrt_input: &mut Tensor,
    backprop_wrt_min: &mut Tensor,
    backprop_wrt_max: &mut Tensor,
) -> Result<()> {
    let (min, max) = steps::scalars(min, max)?;
    let steps = [steps::given(num_bits, narrow_range, min, max)?];
    set_ends(&pass(gradients, inputs, &steps, backprops_wrt_input)?, [backprop_wrt_min, backprop_wrt_max])
}

/// `FakeQuantWithMinMaxVarsPerChannelGradient` in f32.
#[kernel(FakeQuantWithMinMaxVarsPerChannelGradient, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn fake_quant_with_min_max_vars_per_channel_gradient_cpu(
    gradients: &Tensor,
    inputs: &Tensor,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    backprops_wrt_input: &mut Tensor,
    backprop_wrt_min: &mut Tensor,
    backprop_wrt_max: &mut Tensor,
) -> Result<()> {
    let (min, max) = steps::channels(inputs.shape(), min, max)?;
    let given = |(&min, &max)| steps::given(num_bits, narrow_range, min, max);
    let steps = try_collect(min.iter().zip(max).map(given))?.into_iter().collect::<Result<Vec<Option<Steps>>>>()?;
    set_ends(&pass(gradients, inputs, &steps, backprops_wrt_input)?, [backprop_wrt_min, backprop_wrt_max])
}

/// Sets `backprops` to the gradients of values inside the range of their channel, elsewhere to 0. Gives the sums of the
/// gradients of values below and above it, for each channel.
fn pass(gradients: &Tensor, inputs: &Tensor, steps: &[Option<Steps>], backprops: &mut Tensor) -> Result<Vec<[f64; 2]>> {
    let (shape, other) = (gradients.shape(), inputs.shape());
    ensure!(shape == other, "gradients and inputs must have the same shape, they have {shape} and {other}");
    let mut sums = try_filled([0f64; 2], steps.len())?;
    let values = gradients.as_slice::<f32>()?.iter().zip(inputs.as_slice::<f32>()?);
    for (index, ((&gradient, &input), to)) in values.zip(backprops.as_mut_slice::<f32>()?).enumerate() {
        let channel = index % steps.len();
        let [below, above] = &mut sums[channel];
        let (least, most) =
            steps[channel].map_or((f32::NEG_INFINITY, f32::INFINITY), |steps| (steps.least, steps.most));
        *to = if steps[channel].is_none() || (least <= input && input <= most) { gradient } else { gradient * 0.0 };
        // Of ends in the wrong order a value may be below one and above the other.
        if input < least {
            *below += f64::from(gradient);
        }
        if input > most {
            *above += f64::from(gradient);
        }
    }
    Ok(sums)
}

/// Sets the gradients of the ends.
fn set_ends(sums: &[[f64; 2]], ends: [&mut Tensor; 2]) -> Result<()> {
    for (index, end) in ends.into_iter().enumerate() {
        end.as_mut_slice::<f32>()?.iter_mut().zip(sums).for_each(|(to, sums)| *to = sums[index] as f32);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn gradients_pass_inside_the_range() {
        let (gradients, inputs) =
            (Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0]), Tensor::from_slice(&[-9f32, 0.0, 1.0, 99.0]));
        let out = run_one("FakeQuantWithMinMaxArgsGradient", vec![gradients.clone(), inputs.clone()]).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.0, 2.0, 3.0, 0.0]);
        let ends = [Tensor::scalar(-1f32), Tensor::scalar(1f32)];
        let out =
            run("FakeQuantWithMinMaxVarsGradient", &[], [vec![gradients.clone(), inputs], ends.to_vec()].concat());
        let out = out.unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0, 2.0, 3.0, 0.0]);
        assert_eq!([out[1].to_scalar::<f32>().unwrap(), out[2].to_scalar().unwrap()], [1.0, 4.0]);
        let unlike = vec![gradients, Tensor::from_slice(&[1f32])];
        assert!(run("FakeQuantWithMinMaxArgsGradient", &[], unlike).is_err());
    }

    #[test]
    fn channels_have_sums_of_their_own() {
        let gradients = Tensor::from_vec([3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let inputs = Tensor::from_vec([3, 2], vec![-9f32, 9.0, 9.0, 0.0, -8.0, 8.0]).unwrap();
        let ends = [Tensor::from_slice(&[-1f32, 0.0]), Tensor::from_slice(&[1f32, 0.0])];
        let inputs = [vec![gradients, inputs], ends.to_vec()].concat();
        let out = run("FakeQuantWithMinMaxVarsPerChannelGradient", &[], inputs).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0, 2.0, 0.0, 4.0, 0.0, 6.0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [6.0, 0.0]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), [3.0, 0.0]);
        // TensorFlow's sums for ends in the wrong order.
        let column = |values: [f32; 3]| Tensor::from_vec([3, 1], values.to_vec()).unwrap();
        let inputs = vec![column([1.0; 3]), column([3.314, 1.071, -1.22]), [-4f32].into(), [-6f32].into()];
        let out = run("FakeQuantWithMinMaxVarsPerChannelGradient", &[], inputs).unwrap();
        assert_eq!([&out[1], &out[2]].map(|sum| sum.as_slice::<f32>().unwrap()[0]), [1.0, 3.0]);
    }
}
