//! `#[derive(Module)]`.

use expect_test::expect;

use super::*;

#[test]
fn a_struct_visits_its_fields() {
    let item = "#[module(crate = other)] struct Net<L> { body: Vec<L>, r#type: Dense, #[module(skip)] labels: Labels }";
    check(oplink_macros_expand::module(parse(item)), expect![[r#""#]]);
}

#[test]
fn mistakes_are_told() {
    let item = "struct Net(#[module(hidden)] Dense, #[module] Dense, #[module(skip = 1)] Dense);";
    check(oplink_macros_expand::module(parse(item)), expect![[r#""#]]);
    check(oplink_macros_expand::module(parse("enum Net { A(Dense) }")), expect![[r#""#]]);
}
