//! Values of TensorFlow: arithmetic.

use crate::support::{check, check_error};

#[test]
fn abs() {
    check("Abs", [[-1.5f32, -0.0, 2.0, -f32::INFINITY, f32::NAN].into()], [1.5f32, 0.0, 2.0, f32::INFINITY, f32::NAN]);
    check("Abs", [[-3i32, 0, 5, -2147483648].into()], [3i32, 0, 5, -2147483648]);
}

#[test]
fn add() {
    check(
        "Add",
        [[1.0f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, -f32::INFINITY, -0.0].into()],
        [3.0f32, f32::NAN, f32::NAN, -0.0],
    );
    check("Add", [[2147483647i32, -3].into(), [1i32, 5].into()], [-2147483648i32, 2]);
}

#[test]
fn add_v2() {
    check(
        "AddV2",
        [[1.0f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, -f32::INFINITY, -0.0].into()],
        [3.0f32, f32::NAN, f32::NAN, -0.0],
    );
    check("AddV2", [[2147483647i32, -3].into(), [1i32, 5].into()], [-2147483648i32, 2]);
    check_error("AddV2", [[1.0f32, 2.0, 3.0].into(), [1.0f32, 2.0].into()], "ncompatible shapes: [3]");
}

#[test]
fn sub() {
    check(
        "Sub",
        [[1.0f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, f32::INFINITY, -0.0].into()],
        [-1.0f32, f32::NAN, f32::NAN, 0.0],
    );
    check("Sub", [[-2147483648i32, -3].into(), [1i32, 5].into()], [2147483647i32, -8]);
    check("Sub", [[1u8].into(), [2u8].into()], [255u8]);
}

#[test]
fn mul() {
    check(
        "Mul",
        [[1.5f32, f32::NAN, f32::INFINITY, -0.0].into(), [2.0f32, 1.0, 0.0, 3.0].into()],
        [3.0f32, f32::NAN, f32::NAN, -0.0],
    );
    check("Mul", [[2147483647i32, -3].into(), [2i32, 5].into()], [-2i32, -15]);
}

