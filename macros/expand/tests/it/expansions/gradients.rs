//! `#[gradient]`.

use expect_test::expect;

use super::*;

#[test]
fn gradient() {
    let item = "pub fn relu_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients { body() }";
    check(
        oplink_macros_expand::gradient(parse("nn::Relu, crate = other"), parse(item)),
        expect![[r##"
            #[allow(clippy::unnecessary_wraps)]
            pub fn relu_gradient(
                scope: &mut dyn Scope,
                op: &OpForGradient,
                dy: &[Output],
            ) -> Gradients {
                body()
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            pub enum relu_gradient {}
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! gradient_of_Relu {
                () => {};
            }
            const _: () = {
                static __OPLINK_DESCRIPTOR: other::__private::GradientDescriptor = other::__private::GradientDescriptor {
                    op: <nn::Relu as other::__private::Op>::NAME,
                    function: {
                        const GRADIENT: other::__private::GradientFn = relu_gradient;
                        other::__private::GradientFunction::Function(GRADIENT)
                    },
                    location: other::__private::Location {
                        crate_name: ::core::env!("CARGO_PKG_NAME"),
                        crate_version: ::core::env!("CARGO_PKG_VERSION"),
                        file: ::core::file!(),
                        line: ::core::line!(),
                    },
                };
                other::__private::__collect!(
                    GRADIENTS, GradientNode, & 'static other::__private::GradientDescriptor, &
                    __OPLINK_DESCRIPTOR
                );
                impl other::__private::HasGradientDescriptor for relu_gradient {
                    const DESCRIPTOR: &'static other::__private::GradientDescriptor = &__OPLINK_DESCRIPTOR;
                }
            };
        "##]],
    );
}

#[test]
fn library_with_gradients() {
    let tokens = parse("ALL; ops::{}, gradients::{first, nn::second}");
    let expanded = pretty(oplink_macros_expand::library(tokens));
    let list = "gradients: &[
            <first as ::oplink::__private::HasGradientDescriptor>::DESCRIPTOR,
            <nn::second as ::oplink::__private::HasGradientDescriptor>::DESCRIPTOR,
        ],";
    assert!(expanded.contains(list), "{expanded}");
}
