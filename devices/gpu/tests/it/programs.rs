//! Programs on a GPU of either interface: their arguments, their order, and what is refused.

use oplink::device::ScalarValue::{F16, F32, F64, I32, I64, U32, U64};
use oplink::device::{DeviceProgram, ProgramArg, ProgramFeature, ProgramParam, copy_to_host_blocking};
use oplink::{Code, DType, Result, Shape, Tensor};

use crate::support::{LOCATION, check_message, context, gpu};

const fn program(
    [wgsl, cuda]: [&'static str; 2],
    params: &'static [ProgramParam],
    needs: &'static [ProgramFeature],
) -> DeviceProgram {
    let (name, entry, block) = ("Test by entry", "entry_of_test", [64, 1, 1]);
    DeviceProgram { name, entry, cuda, wgsl, params, block, needs, location: LOCATION }
}

static SCALE: DeviceProgram = program(
    [
        "@group(0) @binding(0) var<storage, read> x: array<f32>;
         @group(0) @binding(1) var<storage, read_write> y: array<f32>;
         struct Scalars { factor: f32, count: u32 }
         @group(0) @binding(2) var<uniform> scalars: Scalars;
         @compute @workgroup_size(64)
         fn entry_of_test(@builtin(global_invocation_id) thread: vec3<u32>) {
             if thread.x < scalars.count { y[thread.x] = x[thread.x] * scalars.factor; }
         }",
        "extern \"C\" __global__ void entry_of_test(const float* x, float* y, float factor, unsigned int count) {
             unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (i < count) y[i] = x[i] * factor;
         }",
    ],
    &[
        ProgramParam::Input(DType::Float),
        ProgramParam::Output(DType::Float),
        ProgramParam::Scalar(DType::Float),
        ProgramParam::Scalar(DType::UInt32),
    ],
    &[],
);

/// What [`SCALE`] takes.
fn scale<'a>(x: &'a Tensor, y: &'a Tensor, factor: f32, count: u32) -> [ProgramArg<'a>; 4] {
    [ProgramArg::Buffer(x), ProgramArg::Buffer(y), ProgramArg::Scalar(F32(factor)), ProgramArg::Scalar(U32(count))]
}

#[test]
fn launches_follow_each_other() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let mut x = context.copy_to_device(&Tensor::from_slice(&[1.0_f32, 2.0, 3.0]))?;
    for _ in 0..200 {
        let y = context.allocate(DType::Float, Shape::from(vec![3]))?;
        context.launch(&SCALE, [1, 1, 1], &scale(&x, &y, -1.0, 3))?;
        x = y;
    }
    assert_eq!(copy_to_host_blocking(&**context, &x)?.as_slice::<f32>()?, [1.0, 2.0, 3.0]);
    Ok(())
}

#[test]
fn arguments_are_checked() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let x = context.allocate(DType::Float, Shape::new(&[3]))?;
    let longs = context.allocate(DType::Int64, Shape::new(&[3]))?;
    let host = Tensor::from_slice(&[1.0_f32]);
    let launch = |x: &Tensor, y: &Tensor, grid, last| {
        let [x, y, factor, _] = scale(x, y, 1.0, 3);
        context.launch(&SCALE, grid, &[x, y, factor, ProgramArg::Scalar(last)]).expect_err("an error")
    };
    let code = Code::InvalidArgument;
    check_message(&launch(&x, &longs, [1, 1, 1], U32(3)), code, &["argument 1 of Test by entry", "a tensor of int64"]);
    check_message(&launch(&x, &x, [1, 1, 1], F32(3.0)), code, &["argument 3", "the value F32(3.0)"]);
    check_message(&launch(&x, &host, [1, 1, 1], U32(3)), code, &["lies in the host's memory"]);
    for grid in [[u32::MAX, 1, 1], [1, 65_536, 1], [1, 1, u32::MAX]] {
        check_message(
            &launch(&x, &x, grid, U32(3)),
            code,
            &[&format!("a grid of {grid:?} blocks"), "it takes at most"],
        );
    }
    let few = context.launch(&SCALE, [1, 1, 1], &[]).expect_err("an error");
    check_message(&few, code, &["takes 4 arguments, 0 are given"]);
    context.launch(&SCALE, [0, 1, 1], &scale(&x, &x, 1.0, 3))
}

#[test]
fn one_tensor_read_and_written() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let x = context.copy_to_device(&Tensor::from_slice(&[1.0_f32, 2.0, 3.0]))?;
    context.launch(&SCALE, [1, 1, 1], &scale(&x, &x, 3.0, 3))?;
    assert_eq!(copy_to_host_blocking(&**context, &x)?.as_slice::<f32>()?, [3.0, 6.0, 9.0]);
    Ok(())
}

