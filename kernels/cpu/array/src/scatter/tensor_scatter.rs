//! `TensorScatterAdd`, `TensorScatterSub`, `TensorScatterMax`, `TensorScatterMin`, `TensorScatterUpdate` and
//! `ScatterNdNonAliasingAdd`: a tensor with slices combined with it, or written to it, at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of the tensor, and `updates` has the shape
//! `indices[:-1] + tensor[indices.shape[-1]:]`. Coordinates outside are an error; with the attr `bad_indices_policy`
//! `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs it.
//!
//! Slices of equal coordinates are combined one after the other: integers wrap, and the 16-bit floats are rounded after
//! each addition and subtraction; of an update the last one stays. An element of `updates` that is NaN never wins
//! against another as largest or smallest, one of the tensor always. Bools are joined by or in
//! `ScatterNdNonAliasingAdd`.

use super::engine::{Scatter, by_computed, or};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed, Ordered};
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::array::{
    ScatterNdNonAliasingAdd, TensorScatterAdd, TensorScatterMax, TensorScatterMin, TensorScatterSub,
    TensorScatterUpdate,
};

/// `TensorScatterAdd` of numbers.
#[kernel(TensorScatterAdd, device = CPU, T = [numbers], Tindices = any)]
pub fn tensor_scatter_add_cpu<T: Computed<ComputeType: Arithmetic>>(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(tensor.shape(), indices, updates, bad_indices_policy)?;
    change(&scatter, tensor, updates, &mut output, by_computed::<T>(Arithmetic::add))
}

/// `TensorScatterSub` of numbers.
#[kernel(TensorScatterSub, device = CPU, T = [numbers], Tindices = any)]
pub fn tensor_scatter_sub_cpu<T: Computed<ComputeType: Arithmetic>>(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(tensor.shape(), indices, updates, bad_indices_policy)?;
    change(&scatter, tensor, updates, &mut output, by_computed::<T>(Arithmetic::sub))
}

/// `TensorScatterMax` of real numbers.
#[kernel(TensorScatterMax, device = CPU, T = [reals], Tindices = any)]
pub fn tensor_scatter_max_cpu<T: Computed<ComputeType: Ordered>>(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(tensor.shape(), indices, updates, bad_indices_policy)?;
    change(&scatter, tensor, updates, &mut output, by_computed::<T>(|a, b| if a < b { b } else { a }))
}

/// `TensorScatterMin` of real numbers.
#[kernel(TensorScatterMin, device = CPU, T = [reals], Tindices = any)]
pub fn tensor_scatter_min_cpu<T: Computed<ComputeType: Ordered>>(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(tensor.shape(), indices, updates, bad_indices_policy)?;
    change(&scatter, tensor, updates, &mut output, by_computed::<T>(|a, b| if b < a { b } else { a }))
}

/// `TensorScatterUpdate` of numbers, bools and strings.
#[kernel(TensorScatterUpdate, device = CPU, T = [numbers, bool, TString], Tindices = [i32, i64])]
pub fn tensor_scatter_update_cpu(
    tensor: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(tensor.shape(), indices, updates, bad_indices_policy)?;
    let out = output.forward_or_copy(tensor)?;
    with_cells(out.dtype(), Replace { scatter, out, updates })
}

struct Replace<'a> {
    scatter: Scatter,
    out: &'a mut Tensor,
    updates: &'a Tensor,
}

impl CellJob for Replace<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        self.scatter.run(C::of_mut(self.out)?, C::of(self.updates)?, C::clone_from);
        Ok(())
    }
}

/// `ScatterNdNonAliasingAdd` of numbers.
#[kernel(ScatterNdNonAliasingAdd, device = CPU, T = [numbers], Tindices = any)]
pub fn scatter_nd_non_aliasing_add_cpu<T: Computed<ComputeType: Arithmetic>>(
    input: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(input.shape(), indices, updates, bad_indices_policy)?;
    change(&scatter, input, updates, &mut output, by_computed::<T>(Arithmetic::add))
}

/// `ScatterNdNonAliasingAdd` of bools.
#[kernel(ScatterNdNonAliasingAdd, device = CPU, T = [bool], Tindices = any)]
pub fn scatter_nd_non_aliasing_add_bool_cpu(
    input: Input<'_>,
    indices: &Tensor,
    updates: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let scatter = Scatter::new(input.shape(), indices, updates, bad_indices_policy)?;
    change(&scatter, input, updates, &mut output, or)
}

/// Sets the output to `tensor` with `combine` of its elements and those of `updates`.
fn change<T: Element>(
    scatter: &Scatter,
    tensor: Input<'_>,
    updates: &Tensor,
    output: &mut OutputSlot<'_>,
    combine: impl Fn(&mut T, &T),
) -> Result<()> {
    let out = output.forward_or_copy(tensor)?;
    scatter.run(out.as_mut_slice()?, updates.as_slice()?, combine);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn adds() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check(
            "TensorScatterAdd",
            [[1.0f32, 2.0, 3.0].into(), at.clone(), [4.0f32, 5.0, 6.0].into()],
            [6.0f32, 2.0, 13.0],
        );
        check("TensorScatterAdd", [[1u8, 2, 3].into(), at, [4u8, 5, 254].into()], [6u8, 2, 5]);
    }

    #[test]
    fn subtracts() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check(
            "TensorScatterSub",
            [[1.0f32, 2.0, 3.0].into(), at.clone(), [4.0f32, 5.0, 6.0].into()],
            [-4.0f32, 2.0, -7.0],
        );
        check("TensorScatterSub", [[1u8, 2, 3].into(), at, [4u8, 5, 254].into()], [252u8, 2, 1]);
    }

    #[test]
    fn keeps_the_largest() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check("TensorScatterMax", [[1, 2, 3].into(), at.clone(), [4, 0, 2].into()], [1, 2, 4]);
        let nan = f32::NAN;
        check("TensorScatterMax", [[1.0, 2.0, nan].into(), at, [4.0, nan, 6.0].into()], [1.0, 2.0, nan]);
    }

    #[test]
    fn keeps_the_smallest() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check("TensorScatterMin", [[1, 2, 3].into(), at.clone(), [4, 0, 2].into()], [0, 2, 2]);
        let nan = f32::NAN;
        check("TensorScatterMin", [[1.0, 2.0, nan].into(), at, [4.0, nan, 6.0].into()], [1.0, 2.0, nan]);
    }

    #[test]
    fn the_last_slice_stays() {
        let at = Tensor::from_vec([3, 1], vec![2, 0, 2]).unwrap();
        check("TensorScatterUpdate", [[1, 2, 3].into(), at.clone(), [4, 5, 6].into()], [5, 2, 6]);
        let texts = |texts: [&str; 3]| Tensor::from(texts.map(TString::from));
        let inputs = [texts(["a", "b", "c"]), at.clone(), texts(["x", "y", "z"])];
        check("TensorScatterUpdate", inputs, texts(["y", "b", "z"]));
        check_error("TensorScatterUpdate", [[1, 2].into(), at, [4, 5, 6].into()], "does not index into shape [2]");
    }

    #[test]
    fn adds_to_the_input() {
        let at = Tensor::from_vec([2, 1], vec![1i64, 1]).unwrap();
        check("ScatterNdNonAliasingAdd", [[1, 2].into(), at.clone(), [3, 4].into()], [1, 9]);
        check("ScatterNdNonAliasingAdd", [[true, false].into(), at, [false, true].into()], [true, true]);
    }
}
