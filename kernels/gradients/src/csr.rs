//! Sparse matrices as values, whose gradients are matrices with elements at the same indices.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    CSRSparseMatrixToDense, CSRSparseMatrixToSparseTensor, ConcatV2, Cumprod, DenseToCSRSparseMatrix, Einsum, Equal,
    GatherNd, GatherV2, LowerBound, Mul, Pack, SelectV2, Slice, SparseMatrixMatMul, SparseMatrixSparseMatMul,
    SparseMatrixTranspose, SparseTensorToCSRSparseMatrix,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The indices, values and dense shape of a matrix.
fn components(n: &Nodes<'_>, matrix: Output, dtype: DType) -> Result<[Output; 3]> {
    let parts = n.call::<CSRSparseMatrixToSparseTensor>(vec![Arg::One(matrix)], vec![("type", dtype.into())])?;
    <[Output; 3]>::try_from(parts).map_err(|_| Error::internal("a sparse tensor has three parts"))
}

#[gradient(SparseTensorToCSRSparseMatrix)]
fn of_sparse_tensor(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let [_, values, _] = components(&Nodes::new(scope, op), dy[0], op.input_dtype(1))?;
    Ok(vec![None, Some(values), None])
}

#[gradient(CSRSparseMatrixToSparseTensor)]
fn to_sparse_tensor(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let parts = [op.output(0), dy[1], op.output(2)];
    Ok(vec![Some(Nodes::new(scope, op).add::<SparseTensorToCSRSparseMatrix>(parts)?)])
}

#[gradient(DenseToCSRSparseMatrix)]
fn of_dense(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dense =
        Nodes::new(scope, op).with::<CSRSparseMatrixToDense>([dy[0]], vec![("type", op.input_dtype(0).into())])?;
    Ok(vec![Some(dense), None])
}

#[gradient(CSRSparseMatrixToDense)]
fn to_dense(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let [indices, ..] = components(&n, op.input(0), op.attr("type")?)?;
    Ok(vec![Some(n.add::<DenseToCSRSparseMatrix>([dy[0], indices])?)])
}

#[gradient(SparseMatrixTranspose)]
fn transpose(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<SparseMatrixTranspose>(op, [dy[0]], &["conjugate", "type"])?[0])])
}

/// What is done to a matrix before it is multiplied.
#[derive(Clone, Copy)]
struct Form {
    transposed: bool,
    conjugated: bool,
}

impl Form {
    /// That of an operand, by the node's attrs.
    fn of(op: &OpForGradient, transpose: &str, adjoint: &str) -> Result<Self> {
        let (transposed, adjoint) = (op.attr::<bool>(transpose)?, op.attr::<bool>(adjoint)?);
        Ok(Self { transposed: transposed || adjoint, conjugated: adjoint })
    }

    fn transposed(self) -> Self {
        Self { transposed: !self.transposed, ..self }
    }

    fn conjugated(self) -> Self {
        Self { conjugated: !self.conjugated, ..self }
    }

    fn adjoint(self) -> Self {
        self.transposed().conjugated()
    }
}

/// The form of a gradient as it is.
const PLAIN: Form = Form { transposed: false, conjugated: false };

/// A dense matrix in a form, for each of a batch.
fn dense(n: &Nodes<'_>, matrix: Output, form: Form) -> Result<Output> {
    let matrix = if form.conjugated { n.conj(matrix)? } else { matrix };
    if !form.transposed {
        return Ok(matrix);
    }
    n.join::<Einsum>(&[matrix], vec![("equation", "...ij->...ji".into())])
}

/// The columns `begin..` of an index matrix, `count` of them.
fn columns(n: &Nodes<'_>, indices: Output, begin: Output, count: Output) -> Result<Output> {
    let pack = |parts: &[Output]| n.join::<Pack>(parts, Attrs::new());
    n.add::<Slice>([indices, pack(&[n.int(0)?, begin])?, pack(&[n.int(-1)?, count])?])
}

/// Where the sparse side has an element, the sum over products of a row of the gradient and one of the dense side.
#[gradient(SparseMatrixMatMul)]
fn mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(1);
    let n = Nodes::of_dtype(scope, dtype);
    let (a, b) = (op.input(0), op.input(1));
    let (form_a, form_b) = (Form::of(op, "transpose_a", "adjoint_a")?, Form::of(op, "transpose_b", "adjoint_b")?);
    let of_output = Form { transposed: op.attr("transpose_output")?, conjugated: op.attr("conjugate_output")? };
    let dy = dense(&n, dy[0], of_output)?;

    let [indices, _, shape] = components(&n, a, dtype)?;
    let rank = n.add::<GatherV2>([n.shape(indices)?, n.int(1)?, n.int(0)?])?;
    let (batch, rows) = (n.sub(rank, n.int(2)?)?, n.sub(rank, n.int(1)?)?);
    let of_row = columns(&n, indices, n.int(0)?, rows)?;
    let of_column = [columns(&n, indices, n.int(0)?, batch)?, columns(&n, indices, rows, n.int(1)?)?];
    let of_column = n.call::<ConcatV2>(vec![Arg::List(of_column.to_vec()), Arg::One(n.int(1)?)], Attrs::new())?[0];
    let (left, right) = if form_a.transposed { (of_column, of_row) } else { (of_row, of_column) };
    let left = n.add::<GatherNd>([dy, left])?;
    let right = n.add::<GatherNd>([dense(&n, b, form_b)?, right])?;
    let values = n.sum(n.mul(left, n.conj(right)?)?, n.int(1)?)?;
    let values = if form_a.conjugated { n.conj(values)? } else { values };
    let by_a = n.add::<SparseTensorToCSRSparseMatrix>([indices, values, shape])?;

    // The adjoint of `a` in its form, times the gradient. A sparse operand is not conjugated alone: the other is, and
    // the product.
    let form = form_a.adjoint();
    let is_conjugate = form.conjugated && !form.transposed;
    let factor = if is_conjugate { n.conj(dy)? } else { dy };
    let is_adjoint = form.transposed && form.conjugated;
    let attrs = vec![("transpose_a", (form.transposed && !is_adjoint).into()), ("adjoint_a", is_adjoint.into())];
    let product = n.with::<SparseMatrixMatMul>([a, factor], attrs)?;
    let product = if is_conjugate { n.conj(product)? } else { product };
    Ok(vec![Some(by_a), Some(dense(&n, product, form_b)?)])
}

