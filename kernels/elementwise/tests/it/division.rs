//! Values of TensorFlow: rounded quotients.

use crate::support::check;

#[test]
fn floor_div() {
    check(
        "FloorDiv",
        [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
        [3.0f32, -4.0, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
    );
}

#[test]
fn truncate_div() {
    check(
        "TruncateDiv",
        [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
        [3.0f32, -3.0, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
    );
}
