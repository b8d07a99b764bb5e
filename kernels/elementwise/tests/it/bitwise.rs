//! Values of TensorFlow: bitwise.

use crate::support::check;

#[test]
fn bitwise_and() {
    check("BitwiseAnd", [[12i32, -1].into(), [10i32, 255].into()], [8i32, 255]);
    check("BitwiseAnd", [[255u8].into(), [170u8].into()], [170u8]);
}

#[test]
fn bitwise_or() {
    check("BitwiseOr", [[12i32, -1].into(), [10i32, 255].into()], [14i32, -1]);
    check("BitwiseOr", [[255u8].into(), [170u8].into()], [255u8]);
}

#[test]
fn bitwise_xor() {
    check("BitwiseXor", [[12i32, -1].into(), [10i32, 255].into()], [6i32, -256]);
    check("BitwiseXor", [[255u8].into(), [170u8].into()], [85u8]);
}

#[test]
fn invert() {
    check("Invert", [[-3i32, 0, 5].into()], [2i32, -1, -6]);
    check("Invert", [[0u8, 5].into()], [255u8, 250]);
}

#[test]
fn population_count() {
    check("PopulationCount", [[-1i16, 7, 0].into()], [16u8, 3, 0]);
    check("PopulationCount", [u64::MAX.into()], 64u8);
}
