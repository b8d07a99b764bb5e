//! What handles, groups, optional parameters and enums expand to.

use expect_test::{Expect, expect};

use super::*;

const POOL: &str =
    r#""Pool" ["x: T" "xs: N * T" "var: Ref(T)"] ["y: T"] ["T: type" "N: int >= 1" "padding: {'SAME', 'VALID'}"] true"#;

/// The function that binds.
fn check_run(function: &str, expected: Expect) {
    check_from("fn __oplink_run", "T = any", function, expected);
}

/// What stands from `first` to the descriptor.
fn check_from(first: &str, types: &str, function: &str, expected: Expect) {
    let all = pretty(kernel(POOL, &format!("nn::Pool, device = CPU, {types}"), function));
    let start = all.find(&format!("    {first}")).unwrap();
    let end = all.find("    static __OPLINK_DESCRIPTOR").unwrap();
    let lines = all[start..end].lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

/// What does not depend on the types is compiled once for all of them.
#[test]
fn handles_of_a_generic_kernel() {
    check_from(
        "#[allow(unused, clippy::type_complexity)]",
        "T = [f32, f64]",
        "fn pool<T: Float>(x: Input<'_>, xs: InputList<'_>, mut y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {}",
        expect![[r##"
            #[allow(unused, clippy::type_complexity)]
            fn __oplink_slots<'c>(
                context: &'c mut ::oplink::__private::KernelContext<'_>,
            ) -> ::oplink::__private::Result<
                (
                    ::oplink::__private::Input<'c>,
                    ::oplink::__private::InputList<'c>,
                    ::oplink::__private::OutputSlot<'c>,
                    ::oplink::__private::Env<'c>,
                ),
            > {
                #[allow(unused)]
                let (mut inputs, mut outputs, env) = ::oplink::__private::KernelContext::split(
                    context,
                );
                ::core::result::Result::Ok((
                    inputs.one(0usize, "x")?,
                    inputs.list(1usize, "xs")?,
                    outputs.one(0usize, "y")?,
                    env,
                ))
            }
            fn __oplink_run<T: Float>(
                context: &mut ::oplink::__private::KernelContext<'_>,
            ) -> ::oplink::__private::Result<()> {
                #[allow(unused)]
                let (input_slot0, input_slot1, mut output_slot0, env) = __oplink_slots(context)?;
                let argument0 = input_slot0;
                let argument1 = input_slot1;
                let argument2 = output_slot0;
                let argument3 = env;
                {
                    let __oplink_result = pool::<T>(argument0, argument1, argument2, argument3);
                    ::oplink::__private::checked(__oplink_result)?
                };
                ::core::result::Result::Ok(())
            }
        "##]],
    );
}

#[test]
fn handles() {
    check_run(
        "fn pool(var: Arc<Variable>, padding: Padding, y: &mut OutputSlot<'_>, x: Input<'_>, env: Env<'_>) {}",
        expect![[r#"
                fn __oplink_run(
                    context: &mut ::oplink::__private::KernelContext<'_>,
                ) -> ::oplink::__private::Result<()> {
                    const _: () = ::core::assert!(
                        ::oplink::__private::same_values(< Padding as ::oplink::__private::AttrEnum >
                        ::VALUES, & ["SAME", "VALID"]),
                        "the values of this enum are not those that op `Pool` declares for the attr `padding`: SAME, VALID"
                    );
                    let argument1 = ::oplink::__private::enum_attr_of(
                        context.node(),
                        2usize,
                        "padding",
                        <Padding as ::oplink::__private::AttrEnum>::from_attr_value,
                    )?;
                    #[allow(unused)]
                    let (mut inputs, mut outputs, env) = ::oplink::__private::KernelContext::split(
                        context,
                    );
                    let input_slot0 = inputs.one(0usize, "x")?;
                    let input_slot2 = inputs.one_of(2usize, "var")?;
                    let mut output_slot0 = outputs.one(0usize, "y")?;
                    let argument0 = ::oplink::__private::input_of::<
                        Arc<Variable>,
                        ::oplink::__private::element::ResourceHandle,
                        _,
                    >(input_slot2, "var")?;
                    let argument2 = &mut output_slot0;
                    let argument3 = input_slot0;
                    let argument4 = env;
                    pool(argument0, argument1, argument2, argument3, argument4);
                    ::core::result::Result::Ok(())
                }
        "#]],
    );
}

#[test]
fn groups() {
    check_run(
        "fn pool(i: PoolInputs<'_>, a: PoolAttrs<'_>, o: &mut PoolOutputs<'_>) -> Result<()> { body() }",
        expect![[r#"
                fn __oplink_run(
                    context: &mut ::oplink::__private::KernelContext<'_>,
                ) -> ::oplink::__private::Result<()> {
                    let argument1 = <nn::Pool as ::oplink::__private::TypedOp>::attrs(
                        context.node(),
                    )?;
                    #[allow(unused)]
                    let (mut inputs, mut outputs, env) = ::oplink::__private::KernelContext::split(
                        context,
                    );
                    let argument0 = <nn::Pool as ::oplink::__private::TypedOp>::inputs(&mut inputs)?;
                    let argument2 = &mut <nn::Pool as ::oplink::__private::TypedOp>::outputs(
                        &mut outputs,
                    )?;
                    {
                        let __oplink_result = pool(argument0, argument1, argument2);
                        ::oplink::__private::checked(__oplink_result)?
                    };
                    ::core::result::Result::Ok(())
                }
        "#]],
    );
}

#[test]
fn optional_parameters() {
    check_run(
        "#[kernel(Other, device = CPU)] fn pool(x: Option<Input<'_>>, momentum: Option<f32>, mut y: OutputSlot<'_>) {}",
        expect![[r#"
                fn __oplink_run(
                    context: &mut ::oplink::__private::KernelContext<'_>,
                ) -> ::oplink::__private::Result<()> {
                    #[allow(unused)]
                    let (mut inputs, mut outputs, env) = ::oplink::__private::KernelContext::split(
                        context,
                    );
                    let input_slot0 = inputs.one(0usize, "x")?;
                    let mut output_slot0 = outputs.one(0usize, "y")?;
                    let argument0 = ::core::option::Option::Some(input_slot0);
                    let argument1 = ::core::option::Option::None;
                    let argument2 = output_slot0;
                    pool(argument0, argument1, argument2);
                    ::core::result::Result::Ok(())
                }
        "#]],
    );
}

#[test]
fn enums() {
    let attribute = r#""Pad", attr = "padding: {'SAME', 'VALID'}", attr = "mode: {'NHWC_VECT_C', '', '2d', 'half_to_even'}",
        enums(padding = shared::Padding)"#;
    let all = pretty(op(attribute, "pub struct Pad;"));
    let start = all.find("///The inputs of the op").unwrap();
    expect![[r#"
        ///The inputs of the op `Pad`.
            pub struct PadInputs<'c> {
                #[doc(hidden)]
                pub __lifetime: ::core::marker::PhantomData<&'c ()>,
            }
            ///The outputs of the op `Pad`.
            pub struct PadOutputs<'c> {
                #[doc(hidden)]
                pub __lifetime: ::core::marker::PhantomData<&'c ()>,
            }
            ::oplink::__private::attr_enum! {
                #[doc = "The values of the attr `mode` of the op `Pad`."] pub enum PadMode {
                NhwcVectC = "NHWC_VECT_C", Empty = "", _2d = "2d", HalfToEven = "half_to_even", }
            }
            #[doc(hidden)]
            #[allow(unused_imports)]
            pub use __oplink_op_Pad as Pad;
        }
        #[allow(unused_imports, hidden_glob_reexports)]
        pub use __oplink_Pad::*;
        ///The attrs of the op `Pad`.
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        pub struct PadAttrs<'c> {
            ///`padding: {'SAME', 'VALID'}`
            pub padding: shared::Padding,
            ///`mode: {'NHWC_VECT_C', '', '2d', 'half_to_even'}`
            pub mode: __oplink_Pad::PadMode,
            #[doc(hidden)]
            pub __lifetime: ::core::marker::PhantomData<&'c ()>,
        }
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        impl Pad {
            /// Runs the op at once, in the process's default runtime.
            pub fn call(
                padding: impl ::oplink::__private::StringAttr,
                mode: impl ::oplink::__private::StringAttr,
            ) -> ::oplink::__private::Result<()> {
                __oplink_Pad::PadBuilder::__new(padding, mode).call()
            }
            /// Starts a call that sets optional attrs or the node's name.
            pub fn builder(
                padding: impl ::oplink::__private::StringAttr,
                mode: impl ::oplink::__private::StringAttr,
            ) -> __oplink_Pad::PadBuilder {
                __oplink_Pad::PadBuilder::__new(padding, mode)
            }
        }
        const _: () = {
            impl ::oplink::__private::Op for Pad {
                const NAME: &'static ::core::primitive::str = "Pad";
                const DESCRIPTOR: &'static ::oplink::__private::OpDescriptor = &__OPLINK_DESCRIPTOR;
            }
            static __OPLINK_DESCRIPTOR: ::oplink::__private::OpDescriptor = ::oplink::__private::OpDescriptor {
                name: "Pad",
                inputs: &[],
                outputs: &[],
                attrs: &[
                    "padding: {'SAME', 'VALID'}",
                    "mode: {'NHWC_VECT_C', '', '2d', 'half_to_even'}",
                ],
                flags: ::oplink::__private::OpFlags {
                    commutative: false,
                    aggregate: false,
                    stateful: false,
                    allows_uninitialized_input: false,
                    distributed_communication: false,
                },
                deprecation: ::core::option::Option::None,
                shape: ::core::option::Option::None,
                doc: "",
                no_gradient: false,
                facts: &[],
                excluded: false,
                location: ::oplink::__private::Location {
                    crate_name: ::core::env!("CARGO_PKG_NAME"),
                    crate_version: ::core::env!("CARGO_PKG_VERSION"),
                    file: ::core::file!(),
                    line: ::core::line!(),
                },
            };
            ::oplink::__private::__collect!(
                OPS, OpNode, & 'static ::oplink::__private::OpDescriptor, & __OPLINK_DESCRIPTOR
            );
            const _: () = ::core::assert!(
                ::oplink::__private::same_values(< shared::Padding as
                ::oplink::__private::AttrEnum > ::VALUES, & ["SAME", "VALID"]),
                "the values of this enum are not those that op `Pad` declares for the attr `padding`: SAME, VALID"
            );
            impl ::oplink::__private::TypedOp for Pad {
                type Inputs<'c> = __oplink_Pad::PadInputs<'c>;
                type Attrs<'c> = PadAttrs<'c>;
                type Outputs<'c> = __oplink_Pad::PadOutputs<'c>;
                #[inline]
                fn inputs<'c>(
                    _slots: &mut ::oplink::__private::InputSlots<'c>,
                ) -> ::oplink::__private::Result<__oplink_Pad::PadInputs<'c>> {
                    ::core::result::Result::Ok(__oplink_Pad::PadInputs {
                        __lifetime: ::core::marker::PhantomData,
                    })
                }
                #[inline]
                fn attrs(
                    node: &::oplink::__private::NodeInfo,
                ) -> ::oplink::__private::Result<PadAttrs<'_>> {
                    ::core::result::Result::Ok(PadAttrs {
                        padding: ::oplink::__private::enum_attr_of(
                            node,
                            0usize,
                            "padding",
                            <shared::Padding as ::oplink::__private::AttrEnum>::from_attr_value,
                        )?,
                        mode: ::oplink::__private::enum_attr_of(
                            node,
                            1usize,
                            "mode",
                            <__oplink_Pad::PadMode as ::oplink::__private::AttrEnum>::from_attr_value,
                        )?,
                        __lifetime: ::core::marker::PhantomData,
                    })
                }
                #[inline]
                fn outputs<'c>(
                    _slots: &mut ::oplink::__private::OutputSlots<'c>,
                ) -> ::oplink::__private::Result<__oplink_Pad::PadOutputs<'c>> {
                    ::core::result::Result::Ok(__oplink_Pad::PadOutputs {
                        __lifetime: ::core::marker::PhantomData,
                    })
                }
            }
        };
    "#]]
    .assert_eq(&all[start..]);
}
