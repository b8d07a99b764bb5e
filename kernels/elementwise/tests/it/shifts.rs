//! Values of TensorFlow: shifts.

use crate::support::check;

#[test]
fn left_shift() {
    check(
        "LeftShift",
        [[1i32, 1, 1, -1, -8].into(), [-1i32, 31, 32, 3, 1].into()],
        [1i32, -2147483648, -2147483648, -8, -16],
    );
    check("LeftShift", [[1u8, 255].into(), [9u8, 1].into()], [128u8, 254]);
    check("LeftShift", [[-128i8].into(), [7i8].into()], [0i8]);
}

#[test]
fn right_shift() {
    check("RightShift", [[1i32, 1, 1, -1, -8].into(), [-1i32, 31, 32, 3, 1].into()], [1i32, 0, 0, -1, -4]);
    check("RightShift", [[1u8, 255].into(), [9u8, 1].into()], [0u8, 127]);
    check("RightShift", [[-128i8].into(), [7i8].into()], [-1i8]);
}
