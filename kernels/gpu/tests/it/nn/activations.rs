//! Activations and their gradients.

use oplink::{AttrValue, DType, Tensor};

use super::{cast, numbers};
use crate::support::check;

const UNARY: [&str; 7] = ["Relu", "Relu6", "Elu", "Selu", "LeakyRelu", "Softplus", "Softsign"];
const GRADIENTS: [&str; 7] =
    ["ReluGrad", "Relu6Grad", "EluGrad", "SeluGrad", "LeakyReluGrad", "SoftplusGrad", "SoftsignGrad"];

/// Magnitudes from small to large, on both sides of 0 and 6.
fn features() -> Tensor {
    let factors = [0.01f32, 1.0, 7.0, 30.0];
    let values = numbers(&[3, 5, 67], 3);
    let values = values.as_slice::<f32>().unwrap().iter().zip(factors.iter().cycle());
    Tensor::from_vec([3, 5, 67], values.map(|(value, factor)| value * factor).collect()).unwrap()
}

#[test]
fn of_single_floats() {
    let special = Tensor::from_slice(&[0.0f32, -0.0, 6.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
    for op in UNARY {
        check(op, &[&features()], &[], 1e-5);
        check(op, &[&special], &[], 1e-5);
    }
    check("LeakyRelu", &[&features()], &[("alpha", AttrValue::Float(0.7))], 1e-6);
}

#[test]
fn gradients_of_single_floats() {
    for op in GRADIENTS {
        check(op, &[&numbers(&[3, 5, 67], 9), &features()], &[], 1e-5);
    }
    let alpha = [("alpha", AttrValue::Float(0.7))];
    check("LeakyReluGrad", &[&numbers(&[3, 5, 67], 9), &features()], &alpha, 1e-6);
}

#[test]
fn of_half_precision() {
    let x = cast(&features(), DType::Half);
    UNARY.iter().for_each(|op| check(op, &[&x], &[], 1e-3));
    let gradient = cast(&numbers(&[3, 5, 67], 9), DType::Half);
    GRADIENTS.iter().for_each(|op| check(op, &[&gradient, &x], &[], 1e-3));
}
