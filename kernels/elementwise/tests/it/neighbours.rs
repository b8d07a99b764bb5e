//! Values of TensorFlow: numbers beside each other.

use oplink::prelude::*;

use crate::support::{check, check_error, check_with};

#[test]
fn next_after() {
    check(
        "NextAfter",
        [[1.0f32, f32::NAN, f32::INFINITY, 1.0].into(), [2.0f32, 1.0, 0.0, 1.0].into()],
        [1.0000001f32, f32::NAN, 3.4028235e38, 1.0],
    );
    check("NextAfter", [[0.0f64, 1.0].into(), [-1.0f64, 0.0].into()], [-5e-324f64, 0.9999999999999999]);
}

#[test]
fn approximate_equal() {
    let (x, y) = ([1.0f32, 1.0, f32::NAN, f32::INFINITY], [1.000001f32, 1.1, f32::NAN, f32::INFINITY]);
    check("ApproximateEqual", [x.into(), y.into()], [true, false, false, false]);
    let tolerance = [("tolerance", AttrValue::Float(0.5))];
    check_with("ApproximateEqual", &tolerance, [[1.0f32, 1.0].into(), [1.5f32, 1.6].into()], [true, false]);
    check_error("ApproximateEqual", [[1.0f32, 1.0].into(), [1.5f32].into()], "must have the same shape");
}
