//! Operands of `Einsum` put in another order, summed over labels, or written to diagonals.

use oplink::device::DeviceContext;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink_ops::linalg::einsum::operand::{LabelAxes, LabelAxis, Operand};

/// Dimensions of the output, and of the elements summed, that the programs take.
const RANK: usize = 6;
const SUMMED_RANK: usize = 4;

/// Axes of an output, innermost first.
#[device_struct]
#[derive(Clone, Copy, Debug)]
struct KeptAxes {
    extents: [u32; 6],
    strides: [u32; 6],
}

/// Axes that are summed over, innermost first.
#[device_struct]
#[derive(Clone, Copy, Debug)]
struct SummedAxes {
    extents: [u32; 4],
    strides: [u32; 4],
}

/// The position along each axis of element `at`.
#[device_fn]
fn position_of(at: u32, extents: [u32; 6]) -> [u32; 6] {
    let [e0, e1, e2, e3, e4, _] = extents;
    let r1 = at / e0;
    let r2 = r1 / e1;
    let r3 = r2 / e2;
    let r4 = r3 / e3;
    [at % e0, r1 % e1, r2 % e2, r3 % e3, r4 % e4, r4 / e4]
}

/// Elements from the first one to the one at a position.
#[device_fn]
fn offset_of(at: [u32; 6], strides: [u32; 6]) -> u32 {
    let near = at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2];
    near + at[3] * strides[3] + at[4] * strides[4] + at[5] * strides[5]
}

