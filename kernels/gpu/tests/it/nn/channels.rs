//! Ops that work channel by channel: biases and batch normalisation.

use oplink::{AttrValue, DType, Tensor};

use super::{cast, check_first, numbers};
use crate::support::{check, on_gpu};

#[test]
fn biases() {
    for shape in [vec![7, 5], vec![2, 3, 4, 33], vec![1, 1], vec![5, 70, 3]] {
        let channels = shape[shape.len() - 1];
        let (value, bias) = (numbers(&shape, 1), numbers(&[channels], 2));
        check("BiasAdd", &[&value, &bias], &[], 0.0);
        check("BiasAddV1", &[&value, &bias], &[], 0.0);
        check("BiasAdd", &[&cast(&value, DType::Half), &cast(&bias, DType::Half)], &[], 0.0);
        check("BiasAddGrad", &[&value], &[], 1e-6);
    }
    let first = [("data_format", "NCHW".into())];
    check("BiasAdd", &[&numbers(&[2, 3, 5, 4], 1), &numbers(&[3], 2)], &first, 0.0);
    check("BiasAddGrad", &[&numbers(&[2, 3, 50, 40], 1)], &first, 1e-5);
    check("BiasAddGrad", &[&numbers(&[5000, 40], 1)], &[], 1e-4);
    check("BiasAddGrad", &[&cast(&numbers(&[50, 40], 1), DType::Half)], &[], 1e-2);
}

#[test]
fn biases_that_do_not_fit_are_errors() {
    let error = on_gpu("BiasAdd", &[&numbers(&[2, 1], 1), &numbers(&[3], 2)], &[]).unwrap_err();
    assert!(error.to_string().contains("has 3 elements"), "{error}");
}

fn vectors(channels: usize) -> [Tensor; 4] {
    let positive = |seed| {
        let values = numbers(&[channels], seed);
        Tensor::from_vec([channels], values.as_slice::<f32>().unwrap().iter().map(|v| v.abs() + 0.1).collect()).unwrap()
    };
    [positive(2), numbers(&[channels], 3), numbers(&[channels], 4), positive(5)]
}

fn attrs(training: bool, factor: f32) -> Vec<(&'static str, AttrValue)> {
    vec![
        ("is_training", AttrValue::Bool(training)),
        ("epsilon", AttrValue::Float(0.003)),
        ("exponential_avg_factor", AttrValue::Float(factor)),
    ]
}

#[test]
fn batch_norm() {
    for shape in [[2, 5, 4, 3], [1, 20, 30, 37], [3, 1, 1, 2], [1, 1, 1, 4]] {
        let (x, [scale, offset, mean, variance]) = (numbers(&shape, 1), vectors(shape[3]));
        let inputs = [&x, &scale, &offset, &mean, &variance];
        for attrs in [attrs(false, 1.0), attrs(true, 1.0), attrs(true, 0.3)] {
            for op in ["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"] {
                check(op, &inputs, &attrs, 1e-4);
            }
            check_first("FusedBatchNormV3", &inputs, &[0], true, &attrs);
        }
        let half = cast(&x, DType::Half);
        check("FusedBatchNormV3", &[&half, &scale, &offset, &mean, &variance], &attrs(true, 1.0), 5e-3);
    }
}

#[test]
fn batch_norm_far_from_zero() {
    let values = numbers(&[1, 40, 40, 3], 1);
    let values = values.as_slice::<f32>().unwrap().iter().map(|v| v + 100.0).collect();
    let x = Tensor::from_vec([1, 40, 40, 3], values).unwrap();
    let [scale, offset, mean, variance] = vectors(3);
    check("FusedBatchNormV3", &[&x, &scale, &offset, &mean, &variance], &attrs(true, 1.0), 1e-3);
}

#[test]
fn batch_norm_of_nothing() {
    let (x, [scale, offset, mean, variance]) = (numbers(&[0, 2, 2, 3], 1), vectors(3));
    for training in [false, true] {
        check("FusedBatchNormV3", &[&x, &scale, &offset, &mean, &variance], &attrs(training, 1.0), 0.0);
    }
}

#[test]
fn gradients_of_batch_norm() {
    for shape in [[2, 5, 4, 3], [1, 20, 30, 37], [3, 1, 1, 2]] {
        let (gradient, x) = (numbers(&shape, 7), numbers(&shape, 1));
        let [scale, _, mean, variance] = vectors(shape[3]);
        let reserve = Tensor::scalar(0.0f32);
        for training in [false, true] {
            let attrs = &attrs(training, 1.0)[..2];
            let inputs = [&gradient, &x, &scale, &mean, &variance];
            check("FusedBatchNormGrad", &inputs, attrs, 1e-4);
            check("FusedBatchNormGradV2", &inputs, attrs, 1e-4);
            let inputs = [&gradient, &x, &scale, &mean, &variance, &reserve];
            check("FusedBatchNormGradV3", &inputs, attrs, 1e-4);
            check_first("FusedBatchNormGradV3", &inputs, &[0, 1], true, attrs);
        }
    }
}
