//! Operands of `Einsum` put in another order, summed over labels, or written to diagonals.

use oplink::DeviceContext;
use oplink::gpu::{block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_kernels_cpu::linalg::einsum::operand::{LabelAxes, LabelAxis, Operand};

/// Dimensions of the output, and of the elements summed, that the programs take.
const RANK: usize = 6;
const SUMMED_RANK: usize = 4;

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
            e0: u32,
            e1: u32,
            e2: u32,
            e3: u32,
            e4: u32,
            s0: u32,
            s1: u32,
            s2: u32,
            s3: u32,
            s4: u32,
            s5: u32,
            c0: u32,
            c1: u32,
            c2: u32,
            t0: u32,
            t1: u32,
            t2: u32,
            t3: u32,
        ) {
            let mut at = block_index().x as u32 * 256 + thread_index().x as u32;
            while at < outputs {
                let r1 = at / e0;
                let r2 = r1 / e1;
                let r3 = r2 / e2;
                let r4 = r3 / e3;
                let start = at % e0 * s0 + r1 % e1 * s1 + r2 % e2 * s2 + r3 % e3 * s3 + r4 % e4 * s4 + r4 / e4 * s5;
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
                at += grid_dim().x as u32 * 256;
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
fn spread<T: Float>(
    x: &[T],
    y: &mut [T],
    outputs: u32,
    e0: u32,
    e1: u32,
    e2: u32,
    e3: u32,
    e4: u32,
    s0: u32,
    s1: u32,
    s2: u32,
    s3: u32,
    s4: u32,
    s5: u32,
    twins: u32,
) {
    let mut at = block_index().x as u32 * 256 + thread_index().x as u32;
    while at < outputs {
        let r1 = at / e0;
        let r2 = r1 / e1;
        let r3 = r2 / e2;
        let r4 = r3 / e3;
        let mut places = [0_u32; 6];
        places[0] = at % e0;
        places[1] = r1 % e1;
        places[2] = r2 % e2;
        places[3] = r3 % e3;
        places[4] = r4 % e4;
        places[5] = r4 / e4;
        let mut is_equal = true;
        for dim in 0..6_u32 {
            let twin = (twins >> (dim * 3)) & 7;
            if places[dim as usize] != places[twin as usize] {
                is_equal = false;
            }
        }
        let from = places[0] * s0 + places[1] * s1 + places[2] * s2 + places[3] * s3 + places[4] * s4 + places[5] * s5;
        y[at as usize] = if is_equal { x[from as usize] } else { T::zero() };
        at += grid_dim().x as u32 * 256;
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
    let ([e0, e1, e2, e3, e4, _], [s0, s1, s2, s3, s4, s5]) = padded::<RANK>(kept)?;
    let ([c0, c1, c2, _], [t0, t1, t2, t3]) = padded::<SUMMED_RANK>(summed)?;
    let count = summed.iter().map(|axis| axis.extent).product::<usize>() as u32;
    let outputs = y.num_elements();
    let grid = [outputs.div_ceil(256).min(MOST_BLOCKS) as u32, 1, 1];
    let outputs = outputs as u32;
    let nothing = if x.num_elements() == 0 { Some(device.allocate(x.dtype(), [1].into())?) } else { None };
    let x = nothing.as_ref().unwrap_or(x);
    macro_rules! launch {
        ($program:ident, $($dtype:expr)?) => {
            $program::launch(
                device, $($dtype,)? grid, x, &y, outputs, count, e0, e1, e2, e3, e4, s0, s1, s2, s3, s4, s5, c0, c1, c2, t0,
                t1, t2, t3,
            )
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
    let ([e0, e1, e2, e3, e4, _], [s0, s1, s2, s3, s4, s5]) = padded::<RANK>(&own)?;
    // Dimensions are counted from the innermost on.
    let twin = |dim: usize| if dim < axes.len() { axes.len() - 1 - first(axes.len() - 1 - dim) } else { dim };
    let twins = (0..RANK).fold(0, |twins, dim| twins | (twin(dim) as u32) << (dim * 3));
    let outputs = y.num_elements();
    let grid = [outputs.div_ceil(256).min(MOST_BLOCKS) as u32, 1, 1];
    let outputs = outputs as u32;
    spread::launch(device, y.dtype(), grid, values, y, outputs, e0, e1, e2, e3, e4, s0, s1, s2, s3, s4, s5, twins)
}