/// Writes the program for elements of one type, or of those in the list, summed in the type after `in`.
macro_rules! gather_program {
    (
        $(#[$doc:meta])*
        $name:ident<$($generic:ident: $bound:ident = [$($ty:ident),*])?>($element:ident) in $sum:ident,
        load |$value:ident| $load:expr,
        finish |$total:ident| $finish:expr
    ) => {
        $(#[$doc])*
        #[oplink::program($($generic = [$($ty),*],)? block = 256)]
        fn $name<$($generic: $bound)?>(
            x: &[$element],
            y: &mut [$element],
            outputs: u32,
            count: u32,
            kept: KeptAxes,
            summed: SummedAxes,
        ) {
            let [c0, c1, c2, _] = summed.extents;
            let [t0, t1, t2, t3] = summed.strides;
            for at in grid_stride(outputs) {
                let start = offset_of(position_of(at, kept.extents), kept.strides);
                let mut sum: $sum = 0.0;
                for term in 0..count {
                    let q1 = term / c0;
                    let q2 = q1 / c1;
                    let $value = x[(start + term % c0 * t0 + q1 % c1 * t1 + q2 % c2 * t2 + q2 / c2 * t3) as usize];
                    let number: $sum = $load;
                    sum += number;
                }
                let $total = sum;
                y[at as usize] = $finish;
            }
        }
    };
}

gather_program! {
    /// Sums in single precision.
    gather_floats<T: Float = [f32, f16, bf16]>(T) in f32,
    load |value| value.to_f32(),
    finish |total| T::from_f32(total)
}

gather_program! {
    /// Sums in double precision.
    gather_doubles<>(f64) in f64,
    load |value| value,
    finish |total| total
}

/// `x`, with zeros where two of the positions along the axes of `y` that stand for one of `x` differ.
#[oplink::program(T = [f32, f64, f16, bf16], block = 256)]
fn spread<T: Float>(x: &[T], y: &mut [T], outputs: u32, axes: KeptAxes, twins: u32) {
    for at in grid_stride(outputs) {
        let places = position_of(at, axes.extents);
        let mut is_equal = true;
        for dim in 0..6_u32 {
            let twin = (twins >> (dim * 3)) & 7;
            if places[dim as usize] != places[twin as usize] {
                is_equal = false;
            }
        }
        let from = offset_of(places, axes.strides);
        y[at as usize] = if is_equal { x[from as usize] } else { T::zero() };
    }
}

/// Blocks that every device takes in one direction.
const MOST_BLOCKS: usize = 65_535;

/// Extents and strides from the innermost axis on, padded.
fn padded<const N: usize>(axes: &[LabelAxis]) -> Result<([u32; N], [u32; N])> {
    ensure!(axes.len() <= N, "Einsum on a GPU moves tensors of at most {N} axes, here are {}", axes.len());
    let at = |index: usize| axes.iter().rev().nth(index);
    let extents = std::array::from_fn(|index| at(index).map_or(1, |axis| axis.extent as u32));
    Ok((extents, std::array::from_fn(|index| at(index).map_or(0, |axis| axis.stride as u32))))
}

/// Labels with the strides of a tensor that has them in this order.
pub(super) fn side_by_side(axes: &[LabelAxis]) -> LabelAxes {
    let mut stride = 1;
    let mut axes: LabelAxes = axes.iter().copied().collect();
    for axis in axes.iter_mut().rev() {
        axis.stride = stride;
        stride *= axis.extent;
    }
    axes
}

/// The elements in the order of `kept`, side by side, summed over `summed`: both are axes of the operand.
///
/// # Errors
/// More axes than the programs take, memory runs out, or the device refuses the launch.
pub(super) fn gather(
    device: &dyn DeviceContext,
    operand: &Operand,
    kept: &[LabelAxis],
    summed: &[LabelAxis],
) -> Result<Operand> {
    let x = &operand.tensor;
    let shape: Shape = kept.iter().map(|axis| axis.extent).collect();
    let y = device.allocate(x.dtype(), shape)?;
    let (extents, strides) = padded::<RANK>(kept)?;
    let kept_axes = KeptAxes { extents, strides };
    let (extents, strides) = padded::<SUMMED_RANK>(summed)?;
    let summed_axes = SummedAxes { extents, strides };
    let count = summed.iter().map(|axis| axis.extent).product::<usize>() as u32;
    let outputs = y.num_elements();
    let grid = [outputs.div_ceil(256).min(MOST_BLOCKS) as u32, 1, 1];
    let outputs = outputs as u32;
    let nothing = if x.num_elements() == 0 { Some(device.allocate(x.dtype(), [1].into())?) } else { None };
    let x = nothing.as_ref().unwrap_or(x);
    macro_rules! launch {
        ($program:ident, $($dtype:expr)?) => {
            $program { x, y: &y, outputs, count, kept: kept_axes, summed: summed_axes }.launch(device, $($dtype,)? grid)
        };
    }
    match x.dtype() {
        DType::Double => launch!(gather_doubles,)?,
        dtype => launch!(gather_floats, dtype)?,
    }
    Ok(Operand { tensor: y, axes: side_by_side(kept) })
}

/// Writes `values` where the positions along equal labels of `axes`, those of `y`, are equal, and zeros elsewhere. The
/// strides of `axes` are those in `values`, of the first of equal labels.
///
/// # Errors
/// More axes than the program takes, or the device refuses the launch.
pub(super) fn to_diagonals(device: &dyn DeviceContext, values: &Tensor, y: &Tensor, axes: &[LabelAxis]) -> Result<()> {
    let first = |index: usize| axes.iter().position(|axis| axis.label == axes[index].label).unwrap_or(index);
    let own: LabelAxes = axes
        .iter()
        .enumerate()
        .map(|(index, axis)| if first(index) == index { *axis } else { LabelAxis { stride: 0, ..*axis } })
        .collect();
    let (extents, strides) = padded::<RANK>(&own)?;
    // Dimensions are counted from the innermost on.
    let twin = |dim: usize| if dim < axes.len() { axes.len() - 1 - first(axes.len() - 1 - dim) } else { dim };
    let twins = (0..RANK).fold(0, |twins, dim| twins | (twin(dim) as u32) << (dim * 3));
    let outputs = y.num_elements();
    let grid = [outputs.div_ceil(256).min(MOST_BLOCKS) as u32, 1, 1];
    let outputs = outputs as u32;
    spread { x: values, y, outputs, axes: KeptAxes { extents, strides }, twins }.launch(device, y.dtype(), grid)
}
