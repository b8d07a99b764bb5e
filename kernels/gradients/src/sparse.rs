//! Sparse tensors: gradients by their values, and by the dense tensors beside them.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Add, ConcatV2, ConjugateTranspose, Div, DynamicStitch, ExpandDims, Fill, FloorDiv, FloorMod, Gather, GatherNd,
    InvertPermutation, Mul, Neg, Range, Size, Slice, SparseAdd, SparseAddGrad, SparseDenseCwiseAdd,
    SparseDenseCwiseDiv, SparseDenseCwiseMul, SparseFillEmptyRows, SparseFillEmptyRowsGrad, SparseReduceSum,
    SparseReorder, SparseSlice, SparseSliceGrad, SparseSoftmax, SparseTensorDenseAdd, SparseTensorDenseMatMul,
    SparseToDense, Square, Squeeze, Sum, Transpose, Unpack,
};
use oplink_ops::{BatchMatMulV2, Shape as ShapeOp};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The sum of all elements.
fn total(n: &Nodes<'_>, value: Output) -> Result<Output> {
    n.add::<Sum>([n.reshape(value, n.ints(&[-1])?)?, n.int(0)?])
}

#[gradient(SparseReorder)]
fn sparse_reorder(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let count = n.add::<Size>([op.input(1)])?;
    let numbers = n.add::<Range>([n.int(0)?, count, n.int(1)?])?;
    let inputs = [op.input(0), numbers, op.input(2)].map(Arg::One).to_vec();
    let ordered = n.call::<SparseReorder>(inputs, Attrs::new())?[1];
    let by_values = n.add::<Gather>([dy[1], n.add::<InvertPermutation>([ordered])?])?;
    Ok(vec![None, Some(by_values), None])
}

#[gradient(SparseAdd)]
fn sparse_add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[1], op.input(0), op.input(3), op.output(0)].map(Arg::One).to_vec();
    let sides = n.call::<SparseAddGrad>(inputs, Attrs::new())?;
    Ok(vec![None, Some(sides[0]), None, None, Some(sides[1]), None, None])
}

#[gradient(SparseTensorDenseAdd)]
fn sparse_tensor_dense_add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![None, Some(n.add::<GatherNd>([dy[0], op.input(0)])?), None, Some(dy[0])])
}

/// Each value gets the gradient of the sum that it is in.
#[gradient(SparseReduceSum)]
fn sparse_reduce_sum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (shape, axes) = (op.input(2), n.reshape(op.input(3), n.ints(&[-1])?)?);
    let rank = n.add::<Size>([shape])?;
    let axes = n.add::<FloorMod>([n.add::<Add>([axes, rank])?, rank])?;
    let all = n.add::<Range>([n.int(0)?, rank, n.int(1)?])?;
    let ones = n.add::<Fill>([n.shape(axes)?, n.constant(1i64)?])?;
    let lists = vec![Arg::List(vec![all, axes]), Arg::List(vec![shape, ones])];
    let kept = n.call::<DynamicStitch>(lists, Attrs::new())?[0];
    let scaled = n.add::<FloorDiv>([op.input(0), n.add::<FloorDiv>([shape, kept])?])?;
    let by_values = n.add::<GatherNd>([n.reshape(dy[0], kept)?, scaled])?;
    Ok(vec![None, Some(by_values), None, None])
}

#[gradient(SparseSlice)]
fn sparse_slice(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by_values = n.add::<SparseSliceGrad>([dy[1], op.input(0), op.input(3), op.output(0)])?;
    Ok(vec![None, Some(by_values), None, None, None])
}

/// By the dense matrix another sparse product; by each value that of the row and the column that meet there.
#[gradient(SparseTensorDenseMatMul)]
fn sparse_tensor_dense_mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::of_dtype(scope, op.input_dtype(1));
    let (adjoint_a, adjoint_b) = (op.attr::<bool>("adjoint_a")?, op.attr::<bool>("adjoint_b")?);
    let (indices, b) = (op.input(0), op.input(3));
    let turned = vec![("adjoint_a", (!adjoint_a).into())];
    let by_dense = n.with::<SparseTensorDenseMatMul>([indices, op.input(1), op.input(2), dy[0]], turned)?;
    let order = n.ints(&[1, 0])?;
    let by_dense = if adjoint_b { n.add::<ConjugateTranspose>([by_dense, order])? } else { by_dense };
    let columns = n.call::<Unpack>(vec![Arg::One(indices)], vec![("num", 2i64.into()), ("axis", 1i64.into())])?;
    let (left, right) = if adjoint_a { (columns[1], columns[0]) } else { (columns[0], columns[1]) };
    let rows = n.add::<Gather>([dy[0], left])?;
    let b = if adjoint_b { n.add::<Transpose>([b, order])? } else { b };
    let others = n.add::<Gather>([b, right])?;
    let spread = |value: Output, axis: i32| n.add::<ExpandDims>([value, n.int(axis)?]);
    let (rows, others, attrs): (_, _, Attrs) = match (adjoint_a, adjoint_b) {
        (false, false) => (spread(rows, -2)?, spread(others, -2)?, vec![("adj_y", true.into())]),
        (true, false) => (spread(rows, -1)?, spread(others, -1)?, vec![("adj_x", true.into())]),
        (false, true) => (spread(rows, -2)?, spread(others, -1)?, Attrs::new()),
        (true, true) => (spread(rows, -1)?, spread(others, -2)?, vec![("adj_x", true.into()), ("adj_y", true.into())]),
    };
    let products = n.with::<BatchMatMulV2>([rows, others], attrs)?;
    let by_values = n.with::<Squeeze>([products], vec![("squeeze_dims", AttrValue::Ints(vec![-2, -1]))])?;
    Ok(vec![None, Some(by_values), None, Some(by_dense)])
}

