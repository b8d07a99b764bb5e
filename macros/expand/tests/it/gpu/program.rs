//! `#[program]` and `#[device_fn]`: what they leave, and mistakes in them.

use expect_test::{Expect, expect};

use super::*;

#[test]
fn a_program_leaves_a_type_that_launches_it() {
    let item = "pub fn copy<T: Copy>(x: &[T], y: &mut [T], grid: u32, on: bool) { if on { y[grid as usize] = x[x.len() - 1]; } }";
    let tokens = oplink_macros_expand::program(parse("block = [8, 8], T = [f32, i32]"), parse(item));
    let text = pretty(tokens);
    // The texts are those of kernels.
    let lines = text.lines().filter(|line| !line.contains("cuda: ") && !line.contains("wgsl: "));
    expect![[r##"
        #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
        pub fn copy<T: Copy>(x: &[T], y: &mut [T], grid: u32, on: bool) {
            if on {
                y[grid as usize] = x[x.len() - 1];
            }
        }
        ///The arguments of a launch of the program `copy`.
        #[allow(
            non_camel_case_types,
            dead_code,
            clippy::struct_field_names,
            clippy::struct_excessive_bools
        )]
        pub struct copy<'a> {
            ///The argument `x`.
            pub x: &'a ::oplink::__private::Tensor,
            ///The argument `y`.
            pub y: &'a ::oplink::__private::Tensor,
            ///The argument `grid`.
            pub grid: u32,
            ///The argument `on`.
            pub on: bool,
        }
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        const _: () = {
            fn __oplink_check() {
                let _ = copy::<f32>;
                let _ = copy::<i32>;
            }
            static __OPLINK_PROGRAM: ::oplink::__private::ProgramFunction = ::oplink::__private::ProgramFunction {
                name: "copy",
                entries: &[
                    ::oplink::__private::ProgramEntry {
                        dtypes: &[::oplink::__private::DType::Float],
                        program: &::oplink::__private::DeviceProgram {
                            name: "copy (T=float)",
                            entry: "oplink_copy",
                            params: &[
                                ::oplink::__private::ProgramParam::Input(
                                    ::oplink::__private::DType::Float,
                                ),
                                ::oplink::__private::ProgramParam::InOut(
                                    ::oplink::__private::DType::Float,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                            ],
                            block: [8, 8, 1],
                            needs: &[],
                            location: ::oplink::__private::Location {
                                crate_name: ::core::env!("CARGO_PKG_NAME"),
                                crate_version: ::core::env!("CARGO_PKG_VERSION"),
                                file: ::core::file!(),
                                line: ::core::line!(),
                            },
                        },
                        lengths: &[0usize],
                    },
                    ::oplink::__private::ProgramEntry {
                        dtypes: &[::oplink::__private::DType::Int32],
                        program: &::oplink::__private::DeviceProgram {
                            name: "copy (T=int32)",
                            entry: "oplink_copy",
                            params: &[
                                ::oplink::__private::ProgramParam::Input(
                                    ::oplink::__private::DType::Int32,
                                ),
                                ::oplink::__private::ProgramParam::InOut(
                                    ::oplink::__private::DType::Int32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                                ::oplink::__private::ProgramParam::Scalar(
                                    ::oplink::__private::DType::UInt32,
                                ),
                            ],
                            block: [8, 8, 1],
                            needs: &[],
                            location: ::oplink::__private::Location {
                                crate_name: ::core::env!("CARGO_PKG_NAME"),
                                crate_version: ::core::env!("CARGO_PKG_VERSION"),
                                file: ::core::file!(),
                                line: ::core::line!(),
                            },
                        },
                        lengths: &[0usize],
                    },
                ],
                location: ::oplink::__private::Location {
                    crate_name: ::core::env!("CARGO_PKG_NAME"),
                    crate_version: ::core::env!("CARGO_PKG_VERSION"),
                    file: ::core::file!(),
                    line: ::core::line!(),
                },
            };
            ::oplink::__private::__collect!(
                PROGRAMS, ProgramNode, & 'static ::oplink::__private::ProgramFunction, &
                __OPLINK_PROGRAM
            );
            impl copy<'_> {
                /// The programs of all types.
                pub const FUNCTION: &'static ::oplink::__private::ProgramFunction = &__OPLINK_PROGRAM;
                /// Threads of a block.
                pub const THREADS: ::core::primitive::usize = 64;
                /// Blocks enough for this many threads, as far as a device takes them: at most 65535.
                pub fn blocks(threads: ::core::primitive::usize) -> [::core::primitive::u32; 3] {
                    ::oplink::__private::blocks(threads, Self::THREADS)
                }
                /// The program of these types.
                ///
                /// # Errors
                /// There is none.
                pub fn program(
                    dtype: ::oplink::__private::DType,
                ) -> ::oplink::__private::Result<&'static ::oplink::__private::DeviceProgram> {
                    __OPLINK_PROGRAM.entry(&[dtype]).map(|entry| entry.program)
                }
                /// Enqueues the program of these types, unless `grid` has no blocks. Slices are tensors in the
                /// device's memory whose elements have the size of the parameter's; those to write keep what the
                /// program does not write.
                ///
                /// # Errors
                /// There is no such program, an element has another size, or the device refuses the launch.
                pub fn launch(
                    &self,
                    device: &dyn ::oplink::__private::DeviceContext,
                    dtype: ::oplink::__private::DType,
                    grid: [::core::primitive::u32; 3],
                ) -> ::oplink::__private::Result<()> {
                    let mut arguments = ::oplink::__private::ProgramArguments::default();
                    arguments.buffer(self.x);
                    arguments.buffer(self.y);
                    arguments.value(&self.grid);
                    arguments.value(&self.on);
                    __OPLINK_PROGRAM.launch(device, &[dtype], grid, &arguments)
                }
            }
        };
    "##]]
    .assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
    launched("block = [8, 8], T = [f32, i32]", item);
}

