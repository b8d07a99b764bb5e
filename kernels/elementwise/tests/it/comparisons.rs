//! Values of TensorFlow: comparisons.

use crate::support::check;

#[test]
fn less() {
    check(
        "Less",
        [[1.0f32, 2.0, 3.0, f32::NAN, 1.0, -0.0].into(), [2.0f32, 2.0, 1.0, 1.0, f32::NAN, 0.0].into()],
        [true, false, false, false, false, false],
    );
    check("Less", [[-3i32, 5].into(), [4i32, 5].into()], [true, false]);
    check("Less", [[200u8, 3].into(), [100u8, 5].into()], [false, true]);
}

#[test]
fn less_equal() {
    check(
        "LessEqual",
        [[1.0f32, 2.0, 3.0, f32::NAN, 1.0, -0.0].into(), [2.0f32, 2.0, 1.0, 1.0, f32::NAN, 0.0].into()],
        [true, true, false, false, false, true],
    );
    check("LessEqual", [[-3i32, 5].into(), [4i32, 5].into()], [true, true]);
    check("LessEqual", [[200u8, 3].into(), [100u8, 5].into()], [false, true]);
}

#[test]
fn greater() {
    check(
        "Greater",
        [[1.0f32, 2.0, 3.0, f32::NAN, 1.0, -0.0].into(), [2.0f32, 2.0, 1.0, 1.0, f32::NAN, 0.0].into()],
        [false, false, true, false, false, false],
    );
    check("Greater", [[-3i32, 5].into(), [4i32, 5].into()], [false, false]);
    check("Greater", [[200u8, 3].into(), [100u8, 5].into()], [true, false]);
}

#[test]
fn greater_equal() {
    check(
        "GreaterEqual",
        [[1.0f32, 2.0, 3.0, f32::NAN, 1.0, -0.0].into(), [2.0f32, 2.0, 1.0, 1.0, f32::NAN, 0.0].into()],
        [false, true, true, false, false, true],
    );
    check("GreaterEqual", [[-3i32, 5].into(), [4i32, 5].into()], [false, true]);
    check("GreaterEqual", [[200u8, 3].into(), [100u8, 5].into()], [true, false]);
}
