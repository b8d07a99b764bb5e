//! Functions of single values.

use expect_test::expect;

use super::*;

const RELU: &str = "fn relu<T: Real>(x: T) -> T { if x < T::zero() { T::zero() } else { x } }";

#[test]
fn relu() {
    let programs = programs(UNARY, "Relu, device = GPU, T = [f32]", RELU);
    check_programs(
        &programs[..1],
        expect![[r#"
            params: & [FormulaParam :: Input (DType :: Float)]
            result: DType :: Float
            shapes: InputShapes :: Broadcast
            needs: & []
            // CUDA
            static __device__ __forceinline__ f32 value_of(f32 x_0) {
                f32 value_1;
                if (x_0 < 0.0f) {
                    value_1 = 0.0f;
                } else {
                    value_1 = x_0;
                }
                return value_1;
            }
            // WGSL
            fn value_of(x_0: f32) -> f32 {
                var value_1: f32;
                if (x_0 < 0.0f) {
                    value_1 = 0.0f;
                } else {
                    value_1 = x_0;
                }
                return value_1;
            }
        "#]],
    );
}

#[test]
fn relu_of_every_type() {
    let types = "f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64";
    let attribute = format!("Relu, device = GPU, T = [{types}]");
    let programs = programs(UNARY, &attribute, RELU);
    assert_eq!(programs.len(), 10, "16-bit floats share the formula of `f32`");
    assert!(programs.iter().all(|texts| !texts.wgsl.is_empty() && !texts.cuda.is_empty()));
    let text = kernel(UNARY, &attribute, RELU).to_string();
    assert_eq!(text.matches("ElementwiseProgram :: new").count(), 12, "a program for each type");
}

#[test]
fn a_comparison_gives_bools() {
    let item = "fn less<T: Real>(x: T, y: T) -> bool { x < y }";
    check_programs(
        &programs(EQUAL, "Less, device = GPU, T = [f32]", item)[..1],
        expect![[r#"
            params: & [FormulaParam :: Input (DType :: Float) , FormulaParam :: Input (DType :: Float)]
            result: DType :: Bool
            shapes: InputShapes :: Broadcast
            needs: & []
            // CUDA
            static __device__ __forceinline__ bool value_of(f32 x_0, f32 y_1) {
                return (x_0 < y_1);
            }
            // WGSL
            fn value_of(x_0: f32, y_1: f32) -> bool {
                return (x_0 < y_1);
            }
        "#]],
    );
}

#[test]
fn floats_of_16_bits_are_computed_as_singles() {
    let item = "fn maximum<T: Real>(x: T, y: T) -> T { if x > y || x.is_nan_value() { x } else { y } }";
    check_programs(
        &programs(BINARY, "Maximum, device = GPU, T = [f16], scalar = same_shape", item),
        expect![[r#"
        params: & [FormulaParam :: Input (DType :: Float) , FormulaParam :: Input (DType :: Float)]
        result: DType :: Float
        shapes: InputShapes :: Same
        needs: & []
        // CUDA
        template <typename T> __device__ bool is_nan(T x) { return !(x == x); }
        static __device__ __forceinline__ f32 value_of(f32 x_0, f32 y_1) {
            f32 value_2;
            if ((x_0 > y_1) || is_nan(x_0)) {
                value_2 = x_0;
            } else {
                value_2 = y_1;
            }
            return value_2;
        }
        // WGSL
        fn magnitude_bits_f32(x: f32) -> u32 { return bitcast<u32>(f32(x)) & 0x7fffffffu; }
        fn is_nan_f32(x: f32) -> bool { return magnitude_bits_f32(x) > 0x7f800000u; }
        fn value_of(x_0: f32, y_1: f32) -> f32 {
            var value_2: f32;
            if ((x_0 > y_1) || is_nan_f32(x_0)) {
                value_2 = x_0;
            } else {
                value_2 = y_1;
            }
            return value_2;
        }
    "#]],
    );
}

#[test]
fn constants_of_doubles_are_those_of_the_type() {
    let item = "fn f<T: Float>(x: T) -> T {
        const HALF: f64 = -0.5;
        (x * T::from_float(HALF) + T::from_int(3)) * T::from_float(2.25)
    }";
    check_programs(
        &programs(UNARY, "Relu, device = GPU, T = [f32, f64]", item),
        expect![[r#"
        params: & [FormulaParam :: Input (DType :: Float)]
        result: DType :: Float
        shapes: InputShapes :: Broadcast
        needs: & []
        // CUDA
        static __device__ __forceinline__ f32 value_of(f32 x_0) {
            return (((x_0 * (-0.5f)) + 3.0f) * 2.25f);
        }
        // WGSL
        fn value_of(x_0: f32) -> f32 {
            return (((x_0 * (-0.5f)) + 3.0f) * 2.25f);
        }

        params: & [FormulaParam :: Input (DType :: Double)]
        result: DType :: Double
        shapes: InputShapes :: Broadcast
        needs: & [ProgramFeature :: F64]
        // CUDA
        static __device__ __forceinline__ f64 value_of(f64 x_0) {
            return (((x_0 * (-0.5)) + 3.0) * 2.25);
        }
        // WGSL
        fn value_of(x_0: f64) -> f64 {
            return (((x_0 * (-0.5lf)) + 3.0lf) * 2.25lf);
        }
    "#]],
    );
}

#[test]
fn attrs_are_scalars() {
    let item = "fn leaky(x: f32, alpha: f32, on: bool, n: i64) -> f32 {
        if on && x < 0.0 { x * alpha } else { x + n as f32 }
    }";
    check_programs(
        &programs(UNARY, "Relu, device = GPU, T = [f32]", item)[..1],
        expect![[r#"
            params: & [FormulaParam :: Input (DType :: Float) , FormulaParam :: Attr (DType :: Float) , FormulaParam :: Attr (DType :: Bool) , FormulaParam :: Attr (DType :: Int64)]
            result: DType :: Float
            shapes: InputShapes :: Broadcast
            needs: & [ProgramFeature :: I64]
            // CUDA
            static __device__ __forceinline__ f32 value_of(f32 x_0, f32 alpha_1, bool on_2, i64 n_3) {
                f32 value_4;
                if (on_2 && (x_0 < 0.0f)) {
                    value_4 = (x_0 * alpha_1);
                } else {
                    value_4 = (x_0 + (f32)n_3);
                }
                return value_4;
            }
            // WGSL
            fn value_of(x_0: f32, alpha_1: f32, on_2: bool, n_3: i64) -> f32 {
                var value_4: f32;
                if (on_2 && (x_0 < 0.0f)) {
                    value_4 = (x_0 * alpha_1);
                } else {
                    value_4 = (x_0 + f32(n_3));
                }
                return value_4;
            }
        "#]],
    );
}

#[test]
fn the_host_calls_the_same_function() {
    let first = oplink_macros_expand::kernel(parse("Relu, device = [CPU, GPU], T = [f32]"), parse(RELU));
    let text = first.to_string();
    assert!(text.contains("{ device = CPU , T = [f32] , scalar }"), "{text}");
    assert!(text.contains("{ Relu , device = GPU , T = [f32] , scalar }"), "{text}");
}

#[test]
fn devices_have_keys_and_conditions_of_their_own() {
    let attribute =
        r#"Relu, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f32], priority = 1)], T = [f32, i32], label = "x""#;
    let item = "fn relu<T: Real>(x: T) -> T { x }";
    let first = oplink_macros_expand::kernel(parse(attribute), parse(item)).to_string();
    let calls: Vec<&str> = first.split("# [cfg").skip(1).collect();
    let [on, off] = calls.as_slice() else { panic!("{first}") };
    assert!(on.starts_with(r#" (feature = "gpu")] Relu !"#), "{on}");
    assert!(on.contains(r#"{ device = GPU , label = "x" , T = [f32] , priority = 1 , scalar }"#), "{on}");
    assert!(on.contains(r#"{ Relu , device = CPU , T = [f32 , i32] , label = "x" , scalar }"#), "{on}");
    assert!(off.starts_with(r#" (not (feature = "gpu"))] Relu !"#), "{off}");
    assert!(off.contains(r#"{ device = CPU , T = [f32 , i32] , label = "x" , scalar }"#), "{off}");
    assert!(!off.contains("GPU"), "{off}");
}

#[test]
fn a_formula_on_the_host() {
    expansions::check(
        kernel(UNARY, "Relu, device = CPU, scalar, T = [f32]", "fn leaky<T: Real>(x: T, alpha: f32) -> T { x }"),
        expect![[r##"
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            const _: () = {
                fn __oplink_block_0(block: ::oplink::__private::Block<'_>) -> bool {
                    let value1: f32 = block.attr(0usize);
                    ::oplink::__private::cheap1::<
                        false,
                        _,
                        _,
                        _,
                    >(
                        block,
                        #[inline(always)]
                        move |
                            value0: <<f32 as ::oplink::__private::ComputeElement>::Plain as ::oplink::__private::Compute>::Stored|
                        ::oplink::__private::Compute::stored(
                            leaky::<
                                <f32 as ::oplink::__private::ComputeElement>::Plain,
                            >(
                                <<f32 as ::oplink::__private::ComputeElement>::Plain as ::oplink::__private::Compute>::of(
                                    value0,
                                ),
                                value1,
                            ),
                        ),
                    )
                }
                static __OPLINK_FORMULA_0: ::oplink::__private::ElementwiseFn = ::oplink::__private::ElementwiseFn {
                    op: "Relu",
                    inputs: &[0usize],
                    operands: &[
                        <<<f32 as ::oplink::__private::ComputeElement>::Plain as ::oplink::__private::Compute>::Stored as ::oplink::__private::Element>::DTYPE,
                    ],
                    result: <<<f32 as ::oplink::__private::ComputeElement>::Plain as ::oplink::__private::Compute>::Stored as ::oplink::__private::Element>::DTYPE,
                    attrs: &["alpha"],
                    is_costly: false,
                    shapes: ::oplink::__private::InputShapes::Broadcast,
                    run: __oplink_block_0,
                };
                fn __oplink_run_0(
                    context: &mut ::oplink::__private::KernelContext<'_>,
                ) -> ::oplink::__private::Result<()> {
                    ::oplink::__private::run_elementwise(&__OPLINK_FORMULA_0, context)
                }
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
                            ::oplink::__private::KernelEntry {
                                dtypes: &[::oplink::__private::DType::Float],
                                function: ::oplink::__private::KernelFunction::Compute(
                                    __oplink_run_0,
                                ),
                                elementwise: ::core::option::Option::Some(&__OPLINK_FORMULA_0),
                            },
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
                impl ::oplink::__private::HasKernelDescriptor for leaky {
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
            #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            enum leaky {}
        "##]],
    );
}
