//! What the optimisers of rows share: which rows of the variables a gradient is for, and one launch over them.

use oplink::prelude::*;
use oplink::{DeviceContext, ensure};
use oplink_cpu_training::rows::row_length;
use oplink_cpu_training::slots::Slots;

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

/// Launches a program that updates rows of the variables in the first `N` inputs, those that the vector in input `indices` names, by
/// the rows of the gradient in input `gradient`. A row that is named several times is updated as often, in this order; one that
/// does not exist is left out. The other inputs are scalars in the device's memory.
///
/// # Errors
/// The shapes or dtypes do not fit, or what `launch` returns.
pub(super) fn apply_rows<const N: usize>(
    context: &KernelContext<'_>,
    gradient: usize,
    indices: usize,
    launch: impl FnOnce(&Rows<'_>, [&Tensor; N]) -> Result<()>,
) -> Result<()> {
    for index in (N..context.num_inputs()).filter(|index| ![gradient, indices].contains(index)) {
        let (name, shape) = (&context.node().op.inputs[index].name, context.input(index).shape());
        ensure!(shape.rank() == 0, "`{name}` must be a scalar, it has shape {shape}");
    }
    let (gradient, indices, slots) = (context.input(gradient), context.input(indices), Slots::<N>::of(context)?);
    let mut guards = slots.lock(context, gradient.dtype())?;
    let shape = guards[0].value()?.shape().clone();
    let length = row_length(&shape, gradient.shape(), indices.shape())?;
    if gradient.num_elements() == 0 || shape.num_elements() == 0 {
        return Ok(());
    }
    let device = context.device()?;
    let places = ScatterIndices::of(device, indices, indices.num_elements(), &shape[..1])?;
    let marks = places.marks(device)?;
    let values = guards.iter_mut().map(|guard| guard.value_mut(context.env()).map(|value| &*value));
    let values: Result<[&Tensor; N], _> = values.collect::<Result<Vec<_>>>()?.try_into();
    let values = values.map_err(|_| Error::internal("as many values as variables"))?;
    let rows = Rows {
        device,
        dtype: gradient.dtype(),
        numbers: places.numbers,
        firsts: marks.firsts,
        lasts: marks.lasts,
        length: words(length)?,
        total: words(gradient.num_elements())?,
    };
    launch(&rows, values)
}

/// A program over rows: what it does with the values of the slots at a position, for each gradient there. The first thread of a
/// row goes over all of its gradients.
macro_rules! rows_program {
    (
        $(#[$doc:meta])*
        $name:ident($($slot:ident: $value:ident),*; $($scalar:ident),*; $($flag:ident),*), |$grad:ident| { $($step:tt)* }
    ) => {
        $(#[$doc])*
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
    };
}
pub(super) use rows_program;
