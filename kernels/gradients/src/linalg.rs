//! Matrix products.

use oplink::prelude::*;
use oplink_ops::{BatchMatMul, BatchMatMulV2, BatchMatMulV3, MatMul, Size, Slice, SparseMatMul, Sub};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// Factors of a product, each with whether it is transposed.
type Product = [(Output, bool); 2];

/// The products that give the gradients of `a · b`, each factor of which may be transposed.
fn factors(a: (Output, bool), b: (Output, bool), dy: Output) -> [Product; 2] {
    let by_a = match a.1 {
        false => [(dy, false), (b.0, !b.1)],
        true => [(b.0, b.1), (dy, true)],
    };
    let by_b = match b.1 {
        false => [(a.0, !a.1), (dy, false)],
        true => [(dy, true), (a.0, a.1)],
    };
    [by_a, by_b]
}

#[gradient(MatMul)]
fn mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (a, b) = (n.conj(op.input(0))?, n.conj(op.input(1))?);
    let products = factors((a, op.attr("transpose_a")?), (b, op.attr("transpose_b")?), dy[0]);
    let product = |[(left, left_t), (right, right_t)]: Product| {
        n.with::<MatMul>([left, right], vec![("transpose_a", left_t.into()), ("transpose_b", right_t.into())])
    };
    let [by_a, by_b] = products;
    Ok(vec![op.if_wanted(0, || product(by_a))?, op.if_wanted(1, || product(by_b))?])
}

#[gradient(SparseMatMul)]
fn sparse_mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let a = (op.input(0), op.attr("transpose_a")?);
    let b = (op.input(1), op.attr("transpose_b")?);
    let [by_a, by_b] = factors(a, b, dy[0]);
    let product = |[(left, left_t), (right, right_t)]: Product, dtype: DType| {
        let attrs = vec![("transpose_a", left_t.into()), ("transpose_b", right_t.into())];
        n.cast(n.with::<SparseMatMul>([left, right], attrs)?, DType::Float, dtype)
    };
    let (ta, tb) = (op.attr("Ta")?, op.attr("Tb")?);
    Ok(vec![op.if_wanted(0, || product(by_a, ta))?, op.if_wanted(1, || product(by_b, tb))?])
}

/// Gradients of a batch of products. Adjoints conjugate, so that no factor is conjugated by itself.
fn batch(
    n: &Nodes<'_>,
    op: &OpForGradient,
    dy: Output,
    product: impl Fn(Product) -> Result<Output>,
) -> Result<[Output; 2]> {
    let (x, y) = (op.input(0), op.input(1));
    let (adj_x, adj_y) = (op.attr::<bool>("adj_x")?, op.attr::<bool>("adj_y")?);
    let [by_x, by_y] = factors((x, adj_x), (y, adj_y), dy);
    if let Some([inner, columns]) = one_right_matrix(op, adj_x, adj_y) {
        let [rows, dy] = [n.reshape(x, n.ints(&[-1, inner])?)?, n.reshape(dy, n.ints(&[-1, columns])?)?];
        let [_, by_y] = factors((rows, false), (y, adj_y), dy);
        return Ok([product(by_x)?, product(by_y)?]);
    }
    let gradients = [product(by_x)?, product(by_y)?];
    unbroadcast_batch(n, op, gradients)
}

/// Where one matrix is on the right of all, whose gradient is one product with the rows of all: the inner extent and
/// the columns.
fn one_right_matrix(op: &OpForGradient, adj_x: bool, adj_y: bool) -> Option<[i32; 2]> {
    let is_batch = !adj_x && op.input_shape(0).rank()? > 2;
    let &[Some(rows), Some(columns)] = op.input_shape(1).dims()? else { return None };
    let [inner, columns] = if adj_y { [columns, rows] } else { [rows, columns] };
    let extents = [i32::try_from(inner).ok()?, i32::try_from(columns).ok()?];
    (is_batch && !extents.contains(&0)).then_some(extents)
}

/// Sums over what broadcasting the batch dimensions repeated.
pub(crate) fn unbroadcast_batch(n: &Nodes<'_>, op: &OpForGradient, gradients: [Output; 2]) -> Result<[Output; 2]> {
    let batch_of = |at: usize| op.input_shape(at).dims().map(|dims| dims[..dims.len().saturating_sub(2)].to_vec());
    let known = |dims: &[oplink::shape::Dim]| dims.iter().all(Option::is_some);
    if let (Some(x), Some(y)) = (batch_of(0), batch_of(1))
        && known(&x)
        && x == y
    {
        return Ok(gradients);
    }
    let batch_shape = |value| {
        let shape = n.shape(value)?;
        let count = n.add::<Sub>([n.add::<Size>([shape])?, n.int(2)?])?;
        let count = n.reshape(count, n.ints(&[1])?)?;
        Ok::<_, oplink::Error>((shape, n.add::<Slice>([shape, n.ints(&[0])?, count])?))
    };
    let ((shape_x, batch_x), (shape_y, batch_y)) = (batch_shape(op.input(0))?, batch_shape(op.input(1))?);
    let [axes_x, axes_y] = n.broadcast_axes(batch_x, batch_y)?;
    let [by_x, by_y] = gradients;
    Ok([n.reshape(n.sum(by_x, axes_x)?, shape_x)?, n.reshape(n.sum(by_y, axes_y)?, shape_y)?])
}

fn adjoints([(_, left), (_, right)]: Product) -> Attrs {
    vec![("adj_x", left.into()), ("adj_y", right.into())]
}

#[gradient(BatchMatMul)]
fn batch_mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let product = |product: Product| n.with::<BatchMatMul>(product.map(|factor| factor.0), adjoints(product));
    Ok(batch(&n, op, dy[0], product)?.map(Some).to_vec())
}

#[gradient(BatchMatMulV2)]
fn batch_mat_mul_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let product = |product: Product| n.with::<BatchMatMulV2>(product.map(|factor| factor.0), adjoints(product));
    Ok(batch(&n, op, dy[0], product)?.map(Some).to_vec())
}

#[gradient(BatchMatMulV3)]
fn batch_mat_mul_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let dtype = op.attr::<DType>("Tout")?;
    let product = |product: Product| {
        let mut attrs = adjoints(product);
        attrs.push(("Tout", dtype.into()));
        n.with::<BatchMatMulV3>(product.map(|factor| factor.0), attrs)
    };
    Ok(batch(&n, op, dy[0], product)?.map(Some).to_vec())
}
