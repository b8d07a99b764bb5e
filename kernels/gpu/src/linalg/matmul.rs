//! `MatMul`: the product of two matrices, either transposed first where its attr says so.

use oplink::prelude::*;
use oplink_ops::linalg::MatMul;
use smallvec::SmallVec;

use super::product::{BatchDim, Product};

/// The products of the matrices in the last two axes of tensors of these shapes, each transposed first where
/// `transposed` says so; the other axes are the batch.
///
/// # Errors
/// A rank below 2, inner extents that differ, or other axes that do not broadcast.
pub(super) fn product_of(a: &Shape, b: &Shape, transposed: [bool; 2]) -> Result<(Product, Shape)> {
    let ([a_leading @ .., a_rows, a_columns], [b_leading @ .., b_rows, b_columns]) = (a.dims(), b.dims()) else {
        bail!("inputs must be of rank 2 at least, got shapes {a} and {b}")
    };
    let strided = |rows: usize, columns: usize, transposed: bool| match transposed {
        true => ([columns, rows], [1, columns]),
        false => ([rows, columns], [columns, 1]),
    };
    let ([rows, terms], a_strides) = strided(*a_rows, *a_columns, transposed[0]);
    let ([other, columns], b_strides) = strided(*b_rows, *b_columns, transposed[1]);
    ensure!(
        terms == other,
        "matrix size-incompatible: the first is {a}, the second is {b}, with inner extents {terms} and {other}"
    );
    let leading = oplink::shape_inference::broadcast_shapes(a_leading, b_leading)?;
    let batch = batch(&leading, [a_leading, b_leading], [rows * terms, terms * columns, rows * columns]);
    let shape: Shape = leading.iter().copied().chain([rows, columns]).collect();
    Ok((Product { rows, columns, terms, a: a_strides, b: b_strides, y_row: columns, batch }, shape))
}

/// The batch of an output with these leading extents, where a matrix has so many elements on each side.
fn batch(shape: &[usize], leading: [&[usize]; 2], mut sizes: [usize; 3]) -> SmallVec<[BatchDim; 4]> {
    let mut dims: SmallVec<[BatchDim; 4]> = SmallVec::new();
    for (from_end, &extent) in shape.iter().rev().enumerate() {
        let own = |side: usize| leading[side].iter().rev().nth(from_end).copied().unwrap_or(1);
        let owns = [own(0), own(1), extent];
        let strides = std::array::from_fn(|side| if owns[side] == 1 { 0 } else { sizes[side] });
        dims.push(BatchDim { extent, strides });
        sizes = std::array::from_fn(|side| sizes[side] * owns[side]);
    }
    dims.reverse();
    dims
}

/// `MatMul` for the floats.
#[kernel(MatMul, device = GPU, T = [floats])]
pub fn matmul_gpu(
    a: &Tensor,
    b: &Tensor,
    transpose_a: bool,
    transpose_b: bool,
    mut product: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(a.rank() == 2 && b.rank() == 2, "a and b must be matrices, got shapes {} and {}", a.shape(), b.shape());
    let (matrices, shape) = product_of(a.shape(), b.shape(), [transpose_a, transpose_b])?;
    matrices.run(env.device()?, a, b, product.allocate(shape)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_axes_broadcast() {
        let shapes = [&[4, 1, 2, 3][..], &[7, 3, 5]].map(Shape::new);
        let (product, shape) = product_of(&shapes[0], &shapes[1], [false, false]).unwrap();
        assert_eq!(shape.dims(), [4, 7, 2, 5]);
        let dims = [(4, [6, 0, 70]), (7, [0, 15, 10])].map(|(extent, strides)| BatchDim { extent, strides });
        assert_eq!(product.batch.as_slice(), dims);
        assert_eq!((product.a, product.b), ([3, 1], [5, 1]));
        let (product, _) = product_of(&Shape::new(&[3, 2]), &Shape::new(&[5, 3]), [true, true]).unwrap();
        assert_eq!((product.rows, product.terms, product.columns), (2, 3, 5));
        assert_eq!((product.a, product.b), ([1, 2], [1, 3]));
    }

    #[test]
    fn shapes_that_do_not_fit_are_errors() {
        for (a, b, message) in [
            (&[2, 3][..], &[2, 3][..], "inner extents 3 and 2"),
            (&[3], &[3, 2], "rank 2 at least"),
            (&[2, 1, 1], &[3, 1, 1], "incompatible shapes"),
        ] {
            let error = product_of(&Shape::new(a), &Shape::new(b), [false, false]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
