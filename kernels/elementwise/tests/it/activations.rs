//! Activations and their gradients against their definitions in double precision.

use oplink::prelude::*;

use crate::support::{assert_close, run};

const VALUES: [f64; 9] = [-30.0, -2.5, -0.5, -0.0, 0.0, 0.25, 3.0, 6.5, 40.0];
const SCALE: f64 = 1.050_700_987_355_480_5;
const ALPHA: f64 = 1.673_263_242_354_377_2;

fn singles(values: &[f64]) -> Tensor {
    Tensor::from_slice(&values.iter().map(|&value| value as f32).collect::<Vec<_>>())
}

fn halves(values: &[f64]) -> Tensor {
    Tensor::from_slice(&values.iter().map(|&value| f16::from_f64(value)).collect::<Vec<_>>())
}

#[track_caller]
fn check_unary(op: &str, f: impl Fn(f64) -> f64) {
    let expected = VALUES.map(f);
    assert_close(&run(1, op, &[], vec![singles(&VALUES)]).unwrap(), &singles(&expected), 3.0);
    assert_close(&run(1, op, &[], vec![Tensor::from_slice(&VALUES)]).unwrap(), &Tensor::from_slice(&expected), 3.0);
    assert_close(&run(1, op, &[], vec![halves(&VALUES)]).unwrap(), &halves(&expected), 1.0);
    let nan = run(1, op, &[], vec![Tensor::scalar(f32::NAN)]).unwrap();
    assert!(nan.to_scalar::<f32>().unwrap().is_nan());
}

#[track_caller]
fn check_gradient(op: &str, f: impl Fn(f64, f64) -> f64) {
    let gradients = [1.0, 0.5, -2.0, 4.0, 3.0, -1.0, 0.125, 2.0, 1.5];
    let expected: Vec<f64> = gradients.iter().zip(VALUES).map(|(&g, x)| f(g, x)).collect();
    let inputs = vec![singles(&gradients), singles(&VALUES)];
    assert_close(&run(1, op, &[], inputs).unwrap(), &singles(&expected), 3.0);
    let inputs = vec![Tensor::from_slice(&gradients), Tensor::from_slice(&VALUES)];
    assert_close(&run(1, op, &[], inputs).unwrap(), &Tensor::from_slice(&expected), 3.0);
    let error = run(1, op, &[], vec![singles(&[1.0, 2.0]), singles(&[1.0])]).unwrap_err().to_string();
    assert!(error.contains("must have the same shape, they are [2] and [1]"), "{error}");
}

#[test]
fn activations_are_what_they_are_defined_as() {
    check_unary("Relu", |x| x.max(0.0));
    check_unary("Relu6", |x| x.clamp(0.0, 6.0));
    check_unary("LeakyRelu", |x| if x > 0.0 { x } else { x * f64::from(0.2f32) });
    check_unary("Elu", |x| if x < 0.0 { x.exp_m1() } else { x });
    check_unary("Selu", |x| SCALE * if x < 0.0 { ALPHA * x.exp_m1() } else { x });
    check_unary("Softplus", |x| (-x.abs()).exp().ln_1p() + x.max(0.0));
    check_unary("Softsign", |x| x / (x.abs() + 1.0));
}

#[test]
fn gradients_are_what_they_are_defined_as() {
    check_gradient("ReluGrad", |g, x| if x > 0.0 { g } else { 0.0 });
    check_gradient("Relu6Grad", |g, x| if x > 0.0 && x < 6.0 { g } else { 0.0 });
    check_gradient("LeakyReluGrad", |g, x| if x > 0.0 { g } else { g * f64::from(0.2f32) });
    check_gradient("EluGrad", |g, y| if y < 0.0 { (y + 1.0) * g } else { g });
    check_gradient("SeluGrad", |g, y| g * if y < 0.0 { y + SCALE * ALPHA } else { SCALE });
    check_gradient("SoftplusGrad", |g, x| g / ((-x).exp() + 1.0));
    check_gradient("SoftsignGrad", |g, x| g / (1.0 + x.abs()).powi(2));
}

#[test]
fn integers_are_activated_too() {
    let run = |op: &str, x: Tensor| run(1, op, &[], vec![x]).unwrap();
    assert_eq!(run("Relu", Tensor::from_slice(&[-128i8, -1, 0, 127])).as_slice::<i8>().unwrap(), [0, 0, 0, 127]);
    assert_eq!(run("Relu6", Tensor::from_slice(&[0u64, 6, u64::MAX])).as_slice::<u64>().unwrap(), [0, 6, 6]);
}

#[test]
fn attrs_are_bound() {
    let alpha = [("alpha", 0.3f32.into())];
    let x = Tensor::from_slice(&[-1.0f64, 2.0]);
    let actual = run(1, "LeakyRelu", &alpha, vec![x]).unwrap();
    assert_eq!(actual.as_slice::<f64>().unwrap(), [-f64::from(0.3f32), 2.0]);
}