/// The elements of the dense side at each value, and the gradients of both sides by `f`: what the value gets, and what
/// goes to the dense element.
fn cwise(
    scope: &mut dyn Scope,
    op: &OpForGradient,
    f: impl Fn(&Nodes<'_>, Output) -> Result<[Output; 2]>,
) -> Gradients {
    let n = Nodes::of_dtype(scope, op.input_dtype(1));
    let (indices, shape, dense) = (op.input(0), op.input(2), op.input(3));
    let own = n.with::<ShapeOp>([dense], vec![("out_type", DType::Int64.into())])?;
    let added = n.sub(n.add::<Size>([shape])?, n.add::<Size>([own])?)?;
    let added = n.reshape(added, n.ints(&[1])?)?;
    let ones = n.add::<Fill>([added, n.constant(1i64)?])?;
    let joined = vec![Arg::List(vec![ones, own]), Arg::One(n.int(0)?)];
    let augmented = n.call::<ConcatV2>(joined, Attrs::new())?[0];
    let scaled = n.add::<FloorDiv>([indices, n.add::<FloorDiv>([shape, augmented])?])?;
    let begin = vec![Arg::List(vec![n.ints(&[0])?, added]), Arg::One(n.int(0)?)];
    let begin = n.call::<ConcatV2>(begin, Attrs::new())?[0];
    let scaled = n.add::<Slice>([scaled, begin, n.ints(&[-1, -1])?])?;
    let [by_values, by_elements] = f(&n, n.add::<GatherNd>([dense, scaled])?)?;
    let by_dense = n.add::<SparseTensorDenseAdd>([scaled, by_elements, own, n.zeros(dense)?])?;
    Ok(vec![None, Some(by_values), None, Some(by_dense)])
}

#[gradient(SparseDenseCwiseMul)]
fn sparse_dense_cwise_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    cwise(scope, op, |n, elements| Ok([n.mul(dy[0], elements)?, n.mul(dy[0], op.input(1))?]))
}

#[gradient(SparseDenseCwiseDiv)]
fn sparse_dense_cwise_div(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    cwise(scope, op, |n, elements| {
        let negated = n.add::<Neg>([op.input(1)])?;
        let factor = n.add::<Div>([negated, n.add::<Square>([elements])?])?;
        Ok([n.add::<Div>([dy[0], elements])?, n.mul(dy[0], factor)?])
    })
}

/// As the gradient of a softmax, over the values that there are.
#[gradient(SparseSoftmax)]
fn sparse_softmax(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::of_dtype(scope, op.input_dtype(1));
    let (indices, shape, softmax) = (op.input(0), op.input(2), op.output(0));
    let products = n.add::<Mul>([softmax, dy[0]])?;
    let sums = [indices, products, shape, n.ints(&[-1])?];
    let sums = n.with::<SparseReduceSum>(sums, vec![("keep_dims", true.into())])?;
    let centred = n.add::<SparseDenseCwiseAdd>([indices, dy[0], shape, n.add::<Neg>([sums])?])?;
    Ok(vec![None, Some(n.mul(centred, softmax)?), None])
}

#[gradient(SparseFillEmptyRows)]
fn sparse_fill_empty_rows(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [op.output(3), dy[1]].map(Arg::One).to_vec();
    let gradients = n.call::<SparseFillEmptyRowsGrad>(inputs, Attrs::new())?;
    Ok(vec![None, Some(gradients[0]), None, Some(gradients[1])])
}

/// The default gets what no value gets.
#[gradient(SparseToDense)]
fn sparse_to_dense(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::of_dtype(scope, op.input_dtype(2));
    let by_values = n.add::<GatherNd>([dy[0], op.input(0)])?;
    let by_default = n.sub(total(&n, dy[0])?, total(&n, by_values)?)?;
    let [by_indices, by_shape] = [op.input(0), op.input(1)].map(|input| n.zeros(input));
    Ok(vec![Some(by_indices?), Some(by_shape?), Some(by_values), Some(by_default)])
}
