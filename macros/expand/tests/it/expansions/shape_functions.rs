//! `#[op]` on a shape function.

use expect_test::expect;

use super::*;

#[test]
fn op_on_a_shape_function() {
    let attribute = r#""Split", input = "dim: int32", input = "value: T", output = "parts: N * T", output = "rest: T",
        attr = "N: int >= 1", attr = "T: type", attr = "to: type", stateful, deprecated(since = 8, note = "use SplitV"),
        unused_attr = "to", crate = ::other::path"#;
    check(
        op(attribute, "fn split(c: &mut ShapeContext) -> Result<()> { body() }"),
        expect![[r##"
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! __oplink_op_Split {
                ({ $($oplink:tt)* } $($kernel:tt)*) => {
                    $($oplink)* ::__private::__kernel! { { $($oplink)* } { "Split"["dim: int32"
                    "value: T"] ["parts: N * T" "rest: T"] ["N: int >= 1" "T: type" "to: type"] true
                    } $($kernel)* }
                };
            }
            #[allow(non_snake_case, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            mod __oplink_split {
                /**

            The op `Split`.

            | Input | Type |
            |---|---|
            | `dim` | `int32` |
            | `value` | `T` |

            | Output | Type |
            |---|---|
            | `parts` | `N` tensors of `T` |
            | `rest` | `T` |

            | Attr | Kind | Values | Default |
            |---|---|---|---|
            | `N` | int | at least 1 | required |
            | `T` | type |  | from the inputs |
            | `to` | type |  | required |

            The op is stateful.

            **Deprecated** from GraphDef version 8: use SplitV
            */
                #[allow(non_camel_case_types)]
                pub struct Split;
                ///Adds a node of the op [`Split`](super::Split) to a graph.
                #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
                pub fn split(
                    scope: &mut dyn ::other::path::__private::Scope,
                    dim: impl ::other::path::__private::Operand,
                    value: impl ::other::path::__private::Operand,
                    n: ::core::primitive::i64,
                    to: ::other::path::__private::DType,
                ) -> ::other::path::__private::Result<
                    (
                        ::std::vec::Vec<::other::path::__private::Output>,
                        ::other::path::__private::Output,
                    ),
                > {
                    SplitBuilder::__new(n, to).build(scope, dim, value)
                }
                ///A call of the op `Split`: its optional attrs, then `build` into a graph or `call` at once.
                #[derive(::core::fmt::Debug, ::core::clone::Clone)]
                #[must_use]
                pub struct SplitBuilder(::other::path::__private::CallBuilder);
                #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
                impl SplitBuilder {
                    #[doc(hidden)]
                    pub fn __new(
                        n: ::core::primitive::i64,
                        to: ::other::path::__private::DType,
                    ) -> Self {
                        Self(
                            ::other::path::__private::CallBuilder::new("Split")
                                .attr("N", n)
                                .attr("to", to),
                        )
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
                    /// Adds the node to a graph.
                    pub fn build(
                        self,
                        scope: &mut dyn ::other::path::__private::Scope,
                        dim: impl ::other::path::__private::Operand,
                        value: impl ::other::path::__private::Operand,
                    ) -> ::other::path::__private::Result<
                        (
                            ::std::vec::Vec<::other::path::__private::Output>,
                            ::other::path::__private::Output,
                        ),
                    > {
                        let inputs = [
                            ::other::path::__private::graph_arg(dim, scope)?,
                            ::other::path::__private::graph_arg(value, scope)?,
                        ];
                        let outputs = self.0.add(scope, inputs)?;
                        ::core::result::Result::Ok((outputs.list(0usize)?, outputs.one(1usize)?))
                    }
                    /// Runs the op at once.
                    pub fn call(
                        self,
                        dim: impl ::other::path::__private::IntoTensor,
                        value: impl ::other::path::__private::IntoTensor,
                    ) -> ::other::path::__private::Result<
                        (
                            ::std::vec::Vec<::other::path::__private::Tensor>,
                            ::other::path::__private::Tensor,
                        ),
                    > {
                        let inputs = [
                            ::other::path::__private::eager_arg(dim),
                            ::other::path::__private::eager_arg(value),
                        ];
                        let outputs = self.0.execute(inputs)?;
                        ::core::result::Result::Ok((outputs.list(0usize)?, outputs.one(1usize)?))
                    }
                }
                ///The inputs of the op `Split`.
                pub struct SplitInputs<'c> {
                    ///`dim: int32`
                    pub dim: ::other::path::__private::Input<'c>,
                    ///`value: T`
                    pub value: ::other::path::__private::Input<'c>,
                }
                ///The outputs of the op `Split`.
                pub struct SplitOutputs<'c> {
                    ///`parts: N * T`
                    pub parts: ::other::path::__private::OutputList<'c>,
                    ///`rest: T`
                    pub rest: ::other::path::__private::OutputSlot<'c>,
                }
                ///The attrs of the op `Split`.
                #[derive(::core::clone::Clone, ::core::marker::Copy)]
                pub struct SplitAttrs<'c> {
                    ///`N: int >= 1`
                    pub n: ::core::primitive::i64,
                    ///`T: type`
                    pub t: ::other::path::__private::DType,
                    ///`to: type`
                    pub to: ::other::path::__private::DType,
                    #[doc(hidden)]
                    pub __lifetime: ::core::marker::PhantomData<&'c ()>,
                }
                #[doc(hidden)]
                #[allow(unused_imports)]
                pub use __oplink_op_Split as Split;
            }
            #[allow(unused_imports, hidden_glob_reexports)]
            use __oplink_split::*;
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl __oplink_split::Split {
                /// Runs the op at once, in the process's default runtime.
                pub fn call(
                    dim: impl ::other::path::__private::IntoTensor,
                    value: impl ::other::path::__private::IntoTensor,
                    n: ::core::primitive::i64,
                    to: ::other::path::__private::DType,
                ) -> ::other::path::__private::Result<
                    (
                        ::std::vec::Vec<::other::path::__private::Tensor>,
                        ::other::path::__private::Tensor,
                    ),
                > {
                    __oplink_split::SplitBuilder::__new(n, to).call(dim, value)
                }
                /// Starts a call that sets optional attrs or the node's name.
                pub fn builder(
                    n: ::core::primitive::i64,
                    to: ::other::path::__private::DType,
                ) -> __oplink_split::SplitBuilder {
                    __oplink_split::SplitBuilder::__new(n, to)
                }
            }
            const _: () = {
                #[allow(clippy::unnecessary_wraps)]
                fn split(c: &mut ShapeContext) -> Result<()> {
                    body()
                }
                impl ::other::path::__private::Op for __oplink_split::Split {
                    const NAME: &'static ::core::primitive::str = "Split";
                    const DESCRIPTOR: &'static ::other::path::__private::OpDescriptor = &__OPLINK_DESCRIPTOR;
                }
                static __OPLINK_DESCRIPTOR: ::other::path::__private::OpDescriptor = ::other::path::__private::OpDescriptor {
                    name: "Split",
                    inputs: &["dim: int32", "value: T"],
                    outputs: &["parts: N * T", "rest: T"],
                    attrs: &["N: int >= 1", "T: type", "to: type"],
                    flags: ::other::path::__private::OpFlags {
                        commutative: false,
                        aggregate: false,
                        stateful: true,
                        allows_uninitialized_input: false,
                        distributed_communication: false,
                    },
                    deprecation: ::core::option::Option::Some((8i32, "use SplitV")),
                    shape: ::core::option::Option::Some({
                        const SHAPE: ::other::path::__private::ShapeFn = split;
                        SHAPE
                    }),
                    doc: "",
                    no_gradient: false,
                    facts: &[],
                    excluded: false,
                    location: ::other::path::__private::Location {
                        crate_name: ::core::env!("CARGO_PKG_NAME"),
                        crate_version: ::core::env!("CARGO_PKG_VERSION"),
                        file: ::core::file!(),
                        line: ::core::line!(),
                    },
                };
                ::other::path::__private::__collect!(
                    OPS, OpNode, & 'static ::other::path::__private::OpDescriptor, &
                    __OPLINK_DESCRIPTOR
                );
                impl ::other::path::__private::TypedOp for __oplink_split::Split {
                    type Inputs<'c> = __oplink_split::SplitInputs<'c>;
                    type Attrs<'c> = __oplink_split::SplitAttrs<'c>;
                    type Outputs<'c> = __oplink_split::SplitOutputs<'c>;
                    #[inline]
                    fn inputs<'c>(
                        slots: &mut ::other::path::__private::InputSlots<'c>,
                    ) -> ::other::path::__private::Result<__oplink_split::SplitInputs<'c>> {
                        ::core::result::Result::Ok(__oplink_split::SplitInputs {
                            dim: slots.one(0usize, "dim")?,
                            value: slots.one(1usize, "value")?,
                        })
                    }
                    #[inline]
                    fn attrs(
                        node: &::other::path::__private::NodeInfo,
                    ) -> ::other::path::__private::Result<__oplink_split::SplitAttrs<'_>> {
                        ::core::result::Result::Ok(__oplink_split::SplitAttrs {
                            n: ::other::path::__private::attr_of(node, 0usize, "N")?,
                            t: ::other::path::__private::attr_of(node, 1usize, "T")?,
                            to: ::other::path::__private::attr_of(node, 2usize, "to")?,
                            __lifetime: ::core::marker::PhantomData,
                        })
                    }
                    #[inline]
                    fn outputs<'c>(
                        slots: &mut ::other::path::__private::OutputSlots<'c>,
                    ) -> ::other::path::__private::Result<__oplink_split::SplitOutputs<'c>> {
                        ::core::result::Result::Ok(__oplink_split::SplitOutputs {
                            parts: slots.list(0usize, "parts")?,
                            rest: slots.one_of(1usize, "rest")?,
                        })
                    }
                }
            };
        "##]],
    );
}
