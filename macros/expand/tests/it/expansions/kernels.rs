//! `#[kernel]`.

use expect_test::expect;

use super::*;

const KEYS: &str = "nn::Concat, device = CPU, T = [f32, i32], host_memory(dim), priority = 2";
const FUNCTION: &str = "pub fn concat_cpu<'a, T: Element>(
    dim: i32, values: Inputs<'a, T>, axis: i64, mut output: ArrayViewMutD<'a, T>
) -> Result<()> where T: Copy { body() }";

#[test]
fn kernel_function_first_step() {
    check(
        oplink_macros_expand::kernel(parse(KEYS), parse(FUNCTION)),
        expect![[r#"
            #[allow(
                hidden_glob_reexports,
                clippy::too_many_arguments,
                clippy::needless_pass_by_value,
                clippy::unnecessary_wraps
            )]
            pub fn concat_cpu<'a, T: Element>(
                dim: i32,
                values: Inputs<'a, T>,
                axis: i64,
                mut output: ArrayViewMutD<'a, T>,
            ) -> Result<()>
            where
                T: Copy,
            {
                body()
            }
            #[allow(unused_imports)]
            use nn::Concat as __oplink_op0_of_concat_cpu;
            __oplink_op0_of_concat_cpu! {
                { ::oplink } { nn::Concat } { device = CPU, T = [f32, i32], host_memory(dim),
                priority = 2 } { pub fn concat_cpu < 'a, T : Element > (dim : i32, values : Inputs <
                'a, T >, axis : i64, mut output : ArrayViewMutD < 'a, T >) -> Result < () > where T :
                Copy } 0usize false
            }
        "#]],
    );
}

