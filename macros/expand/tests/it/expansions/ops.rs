//! `#[op]` and `library!`.

use expect_test::expect;

use super::*;

#[test]
fn op_on_a_struct() {
    let attribute = r#""Relu", input = "x: T", output = "y: T", attr = "T: realnumbertype", attr = "alpha: float = 0.5",
        shape = shape_fns::unchanged"#;
    check(
        op(attribute, "/// Rectifies.\npub struct Relu;"),
        expect![[r##"
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! __oplink_op_Relu {
                ({ $($oplink:tt)* } $($kernel:tt)*) => {
                    $($oplink)* ::__private::__kernel! { { $($oplink)* } { "Relu"["x: T"] ["y: T"]
                    ["T: realnumbertype" "alpha: float = 0.5"] true } $($kernel)* }
                };
            }
            /// Rectifies.
            /**

            The op `Relu`.

            | Input | Type |
            |---|---|
            | `x` | `T` |

            | Output | Type |
            |---|---|
            | `y` | `T` |

            | Attr | Kind | Values | Default |
            |---|---|---|---|
            | `T` | type | `float`, `double`, `int32`, `uint8`, `int16`, `int8`, `int64`, `bfloat16`, `uint16`, `half`, `uint32`, `uint64` | from the inputs |
            | `alpha` | float |  | `0.5` |
            */
            #[allow(non_camel_case_types)]
            pub struct Relu;
            #[allow(non_snake_case, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            mod __oplink_Relu {
                ///Adds a node of the op [`Relu`](super::Relu) to a graph.
                #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
                pub fn relu(
                    scope: &mut dyn ::oplink::__private::Scope,
                    x: impl ::oplink::__private::Operand,
                ) -> ::oplink::__private::Result<::oplink::__private::Output> {
                    ReluBuilder::__new().build(scope, x)
                }
                ///A call of the op `Relu`: its optional attrs, then `build` into a graph or `call` at once.
                #[derive(::core::fmt::Debug, ::core::clone::Clone)]
                #[must_use]
                pub struct ReluBuilder(::oplink::__private::CallBuilder);
                #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
                impl ReluBuilder {
                    #[doc(hidden)]
                    pub fn __new() -> Self {
                        Self(::oplink::__private::CallBuilder::new("Relu"))
                    }
                    /// Names the node.
                    pub fn name(
                        self,
                        name: impl ::core::convert::Into<::std::string::String>,
                    ) -> Self {
                        Self(self.0.name(::core::convert::Into::into(name)))
                    }
                    /// Names the device where the op runs, such as `GPU:0`.
                    pub fn device(
                        self,
                        device: impl ::core::convert::Into<::std::string::String>,
                    ) -> Self {
                        Self(self.0.device(::core::convert::Into::into(device)))
                    }
                    ///Sets `alpha: float = 0.5`.
                    pub fn alpha(self, alpha: ::core::primitive::f32) -> Self {
                        Self(self.0.attr("alpha", alpha))
                    }
                    /// Adds the node to a graph.
                    pub fn build(
                        self,
                        scope: &mut dyn ::oplink::__private::Scope,
                        x: impl ::oplink::__private::Operand,
                    ) -> ::oplink::__private::Result<::oplink::__private::Output> {
                        let inputs = [::oplink::__private::graph_arg(x, scope)?];
                        let outputs = self.0.add(scope, inputs)?;
                        ::core::result::Result::Ok(outputs.one(0usize)?)
                    }
                    /// Runs the op at once.
                    pub fn call(
                        self,
                        x: impl ::oplink::__private::IntoTensor,
                    ) -> ::oplink::__private::Result<::oplink::__private::Tensor> {
                        let [output0] = self.0.execute_flat([::oplink::__private::flat_arg(x)])?;
                        ::core::result::Result::Ok(output0)
                    }
                }
                ///The inputs of the op `Relu`.
                pub struct ReluInputs<'c> {
                    ///`x: T`
                    pub x: ::oplink::__private::Input<'c>,
                }
                ///The outputs of the op `Relu`.
                pub struct ReluOutputs<'c> {
                    ///`y: T`
                    pub y: ::oplink::__private::OutputSlot<'c>,
                }
                ///The attrs of the op `Relu`.
                #[derive(::core::clone::Clone, ::core::marker::Copy)]
                pub struct ReluAttrs<'c> {
                    ///`T: realnumbertype`
                    pub t: ::oplink::__private::DType,
                    ///`alpha: float = 0.5`
                    pub alpha: ::core::primitive::f32,
                    #[doc(hidden)]
                    pub __lifetime: ::core::marker::PhantomData<&'c ()>,
                }
                #[doc(hidden)]
                #[allow(unused_imports)]
                pub use __oplink_op_Relu as Relu;
            }
            #[allow(unused_imports, hidden_glob_reexports)]
            pub use __oplink_Relu::*;
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl Relu {
                /// Runs the op at once, in the process's default runtime.
                pub fn call(
                    x: impl ::oplink::__private::IntoTensor,
                ) -> ::oplink::__private::Result<::oplink::__private::Tensor> {
                    __oplink_Relu::ReluBuilder::__new().call(x)
                }
                /// Starts a call that sets optional attrs or the node's name.
                pub fn builder() -> __oplink_Relu::ReluBuilder {
                    __oplink_Relu::ReluBuilder::__new()
                }
            }
            const _: () = {
                impl ::oplink::__private::Op for Relu {
                    const NAME: &'static ::core::primitive::str = "Relu";
                    const DESCRIPTOR: &'static ::oplink::__private::OpDescriptor = &__OPLINK_DESCRIPTOR;
                }
                static __OPLINK_DESCRIPTOR: ::oplink::__private::OpDescriptor = ::oplink::__private::OpDescriptor {
                    name: "Relu",
                    inputs: &["x: T"],
                    outputs: &["y: T"],
                    attrs: &["T: realnumbertype", "alpha: float = 0.5"],
                    flags: ::oplink::__private::OpFlags {
                        commutative: false,
                        aggregate: false,
                        stateful: false,
                        allows_uninitialized_input: false,
                        distributed_communication: false,
                    },
                    deprecation: ::core::option::Option::None,
                    shape: ::core::option::Option::Some({
                        const SHAPE: ::oplink::__private::ShapeFn = shape_fns::unchanged;
                        SHAPE
                    }),
                    doc: "Rectifies.",
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
                impl ::oplink::__private::TypedOp for Relu {
                    type Inputs<'c> = __oplink_Relu::ReluInputs<'c>;
                    type Attrs<'c> = __oplink_Relu::ReluAttrs<'c>;
                    type Outputs<'c> = __oplink_Relu::ReluOutputs<'c>;
                    #[inline]
                    fn inputs<'c>(
                        slots: &mut ::oplink::__private::InputSlots<'c>,
                    ) -> ::oplink::__private::Result<__oplink_Relu::ReluInputs<'c>> {
                        ::core::result::Result::Ok(__oplink_Relu::ReluInputs {
                            x: slots.one(0usize, "x")?,
                        })
                    }
                    #[inline]
                    fn attrs(
                        node: &::oplink::__private::NodeInfo,
                    ) -> ::oplink::__private::Result<__oplink_Relu::ReluAttrs<'_>> {
                        ::core::result::Result::Ok(__oplink_Relu::ReluAttrs {
                            t: ::oplink::__private::attr_of(node, 0usize, "T")?,
                            alpha: ::oplink::__private::attr_of(node, 1usize, "alpha")?,
                            __lifetime: ::core::marker::PhantomData,
                        })
                    }
                    #[inline]
                    fn outputs<'c>(
                        slots: &mut ::oplink::__private::OutputSlots<'c>,
                    ) -> ::oplink::__private::Result<__oplink_Relu::ReluOutputs<'c>> {
                        ::core::result::Result::Ok(__oplink_Relu::ReluOutputs {
                            y: slots.one(0usize, "y")?,
                        })
                    }
                }
            };
        "##]],
    );
}

