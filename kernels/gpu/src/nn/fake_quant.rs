//! Fake quantization: values rounded to the steps of a range, which include 0, and its gradients. Ranges are attrs, or
//! in the device's memory: one for all values, or one for each channel.

use oplink::device::DeviceContext;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::nn::{
    FakeQuantWithMinMaxArgs, FakeQuantWithMinMaxArgsGradient, FakeQuantWithMinMaxVars, FakeQuantWithMinMaxVarsGradient,
    FakeQuantWithMinMaxVarsPerChannel, FakeQuantWithMinMaxVarsPerChannelGradient,
};

use super::channels::Channels;
use super::extents::extent;
use super::parts::add_up;
use crate::movement::clear;

/// Ranges, as programs take them.
#[device_struct]
#[derive(Clone, Copy, Debug)]
struct Ranges {
    /// The number of the lowest step.
    lowest: u32,
    /// The number of the highest step.
    highest: u32,
    /// Ranges that there are; 0 for the one of attrs.
    channels: u32,
    /// The range of attrs.
    min: f32,
    max: f32,
    /// Whether the number of steps a unit is rounded once.
    is_counted: bool,
}

impl Ranges {
    fn new(bits: i64, narrow_range: bool, channels: usize, [min, max]: [f32; 2], is_counted: bool) -> Result<Self> {
        ensure!((2..=16).contains(&bits), "num_bits must be between 2 and 16, inclusive, it is {bits}");
        let highest = (1 << bits) - 1;
        Ok(Self { lowest: narrow_range.into(), highest, channels: extent(channels)?, min, max, is_counted })
    }

    /// Of attrs.
    fn of_attrs(bits: i64, narrow_range: bool, ends: [f32; 2]) -> Result<Self> {
        let [min, max] = ends;
        ensure!(min < max, "min has to be smaller than max, they are {min} and {max}");
        Self::new(bits, narrow_range, 0, ends, true)
    }

    /// Of scalars.
    fn of_scalars(bits: i64, narrow_range: bool, ends: [&Tensor; 2]) -> Result<Self> {
        for (name, end) in ["min", "max"].into_iter().zip(ends) {
            ensure!(end.rank() == 0, "{name} must be a scalar, its rank is {}", end.rank());
        }
        Self::new(bits, narrow_range, 1, [0.0; 2], false)
    }

    /// Of the channels of `inputs`, its last axis.
    fn of_channels(bits: i64, narrow_range: bool, inputs: &Shape, ends: [&Tensor; 2]) -> Result<Self> {
        let Some(&count) = inputs.last() else { bail!("inputs must have channels, their shape is {inputs}") };
        for (name, end) in ["min", "max"].into_iter().zip(ends) {
            let shape = end.shape();
            ensure!(shape.dims() == [count], "{name} must be a vector of {count} channels, its shape is {shape}");
        }
        Self::new(bits, narrow_range, count, [0.0; 2], true)
    }
}

/// `FakeQuantWithMinMaxArgs` in the device's memory.
///
/// # Errors
/// A range or a number of bits that cannot be; the device refuses.
#[kernel(FakeQuantWithMinMaxArgs, device = GPU)]
pub fn fake_quant_with_min_max_args_gpu(
    inputs: &Tensor,
    min: f32,
    max: f32,
    num_bits: i64,
    narrow_range: bool,
    outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    quantize(inputs, [inputs; 2], Ranges::of_attrs(num_bits, narrow_range, [min, max])?, outputs, env)
}

/// `FakeQuantWithMinMaxVars` in the device's memory.
///
/// # Errors
/// Ends that are no scalars, or a number of bits that cannot be; the device refuses.
#[kernel(FakeQuantWithMinMaxVars, device = GPU)]
pub fn fake_quant_with_min_max_vars_gpu(
    inputs: &Tensor,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    quantize(inputs, [min, max], Ranges::of_scalars(num_bits, narrow_range, [min, max])?, outputs, env)
}

