//! `Gather` and `GatherV2`: slices of a tensor by index along one axis.
//!
//! With `axis` and the attr `batch_dims` (negative ones count from the end), the output has the shape
//! `params[:axis] + indices[batch_dims:] + params[axis+1:]`; `Gather` has axis 0 and no batch. The first `batch_dims`
//! extents of both are equal and go side by side; `axis` is not among them. Every dtype. An index outside `[0, n)` of
//! its axis is an error, unless axes before it are empty and none is used.

use super::super::arguments;
use oplink::memory::{try_collect, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Axis, copy_axes_into};
use oplink_ops::array::{Gather, GatherLayout, GatherV2};

/// `Gather` and `GatherV2` of every dtype.
#[kernel(Gather, device = CPU, Tparams = any, Tindices = any)]
#[kernel(GatherV2, device = CPU, Tparams = any, Tindices = any, Taxis = any, host_memory = [axis])]
pub fn gather_cpu(
    params: &Tensor,
    indices: &Tensor,
    axis: Option<&Tensor>,
    batch_dims: Option<i64>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = axis.map_or(Ok(0), |axis| arguments::scalar(axis, "axis"))?;
    gathered(params, indices, axis, batch_dims.unwrap_or(0), &mut output, env)
}

/// Sets the output to the slices of `params` along `axis` that `indices` pick.
///
/// # Errors
/// The shapes do not fit, an index is outside of the axis, or memory runs out.
pub fn gathered(
    params: &Tensor,
    indices: &Tensor,
    axis: i64,
    batch_dims: i64,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let layout = GatherLayout::of(params.shape(), indices.shape(), axis, batch_dims)?;
    let GatherLayout { shape, axis, batch, outer, extent, inner } = layout;
    let indices = int_values(indices)?;
    let outside = |index: &i64| !(0..extent as i64).contains(index);
    if outer > 0
        && let Some(at) = env.watch(&indices).position(outside)
    {
        let index = indices[at];
        bail!("indices[{at}] = {index} is not in [0, {extent}), axis {axis} of params of shape {}", params.shape());
    }
    let out = output.allocate(shape)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let table = try_collect(env.watch(&indices).map(|&index| index as isize * inner as isize))?;
    let slice = Axis::Strided { count: inner, stride: 1 };
    if batch == 1 {
        let outer = Axis::Strided { count: outer, stride: (extent * inner) as isize };
        return copy_axes_into(&env, out, params, 0, &[outer, Axis::Table(&table), slice]);
    }
    let picked = table.len() / batch;
    let mut tables = try_vec(batch * outer * picked)?;
    for (number, table) in table.chunks_exact(picked).enumerate() {
        for row in env.watch(0..outer) {
            let base = ((number * outer + row) * extent * inner) as isize;
            tables.extend(table.iter().map(|offset| base + offset));
        }
    }
    copy_axes_into(&env, out, params, 0, &[Axis::Table(&tables), slice])
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn gather_v2(params: &Tensor, indices: Tensor, axis: i32, batch_dims: i64) -> Result<Tensor> {
        let inputs = vec![params.clone(), indices, Tensor::scalar(axis)];
        Ok(run("GatherV2", &[("batch_dims", batch_dims.into())], inputs)?.remove(0))
    }

    #[test]
    fn picks_along_an_axis() {
        let x = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let out = gather_v2(&x, Tensor::from([2i16, 0]), -1, 0).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 2][..], &[3, 1, 6, 4][..]));
        let out = gather_v2(&x, Tensor::scalar(1i64), 0, 0).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[3][..], &[4, 5, 6][..]));
        let out = gather_v2(&x, Tensor::from_vec([2, 1], vec![2, 0]).unwrap(), 1, 1).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 1][..], &[3, 4][..]));
    }

    #[test]
    fn indices_and_batches_outside_are_errors() {
        let x = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        for index in [3, -1] {
            assert!(gather_v2(&x, Tensor::from([index]), 1, 0).is_err());
            let nothing = Tensor::zeros(DType::Int32, [0, 3]).unwrap();
            assert_eq!(gather_v2(&nothing, Tensor::from([index]), 1, 0).unwrap().shape().dims(), [0, 1]);
        }
        assert!(gather_v2(&x, Tensor::from([0]), 0, 1).is_err());
        assert!(gather_v2(&x, Tensor::from_vec([3, 1], vec![0; 3]).unwrap(), 1, 1).is_err());
        assert!(gather_v2(&Tensor::scalar(1), Tensor::from([0]), 0, 0).is_err());
    }
}