#[test]
fn library() {
    let tokens = parse("pub ALL; ops::{Relu, nn::{Conv2D, r#where::Pool}, ::other::Tanh}, kernels::nn::relu");
    check(
        oplink_macros_expand::library(tokens),
        expect![[r##"
            #[allow(missing_docs)]
            pub static ALL: ::oplink::__private::Library = {
                #[allow(unused_imports)]
                use ::oplink::__private::HasKernelDescriptor as _;
                const LISTS: &[&[&::oplink::__private::KernelDescriptor]] = &[
                    <nn::relu as ::oplink::__private::HasKernelDescriptor>::DESCRIPTORS,
                ];
                const COUNT: ::core::primitive::usize = ::oplink::__private::count(LISTS);
                static KERNELS: [&::oplink::__private::KernelDescriptor; COUNT] = ::oplink::__private::flatten(
                    LISTS,
                );
                ::oplink::__private::Library {
                    name: "ALL",
                    ops: &[
                        <Relu as ::oplink::__private::Op>::DESCRIPTOR,
                        <nn::Conv2D as ::oplink::__private::Op>::DESCRIPTOR,
                        <nn::r#where::Pool as ::oplink::__private::Op>::DESCRIPTOR,
                        <::other::Tanh as ::oplink::__private::Op>::DESCRIPTOR,
                    ],
                    kernels: &KERNELS,
                    gradients: &[],
                }
            };
        "##]],
    );
}
