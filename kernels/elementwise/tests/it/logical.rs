//! Values of TensorFlow: logical.

use crate::support::check;

#[test]
fn logical_and() {
    check(
        "LogicalAnd",
        [[true, false, true, false].into(), [true, true, false, false].into()],
        [true, false, false, false],
    );
}

#[test]
fn logical_or() {
    check(
        "LogicalOr",
        [[true, false, true, false].into(), [true, true, false, false].into()],
        [true, true, true, false],
    );
}

#[test]
fn logical_not() {
    check("LogicalNot", [[true, false].into()], [false, true]);
}