#[test]
fn a_device_function_hands_its_text_on() {
    let text = oplink_macros_expand::device_fn(
        parse("uses = [crate::other]"),
        parse("pub fn half(x: f32) -> f32 { x / 2.0 }"),
    );
    expect![[r#"
        pub fn half(x: f32) -> f32 {
            x / 2.0
        }
        crate::other! {
            { ::oplink } {} {} { ::oplink::__private::__device_item! { { __oplink_fn_half } {
            half } { fn half(x : f32) -> f32 { __oplink_device_functions; x / 2.0 } } } }
        }
    "#]]
    .assert_eq(&pretty(text));
    let first = oplink_macros_expand::program(
        parse("block = 64, uses = [half, crate::third]"),
        parse("fn f(y: &mut [f32]) { y[0] = half(1.0); }"),
    );
    let call = first.to_string();
    expect!["half ! { { :: oplink } { { crate :: third } } { } { :: oplink :: __private :: __program ! { { block = 64 , uses = [half , crate :: third] } { fn f (y : & mut [f32]) { __oplink_device_functions ; y [0] = half (1.0) ; } } } } }"].assert_eq(&call[call.find("half !").unwrap()..]);
}

#[test]
fn the_last_device_function_completes_the_call() {
    let uses = |tokens: &str| oplink_macros_expand::uses_of(parse(tokens)).to_string();
    expect!["crate :: third ! { { :: oplink } { } { fn half () { } } { call ! { } } }"]
        .assert_eq(&uses("{ ::oplink } { { half } { crate :: third } } { fn half () { } } { call ! { } }"));
    expect!["call ! { { fn half () { } half () } }"]
        .assert_eq(&uses("{ ::oplink } { } { fn half () { } } { call ! { { __oplink_device_functions ; half () } } }"));
}

#[track_caller]
fn refused(attribute: &str, item: &str, expected: Expect) {
    let tokens = oplink_macros_expand::program(parse(attribute), parse(item));
    expected.assert_eq(&messages(tokens).join("\n--\n"));
}

#[test]
fn mistakes() {
    refused(
        "",
        "fn f(y: &mut [f32]) {}",
        expect!["the key `block` is missing: write `#[program(block = 256)]` for blocks of 256 threads"],
    );
    refused(
        "block = 64",
        "fn f<T: Copy>(y: &mut [T]) {}",
        expect!["the types of `T` are missing: write `T = [f32, …]`"],
    );
    refused(
        "block = 64, U = [f32]",
        "fn f<T: Copy>(y: &mut [T]) {}",
        expect![[r#"
        unknown key `U` in #[program]
        the keys are `block`, `cuda`, `wgsl`, `uses`, `crate`, `T`"#]],
    );
    refused(
        "block = 64, T = any",
        "fn f<T: Copy>(y: &mut [T]) {}",
        expect!["a program is made for types that are known: list them"],
    );
    refused(
        "block = 64, T = [f32, floats]",
        "fn f<T: Copy>(y: &mut [T]) {}",
        expect!["the list of `T` has this type twice"],
    );
    refused("block = 64, T = [f32], T = [i32]", "fn f<T: Copy>(y: &mut [T]) {}", expect!["the key `T` is given twice"]);
    refused(
        "block = 64, launch = f",
        "fn f(y: &mut [f32]) {}",
        expect![[r#"
        unknown key `launch` in #[program]
        the keys are `block`, `cuda`, `wgsl`, `uses`, `crate`"#]],
    );
    refused(
        "block = 64, T = [Complex<f32>]",
        "fn f<T: Copy>(y: &mut [T]) {}",
        expect!["no translation to the GPU: the types are `bool`, `f16`, `bf16`, `f32`, `f64` and integers"],
    );
    refused(
        "block = 64",
        "fn f(y: &mut [f32], n: usize, (a, b): (u32, u32)) -> f32 { 0.0 }",
        expect![[r#"
            a program returns nothing: it writes slices taken as `&mut [T]`
            --
            a launch passes slices, values of the types `bool`, `i32`, `u32`, `i64`, `u64`, `f32` and `f64`, arrays `[T; 3]` of them, and structs with #[device_struct]
            --
            a launch passes arguments by name: write a name here"#]],
    );
    refused(
        "block = 64",
        "fn f(y: &mut [String]) {}",
        expect!["elements are `bool`, `f16`, `bf16`, `f32`, `f64`, integers, or a generic parameter"],
    );
    refused(
        "block = 64",
        "fn f<const N: usize>(y: &mut [f32]) {}",
        expect!["the generic parameters of a program are types"],
    );
    refused(
        "block = 64, uses = [1]",
        "fn f(y: &mut [f32]) {}",
        expect!["not a function's path: write `uses = [function, …]`"],
    );
    refused("block = 64", "struct F;", expect!["#[program] stands on a function"]);
}