/// `FakeQuantWithMinMaxVarsPerChannel` in the device's memory.
///
/// # Errors
/// Ends that are no ranges of the channels, or a number of bits that cannot be; the device refuses.
#[kernel(FakeQuantWithMinMaxVarsPerChannel, device = GPU)]
pub fn fake_quant_with_min_max_vars_per_channel_gpu(
    inputs: &Tensor,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let ranges = Ranges::of_channels(num_bits, narrow_range, inputs.shape(), [min, max])?;
    quantize(inputs, [min, max], ranges, outputs, env)
}

fn quantize(
    inputs: &Tensor,
    [min, max]: [&Tensor; 2],
    ranges: Ranges,
    mut outputs: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let outputs = outputs.allocate(inputs.shape().clone())?;
    let count = outputs.num_elements();
    if count == 0 {
        return Ok(());
    }
    quantized { inputs, min, max, outputs, ranges, count: extent(count)? }
        .launch(env.device()?, quantized::blocks(count))
}

/// `FakeQuantWithMinMaxArgsGradient` in the device's memory.
///
/// # Errors
/// As for the op; shapes that differ.
#[kernel(FakeQuantWithMinMaxArgsGradient, device = GPU)]
pub fn fake_quant_with_min_max_args_gradient_gpu(
    gradients: &Tensor,
    inputs: &Tensor,
    min: f32,
    max: f32,
    num_bits: i64,
    narrow_range: bool,
    backprops: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let ranges = Ranges::of_attrs(num_bits, narrow_range, [min, max])?;
    pass([gradients, inputs], [inputs; 2], ranges, backprops, None, env)
}

/// `FakeQuantWithMinMaxVarsGradient` in the device's memory.
///
/// # Errors
/// As for the op; shapes that differ.
#[kernel(FakeQuantWithMinMaxVarsGradient, device = GPU)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn fake_quant_with_min_max_vars_gradient_gpu(
    gradients: &Tensor,
    inputs: &Tensor,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    backprops_wrt_input: OutputSlot<'_>,
    backprop_wrt_min: OutputSlot<'_>,
    backprop_wrt_max: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let ranges = Ranges::of_scalars(num_bits, narrow_range, [min, max])?;
    let ends = Some([backprop_wrt_min, backprop_wrt_max]);
    pass([gradients, inputs], [min, max], ranges, backprops_wrt_input, ends, env)
}

/// `FakeQuantWithMinMaxVarsPerChannelGradient` in the device's memory.
///
/// # Errors
/// As for the op; shapes that differ.
#[kernel(FakeQuantWithMinMaxVarsPerChannelGradient, device = GPU)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn fake_quant_with_min_max_vars_per_channel_gradient_gpu(
    gradients: &Tensor,
    inputs: &Tensor,
    min: &Tensor,
    max: &Tensor,
    num_bits: i64,
    narrow_range: bool,
    backprops_wrt_input: OutputSlot<'_>,
    backprop_wrt_min: OutputSlot<'_>,
    backprop_wrt_max: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let ranges = Ranges::of_channels(num_bits, narrow_range, inputs.shape(), [min, max])?;
    let ends = Some([backprop_wrt_min, backprop_wrt_max]);
    pass([gradients, inputs], [min, max], ranges, backprops_wrt_input, ends, env)
}

