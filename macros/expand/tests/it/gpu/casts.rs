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
            params: & [ProgramParam :: Input (DType :: Float) , ProgramParam :: Output (DType :: Int32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32)]
            block: [256 , 1 , 1]
            needs: & []
            // CUDA
            template <typename I, typename F> __device__ I saturated(F x, F low, F high, I least, I most) {
                return x != x ? (I)0 : x <= low ? least : x >= high ? most : (I)x;
            }
            template <typename T, int N> struct __align__(sizeof(T) * N) Pack {
                T values[N];
            };
            static __device__ __forceinline__ i32 value_of(f32 x_0) {
                return saturated<i32>(x_0, -2147483648.0f, 2147483648.0f, (-2147483647 - 1), 2147483647);
            }
            extern "C" __global__ void __launch_bounds__(256) oplink_cast(const f32* input0, i32* result, u32 count_low, u32 count_high) {
                const usize first = (usize)blockIdx.x * blockDim.x + threadIdx.x, step = (usize)gridDim.x * blockDim.x;
                const usize count = ((usize)count_high << 32) | count_low;
                const bool aligned = (((usize)input0 | (usize)result) & 15) == 0;
                const usize packs = aligned ? count / 4 : 0;
                for (usize i = first; i < packs; i += step) {
                    const Pack<f32, 4> part0 = reinterpret_cast<const Pack<f32, 4>*>(input0)[i];
                    Pack<i32, 4> written;
                    #pragma unroll
                    for (int k = 0; k < 4; ++k) written.values[k] = value_of(part0.values[k]);
                    reinterpret_cast<Pack<i32, 4>*>(result)[i] = written;
                }
                for (usize i = packs * 4 + first; i < count; i += step) result[i] = value_of(input0[i]);
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
            @group(0) @binding(0) var<storage, read> input0: array<f32>;
            @group(0) @binding(1) var<storage, read_write> result: array<i32>;
            struct Scalars {
                count_low: u32,
                count_high: u32,
            }
            @group(0) @binding(2) var<uniform> scalars: Scalars;
            fn value_of(x_0: f32) -> i32 {
                return f32_to_i32(x_0);
            }
            @compute @workgroup_size(256, 1, 1)
            fn oplink_cast(@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>) {
                let step = blocks.x * 256u;
                let count = scalars.count_low;
                for (var i = thread.x; i < count; i += step) {
                    result[i] = value_of(input0[i]);
                }
            }
        "#]],
    );
}
