//! Conversions between types of elements.

use expect_test::expect;

use super::*;

#[test]
fn a_cast() {
    let item = "fn cast<SrcT: AsPrimitive<DstT>, DstT: Number>(x: SrcT) -> DstT { x.as_() }";
    let keys = "Cast, device = GPU, SrcT = [f32, f16, i32, bool], DstT = [f32, f16, i32, u8, i64]";
    let programs = programs(CAST, keys, item);
    assert_eq!(programs.len(), 12, "16-bit floats share the formulas of `f32`");
    check_programs(
        &programs[1..2],
        expect![[r#"
            params: & [FormulaParam :: Input (DType :: Float)]
            result: DType :: Int32
            shapes: InputShapes :: Broadcast
            needs: & []
            // CUDA
            template <typename I, typename F> __device__ I saturated(F x, F low, F high, I least, I most) {
                return x != x ? (I)0 : x <= low ? least : x >= high ? most : (I)x;
            }
            static __device__ __forceinline__ i32 value_of(f32 x_0) {
                return saturated<i32>(x_0, -2147483648.0f, 2147483648.0f, (-2147483647 - 1), 2147483647);
            }
            // WGSL
            fn magnitude_bits_f32(x: f32) -> u32 { return bitcast<u32>(f32(x)) & 0x7fffffffu; }
            fn is_nan_f32(x: f32) -> bool { return magnitude_bits_f32(x) > 0x7f800000u; }
            fn f32_to_i32(x: f32) -> i32 {
                if is_nan_f32(x) { return 0i; }
                if x <= (-2147483648.0f) { return i32(-2147483648); }
                if x >= 2147483648.0f { return 2147483647i; }
                return i32(x);
            }
            fn value_of(x_0: f32) -> i32 {
                return f32_to_i32(x_0);
            }
        "#]],
    );
}
