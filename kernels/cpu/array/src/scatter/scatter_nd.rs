//! `ScatterNd`: zeros with slices added at coordinates.
//!
//! `shape` is the output's; the last axis of `indices` holds coordinates along its leading axes, and `updates` has the
//! shape `indices[:-1] + shape[indices.shape[-1]:]`. Slices of equal coordinates add up: integers wrap, bools are
//! joined by or, strings one behind the other. Coordinates outside are an error; with the attr `bad_indices_policy`
//! `IGNORE` their slices are left out.

use super::engine::{Scatter, by_computed, or};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement;
use oplink_ops::array::{ScatterNd, scatter_nd_shape};

/// `ScatterNd` of numbers.
#[kernel(ScatterNd, device = CPU, T = [numbers], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_cpu<T: Computed<ComputeType: Arithmetic>>(
    indices: &Tensor,
    updates: &Tensor,
    shape: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (scatter, out) = zeros(indices, updates, shape, bad_indices_policy, &mut output, env)?;
    scatter.run(out.as_mut_slice::<T>()?, updates.as_slice()?, by_computed::<T>(Arithmetic::add));
    Ok(())
}

/// `ScatterNd` of bools.
#[kernel(ScatterNd, device = CPU, T = [bool], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_bool_cpu(
    indices: &Tensor,
    updates: &Tensor,
    shape: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (scatter, out) = zeros(indices, updates, shape, bad_indices_policy, &mut output, env)?;
    scatter.run(out.as_mut_slice()?, updates.as_slice()?, or);
    Ok(())
}

/// `ScatterNd` of strings.
#[kernel(ScatterNd, device = CPU, T = [TString], Tindices = [i32, i64], host_memory = [shape])]
pub fn scatter_nd_string_cpu(
    indices: &Tensor,
    updates: &Tensor,
    shape: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (scatter, out) = zeros(indices, updates, shape, bad_indices_policy, &mut output, env)?;
    scatter.run(out.as_mut_slice()?, updates.as_slice()?, |sum: &mut TString, value: &TString| {
        *sum = TString::new([sum.as_bytes(), value.as_bytes()].concat());
    });
    Ok(())
}

/// Where the slices go, and the output, set to zeros of the shape in `shape`.
fn zeros<'o>(
    indices: &Tensor,
    updates: &Tensor,
    shape: &Tensor,
    policy: &str,
    output: &'o mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<(Scatter, &'o mut Tensor)> {
    let shape = scatter_nd_shape(shape)?;
    let scatter = Scatter::new(&shape, indices, updates, policy)?;
    let out = output.allocate(shape)?;
    movement::fill(&env, out, None)?;
    Ok((scatter, out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

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
