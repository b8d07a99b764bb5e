//! Chains of formulas on a GPU: one program for all steps.
#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use std::sync::Arc;

use expect_test::expect;
use oplink::KernelContext;
use oplink::device::ScalarValue;
use oplink::elementwise::StepOperand;
use oplink::elementwise::StepOperand::{Input, Step};
use oplink::gpu::{GpuChain, GpuChainStep, GpuFormula};

use super::gpu::{Env, Noting, larger, leaky, tensor};
use super::*;

/// The formula of a GPU's kernel.
fn formula<K: HasKernelDescriptor>(dtypes: &[DType]) -> &'static GpuFormula {
    let kernel = K::DESCRIPTORS.iter().find(|kernel| kernel.device == "GPU").unwrap();
    entry(kernel, dtypes).gpu_formula().unwrap().formula
}

fn larger_step(dtype: DType, operands: [StepOperand; 2]) -> GpuChainStep {
    let formula = formula::<larger>(&[dtype]);
    GpuChainStep { formula, operands: operands.into_iter().collect(), attrs: [].into_iter().collect(), result: dtype }
}

fn leaky_step(operand: StepOperand) -> GpuChainStep {
    GpuChainStep {
        formula: formula::<leaky>(&[]),
        operands: [operand].into_iter().collect(),
        attrs: [ScalarValue::F32(0.25), ScalarValue::U32(1)].into_iter().collect(),
        result: DType::Bool,
    }
}