#[test]
fn slices_that_start_anywhere() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let values: Vec<f32> = (0..40).map(|at| at as f32).collect();
    let (x, y) =
        (context.copy_to_device(&Tensor::from_slice(&values))?, context.copy_to_device(&Tensor::from_slice(&values))?);
    let (from, to) = (x.slice(3, 33)?, y.slice(5, 35)?);
    context.launch(&SCALE, [1, 1, 1], &scale(&from, &to, 100.0, 29))?;
    let mut wanted = values.clone();
    (0..29).for_each(|at| wanted[at + 5] = values[at + 3] * 100.0);
    assert_eq!(copy_to_host_blocking(&**context, &y)?.as_slice::<f32>()?, wanted);
    assert_eq!(copy_to_host_blocking(&**context, &x)?.as_slice::<f32>()?, values);
    Ok(())
}

static SCALARS: DeviceProgram = program(
    [
        "enable f16;
         struct Scalars { a: f16, b: i32, c: i64, d: u32, e: f64, f: f16, g: u64, h: f32 }
         @group(0) @binding(0) var<storage, read_write> y: array<f64>;
         @group(0) @binding(1) var<uniform> scalars: Scalars;
         @compute @workgroup_size(1) fn entry_of_test() {
             y[0] = f64(f32(scalars.a)); y[1] = f64(scalars.b); y[2] = f64(f32(scalars.c)); y[3] = f64(scalars.d);
             y[4] = scalars.e; y[5] = f64(f32(scalars.f)); y[6] = f64(f32(scalars.g)); y[7] = f64(scalars.h);
         }",
        "#include <cuda_fp16.h>
         extern \"C\" __global__ void entry_of_test(double* y, __half a, int b, long long c, unsigned int d, double e,
                                                  __half f, unsigned long long g, float h) {
             if (threadIdx.x != 0) return;
             y[0] = __half2float(a); y[1] = b; y[2] = c; y[3] = d;
             y[4] = e; y[5] = __half2float(f); y[6] = g; y[7] = h;
         }",
    ],
    &[
        ProgramParam::Output(DType::Double),
        ProgramParam::Scalar(DType::Half),
        ProgramParam::Scalar(DType::Int32),
        ProgramParam::Scalar(DType::Int64),
        ProgramParam::Scalar(DType::UInt32),
        ProgramParam::Scalar(DType::Double),
        ProgramParam::Scalar(DType::Half),
        ProgramParam::Scalar(DType::UInt64),
        ProgramParam::Scalar(DType::Float),
    ],
    &[ProgramFeature::F16, ProgramFeature::F64, ProgramFeature::I64],
);

#[test]
fn scalars_of_every_type() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let y = context.allocate(DType::Double, Shape::new(&[8]))?;
    let half = |value: f32| F16(oplink::prelude::f16::from_f32(value).to_bits());
    let scalars = [half(1.5), I32(-2), I64(-3_000_000), U32(4), F64(5.25), half(-6.0), U64(7), F32(8.125)];
    let args: Vec<ProgramArg<'_>> =
        [ProgramArg::Buffer(&y)].into_iter().chain(scalars.map(ProgramArg::Scalar)).collect();
    context.launch(&SCALARS, [1, 1, 1], &args)?;
    let y = copy_to_host_blocking(&**context, &y)?;
    assert_eq!(y.as_slice::<f64>()?, [1.5, -2.0, -3_000_000.0, 4.0, 5.25, -6.0, 7.0, 8.125]);
    Ok(())
}

static SUBGROUPS: DeviceProgram = program(
    [
        "@group(0) @binding(0) var<storage, read> x: array<f32>;
         @group(0) @binding(1) var<storage, read_write> y: array<f32>;
         @compute @workgroup_size(64)
         fn entry_of_test(@builtin(local_invocation_id) thread: vec3<u32>, @builtin(subgroup_size) size: u32) {
             y[thread.x] = subgroupAdd(x[thread.x]) / f32(size);
         }",
        "extern \"C\" __global__ void entry_of_test(const float* x, float* y) {
             float sum = x[threadIdx.x];
             for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, k);
             y[threadIdx.x] = sum / 32.0f;
         }",
    ],
    &[ProgramParam::Input(DType::Float), ProgramParam::Output(DType::Float)],
    &[ProgramFeature::Subgroups],
);

#[test]
fn subgroups_of_any_size() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let x = context.copy_to_device(&Tensor::from_slice(&[2.0_f32; 64]))?;
    let y = context.allocate(DType::Float, Shape::new(&[64]))?;
    context.launch(&SUBGROUPS, [1, 1, 1], &[ProgramArg::Buffer(&x), ProgramArg::Buffer(&y)])?;
    assert_eq!(copy_to_host_blocking(&**context, &y)?.as_slice::<f32>()?, [2.0; 64]);
    Ok(())
}
