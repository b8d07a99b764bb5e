//! `InTopK` and `InTopKV2`: whether the target class of each row is among its `k` largest predictions.
//!
//! `predictions` is [batch, classes], `targets` is [batch], `k` is an attr or a scalar. Classes that tie with the
//! target do not count against it. False where the target is no class, or where a prediction that decides is not
//! finite.

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::nn::{InTopK, InTopKV2};

/// `InTopK` for either index type.
#[kernel(InTopK, device = CPU, T = [i32, i64], host_memory = ["predictions", "targets", "precision"])]
pub fn in_top_k_v1_cpu(predictions: ArrayView2<'_, f32>, targets: &Tensor, k: i64) -> Result<Array1<bool>> {
    rows_in_top(predictions, &int_values(targets)?, k)
}

/// `InTopKV2` for either index type.
#[kernel(InTopKV2, device = CPU, T = [i32, i64], host_memory = ["predictions", "targets", "k", "precision"])]
pub fn in_top_k_cpu(predictions: ArrayView2<'_, f32>, targets: &Tensor, k: &Tensor) -> Result<Array1<bool>> {
    ensure!(k.rank() == 0, "k must be a scalar, its shape is {}", k.shape());
    rows_in_top(predictions, &int_values(targets)?, int_values(k)?[0])
}

/// Whether the target of each row is among its `k` largest predictions.
fn rows_in_top(predictions: ArrayView2<'_, f32>, targets: &[i64], k: i64) -> Result<Array1<bool>> {
    ensure!(
        targets.len() == predictions.nrows(),
        "there are {} predictions and {} targets",
        predictions.nrows(),
        targets.len()
    );
    let rows = predictions.rows().into_iter().zip(targets);
    Ok(rows.map(|(row, target)| is_in_top(row.as_slice().unwrap_or_default(), *target, k)).collect())
}

fn is_in_top(row: &[f32], target: i64, k: i64) -> bool {
    let target = usize::try_from(target).ok().and_then(|target| row.get(target));
    let Some(target) = target.filter(|value| value.is_finite()) else { return false };
    let mut larger = 0;
    for value in row {
        if !value.is_finite() {
            return false;
        }
        larger += i64::from(value > target);
        if larger > k {
            return false;
        }
    }
    larger < k
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn targets_among_the_largest() {
        let predictions = Tensor::from_vec([2, 3], vec![0.1f32, 0.3, 0.2, 0.5, 0.4, 0.1]).unwrap();
        let out = run("InTopK", &[("k", 2.into())], vec![predictions, Tensor::from_slice(&[2i64, 2])]).unwrap();
        assert_eq!(out[0].as_slice::<bool>().unwrap(), [true, false]);
    }

    #[test]
    fn ties_do_not_count_against_the_target() {
        let predictions = Tensor::from_vec([2, 3], vec![0.1f32, 0.3, 0.2, 0.5, 0.5, 0.1]).unwrap();
        for (targets, k, expected) in [
            ([2, 1], 1, [false, true]),
            ([2, 1], 2, [true, true]),
            ([3, -1], 2, [false, false]),
            ([2, 1], 0, [false, false]),
            ([2, 1], 10, [true, true]),
        ] {
            let inputs = vec![predictions.clone(), Tensor::from_slice::<i32>(&targets), Tensor::scalar::<i32>(k)];
            let out = run_one("InTopKV2", inputs).unwrap();
            assert_eq!(out.as_slice::<bool>().unwrap(), expected);
        }
        let wrong = vec![predictions, Tensor::from_slice(&[0i32]), Tensor::scalar(1i32)];
        assert!(run_one("InTopKV2", wrong).is_err());
    }
}
