//! `InTopK`: whether the target class of each row is among its `k` largest predictions.
//!
//! As `InTopKV2` with `k` as an attr.

use oplink::prelude::*;

use super::cross_entropy::Class;
use super::in_top_k_v2::rows_in_top;

/// Whether the targets are among the `k` largest predictions.
#[op("InTopK",
     no_gradient,
     input = "predictions: float",
     input = "targets: T",
     output = "precision: bool",
     attr = "k: int",
     attr = "T: {int32, int64} = DT_INT32",
     shape = in_top_k_shape)]
pub struct InTopK;

fn in_top_k_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (predictions, targets) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    let batch = c.merge_dim(predictions.dim(0), targets.dim(0))?;
    c.set_output(0, PartialShape::new(&[batch]));
    Ok(())
}

/// `InTopK` for either index type.
#[kernel(InTopK, device = CPU, T = [i32, i64], host_memory = ["predictions", "targets", "precision"])]
pub fn in_top_k_v1_cpu<T: Class>(predictions: ArrayView2<'_, f32>, targets: &Tensor, k: i64) -> Result<Array1<bool>> {
    rows_in_top(predictions, targets.as_slice::<T>()?, k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn targets_among_the_largest() {
        let predictions = Tensor::from_vec([2, 3], vec![0.1f32, 0.3, 0.2, 0.5, 0.4, 0.1]).unwrap();
        let out = run("InTopK", &[("k", 2.into())], vec![predictions, Tensor::from_slice(&[2i64, 2])]).unwrap();
        assert_eq!(out[0].as_slice::<bool>().unwrap(), [true, false]);
    }
}