#[test]
fn kernel_function() {
    check(
        kernel(CONCAT, KEYS, FUNCTION),
        expect![[r##"
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            const _: () = {
                fn __oplink_run<T: Element>(
                    context: &mut ::oplink::__private::KernelContext<'_>,
                ) -> ::oplink::__private::Result<()>
                where
                    T: Copy,
                {
                    let [mut output3] = ::oplink::__private::allocate_outputs(
                        context,
                        [(0usize, "output")],
                    )?;
                    let argument0 = ::oplink::__private::input::<
                        i32,
                        ::core::primitive::i32,
                        _,
                    >(context.inputs(), 0usize, "dim")?;
                    let argument1 = ::oplink::__private::input_list::<
                        Inputs<'_, T>,
                        T,
                        _,
                    >(
                        context.inputs(),
                        ::oplink::__private::input_range(context, 1usize),
                        "values",
                    )?;
                    let argument2 = ::oplink::__private::attr::<
                        i64,
                        ::core::primitive::i64,
                        _,
                    >(context, 2usize, "axis")?;
                    let argument3 = ::oplink::__private::output::<
                        ArrayViewMutD<'_, T>,
                        T,
                        _,
                    >(&mut output3, "output")?;
                    {
                        let __oplink_result = concat_cpu::<
                            T,
                        >(argument0, argument1, argument2, argument3);
                        ::oplink::__private::checked(__oplink_result)?
                    };
                    ::oplink::__private::set_output(context, 0usize, output3);
                    ::core::result::Result::Ok(())
                }
                static __OPLINK_DESCRIPTOR: ::oplink::__private::KernelDescriptor = {
                    ::oplink::__private::KernelDescriptor {
                        op: "Concat",
                        device: "CPU",
                        label: "",
                        priority: 2i32,
                        host_memory: &["dim"],
                        forward: &[],
                        type_attrs: &["T"],
                        entries: &[
                            ::oplink::__private::KernelEntry::new(
                                &[::oplink::__private::DType::Float],
                                ::oplink::__private::KernelFunction::Compute(__oplink_run::<f32>),
                            ),
                            ::oplink::__private::KernelEntry::new(
                                &[::oplink::__private::DType::Int32],
                                ::oplink::__private::KernelFunction::Compute(__oplink_run::<i32>),
                            ),
                        ],
                        excluded: &[],
                        location: ::oplink::__private::Location {
                            crate_name: ::core::env!("CARGO_PKG_NAME"),
                            crate_version: ::core::env!("CARGO_PKG_VERSION"),
                            file: ::core::file!(),
                            line: ::core::line!(),
                        },
                    }
                };
                ::oplink::__private::__collect!(
                    KERNELS, KernelNode, & 'static ::oplink::__private::KernelDescriptor, &
                    __OPLINK_DESCRIPTOR
                );
                impl ::oplink::__private::HasKernelDescriptor for concat_cpu {
                    const DESCRIPTORS: &'static [&'static ::oplink::__private::KernelDescriptor] = &[
                        &__OPLINK_DESCRIPTOR,
                    ];
                }
            };
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! kernel_of_Concat_on_CPU_for_T_float_with_priority_2 {
                () => {};
            }
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! kernel_of_Concat_on_CPU_for_T_int32_with_priority_2 {
                () => {};
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            pub enum concat_cpu {}
        "##]],
    );
}

#[test]
fn kernel_that_returns_and_forwards() {
    let expanded = kernel(
        PAIR,
        r#"Pair, device = "TPU", T = [f32], label = "fast", forward(n => b)"#,
        "fn pair(context: &mut KernelContext<'_>, x: &Tensor, b: InOut<'_, i32>) -> Tensor { body() }",
    );
    check(
        expanded,
        expect![[r##"
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            const _: () = {
                fn __oplink_run(
                    context: &mut ::oplink::__private::KernelContext<'_>,
                ) -> ::oplink::__private::Result<()> {
                    let held1 = ::oplink::__private::hold(context.inputs(), 0usize, "x")?;
                    let mut output2 = ::oplink::__private::forward(context, 1usize, 1usize)?;
                    let argument1 = ::oplink::__private::input::<&Tensor, f32, _>(&held1, 0, "x")?;
                    let argument2 = ::oplink::__private::in_out::<
                        InOut<'_, i32>,
                        ::core::primitive::i32,
                        _,
                    >(&mut output2, "b")?;
                    let __oplink_value0 = pair(context, argument1, argument2);
                    ::oplink::__private::set_output(context, 1usize, output2.into_output());
                    ::oplink::__private::set_returned::<
                        Tensor,
                        f32,
                        _,
                    >(context, 0usize, "a", __oplink_value0);
                    ::core::result::Result::Ok(())
                }
                static __OPLINK_DESCRIPTOR: ::oplink::__private::KernelDescriptor = {
                    ::oplink::__private::KernelDescriptor {
                        op: "Pair",
                        device: "TPU",
                        label: "fast",
                        priority: 0i32,
                        host_memory: &[],
                        forward: &[("n", "b")],
                        type_attrs: &["T"],
                        entries: &[
                            ::oplink::__private::KernelEntry::new(
                                &[::oplink::__private::DType::Float],
                                ::oplink::__private::KernelFunction::Compute(__oplink_run),
                            ),
                        ],
                        excluded: &[],
                        location: ::oplink::__private::Location {
                            crate_name: ::core::env!("CARGO_PKG_NAME"),
                            crate_version: ::core::env!("CARGO_PKG_VERSION"),
                            file: ::core::file!(),
                            line: ::core::line!(),
                        },
                    }
                };
                ::oplink::__private::__collect!(
                    KERNELS, KernelNode, & 'static ::oplink::__private::KernelDescriptor, &
                    __OPLINK_DESCRIPTOR
                );
                impl ::oplink::__private::HasKernelDescriptor for pair {
                    const DESCRIPTORS: &'static [&'static ::oplink::__private::KernelDescriptor] = &[
                        &__OPLINK_DESCRIPTOR,
                    ];
                }
            };
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! kernel_of_Pair_on_TPU_for_T_float_with_label_fast {
                () => {};
            }
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            enum pair {}
        "##]],
    );
}

#[test]
fn kernel_type() {
    let expanded =
        kernel(RELU, "Relu, device = CPU, T = [floats]", "impl<T: Float> Kernel for ReluCpu<T> where T: Copy { body }");
    check(
        expanded,
        expect![[r##"
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            const _: () = {
                type __OplinkKernel<T> = ReluCpu<T>;
                const _: () = ::core::assert!(
                    ::oplink::__private::same_arguments(<< __OplinkKernel < ::core::primitive::f32 >
                    as ::oplink::__private::Kernel > ::Op as ::oplink::__private::Op > ::DESCRIPTOR,
                    < Relu as ::oplink::__private::Op > ::DESCRIPTOR),
                    "`type Op` of this kernel is not `Relu`, and its inputs, outputs and attrs are declared otherwise"
                );
                static __OPLINK_DESCRIPTOR: ::oplink::__private::KernelDescriptor = {
                    ::oplink::__private::KernelDescriptor {
                        op: "Relu",
                        device: "CPU",
                        label: "",
                        priority: 0i32,
                        host_memory: &[],
                        forward: &[],
                        type_attrs: &["T"],
                        entries: &[
                            ::oplink::__private::KernelEntry::new(
                                &[::oplink::__private::DType::Float],
                                ::oplink::__private::KernelFunction::Create(
                                    ::oplink::__private::create::<
                                        __OplinkKernel<::core::primitive::f32>,
                                    >,
                                ),
                            ),
                            ::oplink::__private::KernelEntry::new(
                                &[::oplink::__private::DType::Double],
                                ::oplink::__private::KernelFunction::Create(
                                    ::oplink::__private::create::<
                                        __OplinkKernel<::core::primitive::f64>,
                                    >,
                                ),
                            ),
                        ],
                        excluded: &[],
                        location: ::oplink::__private::Location {
                            crate_name: ::core::env!("CARGO_PKG_NAME"),
                            crate_version: ::core::env!("CARGO_PKG_VERSION"),
                            file: ::core::file!(),
                            line: ::core::line!(),
                        },
                    }
                };
                ::oplink::__private::__collect!(
                    KERNELS, KernelNode, & 'static ::oplink::__private::KernelDescriptor, &
                    __OPLINK_DESCRIPTOR
                );
                impl ::oplink::__private::HasKernelDescriptor
                for __OplinkKernel<::core::primitive::f32> {
                    const DESCRIPTORS: &'static [&'static ::oplink::__private::KernelDescriptor] = &[
                        &__OPLINK_DESCRIPTOR,
                    ];
                }
            };
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! kernel_of_Relu_on_CPU_for_T_float {
                () => {};
            }
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! kernel_of_Relu_on_CPU_for_T_double {
                () => {};
            }
        "##]],
    );
}

#[test]
fn kernel_of_the_host() {
    let expanded = kernel(RELU, "Relu, device = GPU, T = [f32], host_memory = [x]", "impl HostFallback for Relus");
    let expanded = expanded.to_string();
    assert!(expanded.contains("KernelFunction :: HostFallback"), "{expanded}");
    assert!(!expanded.contains("Create") && !expanded.contains("Compute"), "{expanded}");
}

#[test]
fn kernel_of_a_dynamic_op() {
    let first = oplink_macros_expand::kernel(
        parse(r#"dynamic = "Elsewhere", device = CPU, async"#),
        parse("fn later(context: AsyncKernelContext) { body() }"),
    );
    check(
        first,
        expect![[r##"
            #[allow(
                hidden_glob_reexports,
                clippy::too_many_arguments,
                clippy::needless_pass_by_value,
                clippy::unnecessary_wraps
            )]
            fn later(context: AsyncKernelContext) {
                body()
            }
            ::oplink::__private::__kernel! {
                { ::oplink } { dynamic "Elsewhere" } { dynamic = "Elsewhere" } { device = CPU, async
                } { fn later(context : AsyncKernelContext) } 0usize false
            }
        "##]],
    );
}
