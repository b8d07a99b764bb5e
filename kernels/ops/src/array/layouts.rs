//! How the tensors of gathers and scatters are made up.

use oplink::prelude::*;

use crate::arguments;

/// How a gather's tensors are made up: `params` of `batch` x `outer` x `extent` x `inner`, `indices` of `batch` x as
/// many as are picked.
#[derive(Clone, Debug)]
pub struct GatherLayout {
    /// The output's shape.
    pub shape: Shape,
    /// The axis whose positions are picked.
    pub axis: usize,
    /// Batches that go side by side.
    pub batch: usize,
    /// Positions of the axes before the picked one, batches aside.
    pub outer: usize,
    /// The extent of the picked axis.
    pub extent: usize,
    /// Elements of a slice.
    pub inner: usize,
}

impl GatherLayout {
    /// Of slices of `params` along `axis` that `indices` pick.
    ///
    /// # Errors
    /// The shapes do not fit.
    pub fn of(params: &Shape, indices: &Shape, axis: i64, batch_dims: i64) -> Result<Self> {
        ensure!(params.rank() > 0, "params must be at least a vector, it is a scalar");
        let axis = arguments::axis(axis, params.rank(), "axis")?;
        let batch_dims = batches(params, indices, axis, batch_dims)?;
        Ok(Self {
            shape: [&params[..axis], &indices[batch_dims..], &params[axis + 1..]].concat().into(),
            axis,
            batch: params[..batch_dims].iter().product(),
            outer: params[batch_dims..axis].iter().product(),
            extent: params[axis],
            inner: params[axis + 1..].iter().product(),
        })
    }
}

/// The number of leading axes that go side by side.
fn batches(params: &Shape, indices: &Shape, axis: usize, batch_dims: i64) -> Result<usize> {
    let count = if batch_dims < 0 { batch_dims + indices.rank() as i64 } else { batch_dims };
    let count = usize::try_from(count).ok().filter(|&count| count <= indices.rank() && count < params.rank());
    let Some(count) = count else {
        bail!(
            "batch_dims {batch_dims} is outside of the ranks of indices of shape {indices} and params of shape {params}"
        )
    };
    ensure!(count <= axis, "batch_dims {batch_dims} must be <= axis {axis}");
    ensure!(
        params[..count] == indices[..count],
        "the first {count} extents of params of shape {params} and indices of shape {indices} must be equal"
    );
    Ok(count)
}

/// How the tensors of a gather by coordinates are made up.
#[derive(Clone, Debug)]
pub struct GatherNdLayout {
    /// The output's shape.
    pub shape: Shape,
    /// Coordinates of each slice.
    pub depth: usize,
    /// Slices that are picked.
    pub count: usize,
    /// Elements of a slice.
    pub length: usize,
}

impl GatherNdLayout {
    /// Of slices of `params` at the coordinates in the last axis of `indices`.
    ///
    /// # Errors
    /// The shapes do not fit.
    pub fn of(params: &Shape, indices: &Shape) -> Result<Self> {
        let Some((&depth, outer)) = indices.split_last() else {
            bail!("indices must be at least a vector, it is a scalar")
        };
        ensure!(params.rank() > 0, "params must be at least a vector, it is a scalar");
        ensure!(
            depth <= params.rank(),
            "indices of shape {indices} hold {depth} coordinates each, params of shape {params} have fewer axes"
        );
        let count: usize = outer.iter().product();
        ensure!(count == 0 || params.num_elements() > 0, "params of shape {params} has nothing to pick");
        let shape: Shape = [outer, &params[depth..]].concat().into();
        Ok(Self { shape, depth, count, length: params[depth..].iter().product() })
    }
}

/// How the tensors of a scatter are made up.
#[derive(Clone, Debug)]
pub struct ScatterLayout {
    /// Coordinates of each slice.
    pub depth: usize,
    /// Slices that are put; 0 where they are empty.
    pub slices: usize,
    /// Elements of a slice.
    pub length: usize,
}

impl ScatterLayout {
    /// Of slices of `updates` put into a tensor of shape `output` at the coordinates in the last axis of `indices`:
    /// `updates` has the shape `indices[:-1] + output[indices.shape[-1]:]`.
    ///
    /// # Errors
    /// Other shapes, and updates for a tensor without elements.
    pub fn of(output: &Shape, indices: &Shape, updates: &Shape) -> Result<Self> {
        let Some((&depth, outer)) = indices.split_last() else {
            bail!("indices must be at least a vector, it is a scalar")
        };
        let wanted = output.get(depth..).map(|inner| [outer, inner].concat());
        ensure!(
            updates.rank() > 0 && wanted.is_some_and(|wanted| wanted == updates.dims()),
            "updates of shape {updates} do not fit indices of shape {indices} into a tensor of shape {output}: \
             they must have the shape indices[:-1] + tensor[{depth}:]"
        );
        let (locations, values) = (indices.num_elements(), updates.num_elements());
        if locations == 0 && values == 0 {
            return Ok(Self { depth, slices: 0, length: 1 });
        }
        ensure!(
            locations > 0 && values > 0 && output.num_elements() > 0,
            "indices of shape {indices} and updates of shape {updates} go to a tensor of shape {output}, which has no \
             place for them"
        );
        Ok(Self { depth, slices: outer.iter().product(), length: output[depth..].iter().product() })
    }
}

/// The output's shape, which the input `shape` holds.
///
/// # Errors
/// It is none.
pub fn scatter_nd_shape(shape: &Tensor) -> Result<Shape> {
    arguments::shape(shape, "shape")
}
