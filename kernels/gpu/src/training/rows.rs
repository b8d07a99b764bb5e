//! What the optimisers of rows share: which rows of the variables a gradient is for, and one launch over them.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink_ops::training::{Slots, row_length};

use super::slots::{check_scalars, writable};
use crate::movement::words;
use crate::scatter::ScatterIndices;

/// What an optimiser's program over rows is launched on.
pub(super) struct Rows<'a> {
    pub(super) device: &'a dyn DeviceContext,
    pub(super) dtype: DType,
    /// For each row of the gradient the number of the variables' row.
    pub(super) numbers: Tensor,
    /// For each row of the variables the first row of the gradient.
    pub(super) firsts: Tensor,
    /// The last one.
    pub(super) lasts: Tensor,
    /// Elements of a row.
    pub(super) length: u32,
    /// Elements of the gradient.
    pub(super) total: u32,
}

/// Launches a program that updates rows of variables, those that the vector of indices names, by the rows of the
/// gradient. A row that is named several times is updated as often, in this order; one that does not exist is left out.
/// The scalars are in the device's memory.
///
/// # Errors
/// The shapes or dtypes do not fit, or what `launch` returns.
pub(super) fn apply_rows<'c, const N: usize, const S: usize>(
    variables: [&Input<'c>; N],
    scalars: [&Input<'c>; S],
    [gradient, indices]: [&Tensor; 2],
    env: Env<'_>,
    launch: impl FnOnce(&Rows<'_>, [&Tensor; N]) -> Result<()>,
) -> Result<()> {
    check_scalars(&scalars)?;
    let slots = Slots::of(variables)?;
    let mut guards = slots.lock(gradient.dtype())?;
    let shape = guards[0].value()?.shape().clone();
    let length = row_length(&shape, gradient.shape(), indices.shape())?;
    if gradient.num_elements() == 0 || shape.num_elements() == 0 {
        return Ok(());
    }
    let device = env.device()?;
    let locations = ScatterIndices::of(device, indices, indices.num_elements(), &shape[..1])?;
    let marks = locations.marks(device)?;
    let rows = Rows {
        device,
        dtype: gradient.dtype(),
        numbers: locations.numbers,
        firsts: marks.firsts,
        lasts: marks.lasts,
        length: words(length)?,
        total: words(gradient.num_elements())?,
    };
    launch(&rows, writable(&mut guards, env)?)
}

/// An optimiser of rows: its kernel, and its program, which says what it does with the values of the variables at a
/// position, for each gradient there. The first thread of a row goes over all of its gradients.
macro_rules! rows_kernel {
    (#[kernel($op:ident $($keys:tt)*)]
        $kernel:ident by $name:ident($($slot:ident: $value:ident),*; $($scalar:ident),*; $($flag:ident),*), |$grad:ident| { $($step:tt)* }
    ) => {
        #[doc = concat!("Steps of `", stringify!($op), "`.")]
        #[program(block = 256, T = [f32, f16])]
        fn $name<T: Float>(
            $($slot: &mut [T],)*
            $($scalar: &[T],)*
            gradients: &[T],
            numbers: &[u32],
            firsts: &[u32],
            lasts: &[u32],
            length: u32,
            total: u32,
            $($flag: bool,)*
        ) {
            let first = block_index().x * block_dim().x + thread_index().x;
            for at in (first..total as usize).step_by(grid_dim().x * block_dim().x) {
                let row = at as u32 / length;
                let column = at as u32 % length;
                let number = numbers[row as usize];
                if number != u32::MAX && firsts[number as usize] == row {
                    let place = (number * length + column) as usize;
                    let last = lasts[number as usize];
                    $(let mut $value = $slot[place];)*
                    let mut other = row;
                    while other <= last {
                        if numbers[other as usize] == number {
                            let $grad = gradients[(other * length + column) as usize];
                            $($step)*
                        }
                        other += 1;
                    }
                    $($slot[place] = $value;)*
                }
            }
        }

        #[doc = concat!("`", stringify!($op), "` in the device's memory.")]
        #[oplink::kernel($op $($keys)*)]
        pub fn $kernel(
            $($slot: Input<'_>,)*
            $($scalar: Input<'_>,)*
            grad: &Tensor,
            indices: &Tensor,
            $($flag: bool,)*
            env: Env<'_>,
        ) -> Result<()> {
            apply_rows([$(&$slot),*], [$(&$scalar),*], [grad, indices], env, |on, [$($slot),*]| {
                let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
                $name {
                    $($slot,)*
                    $($scalar: &$scalar,)*
                    gradients: grad,
                    numbers,
                    firsts,
                    lasts,
                    length: *length,
                    total: *total,
                    $($flag,)*
                }
                .launch(*device, *dtype, $name::blocks(*total as usize))
            })
        }
    };
}
pub(super) use rows_kernel;
