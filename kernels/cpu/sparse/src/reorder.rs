//! `SparseReorder`: a sparse tensor with its indices in row-major order.
//!
//! Equal indices keep their order. Every dtype.

use oplink::prelude::*;
use oplink_ops::sparse::SparseReorder;

use crate::coordinates::Sparse;
use crate::gather::{pick_rows, pick_values};

/// `SparseReorder` of every dtype.
#[kernel(SparseReorder, device = CPU, T = any)]
pub fn sparse_reorder_cpu(
    input_indices: &Tensor,
    input_values: &Tensor,
    input_shape: &Tensor,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let input = Sparse::new(input_indices, input_values, input_shape, "input_")?;
    let order = input.at.sorted_by(&(0..input.at.rank).collect::<Vec<_>>())?;
    pick_rows(output_indices, input.at, &order)?;
    pick_values(output_values, input_values, &order, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn rows_rise() {
        let indices = Tensor::from_vec([3, 2], vec![1i64, 0, 0, 2, 0, 1]).unwrap();
        let out = run("SparseReorder", &[], vec![indices, [7, 8, 9].into(), [2i64, 3].into()]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 1, 0, 2, 1, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [9, 8, 7]);
    }

    #[test]
    fn parts_must_fit() {
        let indices = || Tensor::from_vec([1, 2], vec![0i64, 0]).unwrap();
        assert!(run("SparseReorder", &[], vec![indices(), [7, 8].into(), [2i64, 3].into()]).is_err());
        assert!(run("SparseReorder", &[], vec![indices(), [7].into(), [2i64].into()]).is_err());
        assert!(run("SparseReorder", &[], vec![indices(), [7].into(), [2i64, -1].into()]).is_err());
        assert!(run("SparseReorder", &[], vec![indices(), [7].into(), [i64::MAX, i64::MAX].into()]).is_err());
    }
}
