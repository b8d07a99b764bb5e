//! `SparseReshape`: the indices of a sparse tensor in another dense shape of as many elements.
//!
//! One extent of `new_shape` may be -1, for what the others leave; then these must not be 0. Indices that are outside
//! of the shape give others that are.

use oplink::prelude::*;
use oplink_ops::movement::row_major_strides;
use oplink_ops::sparse::SparseReshape;

use crate::coordinates::{Coordinates, position};
use crate::gather::{rows_vec, shape_tensor};

/// `SparseReshape`.
#[kernel(SparseReshape, device = CPU)]
pub fn sparse_reshape_cpu(
    input_indices: &Tensor,
    input_shape: &Tensor,
    new_shape: &Tensor,
    mut output_indices: OutputSlot<'_>,
    mut output_shape: OutputSlot<'_>,
) -> Result<()> {
    let at = Coordinates::of(input_indices, "input_indices")?;
    let from = oplink_ops::arguments::shape(input_shape, "input_shape")?;
    ensure!(at.rank == from.rank(), "input_indices has {} columns for input_shape {from}", at.rank);
    let to = resolve(&oplink_ops::arguments::vector(new_shape, "new_shape")?, from.num_elements())?;
    output_shape.set(shape_tensor(&to));
    if from.dims() == to.dims() {
        output_indices.set(input_indices.clone());
        return Ok(());
    }
    let nothing = at.count > 0 && from.num_elements() == 0;
    ensure!(!nothing, "there are {} values in the empty shape {from}", at.count);
    let (from, to) = (row_major_strides(&from), row_major_strides(&to));
    let mut rows = rows_vec(at.count, to.len())?;
    for row in at.rows() {
        let mut flat = position(row.iter().copied(), &from);
        for &stride in &to {
            rows.push(flat / stride as i64);
            flat %= stride as i64;
        }
    }
    output_indices.set(Tensor::from_vec([at.count, to.len()], rows)?);
    Ok(())
}

/// The shape with what stands for -1; it has `count` elements.
fn resolve(wanted: &[i64], count: usize) -> Result<Shape> {
    let open = wanted.iter().filter(|&&extent| extent == -1).count();
    ensure!(open <= 1, "new_shape {wanted:?} may have -1 once");
    let known: Vec<i64> = wanted.iter().copied().filter(|&extent| extent != -1).collect();
    let known = Shape::from_i64(&known)?;
    let Some(product) = known.checked_num_elements() else { bail!("new_shape {wanted:?} has too many elements") };
    let rest = match open {
        0 => 1,
        _ if product == 0 => bail!("new_shape {wanted:?} has 0 and -1: what -1 stands for is open"),
        _ => count / product,
    };
    ensure!(product * rest == count, "new_shape {wanted:?} does not have the {count} elements of input_shape");
    Ok(wanted.iter().map(|&extent| if extent == -1 { rest } else { extent as usize }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn reshape(to: &[i64]) -> Result<Vec<Tensor>> {
        let indices = Tensor::from_vec([2, 2], vec![0i64, 2, 1, 1]).unwrap();
        run("SparseReshape", &[], vec![indices, [2i64, 3].into(), to.into()])
    }

    #[test]
    fn indices_move() {
        let out = reshape(&[3, -1]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [1, 0, 2, 0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [3, 2]);
    }

    #[test]
    fn shapes_must_fit() {
        for bad in [&[-1i64, -1][..], &[4, -1], &[0, -1], &[5], &[-2, -3], &[i64::MAX, 2]] {
            assert!(reshape(bad).is_err(), "{bad:?}");
        }
    }
}
