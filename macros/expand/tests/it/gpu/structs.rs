//! Structs with `#[device_struct]`: as parameters, as values, and what the attribute leaves.

use expect_test::{Expect, expect};

use super::*;

const WINDOW: &str =
    "struct Axis { extent: u32, taps: u32 } struct Window { axes: [Axis; 2], stride: [u32; 3], padded: bool }";

/// A program with the struct `Window` in its body.
fn with_window(rest: &str) -> String {
    let (head, body) = rest.split_once('{').unwrap();
    format!("fn f({head}) {{ {WINDOW} {body}")
}

#[test]
fn each_number_of_a_struct_is_a_parameter() {
    let item = with_window("y: &mut [u32], w: Window { y[0] = w.stride[1] + w.axes[1].taps; }");
    let texts = launched("block = 64", &item);
    check_programs(
        &texts,
        expect![[r#"
        params: & [ProgramParam :: InOut (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32)]
        block: [64 , 1 , 1]
        needs: & []
        // CUDA
        extern "C" __global__ void __launch_bounds__(64) oplink_f(u32* y_0, u32 w_axes_0_extent_1, u32 w_axes_0_taps_2, u32 w_axes_1_extent_3, u32 w_axes_1_taps_4, u32 w_stride_0_5, u32 w_stride_1_6, u32 w_stride_2_7, u32 w_padded_8) {
            y_0[0ull] = (w_stride_1_6 + w_axes_1_taps_4);
        }
        // WGSL
        @group(0) @binding(0) var<storage, read_write> y_0: array<u32>;
        struct Scalars {
            w_axes_0_extent_1: u32,
            w_axes_0_taps_2: u32,
            w_axes_1_extent_3: u32,
            w_axes_1_taps_4: u32,
            w_stride_0_5: u32,
            w_stride_1_6: u32,
            w_stride_2_7: u32,
            w_padded_8: u32,
        }
        @group(0) @binding(1) var<uniform> scalars: Scalars;
        @compute @workgroup_size(64, 1, 1)
        fn oplink_f(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
            let w_axes_0_extent_1 = scalars.w_axes_0_extent_1;
            let w_axes_0_taps_2 = scalars.w_axes_0_taps_2;
            let w_axes_1_extent_3 = scalars.w_axes_1_extent_3;
            let w_axes_1_taps_4 = scalars.w_axes_1_taps_4;
            let w_stride_0_5 = scalars.w_stride_0_5;
            let w_stride_1_6 = scalars.w_stride_1_6;
            let w_stride_2_7 = scalars.w_stride_2_7;
            let w_padded_8 = (scalars.w_padded_8 != 0u);
            y_0[0u] = (w_stride_1_6 + w_axes_1_taps_4);
        }
    "#]],
    );
}

#[test]
fn an_array_of_a_struct_is_gathered_where_a_variable_indexes_it() {
    let body = "for d in 0..2_usize { y[d] = w.axes[d].extent * w.stride[d]; } }";
    check_grid(
        &with_window(&format!("y: &mut [u32], w: Window {{ {body}")),
        expect![[r#"
            u32 w_axes_0_extent_10[2];
            w_axes_0_extent_10[0u] = w_axes_0_extent_1;
            w_axes_0_extent_10[1u] = w_axes_1_extent_3;
            u32 w_stride_11[3];
            w_stride_11[0u] = w_stride_0_5;
            w_stride_11[1u] = w_stride_1_6;
            w_stride_11[2u] = w_stride_2_7;
            for (usize d_9 = 0ull; d_9 < 2ull; d_9 += 1ull) {
                y_0[d_9] = (w_axes_0_extent_10[d_9] * w_stride_11[d_9]);
            }
        --
            let w_axes_0_extent_1 = scalars.w_axes_0_extent_1;
            let w_axes_0_taps_2 = scalars.w_axes_0_taps_2;
            let w_axes_1_extent_3 = scalars.w_axes_1_extent_3;
            let w_axes_1_taps_4 = scalars.w_axes_1_taps_4;
            let w_stride_0_5 = scalars.w_stride_0_5;
            let w_stride_1_6 = scalars.w_stride_1_6;
            let w_stride_2_7 = scalars.w_stride_2_7;
            let w_padded_8 = (scalars.w_padded_8 != 0u);
            var w_axes_0_extent_10: array<u32, 2>;
            w_axes_0_extent_10[0u] = w_axes_0_extent_1;
            w_axes_0_extent_10[1u] = w_axes_1_extent_3;
            var w_stride_11: array<u32, 3>;
            w_stride_11[0u] = w_stride_0_5;
            w_stride_11[1u] = w_stride_1_6;
            w_stride_11[2u] = w_stride_2_7;
            for (var d_9: u32 = 0u; d_9 < 2u; d_9 += 1u) {
                y_0[d_9] = (w_axes_0_extent_10[d_9] * w_stride_11[d_9]);
            }
    "#]],
    );
}

#[test]
fn structs_are_passed_to_functions_made_and_taken_apart() {
    let body = "fn longest(window: Window) -> Axis { let Axis { extent, .. } = window.axes[0]; Axis { extent, taps: 1 } } \
                fn grow(axis: &mut Axis, by: &Axis) { axis.extent += by.taps; } \
                let mut axis = longest(w); grow(&mut axis, &w.axes[1]); axis.taps = 3; y[0] = axis.extent * axis.taps; }";
    check_grid(
        &with_window(&format!("y: &mut [u32], w: Window {{ {body}")),
        expect![[r#"
            u32 value_9;
            u32 value_10;
            u32 extent_11 = w_axes_0_extent_1;
            u32 extent_12 = extent_11;
            u32 taps_13 = 1u;
            value_9 = extent_12;
            value_10 = taps_13;
            value_9 = (value_9 + w_axes_1_taps_4);
            value_10 = 3u;
            y_0[0ull] = (value_9 * value_10);
        --
            let w_axes_0_extent_1 = scalars.w_axes_0_extent_1;
            let w_axes_0_taps_2 = scalars.w_axes_0_taps_2;
            let w_axes_1_extent_3 = scalars.w_axes_1_extent_3;
            let w_axes_1_taps_4 = scalars.w_axes_1_taps_4;
            let w_stride_0_5 = scalars.w_stride_0_5;
            let w_stride_1_6 = scalars.w_stride_1_6;
            let w_stride_2_7 = scalars.w_stride_2_7;
            let w_padded_8 = (scalars.w_padded_8 != 0u);
            var value_9: u32;
            var value_10: u32;
            var extent_11: u32 = w_axes_0_extent_1;
            var extent_12: u32 = extent_11;
            var taps_13: u32 = 1u;
            value_9 = extent_12;
            value_10 = taps_13;
            value_9 = (value_9 + w_axes_1_taps_4);
            value_10 = 3u;
            y_0[0u] = (value_9 * value_10);
    "#]],
    );
}

#[test]
fn arrays_are_parameters_too() {
    check_grid(
        "fn f(y: &mut [f32], k: [f32; 2]) { y[0] = k[0] * k[1]; }",
        expect![[r#"
            y_0[0ull] = (k_0_1 * k_1_2);
        --
            let k_0_1 = scalars.k_0_1;
            let k_1_2 = scalars.k_1_2;
            y_0[0u] = (k_0_1 * k_1_2);
    "#]],
    );
}

#[test]
fn a_device_struct_passes_its_fields_and_gives_its_text() {
    let item = "#[derive(Clone, Copy)] pub struct Window { axes: [nn::Axis; 2], pub padded: bool }";
    let text = oplink_macros_expand::device_struct(TokenStream::new(), parse(item));
    expect![[r#"
        #[derive(Clone, Copy)]
        pub struct Window {
            axes: [nn::Axis; 2],
            pub padded: bool,
        }
        #[automatically_derived]
        impl ::oplink::__private::DeviceValue for Window {
            #[inline]
            fn scalars(
                &self,
                push: &mut dyn ::core::ops::FnMut(::oplink::__private::ScalarValue),
            ) {
                ::oplink::__private::DeviceValue::scalars(&self.axes, push);
                ::oplink::__private::DeviceValue::scalars(&self.padded, push);
            }
        }
        nn::Axis! {
            { ::oplink } {} {} { ::oplink::__private::__device_item! { { __oplink_struct_Window }
            { Window } { __oplink_device_functions; struct Window { axes : [nn::Axis; 2], padded
            : bool } } } }
        }
    "#]]
    .assert_eq(&pretty(text));
    let plain = oplink_macros_expand::device_struct(TokenStream::new(), parse("struct Axis { extent: u32 }"));
    expect![[r#"
        struct Axis {
            extent: u32,
        }
        #[automatically_derived]
        impl ::oplink::__private::DeviceValue for Axis {
            #[inline]
            fn scalars(
                &self,
                push: &mut dyn ::core::ops::FnMut(::oplink::__private::ScalarValue),
            ) {
                ::oplink::__private::DeviceValue::scalars(&self.extent, push);
            }
        }
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! __oplink_struct_Axis {
            ({ $($oplink:tt)* } { $($rest:tt)* } { $($items:tt)* } { $($call:tt)* }) => {
                $($oplink)* ::__private::__uses! { { $($oplink)* } { $($rest)* } { $($items)*
                struct Axis { extent : u32 } } { $($call)* } }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use __oplink_struct_Axis as Axis;
    "#]]
    .assert_eq(&pretty(plain));
}

#[test]
fn what_a_function_needs_is_found() {
    let program = oplink_macros_expand::program(
        parse("block = 64"),
        parse(
            "fn f(y: &mut [f32], w: nn::Window) { fn inner(x: f32) -> f32 { x } \
             for i in grid_stride(y.len()) { y[i] = inner(super::half::<f32>(f32::from_bits(w.n))).max(third(Pair { a: 1 })); } }",
        ),
    );
    let text = program.to_string();
    let chain = &text[text.find("nn :: Window !").unwrap()..];
    expect!["nn :: Window ! { { :: oplink } { { super :: half } { third } { Pair } } { } { :: oplink :: __private :: "]
        .assert_eq(&chain[..chain.find("__program").unwrap()]);
}

#[track_caller]
fn refused(item: &str, expected: Expect) {
    let tokens = oplink_macros_expand::device_struct(TokenStream::new(), parse(item));
    expected.assert_eq(&messages(tokens).join("\n--\n"));
}

#[track_caller]
fn refused_body(item: &str, expected: Expect) {
    let tokens = oplink_macros_expand::program(parse("block = 64"), parse(item));
    expected.assert_eq(&messages(tokens).join("\n--\n"));
}

#[test]
fn mistakes() {
    refused(
        "struct Window { name: String, at: usize, list: Vec<u32> }",
        expect![[r#"
        a field of a device struct is `bool`, `i32`, `u32`, `i64`, `u64`, `f32`, `f64`, an array `[T; 3]` of these, or another struct with #[device_struct]
        --
        a field of a device struct is `bool`, `i32`, `u32`, `i64`, `u64`, `f32`, `f64`, an array `[T; 3]` of these, or another struct with #[device_struct]
        --
        a field of a device struct is `bool`, `i32`, `u32`, `i64`, `u64`, `f32`, `f64`, an array `[T; 3]` of these, or another struct with #[device_struct]"#]],
    );
    refused(
        "struct Window { sizes: [u32; RANK] }",
        expect!["the length of an array in a device struct is a number, as `3` in `[u32; 3]`"],
    );
    refused(
        "struct Window<T> { size: T }",
        expect![[r#"
            a device struct has no generic parameters: its fields are of types that are known
            --
            a field of a device struct is `bool`, `i32`, `u32`, `i64`, `u64`, `f32`, `f64`, an array `[T; 3]` of these, or another struct with #[device_struct]"#]],
    );
    refused("struct Window(u32);", expect!["#[device_struct] stands on a struct with named fields"]);
    refused("fn window() {}", expect!["#[device_struct] stands on a struct with named fields"]);
    refused_body(
        &with_window("y: &mut [u32], w: Window { y[0] = w.strides[1]; }"),
        expect![[r#"
        no translation to the GPU: `Window` has no field `strides`
        help: did you mean `stride`?
        its fields are `axes`, `stride`, `padded`"#]],
    );
    refused_body(
        &with_window("y: &mut [u32], w: Window { y[0] = w; }"),
        expect!["no translation to the GPU: `Window` stands where `u32` belongs"],
    );
    refused_body(
        &with_window("y: &mut [u32], w: Window { let a = Axis { extent: 1 }; y[0] = a.extent; }"),
        expect![[r#"
        no translation to the GPU: the field `taps` is missing
        --
        no translation to the GPU: the fields are those of structs with #[device_struct], the parts of tuples, and `x`, `y` and `z` of `thread_index()`, `block_index()`, `block_dim()` and `grid_dim()`"#]],
    );
    refused_body(
        &with_window("y: &mut [u32], w: Window { let a = w.axes[0].taps.x; }"),
        expect![
            "no translation to the GPU: the fields are those of structs with #[device_struct], the parts of tuples, and `x`, `y` and `z` of `thread_index()`, `block_index()`, `block_dim()` and `grid_dim()`"
        ],
    );
    refused_body(
        &with_window("y: &mut [u32], w: Window { let mut i = 0_usize; i += 1; w.stride[i] = 1; }"),
        expect!["no translation to the GPU: this is only read: copy it into a variable with `let mut`"],
    );
}
