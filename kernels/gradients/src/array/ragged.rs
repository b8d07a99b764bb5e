//! Ragged tensors.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    ConcatV2, Equal, Fill, Gather, RaggedTensorToTensor, Range, Rank, SelectV2, Slice, Sub, UnsortedSegmentSum,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes, same};

/// The numbers of the values, put where the values were, tell which gradients are whose: -1 is the default's.
#[gradient(RaggedTensorToTensor)]
fn ragged_tensor_to_tensor(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::of_dtype(scope, op.input_dtype(1));
    let (values, default) = (op.input(1), op.input(2));
    let types = op.attr::<&[Vec<u8>]>("row_partition_types")?;
    let ragged = types.iter().filter(|kind| kind.as_slice() != b"FIRST_DIM_SIZE").count() as i32;
    let rows = n.add::<Gather>([n.shape(values)?, n.int(0)?])?;
    let outer = n.add::<Slice>([n.shape(dy[0])?, n.ints(&[0])?, n.ints(&[1 + ragged])?])?;
    let numbers = n.add::<Range>([n.int(0)?, rows, n.int(1)?])?;
    let inputs = vec![Arg::One(outer), Arg::One(numbers), Arg::One(n.int(-1)?), Arg::List(op.inputs()[3..].to_vec())];
    let numbers = n.call::<RaggedTensorToTensor>(inputs, same(op, &["row_partition_types"]))?[0];
    let by_values = n.add::<UnsortedSegmentSum>([dy[0], numbers, rows])?;
    let is_default = n.add::<Equal>([numbers, n.int(-1)?])?;
    let inner = n.add::<Sub>([n.add::<Rank>([dy[0]])?, n.int(1 + ragged)?])?;
    let ones = n.add::<Fill>([n.reshape(inner, n.ints(&[1])?)?, n.int(1)?])?;
    let parts = vec![Arg::List(vec![outer, ones]), Arg::One(n.int(0)?)];
    let is_default = n.reshape(is_default, n.call::<ConcatV2>(parts, Attrs::new())?[0])?;
    let by_default = n.add::<SelectV2>([is_default, dy[0], n.zeros(dy[0])?])?;
    let mut gradients = vec![None, Some(by_values), n.unbroadcast_one(default, by_default)?];
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}
