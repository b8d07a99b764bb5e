//! What well-formed declarations expand to.

mod gradients;
mod kernels;
mod modules;
mod ops;
mod shape_functions;
mod typed;

use expect_test::Expect;

use super::*;

pub(crate) fn check(tokens: TokenStream, expected: Expect) {
    expected.assert_eq(&pretty(tokens));
}