#[test]
fn a_chain_is_one_program() {
    let steps = || vec![larger_step(DType::Float, [Input(0), Input(1)]), leaky_step(Step(0))];
    let chain = GpuChain::new(steps(), &[DType::Float, DType::Float]).unwrap();
    let program = chain.program(false);
    assert_eq!(program.name, "the chain ApiLarger, ApiLeaky");
    expect![[r#"
        template <typename T, int N> struct __align__(sizeof(T) * N) Pack {
            T values[N];
        };
        template <typename T> __device__ bool is_nan(T x) { return !(x == x); }
        static __device__ __forceinline__ f32 formula0(f32 x_0, f32 y_1) {
            f32 value_2;
            if ((x_0 > y_1) || is_nan(x_0)) {
                value_2 = x_0;
            } else {
                value_2 = y_1;
            }
            return value_2;
        }
        static __device__ __forceinline__ bool formula1(f32 x_0, f32 slope_1, bool on_2) {
            f32 value_3;
            if (on_2 && (x_0 < 0.0f)) {
                value_3 = (x_0 * slope_1);
            } else {
                value_3 = x_0;
            }
            const f32 y_4 = value_3;
            return (y_4 < (-1.0f));
        }
        static __device__ __forceinline__ bool value_of(f32 x0, f32 x1, f32 attr0, bool attr1) {
            const f32 v0 = formula0(x0, x1);
            const bool v1 = formula1(v0, attr0, attr1);
            return v1;
        }
        extern "C" __global__ void __launch_bounds__(256) oplink_chain(const f32* input0, const f32* input1, bool* result, f32 attr0, u32 attr1, u32 count_low, u32 count_high) {
            const usize first = (usize)blockIdx.x * blockDim.x + threadIdx.x, step = (usize)gridDim.x * blockDim.x;
            const usize count = ((usize)count_high << 32) | count_low;
            const bool aligned = (((usize)input0 | (usize)input1 | (usize)result) & 15) == 0;
            const usize packs = aligned ? count / 4 : 0;
            for (usize i = first; i < packs; i += step) {
                const Pack<f32, 4> part0 = reinterpret_cast<const Pack<f32, 4>*>(input0)[i];
                const Pack<f32, 4> part1 = reinterpret_cast<const Pack<f32, 4>*>(input1)[i];
                Pack<bool, 4> written;
                #pragma unroll
                for (int k = 0; k < 4; ++k) written.values[k] = value_of(part0.values[k], part1.values[k], attr0, attr1);
                reinterpret_cast<Pack<bool, 4>*>(result)[i] = written;
            }
            for (usize i = packs * 4 + first; i < count; i += step) result[i] = value_of(input0[i], input1[i], attr0, attr1);
        }
    "#]].assert_eq(program.cuda.split_once("typedef double f64;\n").unwrap().1);
    expect![[r#"
        @group(0) @binding(0) var<storage, read> input0: array<f32>;
        @group(0) @binding(1) var<storage, read> input1: array<f32>;
        @group(0) @binding(2) var<storage, read_write> result: array<u32>;
        struct Scalars {
            attr0: f32,
            attr1: u32,
            count_low: u32,
            count_high: u32,
        }
        @group(0) @binding(3) var<uniform> scalars: Scalars;
        fn magnitude_bits_f32(x: f32) -> u32 { return bitcast<u32>(f32(x)) & 0x7fffffffu; }
        fn is_nan_f32(x: f32) -> bool { return magnitude_bits_f32(x) > 0x7f800000u; }
        fn formula0(x_0: f32, y_1: f32) -> f32 {
            var value_2: f32;
            if ((x_0 > y_1) || is_nan_f32(x_0)) {
                value_2 = x_0;
            } else {
                value_2 = y_1;
            }
            return value_2;
        }
        fn formula1(x_0: f32, slope_1: f32, on_2: bool) -> bool {
            var value_3: f32;
            if (on_2 && (x_0 < 0.0f)) {
                value_3 = (x_0 * slope_1);
            } else {
                value_3 = x_0;
            }
            let y_4: f32 = value_3;
            return (y_4 < (-1.0f));
        }
        fn value_of(x0: f32, x1: f32, attr0: f32, attr1: bool) -> bool {
            let v0 = formula0(x0, x1);
            let v1 = formula1(v0, attr0, attr1);
            return v1;
        }
        @compute @workgroup_size(256, 1, 1)
        fn oplink_chain(@builtin(global_invocation_id) thread: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>) {
            let step = blocks.x * 256u;
            let count = scalars.count_low;
            for (var word = thread.x; word < (count + 3u) / 4u; word += step) {
                var packed = 0u;
                for (var i = word * 4u; i < min(count, word * 4u + 4u); i++) {
                    packed |= select(0u, 1u, value_of(input0[i], input1[i], scalars.attr0, (scalars.attr1 != 0u))) << (i % 4u * 8u);
                }
                result[word] = packed;
            }
        }
    "#]].assert_eq(program.wgsl);
    let equal = GpuChain::new(steps(), &[DType::Float, DType::Float]).unwrap();
    assert!(std::ptr::eq(program, equal.program(false)), "equal chains are one program");
}

#[test]
fn results_are_rounded_between_steps() {
    let steps = vec![
        larger_step(DType::Half, [Input(0), Input(1)]),
        larger_step(DType::Half, [Step(0), Input(2)]),
        larger_step(DType::Half, [Step(1), Step(0)]),
    ];
    let chain = GpuChain::new(steps, &[DType::Half; 3]).unwrap();
    let body = |text: &str| {
        let start = text.find("value_of(").unwrap();
        let from = start + text[start..].find('\n').unwrap() + 1;
        let lines = text[from..from + text[from..].find('}').unwrap()].lines().map(str::trim_start);
        lines.flat_map(|line| [line, "\n"]).collect::<String>()
    };
    let program = chain.program(true);
    expect![[r#"
            const f16 v0 = __float2half(formula0(__half2float(x0), __half2float(x1)));
            const f16 v1 = __float2half(formula0(__half2float(v0), __half2float(x2)));
            const f16 v2 = __float2half(formula0(__half2float(v1), __half2float(v0)));
            return v2;
    "#]]
    .assert_eq(&body(program.cuda));
    expect![[r#"
            let v0 = f16(formula0(f32(x0), f32(x1)));
            let v1 = f16(formula0(f32(v0), f32(x2)));
            let v2 = f16(formula0(f32(v1), f32(v0)));
            return v2;
    "#]]
    .assert_eq(&body(program.wgsl));
    assert_eq!(program.wgsl.matches("fn formula").count(), 1, "a formula is written once");
    assert_eq!(program.params.len(), 3 + 1 + 2 + 6 + 3 * 6);
}

#[test]
fn a_run_is_one_launch() {
    let chain = GpuChain::new(
        vec![larger_step(DType::Float, [Input(0), Input(1)]), leaky_step(Step(0))],
        &[DType::Float, DType::Float],
    );
    let (x, y) = (tensor(&[2, 3], &[0.0; 6]), tensor(&[3], &[0.0; 3]));
    let node = node::<ApiChain>(&[], &[Arg::One(x.clone()), Arg::One(y.clone())], &[&[DType::Bool]]);
    let device = Arc::new(Noting::default());
    let (env, mut outputs) = (Env(device.clone()), vec![None]);
    let chain = chain.unwrap();
    chain.run(&mut KernelContext::new(&node, &mut [x, y], &mut outputs, &env)).unwrap();
    assert_eq!(outputs[0].as_ref().unwrap().shape().to_vec(), [2, 3]);
    let (program, grid, args) = device.last();
    assert!(std::ptr::eq(program, chain.program(true)));
    let loops = "6 2 3 2 1 1 1 1 1 3 0 0 0 0 1 0 0 0 0 0";
    assert_eq!((grid, args.join(" ")), ([1, 1, 1], format!("float[2, 3] float[3] bool[2, 3] F32(0.25) 1 {loops}")));
    assert!(device.launches.lock().unwrap().is_empty());
}

/// As the op of chains has it.
#[op("ApiChain", input = "x: float", input = "y: float", output = "z: bool", shape = shape_fns::broadcast_binary)]
pub struct ApiChain;

#[test]
fn chains_that_do_not_fit_are_errors() {
    let error = |steps, inputs: &[DType]| GpuChain::new(steps, inputs).unwrap_err().to_string();
    let float = [DType::Float; 8];
    let two = || larger_step(DType::Float, [Input(0), Input(1)]);
    expect!["a chain has one step at least"].assert_eq(&error(vec![], &float[..1]));
    expect!["a chain on a GPU has at most 7 inputs, not 8"].assert_eq(&error(vec![two()], &float));
    expect!["step 0, ApiLarger, takes float from Input(1), which does not exist"]
        .assert_eq(&error(vec![two()], &float[..1]));
    expect!["step 0, ApiLarger, takes float from Input(1), which is int32"]
        .assert_eq(&error(vec![two()], &[DType::Float, DType::Int32]));
    expect!["step 0, ApiLarger, takes float from Step(0), which does not exist"]
        .assert_eq(&error(vec![larger_step(DType::Float, [Input(0), Step(0)])], &float[..1]));
    expect!["step 0, ApiLeaky, takes 1 operands and 2 attrs, not 1 and 0"]
        .assert_eq(&error(vec![GpuChainStep { attrs: [].into_iter().collect(), ..leaky_step(Input(0)) }], &float[..1]));
    expect!["step 0, ApiLarger, gives float, not int64"]
        .assert_eq(&error(vec![GpuChainStep { result: DType::Int64, ..two() }], &float[..2]));
}
