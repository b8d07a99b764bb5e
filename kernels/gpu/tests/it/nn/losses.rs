//! Losses and their gradients.

use oplink::{DType, Tensor};

use super::{cast, numbers};
use crate::support::{check, on_gpu};

/// Features of magnitudes that overflow without a shift.
fn features(shape: &[usize]) -> Tensor {
    let values = numbers(shape, 1);
    let values = values.as_slice::<f32>().unwrap().iter().map(|v| v * 90.0).collect();
    Tensor::from_vec(shape, values).unwrap()
}

#[test]
fn of_one_class_a_row() {
    for [rows, classes] in [[1, 1], [7, 3], [3, 300], [70, 129]] {
        let labels: Vec<i32> = (0..rows).map(|row| (row * 37 % classes) as i32).collect();
        let wide: Vec<i64> = labels.iter().map(|&label| i64::from(label)).collect();
        for features in [features(&[rows, classes]), numbers(&[rows, classes], 4)] {
            let op = "SparseSoftmaxCrossEntropyWithLogits";
            check(op, &[&features, &Tensor::from_slice(&labels)], &[], 1e-5);
            check(op, &[&features, &Tensor::from_slice(&wide)], &[], 1e-5);
        }
        let half = cast(&numbers(&[rows, classes], 4), DType::Half);
        check("SparseSoftmaxCrossEntropyWithLogits", &[&half, &Tensor::from_slice(&labels)], &[], 1e-3);
    }
}

#[test]
fn a_class_that_there_is_not_gives_nan() {
    let labels = Tensor::from_slice(&[0i64, 3, -1, (1 << 32) + 1]);
    let outputs = on_gpu("SparseSoftmaxCrossEntropyWithLogits", &[&numbers(&[4, 3], 1), &labels], &[]).unwrap();
    let loss = outputs[0].as_slice::<f32>().unwrap();
    assert_eq!(loss.iter().map(|loss| loss.is_nan()).collect::<Vec<_>>(), [false, true, true, true]);
    let backprop = outputs[1].as_slice::<f32>().unwrap();
    assert!(backprop[..3].iter().all(|value| value.is_finite()) && backprop[3..].iter().all(|value| value.is_nan()));
}

#[test]
fn of_probabilities() {
    for [rows, classes] in [[1, 1], [7, 3], [3, 300], [70, 129]] {
        let (features, labels) = (features(&[rows, classes]), numbers(&[rows, classes], 2));
        check("SoftmaxCrossEntropyWithLogits", &[&features, &labels], &[], 1e-4);
        check("SoftmaxCrossEntropyWithLogits", &[&features, &numbers(&[1, classes], 2)], &[], 1e-4);
        check("SoftmaxCrossEntropyWithLogits", &[&features, &numbers(&[classes], 2)], &[], 1e-4);
        check("SoftmaxCrossEntropyWithLogits", &[&numbers(&[rows, 1], 3), &labels], &[], 1e-4);
    }
}

#[test]
fn half_the_sum_of_squares() {
    for count in [0, 1, 255, 40_000] {
        check("L2Loss", &[&numbers(&[count], 1)], &[], 1e-5);
    }
    check("L2Loss", &[&cast(&numbers(&[20, 30], 1), DType::Half)], &[], 1e-3);
}
