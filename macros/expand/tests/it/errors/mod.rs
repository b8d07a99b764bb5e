//! Messages: one for each mistake, with what to do.

mod kernel_keys;
mod kernel_signatures;
mod ops;
mod typed;

use expect_test::Expect;

use super::*;

pub(crate) fn check(tokens: TokenStream, expected: Expect) {
    expected.assert_eq(&messages(tokens).join("\n--\n"));
}

pub(crate) fn check_kernel(op: &str, attribute: &str, item: &str, expected: Expect) {
    check(kernel(op, attribute, item), expected);
}