/// The product of two sparse matrices in their forms.
fn product(n: &Nodes<'_>, dtype: DType, [a, b]: [(Output, Form); 2]) -> Result<Output> {
    let operand = |(matrix, form): (Output, Form)| {
        // A conjugate is the transpose of an adjoint.
        if form.conjugated && !form.transposed && dtype.is_complex() {
            let attrs = vec![("type", dtype.into()), ("conjugate", true.into())];
            return Ok((n.with::<SparseMatrixTranspose>([matrix], attrs)?, true, false));
        }
        let is_adjoint = form.transposed && form.conjugated;
        Ok::<_, Error>((matrix, form.transposed && !is_adjoint, is_adjoint))
    };
    let ((a, transpose_a, adjoint_a), (b, transpose_b, adjoint_b)) = (operand(a)?, operand(b)?);
    let attrs = vec![
        ("type", dtype.into()),
        ("transpose_a", transpose_a.into()),
        ("adjoint_a", adjoint_a.into()),
        ("transpose_b", transpose_b.into()),
        ("adjoint_b", adjoint_b.into()),
    ];
    n.with::<SparseMatrixSparseMatMul>([a, b], attrs)
}

/// The elements of a matrix where another of its shape has some, 0 where it has none.
fn at_elements_of(n: &Nodes<'_>, matrix: Output, pattern: Output, dtype: DType) -> Result<Output> {
    let ([from, values, _], [indices, _, shape]) = (components(n, matrix, dtype)?, components(n, pattern, dtype)?);
    let flags = vec![("exclusive", true.into()), ("reverse", true.into())];
    let strides = n.with::<Cumprod>([shape, n.int(0)?], flags)?;
    let position = |indices| n.sum(n.add::<Mul>([indices, strides])?, n.int(1)?);
    let appended = |values: Output, last: Output| {
        Ok::<_, Error>(n.call::<ConcatV2>(vec![Arg::List(vec![values, last]), Arg::One(n.int(0)?)], Attrs::new())?[0])
    };
    let (from, to) = (position(from)?, position(indices)?);
    let row = |values| n.reshape(values, n.ints(&[1, -1])?);
    let found = n.reshape(n.add::<LowerBound>([row(from)?, row(to)?])?, n.ints(&[-1])?)?;
    let none = n.constant(Tensor::from_slice(&[-1i64]))?;
    let zero = n.reshape(n.scalar(0.0)?, n.ints(&[1])?)?;
    let gathered = |values, last| n.add::<GatherV2>([appended(values, last)?, found, n.int(0)?]);
    let (values, is_there) = (gathered(values, zero)?, n.add::<Equal>([gathered(from, none)?, to])?);
    let values = n.add::<SelectV2>([is_there, values, n.zeros(values)?])?;
    n.add::<SparseTensorToCSRSparseMatrix>([indices, values, shape])
}

#[gradient(SparseMatrixSparseMatMul)]
fn sparse_mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.attr::<DType>("type")?;
    let n = Nodes::of_dtype(scope, dtype);
    let (a, b) = (op.input(0), op.input(1));
    let (form_a, form_b) = (Form::of(op, "transpose_a", "adjoint_a")?, Form::of(op, "transpose_b", "adjoint_b")?);
    // `dy` times the adjoint of the right side, and the adjoint of the left side times `dy`: each in the form that
    // brings it back to the operand itself.
    let back = |[x, y]: [(Output, Form); 2], form: Form| {
        let conjugated = |of: Form| if form.conjugated { of.conjugated() } else { of };
        let factors = [(x.0, conjugated(x.1)), (y.0, conjugated(y.1))];
        let [(x, form_x), (y, form_y)] = factors;
        match form.transposed {
            false => product(&n, dtype, factors),
            true => product(&n, dtype, [(y, form_y.transposed()), (x, form_x.transposed())]),
        }
    };
    let by_a = back([(dy[0], PLAIN), (b, form_b.adjoint())], form_a)?;
    let by_b = back([(a, form_a.adjoint()), (dy[0], PLAIN)], form_b)?;
    Ok(vec![Some(at_elements_of(&n, by_a, a, dtype)?), Some(at_elements_of(&n, by_b, b, dtype)?)])
}