/// Sets `backprops` to the gradients of values inside of their range, elsewhere to 0, and `ends` to the sums of the
/// gradients of values below and above.
fn pass(
    [gradients, inputs]: [&Tensor; 2],
    [min, max]: [&Tensor; 2],
    ranges: Ranges,
    mut backprops: OutputSlot<'_>,
    ends: Option<[OutputSlot<'_>; 2]>,
    env: Env<'_>,
) -> Result<()> {
    let (shape, other) = (gradients.shape(), inputs.shape());
    ensure!(shape == other, "gradients and inputs must have the same shape, they have {shape} and {other}");
    let backprops = backprops.allocate(shape.clone())?;
    let (device, count) = (env.device()?, backprops.num_elements());
    side(device, [gradients, inputs, min, max, backprops], ranges, 0)?;
    let Some(ends) = ends else { return Ok(()) };
    let channels = ranges.channels as usize;
    let layout = match channels {
        1 => Channels { items: 1, channels, inner: count },
        _ => Channels { items: count / channels.max(1), channels, inner: 1 },
    };
    let outside = device.allocate(DType::Float, shape.clone())?;
    for (number, mut end) in ends.into_iter().enumerate() {
        let end = end.allocate(min.shape().clone())?;
        if count == 0 {
            if end.num_elements() > 0 {
                clear(device, end)?;
            }
            continue;
        }
        side(device, [gradients, inputs, min, max, &outside], ranges, number as u32 + 1)?;
        add_up(device, &layout.sums(device, &outside)?, 1.0, end)?;
    }
    Ok(())
}

/// Sets the last tensor to the gradients of values on one side: 0 inside of the range, 1 below, 2 above.
fn side(
    device: &dyn DeviceContext,
    [gradients, inputs, min, max, out]: [&Tensor; 5],
    ranges: Ranges,
    side: u32,
) -> Result<()> {
    let count = out.num_elements();
    if count == 0 {
        return Ok(());
    }
    gradients_of_side { gradients, inputs, min, max, out, ranges, side, count: extent(count)? }
        .launch(device, gradients_of_side::blocks(count))
}

/// The range of an element.
#[device_fn]
fn range_of(min: &[f32], max: &[f32], ranges: Ranges, at: u32) -> (f32, f32) {
    let mut low = ranges.min;
    let mut high = ranges.max;
    if ranges.channels > 0 {
        low = min[(at % ranges.channels) as usize];
        high = max[(at % ranges.channels) as usize];
    }
    (low, high)
}

/// The least and the most step of a range that is shifted so that 0 is one, and their distance.
#[device_fn]
fn steps_of(low: f32, high: f32, ranges: Ranges) -> (f32, f32, f32) {
    let lowest = ranges.lowest as f32;
    let highest = ranges.highest as f32;
    let scale = (high - low) / (highest - lowest);
    let mut zero = (lowest - low / scale).round();
    if zero < lowest {
        zero = lowest;
    }
    if zero > highest {
        zero = highest;
    }
    ((lowest - zero) * scale, (highest - zero) * scale, scale)
}

/// A thread for each value.
#[program(block = 256)]
fn quantized(inputs: &[f32], min: &[f32], max: &[f32], outputs: &mut [f32], ranges: Ranges, count: u32) {
    for at in grid_stride(count) {
        let (low, high) = range_of(min, max, ranges, at);
        let (least, most, scale) = steps_of(low, high, ranges);
        let mut x = inputs[at as usize];
        if x > most {
            x = most;
        }
        if x < least {
            x = least;
        }
        let a_unit = ((most - least) / scale).round() / (high - low);
        let above = x - least;
        let zero = ((if ranges.is_counted { -least * a_unit } else { -least / scale }) + 0.5).floor();
        let steps = if ranges.is_counted { above * a_unit } else { above / scale };
        let mut value = (steps - zero + 0.5).floor() * scale;
        if ranges.channels > 0 && low == 0.0 && high == 0.0 {
            value = 0.0;
        }
        outputs[at as usize] = value;
    }
}

/// A thread for each value. `side` is 0 for values inside of their range, 1 for those below, 2 for those above.
#[program(block = 256)]
fn gradients_of_side(
    gradients: &[f32],
    inputs: &[f32],
    min: &[f32],
    max: &[f32],
    out: &mut [f32],
    ranges: Ranges,
    side: u32,
    count: u32,
) {
    for at in grid_stride(count) {
        let (low, high) = range_of(min, max, ranges, at);
        let (least, most, _) = steps_of(low, high, ranges);
        let is_whole = ranges.channels > 0 && low == 0.0 && high == 0.0;
        let x = inputs[at as usize];
        let mut is_there = is_whole || (x >= least && x <= most);
        if side == 1 {
            is_there = !is_whole && x < least;
        }
        if side == 2 {
            is_there = !is_whole && x > most;
        }
        let gradient = gradients[at as usize];
        let mut value = gradient;
        if !is_there {
            value = if side == 0 { gradient * 0.0 } else { 0.0 };
        }
        out[at as usize] = value;
    }
}
