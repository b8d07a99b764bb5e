//! Ragged tensors: gradients by their values. Row splits have none.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Gather, RaggedFillEmptyRows, RaggedFillEmptyRowsGrad, RaggedGather, RaggedRange, RaggedTensorFromVariant,
    RaggedTensorToSparse, RaggedTensorToVariant, RaggedTensorToVariantGradient, Slice, UnsortedSegmentSum,
};

use crate::Gradients;
use crate::array::gathered_rows;
use crate::nodes::{Attrs, Nodes};

/// No gradients of so many inputs, then these.
fn behind(count: usize, gradients: impl IntoIterator<Item = Option<Output>>) -> Gradients {
    Ok(std::iter::repeat_n(None, count).chain(gradients).collect())
}

/// Each row's gradient is added to the values that the row had: those between the innermost splits of its ends.
#[gradient(RaggedGather)]
fn ragged_gather(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let [splits @ .., values, indices] = op.inputs() else { bail!("there are no values and indices") };
    let Some((outer, inner)) = splits.split_first() else { bail!("there are no row splits") };
    let ends = inner.iter().try_fold(*outer, |ends, splits| n.add::<Gather>([*splits, ends]))?;
    let flat = n.reshape(*indices, n.ints(&[-1])?)?;
    let starts = n.add::<Gather>([ends, flat])?;
    let limits = n.add::<Gather>([n.add::<Slice>([ends, n.ints(&[1])?, n.ints(&[-1])?])?, flat])?;
    let one = n.cast(n.int(1)?, DType::Int32, op.input_dtype(0))?;
    let taken = n.call::<RaggedRange>([starts, limits, one].map(Arg::One).to_vec(), Attrs::new())?[1];
    let (rows, taken, count) = gathered_rows(&n, n.shape(*values)?, taken, dy[dy.len() - 1])?;
    behind(splits.len(), [Some(n.add::<UnsortedSegmentSum>([rows, taken, count])?), None])
}

#[gradient(RaggedTensorToSparse)]
fn ragged_tensor_to_sparse(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let splits = op.inputs().len() - 1;
    behind(splits, [Some(n.reshape_like(dy[1], op.input(splits))?)])
}

#[gradient(RaggedFillEmptyRows)]
fn ragged_fill_empty_rows(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [op.output(3), dy[1]].map(Arg::One).to_vec();
    let gradients = n.call::<RaggedFillEmptyRowsGrad>(inputs, Attrs::new())?;
    Ok(vec![None, Some(gradients[0]), None, Some(gradients[1])])
}

#[gradient(RaggedTensorToVariant)]
fn ragged_tensor_to_variant(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let splits = op.inputs().len() - 1;
    let (values, dtype) = (op.input(splits), op.input_dtype(splits));
    let outer = if splits > 0 { op.input(0) } else { n.constant(0i64)? };
    let inputs = [dy[0], outer, n.shape(values)?];
    let gradient = n.with::<RaggedTensorToVariantGradient>(inputs, vec![("Tvalues", dtype.into())])?;
    behind(splits, [Some(gradient)])
}

/// The gradient as a ragged tensor of the same rows, in as many variants.
#[gradient(RaggedTensorFromVariant)]
fn ragged_tensor_from_variant(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let batched = match op.input_shape(0).rank() {
        Some(0) => false,
        Some(1) => true,
        Some(rank) => bail!("the gradient of variants of rank {rank} is not defined, only of rank 0 and 1"),
        None => bail!("the gradient needs the rank of encoded_ragged, which is not known"),
    };
    let splits = (0..op.num_outputs() - 1).map(|at| op.output(at)).collect();
    let attrs = vec![("batched_input", batched.into()), ("Tsplits", op.attr::<DType>("Tsplits")?.into())];
    let variants = n.call::<RaggedTensorToVariant>(vec![Arg::List(splits), Arg::One(dy[dy.len() - 1])], attrs)?;
    Ok(vec![Some(variants[0])])
}
