//! `ScatterNd`: zeros with slices added at coordinates.
//!
//! `shape` is the output's; the last axis of `indices` holds coordinates along its leading axes, and `updates` has the
//! shape `indices[:-1] + shape[indices.shape[-1]:]`. Slices of equal coordinates add up: integers wrap, bools are joined
//! by or, strings one behind the other. Coordinates outside are an error; with the attr `bad_indices_policy` `IGNORE`
//! their slices are left out.

use oplink::prelude::*;

use super::super::arguments;
use super::engine::{Scatter, add, or};
use crate::support::elementwise::{Arithmetic, Lanes};
use crate::support::movement;

/// Zeros of shape `shape` with the slices of `updates` added at coordinates.
#[op("ScatterNd",
     input = "indices: Tindices",
     input = "updates: T",
     input = "shape: Tindices",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int16, int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd)]
pub struct ScatterNd;

/// `ScatterNd` of numbers.
#[kernel(ScatterNd, device = CPU, T = [numbers], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    onto_zeros::<T>(context, add)
}

/// `ScatterNd` of bools.
#[kernel(ScatterNd, device = CPU, T = [bool], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_bool_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    onto_zeros::<bool>(context, or)
}

/// `ScatterNd` of strings.
#[kernel(ScatterNd, device = CPU, T = [TString], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_string_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    onto_zeros::<TString>(context, |sum, value| *sum = TString::new([sum.as_bytes(), value.as_bytes()].concat()))
}

/// The output's shape, which the input `shape` holds.
///
/// # Errors
/// It is none.
pub fn scatter_nd_shape(context: &KernelContext<'_>) -> Result<Shape> {
    arguments::shape(context, 2, "shape")
}

fn onto_zeros<T: Element>(context: &mut KernelContext<'_>, combine: impl Fn(&mut T, &T)) -> Result<()> {
    let shape = scatter_nd_shape(context)?;
    let updates = context.input(1);
    let scatter = Scatter::new(context, &shape, context.input(0), updates)?;
    let mut out = context.allocate_output(0, shape)?;
    movement::fill(&mut out, None)?;
    scatter.run(out.as_mut_slice::<T>()?, updates.as_slice::<T>()?, combine);
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    fn column(values: Vec<i32>) -> Tensor {
        Tensor::from_vec([values.len(), 1], values).unwrap()
    }

    #[test]
    fn adds_slices() {
        check("ScatterNd", [column(vec![0, 2, 0]), [1, 2, 3].into(), [4].into()], [4, 0, 2, 0]);
        check("ScatterNd", [column(vec![0, 2]), [false, true].into(), [3].into()], [false, false, true]);
        let texts = ["a", "b"].map(TString::from);
        check("ScatterNd", [column(vec![1, 1]), texts.into(), [2].into()], ["", "ab"].map(TString::from));
        let rows = Tensor::from_vec([1, 2], vec![7u8, 8]).unwrap();
        let out = Tensor::from_vec([2, 2], vec![0u8, 0, 7, 8]).unwrap();
        check("ScatterNd", [column(vec![1]), rows, [2, 2].into()], out);
    }

    #[test]
    fn coordinates_and_shapes_must_fit() {
        let inputs = || [column(vec![0, 4]), [1, 2].into(), [4].into()];
        check_error("ScatterNd", inputs(), "indices[1] = [4] does not index into shape [4]");
        check_with("ScatterNd", &[("bad_indices_policy", "IGNORE".into())], inputs(), [1, 0, 0, 0]);
        check_error("ScatterNd", [column(vec![0]), [1, 2].into(), [4].into()], "do not fit indices");
        check_error("ScatterNd", [column(vec![0]), [1].into(), [-4].into()], "must be >= 0");
    }
}
