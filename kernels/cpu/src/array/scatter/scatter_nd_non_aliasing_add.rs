//! `ScatterNdNonAliasingAdd`: a tensor with slices added at coordinates.
//!
//! Coordinates, shapes and errors as for `ScatterNd`; bools are joined by or. The output takes the input's memory where
//! nobody else needs it.

use oplink::prelude::*;

use super::engine::{Scatter, add, or};
use crate::support::elementwise::{Arithmetic, Lanes};

/// `input` with the slices of `updates` added at coordinates.
#[op("ScatterNdNonAliasingAdd",
     input = "input: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct ScatterNdNonAliasingAdd;

/// `ScatterNdNonAliasingAdd` of numbers.
#[kernel(ScatterNdNonAliasingAdd, device = CPU, T = [numbers], Tindices = any)]
pub fn scatter_nd_non_aliasing_add_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    onto_input::<T>(context, add)
}

/// `ScatterNdNonAliasingAdd` of bools.
#[kernel(ScatterNdNonAliasingAdd, device = CPU, T = [bool], Tindices = any)]
pub fn scatter_nd_non_aliasing_add_bool_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    onto_input::<bool>(context, or)
}

fn onto_input<T: Element>(context: &mut KernelContext<'_>, combine: impl Fn(&mut T, &T)) -> Result<()> {
    let scatter = Scatter::new(context, context.input(0).shape(), context.input(1), context.input(2))?;
    let mut out = context.take_input(0).make_unique()?;
    scatter.run(out.as_mut_slice::<T>()?, context.input(2).as_slice::<T>()?, combine);
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn adds_to_the_input() {
        let at = Tensor::from_vec([2, 1], vec![1i64, 1]).unwrap();
        check("ScatterNdNonAliasingAdd", [[1, 2].into(), at.clone(), [3, 4].into()], [1, 9]);
        check("ScatterNdNonAliasingAdd", [[true, false].into(), at, [false, true].into()], [true, true]);
    }
}
