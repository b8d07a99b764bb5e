//! Functions over a grid of threads.

use expect_test::expect;

use super::*;

const SOFTMAX: &str = r#""Softmax" ["logits: T"] ["softmax: T"] ["T: type"] true"#;
const SUM: &str = r#""Sum" ["x: T"] ["sums: T"] ["T: type"] true"#;

#[test]
fn softmax_of_rows() {
    let item = "fn softmax_rows<T: Float>(logits: &[T], softmax: &mut [T], columns: u32) {
        let mut partial = shared::<f32, 128>();
        let me = thread_index().x;
        let columns = columns as usize;
        let start = block_index().x * columns;
        let mut largest = f32::NEG_INFINITY;
        for i in (me..columns).step_by(block_dim().x) {
            largest = largest.max(logits[start + i].to_f32());
        }
        partial[me] = largest;
        barrier();
        let mut half = block_dim().x / 2;
        while half > 0 {
            if me < half {
                partial[me] = partial[me].max(partial[me + half]);
            }
            barrier();
            half /= 2;
        }
        let largest = partial[0];
        barrier();
        let mut sum = 0.0;
        for i in (me..columns).step_by(block_dim().x) {
            sum += (logits[start + i].to_f32() - largest).exp();
        }
        partial[me] = sum;
        barrier();
        let mut half = block_dim().x / 2;
        while half > 0 {
            if me < half {
                partial[me] += partial[me + half];
            }
            barrier();
            half /= 2;
        }
        let sum = partial[0];
        for i in (me..columns).step_by(block_dim().x) {
            softmax[start + i] = T::from_f32((logits[start + i].to_f32() - largest).exp() / sum);
        }
    }";
    let keys = "Softmax, device = GPU, T = [f16, f32], block = 128, launch = rows";
    check_programs(
        &programs(SOFTMAX, keys, item)[..1],
        expect![[r#"
        params: & [ProgramParam :: Input (DType :: Half) , ProgramParam :: Output (DType :: Half) , ProgramParam :: Scalar (DType :: UInt32)]
        block: [128 , 1 , 1]
        needs: & [ProgramFeature :: F16]
        // CUDA
        #include <cuda_fp16.h>
        typedef __half f16;
        extern "C" __global__ void __launch_bounds__(128) oplink_softmax_rows(const f16* logits_0, f16* softmax_1, u32 columns_2) {
            __shared__ f32 partial_3[128];
            const usize me_4 = (usize)threadIdx.x;
            const usize columns_5 = (usize)columns_2;
            const usize start_6 = ((usize)blockIdx.x * columns_5);
            f32 largest_7 = __int_as_float(0xff800000);
            const usize bound_8 = columns_5;
            for (usize i_9 = me_4; i_9 < bound_8; i_9 += (usize)blockDim.x) {
                largest_7 = fmaxf(largest_7, __half2float(logits_0[start_6 + i_9]));
            }
            partial_3[me_4] = largest_7;
            __syncthreads();
            usize half_10 = ((usize)blockDim.x / 2ull);
            while (true) {
                if (!(half_10 > 0ull)) {
                    break;
                }
                if (me_4 < half_10) {
                    partial_3[me_4] = fmaxf(partial_3[me_4], partial_3[me_4 + half_10]);
                }
                __syncthreads();
                half_10 = (half_10 / 2ull);
            }
            const f32 largest_11 = partial_3[0ull];
            __syncthreads();
            f32 sum_12 = 0.0f;
            const usize bound_13 = columns_5;
            for (usize i_14 = me_4; i_14 < bound_13; i_14 += (usize)blockDim.x) {
                sum_12 = (sum_12 + expf((__half2float(logits_0[start_6 + i_14]) - largest_11)));
            }
            partial_3[me_4] = sum_12;
            __syncthreads();
            usize half_15 = ((usize)blockDim.x / 2ull);
            while (true) {
                if (!(half_15 > 0ull)) {
                    break;
                }
                if (me_4 < half_15) {
                    partial_3[me_4] = (partial_3[me_4] + partial_3[me_4 + half_15]);
                }
                __syncthreads();
                half_15 = (half_15 / 2ull);
            }
            const f32 sum_16 = partial_3[0ull];
            const usize bound_17 = columns_5;
            for (usize i_18 = me_4; i_18 < bound_17; i_18 += (usize)blockDim.x) {
                softmax_1[(start_6 + i_18)] = __float2half((expf((__half2float(logits_0[start_6 + i_18]) - largest_11)) / sum_16));
            }
        }
        // WGSL
        enable f16;
        var<private> infinity_bits: u32 = 0x7f800000u;
        fn infinity_f32() -> f32 { return bitcast<f32>(infinity_bits); }
        fn neg_infinity_f32() -> f32 { return -infinity_f32(); }
        fn magnitude_bits_f32(x: f32) -> u32 { return bitcast<u32>(f32(x)) & 0x7fffffffu; }
        fn is_nan_f32(x: f32) -> bool { return magnitude_bits_f32(x) > 0x7f800000u; }
        fn max_f32(x: f32, y: f32) -> f32 { return select(y, x, x > y || is_nan_f32(y)); }
        @group(0) @binding(0) var<storage, read> logits_0: array<f16>;
        @group(0) @binding(1) var<storage, read_write> softmax_1: array<f16>;
        struct Scalars {
            columns_2: u32,
        }
        @group(0) @binding(2) var<uniform> scalars: Scalars;
        var<workgroup> partial_3: array<f32, 128>;
        @compute @workgroup_size(128, 1, 1)
        fn oplink_softmax_rows(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
            let columns_2 = scalars.columns_2;
            let me_4: u32 = thread_index.x;
            let columns_5: u32 = columns_2;
            let start_6: u32 = (block_index.x * columns_5);
            var largest_7: f32 = neg_infinity_f32();
            let bound_8: u32 = columns_5;
            for (var i_9: u32 = me_4; i_9 < bound_8; i_9 += 128u) {
                largest_7 = max_f32(largest_7, f32(logits_0[start_6 + i_9]));
            }
            partial_3[me_4] = largest_7;
            workgroupBarrier();
            var half_10: u32 = (128u / 2u);
            loop {
                if (!(half_10 > 0u)) {
                    break;
                }
                if (me_4 < half_10) {
                    partial_3[me_4] = max_f32(partial_3[me_4], partial_3[me_4 + half_10]);
                }
                workgroupBarrier();
                half_10 = (half_10 / 2u);
            }
            let largest_11: f32 = partial_3[0u];
            workgroupBarrier();
            var sum_12: f32 = 0.0f;
            let bound_13: u32 = columns_5;
            for (var i_14: u32 = me_4; i_14 < bound_13; i_14 += 128u) {
                sum_12 = (sum_12 + exp((f32(logits_0[start_6 + i_14]) - largest_11)));
            }
            partial_3[me_4] = sum_12;
            workgroupBarrier();
            var half_15: u32 = (128u / 2u);
            loop {
                if (!(half_15 > 0u)) {
                    break;
                }
                if (me_4 < half_15) {
                    partial_3[me_4] = (partial_3[me_4] + partial_3[me_4 + half_15]);
                }
                workgroupBarrier();
                half_15 = (half_15 / 2u);
            }
            let sum_16: f32 = partial_3[0u];
            let bound_17: u32 = columns_5;
            for (var i_18: u32 = me_4; i_18 < bound_17; i_18 += 128u) {
                softmax_1[(start_6 + i_18)] = f16((exp((f32(logits_0[start_6 + i_18]) - largest_11)) / sum_16));
            }
        }
    "#]],
    );
}

#[test]
fn sum_of_blocks() {
    let item = "fn block_sums<T: Number>(x: &[T], sums: &mut [T]) {
        const WARPS: usize = 32;
        let mut partial = shared::<T, WARPS>();
        let at = block_index().x * block_dim().x + thread_index().x;
        let value = if at < x.len() { x[at] } else { T::zero() };
        let total = subgroup_add(value);
        if thread_index().x == 0 {
            partial[0] = total;
        }
        barrier();
        if at < sums.len() {
            sums[at] = partial[0];
        }
    }";
    let programs = programs(SUM, "Sum, device = GPU, T = [i32, f32], block = 32", item);
    check_programs(
        &programs[..1],
        expect![[r#"
        params: & [ProgramParam :: Input (DType :: Int32) , ProgramParam :: Output (DType :: Int32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32)]
        block: [32 , 1 , 1]
        needs: & [ProgramFeature :: Subgroups]
        // CUDA
        template <typename T> __device__ T subgroup_add(T x) {
            for (int k = 16; k > 0; k >>= 1) x = x + __shfl_xor_sync(0xffffffffu, x, k);
            return x;
        }
        extern "C" __global__ void __launch_bounds__(32) oplink_block_sums(const i32* x_0, i32* sums_1, u32 sums_1_length_low, u32 sums_1_length_high, u32 x_0_length_low, u32 x_0_length_high) {
            const usize sums_1_length = ((usize)sums_1_length_high << 32) | sums_1_length_low;
            const usize x_0_length = ((usize)x_0_length_high << 32) | x_0_length_low;
            __shared__ i32 partial_3[32];
            const usize WARPS_2 = 32ull;
            const usize at_4 = (((usize)blockIdx.x * (usize)blockDim.x) + (usize)threadIdx.x);
            i32 value_5;
            if (at_4 < x_0_length) {
                value_5 = x_0[at_4];
            } else {
                value_5 = 0;
            }
            const i32 value_6 = value_5;
            const i32 total_7 = subgroup_add(value_6);
            if ((usize)threadIdx.x == 0ull) {
                partial_3[0ull] = total_7;
            }
            __syncthreads();
            if (at_4 < sums_1_length) {
                sums_1[at_4] = partial_3[0ull];
            }
        }
        // WGSL
        @group(0) @binding(0) var<storage, read> x_0: array<i32>;
        @group(0) @binding(1) var<storage, read_write> sums_1: array<i32>;
        struct Scalars {
            sums_1_length_low: u32,
            sums_1_length_high: u32,
            x_0_length_low: u32,
            x_0_length_high: u32,
        }
        @group(0) @binding(2) var<uniform> scalars: Scalars;
        var<workgroup> partial_3: array<i32, 32>;
        @compute @workgroup_size(32, 1, 1)
        fn oplink_block_sums(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
            let WARPS_2: u32 = 32u;
            let at_4: u32 = ((block_index.x * 32u) + thread_index.x);
            var value_5: i32;
            if (at_4 < scalars.x_0_length_low) {
                value_5 = x_0[at_4];
            } else {
                value_5 = 0i;
            }
            let value_6: i32 = value_5;
            let total_7: i32 = subgroupAdd(value_6);
            if (thread_index.x == 0u) {
                partial_3[0u] = total_7;
            }
            workgroupBarrier();
            if (at_4 < scalars.sums_1_length_low) {
                sums_1[at_4] = partial_3[0u];
            }
        }
    "#]],
    );
}

#[test]
fn own_arrays_and_tiles() {
    let item = "fn tiles(x: &[f32], sums: &mut [f32]) {
        let mut tile = shared::<f32, 256>();
        let mut sum = [0.0; 4];
        tile[thread_index().y * 16 + thread_index().x] = x[block_index().y * 16 + block_index().x];
        barrier();
        for k in 0..4 {
            sum[k] += tile[k * 16 + thread_index().x];
        }
        sums[grid_dim().x * thread_index().y + thread_index().x] = sum[0] + sum[3];
    }";
    check_programs(
        &programs(SUM, "Sum, device = GPU, T = [f32], block = [16, 16]", item),
        expect![[r#"
        params: & [ProgramParam :: Input (DType :: Float) , ProgramParam :: Output (DType :: Float)]
        block: [16 , 16 , 1]
        needs: & []
        // CUDA
        extern "C" __global__ void __launch_bounds__(256) oplink_tiles(const f32* x_0, f32* sums_1) {
            __shared__ f32 tile_2[256];
            f32 sum_3[4];
            for (u32 sum_3_at = 0u; sum_3_at < 4u; sum_3_at++) {
                sum_3[sum_3_at] = 0.0f;
            }
            tile_2[(((usize)threadIdx.y * 16ull) + (usize)threadIdx.x)] = x_0[((usize)blockIdx.y * 16ull) + (usize)blockIdx.x];
            __syncthreads();
            for (usize k_4 = 0ull; k_4 < 4ull; k_4 += 1ull) {
                sum_3[k_4] = (sum_3[k_4] + tile_2[(k_4 * 16ull) + (usize)threadIdx.x]);
            }
            sums_1[(((usize)gridDim.x * (usize)threadIdx.y) + (usize)threadIdx.x)] = (sum_3[0ull] + sum_3[3ull]);
        }
        // WGSL
        @group(0) @binding(0) var<storage, read> x_0: array<f32>;
        @group(0) @binding(1) var<storage, read_write> sums_1: array<f32>;
        var<workgroup> tile_2: array<f32, 256>;
        @compute @workgroup_size(16, 16, 1)
        fn oplink_tiles(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
            var sum_3: array<f32, 4>;
            for (var sum_3_at: u32 = 0u; sum_3_at < 4u; sum_3_at++) {
                sum_3[sum_3_at] = 0.0f;
            }
            tile_2[((thread_index.y * 16u) + thread_index.x)] = x_0[(block_index.y * 16u) + block_index.x];
            workgroupBarrier();
            for (var k_4: u32 = 0u; k_4 < 4u; k_4 += 1u) {
                sum_3[k_4] = (sum_3[k_4] + tile_2[(k_4 * 16u) + thread_index.x]);
            }
            sums_1[((grid_dim.x * thread_index.y) + thread_index.x)] = (sum_3[0u] + sum_3[3u]);
        }
    "#]],
    );
}

#[test]
fn bytes_are_read_from_words_and_written_to_them() {
    let select = r#""Where" ["on: bool" "x: T"] ["y: T"] ["T: type"] true"#;
    let item = "fn choose<T: Number>(on: &[bool], x: &[T], y: &mut [T]) {
        let i = block_index().x * block_dim().x + thread_index().x;
        if i < y.len() { y[i] = if on[i] { x[i] } else { T::zero() }; }
    }";
    let programs = programs(select, "Where, device = GPU, T = [f32, u8], block = 64", item);
    assert!(programs[1].wgsl.contains("store_y_2(i_3, value_4);"));
    check_programs(
        &programs[..1],
        expect![[r#"
        params: & [ProgramParam :: Input (DType :: Bool) , ProgramParam :: Input (DType :: Float) , ProgramParam :: Output (DType :: Float) , ProgramParam :: Scalar (DType :: UInt32) , ProgramParam :: Scalar (DType :: UInt32)]
        block: [64 , 1 , 1]
        needs: & []
        // CUDA
        extern "C" __global__ void __launch_bounds__(64) oplink_choose(const bool* on_0, const f32* x_1, f32* y_2, u32 y_2_length_low, u32 y_2_length_high) {
            const usize y_2_length = ((usize)y_2_length_high << 32) | y_2_length_low;
            const usize i_3 = (((usize)blockIdx.x * (usize)blockDim.x) + (usize)threadIdx.x);
            if (i_3 < y_2_length) {
                f32 value_4;
                if (on_0[i_3]) {
                    value_4 = x_1[i_3];
                } else {
                    value_4 = 0.0f;
                }
                y_2[i_3] = value_4;
            }
        }
        // WGSL
        @group(0) @binding(0) var<storage, read> on_0: array<u32>;
        @group(0) @binding(1) var<storage, read> x_1: array<f32>;
        @group(0) @binding(2) var<storage, read_write> y_2: array<f32>;
        struct Scalars {
            y_2_length_low: u32,
            y_2_length_high: u32,
        }
        @group(0) @binding(3) var<uniform> scalars: Scalars;
        fn load_on_0(i: u32) -> bool {
            return extractBits(on_0[i / 4u], (i % 4u) * 8u, 8u) != 0u;
        }
        @compute @workgroup_size(64, 1, 1)
        fn oplink_choose(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
            let i_3: u32 = ((block_index.x * 64u) + thread_index.x);
            if (i_3 < scalars.y_2_length_low) {
                var value_4: f32;
                if (load_on_0(i_3)) {
                    value_4 = x_1[i_3];
                } else {
                    value_4 = 0.0f;
                }
                y_2[i_3] = value_4;
            }
        }
    "#]],
    );
}

#[test]
fn a_given_text_sees_the_types() {
    let item = "fn scale<T: Number>(x: &[T], sums: &mut [T]) {}";
    let keys = r#"Sum, device = GPU, T = [f16], block = 64, cuda = include_str!("scale.cu"), wgsl = "fn scale() {}""#;
    let text = kernel(SUM, keys, item).to_string();
    assert!(text.contains(r#"typedef __half f16;\ntypedef f16 T;\n" , include_str ! ("scale.cu"))"#), "{text}");
    assert!(text.contains(r#"concat ! ("enable f16;\nalias T = f16;\n" , "fn scale() {}")"#), "{text}");
    assert!(text.contains(r#"entry : "scale""#), "{text}");
}
