//! `#[derive(Module)]`.

use expect_test::expect;

use super::*;

#[test]
fn a_struct_visits_its_fields() {
    let item = "#[module(crate = other)] struct Net<L> { body: Vec<L>, r#type: Dense, #[module(skip)] labels: Labels }";
    check(
        oplink_macros_expand::module(parse(item)),
        expect![[r##"
        #[automatically_derived]
        impl<L: other::nn::Module> other::nn::Module for Net<L> {
            #[allow(unused_variables)]
            fn visit(&self, visitor: &mut other::nn::Visitor<'_>) {
                other::nn::Visitor::part(visitor, "body", &self.body);
                other::nn::Visitor::part(visitor, "type", &self.r#type);
            }
        }
    "##]],
    );
}

#[test]
fn mistakes_are_told() {
    let item = "struct Net(#[module(hidden)] Dense, #[module] Dense, #[module(skip = 1)] Dense);";
    check(
        oplink_macros_expand::module(parse(item)),
        expect![[r#"
        ::core::compile_error! {
            "the key here is `skip`"
        }
        ::core::compile_error! {
            "this attribute is written `#[module(skip)]`"
        }
        ::core::compile_error! {
            "the key here is `skip`"
        }
    "#]],
    );
    check(
        oplink_macros_expand::module(parse("enum Net { A(Dense) }")),
        expect![[r##"
        ::core::compile_error! {
            "#[derive(Module)] stands on a struct; of an enum or a union, implement `Module` by hand"
        }
    "##]],
    );
}
