//! Arrays, elements that share words, and atomic updates.

use expect_test::expect;

use super::*;

#[test]
fn own_arrays_list_their_elements() {
    check_body(
        "f32",
        "let c = [1.0, 0.5, 0.25]; let mut sum: f32 = 0.0; for i in 0..c.len() { sum = sum * x + c[i]; } sum",
        expect![[r#"
                f32 c_1[3];
                c_1[0u] = 1.0f;
                c_1[1u] = 0.5f;
                c_1[2u] = 0.25f;
                f32 sum_2 = 0.0f;
                for (usize i_3 = 0ull; i_3 < 3ull; i_3 += 1ull) {
                    sum_2 = ((sum_2 * x_0) + c_1[i_3]);
                }
                return sum_2;
            --
                var c_1: array<f32, 3>;
                c_1[0u] = 1.0f;
                c_1[1u] = 0.5f;
                c_1[2u] = 0.25f;
                var sum_2: f32 = 0.0f;
                for (var i_3: u32 = 0u; i_3 < 3u; i_3 += 1u) {
                    sum_2 = ((sum_2 * x_0) + c_1[i_3]);
                }
                return sum_2;
        "#]],
    );
}

#[test]
fn elements_that_share_words_are_written_atomically() {
    check_programs(
        &launched(
            "block = 64",
            "fn f(x: &[u8], y: &mut [bool]) { let i = thread_index().x; y[i] = !y[i] && x[i] > 3; }",
        ),
        expect![[r#"
            params: & [ProgramParam :: Input (DType :: UInt8) , ProgramParam :: InOut (DType :: Bool)]
            block: [64 , 1 , 1]
            needs: & []
            // CUDA
            extern "C" __global__ void __launch_bounds__(64) oplink_f(const u8* x_0, bool* y_1) {
                const usize i_2 = (usize)threadIdx.x;
                y_1[i_2] = (!y_1[i_2] && (x_0[i_2] > (u8)(3)));
            }
            // WGSL
            @group(0) @binding(0) var<storage, read> x_0: array<u32>;
            @group(0) @binding(1) var<storage, read_write> y_1: array<atomic<u32>>;
            fn load_x_0(i: u32) -> u32 {
                return extractBits(x_0[i / 4u], (i % 4u) * 8u, 8u);
            }
            fn load_y_1(i: u32) -> bool {
                return extractBits(atomicLoad(&y_1[i / 4u]), (i % 4u) * 8u, 8u) != 0u;
            }
            fn store_y_1(i: u32, value: bool) {
                let shift = (i % 4u) * 8u;
                atomicAnd(&y_1[i / 4u], ~(255u << shift));
                atomicOr(&y_1[i / 4u], select(0u, 1u, value) << shift);
            }
            @compute @workgroup_size(64, 1, 1)
            fn oplink_f(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
                let i_2: u32 = thread_index.x;
                store_y_1(i_2, ((!load_y_1(i_2)) && (load_x_0(i_2) > 3u)));
            }
        "#]],
    );
}

#[test]
fn small_integers_are_cut() {
    let programs = launched(
        "block = 64, T = [i8, i16, u16]",
        "fn f<T: Integer>(x: &[T], y: &mut [T]) { let i = thread_index().x; y[i] = x[i] * x[i]; }",
    );
    assert!(programs.iter().all(|texts| texts.wgsl.contains("atomicAnd(&y_1[")));
}

#[test]
fn atomic_updates() {
    check_programs(
        &launched(
            "block = 64",
            "fn f(x: &[f32], sums: &mut [f32], counts: &mut [u32], least: &mut [i32]) {
                let mut all = shared::<f32, 4>();
                let i = thread_index().x;
                all[i % 4] = sums[i];
                barrier();
                atomic_max(&mut all[i % 4], x[i]);
                barrier();
                atomic_add(&mut sums[0], all[i % 4]);
                atomic_add(&mut counts[x[i] as usize], 1);
                atomic_min(&mut least[0], i as i32);
            }",
        ),
        expect![[r#"
            params: & [ProgramParam :: Input (DType :: Float) , ProgramParam :: InOut (DType :: Float) , ProgramParam :: InOut (DType :: UInt32) , ProgramParam :: InOut (DType :: Int32)]
            block: [64 , 1 , 1]
            needs: & [ProgramFeature :: Atomics]
            // CUDA
            template <typename I, typename F> __device__ I saturated(F x, F low, F high, I least, I most) {
                return x != x ? (I)0 : x <= low ? least : x >= high ? most : (I)x;
            }
            __device__ void atomic_larger(f32* place, f32 value) {
                u32* bits = (u32*)place;
                u32 seen = *bits;
                while (value > __uint_as_float(seen)) {
                    const u32 found = atomicCAS(bits, seen, __float_as_uint(value));
                    if (found == seen) break;
                    seen = found;
                }
            }
            extern "C" __global__ void __launch_bounds__(64) oplink_f(const f32* x_0, f32* sums_1, u32* counts_2, i32* least_3) {
                __shared__ f32 all_4[4];
                const usize i_5 = (usize)threadIdx.x;
                all_4[(i_5 % 4ull)] = sums_1[i_5];
                __syncthreads();
                atomic_larger(&all_4[(i_5 % 4ull)], x_0[i_5]);
                __syncthreads();
                atomicAdd(&sums_1[0ull], all_4[i_5 % 4ull]);
                atomicAdd(&counts_2[saturated<usize>(x_0[i_5], 0.0f, 18446744073709551616.0f, 0ull, 18446744073709551615ull)], 1u);
                atomicMin(&least_3[0ull], (i32)i_5);
            }
            // WGSL
            fn magnitude_bits_f32(x: f32) -> u32 { return bitcast<u32>(f32(x)) & 0x7fffffffu; }
            fn is_nan_f32(x: f32) -> bool { return magnitude_bits_f32(x) > 0x7f800000u; }
            fn f32_to_u32(x: f32) -> u32 {
                if is_nan_f32(x) { return 0u; }
                if x <= 0.0f { return 0u; }
                if x >= 4294967296.0f { return 4294967295u; }
                return u32(x);
            }
            @group(0) @binding(0) var<storage, read> x_0: array<f32>;
            @group(0) @binding(1) var<storage, read_write> sums_1: array<atomic<u32>>;
            @group(0) @binding(2) var<storage, read_write> counts_2: array<atomic<u32>>;
            @group(0) @binding(3) var<storage, read_write> least_3: array<atomic<i32>>;
            var<workgroup> all_4: array<atomic<u32>, 4>;
            @compute @workgroup_size(64, 1, 1)
            fn oplink_f(@builtin(local_invocation_id) thread_index: vec3<u32>, @builtin(workgroup_id) block_index: vec3<u32>, @builtin(num_workgroups) grid_dim: vec3<u32>) {
                let i_5: u32 = thread_index.x;
                atomicStore(&all_4[(i_5 % 4u)], bitcast<u32>(bitcast<f32>(atomicLoad(&sums_1[i_5]))));
                workgroupBarrier();
                { let at = (i_5 % 4u); let other = x_0[i_5]; loop { let seen = atomicLoad(&all_4[at]); let now = bitcast<f32>(seen); let then = bitcast<u32>(select(now, other, other > now)); if then == seen { break; } if atomicCompareExchangeWeak(&all_4[at], seen, then).exchanged { break; } } }
                workgroupBarrier();
                { let at = 0u; let other = bitcast<f32>(atomicLoad(&all_4[i_5 % 4u])); loop { let seen = atomicLoad(&sums_1[at]); let now = bitcast<f32>(seen); let then = bitcast<u32>((now + other)); if then == seen { break; } if atomicCompareExchangeWeak(&sums_1[at], seen, then).exchanged { break; } } }
                atomicAdd(&counts_2[f32_to_u32(x_0[i_5])], 1u);
                atomicMin(&least_3[0u], i32(i_5));
            }
        "#]],
    );
}