#[test]
fn div() {
    check(
        "Div",
        [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
        [3.5f32, -3.5, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
    );
}

#[test]
fn real_div() {
    check(
        "RealDiv",
        [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
        [3.5f32, -3.5, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
    );
}

#[test]
fn div_no_nan() {
    check(
        "DivNoNan",
        [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
        [3.5f32, -3.5, 0.0, 0.0, -0.0, f32::NAN],
    );
    check("DivNoNan", [[f32::NAN, 0.0].into(), [0.0f32, f32::NAN].into()], [0.0f32, f32::NAN]);
}

#[test]
fn mul_no_nan() {
    check(
        "MulNoNan",
        [[f32::NAN, 0.0, f32::INFINITY, 2.0].into(), [0.0f32, f32::NAN, 0.0, 3.0].into()],
        [0.0f32, f32::NAN, 0.0, 6.0],
    );
}

#[test]
fn xdivy() {
    check(
        "Xdivy",
        [[0.0f32, 0.0, 1.0, -2.0, 1.0, 3.0].into(), [f32::NAN, 0.0, 0.0, 0.5, f32::INFINITY, -0.25].into()],
        [0.0f32, 0.0, f32::INFINITY, -4.0, 0.0, -12.0],
    );
    check("Xdivy", [[2.0f64].into(), [0.5f64].into()], [4.0f64]);
}

#[test]
fn remainder() {
    check(
        "Mod",
        [
            [7.0f32, -7.0, 7.0, -7.0, -3.0, 3.0, -0.0, 5.0, f32::NAN].into(),
            [2.0f32, 2.0, -2.0, -2.0, f32::INFINITY, f32::INFINITY, 3.0, 0.0, 1.0].into(),
        ],
        [1.0f32, -1.0, 1.0, -1.0, -3.0, 3.0, -0.0, f32::NAN, f32::NAN],
    );
}

#[test]
fn truncate_mod() {
    check(
        "TruncateMod",
        [
            [7.0f32, -7.0, 7.0, -7.0, -3.0, 3.0, -0.0, 5.0, f32::NAN].into(),
            [2.0f32, 2.0, -2.0, -2.0, f32::INFINITY, f32::INFINITY, 3.0, 0.0, 1.0].into(),
        ],
        [1.0f32, -1.0, 1.0, -1.0, -3.0, 3.0, -0.0, f32::NAN, f32::NAN],
    );
}

#[test]
fn floor_mod() {
    check(
        "FloorMod",
        [
            [7.0f32, -7.0, 7.0, -7.0, -3.0, 3.0, -0.0, 5.0, f32::NAN].into(),
            [2.0f32, 2.0, -2.0, -2.0, f32::INFINITY, f32::INFINITY, 3.0, 0.0, 1.0].into(),
        ],
        [1.0f32, 1.0, -1.0, -1.0, f32::INFINITY, 3.0, -0.0, f32::NAN, f32::NAN],
    );
}

#[test]
fn squared_difference() {
    check(
        "SquaredDifference",
        [[1.0f32, f32::NAN, -f32::INFINITY, 2.5].into(), [2.0f32, 1.0, 1.0, -1.0].into()],
        [1.0f32, f32::NAN, f32::INFINITY, 12.25],
    );
    check("SquaredDifference", [[-3i32, 50000].into(), [4i32, -50000].into()], [49i32, 1410065408]);
}

#[test]
fn maximum() {
    check(
        "Maximum",
        [[1.0f32, f32::NAN, 1.0, -f32::INFINITY].into(), [2.0f32, 1.0, f32::NAN, f32::INFINITY].into()],
        [2.0f32, f32::NAN, f32::NAN, f32::INFINITY],
    );
    check("Maximum", [[-3i32, 5].into(), [4i32, -2].into()], [4i32, 5]);
    check("Maximum", [[200u8, 3].into(), [100u8, 5].into()], [200u8, 5]);
}

#[test]
fn minimum() {
    check(
        "Minimum",
        [[1.0f32, f32::NAN, 1.0, -f32::INFINITY].into(), [2.0f32, 1.0, f32::NAN, f32::INFINITY].into()],
        [1.0f32, f32::NAN, f32::NAN, -f32::INFINITY],
    );
    check("Minimum", [[-3i32, 5].into(), [4i32, -2].into()], [-3i32, -2]);
    check("Minimum", [[200u8, 3].into(), [100u8, 5].into()], [100u8, 3]);
}

#[test]
fn square() {
    check(
        "Square",
        [[-1.5f32, 0.0, 1.0e30, -f32::INFINITY, f32::NAN].into()],
        [2.25f32, 0.0, f32::INFINITY, f32::INFINITY, f32::NAN],
    );
    check("Square", [[-3i32, 0, 5, 65536].into()], [9i32, 0, 25, 0]);
}

#[test]
fn reciprocal() {
    check(
        "Reciprocal",
        [[-4.0f32, -0.0, 0.0, 3.0, -f32::INFINITY, f32::NAN].into()],
        [-0.25f32, -f32::INFINITY, f32::INFINITY, 0.33333334, -0.0, f32::NAN],
    );
}

#[test]
fn inv() {
    check(
        "Inv",
        [[-4.0f32, -0.0, 0.0, 3.0, -f32::INFINITY, f32::NAN].into()],
        [-0.25f32, -f32::INFINITY, f32::INFINITY, 0.33333334, -0.0, f32::NAN],
    );
}

#[test]
fn neg() {
    check("Neg", [[-1.5f32, 0.0, 2.0, -f32::INFINITY, f32::NAN].into()], [1.5f32, -0.0, -2.0, f32::INFINITY, f32::NAN]);
    check("Neg", [[-3i32, 0, 5, -2147483648].into()], [3i32, 0, -5, -2147483648]);
}

#[test]
fn sign() {
    check(
        "Sign",
        [[-1.5f32, -0.0, 0.0, 2.0, -f32::INFINITY, f32::NAN].into()],
        [-1.0f32, 0.0, 0.0, 1.0, -1.0, f32::NAN],
    );
    check("Sign", [[-3i32, 0, 5, -2147483648].into()], [-1i32, 0, 1, -1]);
}
