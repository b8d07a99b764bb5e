//! Elements of a queue as the outputs of a run.

use oplink::AsyncKernelContext;
use oplink::prelude::*;

use super::store::Row;
use crate::rows::join_into;
use oplink_cpu_support::movement::{Axis, AxisList, put_axes, row_major_strides};

/// What a run takes out of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The number of elements.
    pub(crate) count: usize,
    /// Whether the components of the elements become the rows of tensors; one element as it is otherwise.
    pub(crate) as_rows: bool,
    /// Whether a closed queue may give fewer.
    pub(crate) or_fewer: bool,
}

/// Sets the outputs to the components of the elements.
pub(super) fn set_outputs(run: &mut AsyncKernelContext, wanted: Wanted, rows: Vec<Row>) -> Result<()> {
    // bounded: as many as were dequeued
    let mut components: Vec<Vec<Tensor>> = vec![Vec::with_capacity(rows.len()); run.node().output_dtypes.len()];
    for row in rows {
        components.iter_mut().zip(row).for_each(|(component, tensor)| component.push(tensor));
    }
    let output = |mut tensors: Vec<Tensor>| if wanted.as_rows { stacked(&tensors) } else { Ok(tensors.remove(0)) };
    run.set_outputs(components.into_iter().map(output).collect::<Result<Vec<_>>>()?);
    Ok(())
}

/// The tensors as the rows of one, padded to the largest extents with zeros (false, empty strings).
fn stacked(tensors: &[Tensor]) -> Result<Tensor> {
    let first = tensors.first().ok_or_else(|| Error::internal("a batch without elements has shapes of its own"))?;
    let mut shape = first.shape().clone();
    for tensor in tensors {
        shape.dims_mut().iter_mut().zip(&**tensor.shape()).for_each(|(most, extent)| *most = (*most).max(*extent));
    }
    let mut out = Tensor::zeros(first.dtype(), [&[tensors.len()], shape.dims()].concat())?;
    let length = shape.num_elements();
    if tensors.iter().all(|tensor| *tensor.shape() == shape) {
        let pieces: Vec<_> = tensors.iter().map(|tensor| (Some(tensor), length)).collect();
        join_into(&mut out, &pieces)?;
        return Ok(out);
    }
    let strides = row_major_strides(&shape);
    for (at, tensor) in tensors.iter().enumerate() {
        let extents = tensor.shape().iter().zip(&strides);
        let axes: AxisList<'_> = extents.map(|(&count, &stride)| Axis::Strided { count, stride }).collect();
        put_axes(&mut out, (at * length) as isize, &axes, tensor)?;
    }
    Ok(out)
}

/// The batch of no elements: component shapes with unknown extents 0.
pub(super) fn empty(dtype: DType, shape: &PartialShape) -> Result<Tensor> {
    let extents = shape.dims().unwrap_or_default().iter().map(|extent| extent.unwrap_or(0));
    Tensor::zeros(dtype, std::iter::once(0).chain(extents).collect::<Shape>())
}
