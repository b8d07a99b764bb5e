//! Launches of programs.

use oplink::ScalarValue::{F16, F32, F64, I32, I64, U32, U64};
use oplink::{
    Code, DType, DeviceProgram, Error, ProgramArg, ProgramFeature, ProgramParam, Result, Shape, Tensor,
    copy_to_host_blocking,
};
use oplink_device_gpu::VulkanContext;

use crate::support::{context, gpu, program};

static SCALE: DeviceProgram = program(
    "@group(0) @binding(0) var<storage, read> x: array<f32>;
     @group(0) @binding(1) var<storage, read_write> y: array<f32>;
     struct Scalars { factor: f32, count: u32 }
     @group(0) @binding(2) var<uniform> scalars: Scalars;
     @compute @workgroup_size(64)
     fn main(@builtin(global_invocation_id) thread: vec3<u32>) {
         if thread.x < scalars.count { y[thread.x] = x[thread.x] * scalars.factor; }
     }",
    &[
        ProgramParam::Input(DType::Float),
        ProgramParam::Output(DType::Float),
        ProgramParam::Scalar(DType::Float),
        ProgramParam::Scalar(DType::UInt32),
    ],
    &[],
);

#[test]
fn launches_follow_each_other() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let mut x = context.copy_to_device(&Tensor::from_slice(&[1.0_f32, 2.0, 3.0]))?;
    for _ in 0..200 {
        let y = context.allocate(DType::Float, Shape::from(vec![3]))?;
        let args =
            [ProgramArg::Buffer(&x), ProgramArg::Buffer(&y), ProgramArg::Scalar(F32(-1.0)), ProgramArg::Scalar(U32(3))];
        context.launch(&SCALE, [1, 1, 1], &args)?;
        x = y;
    }
    assert_eq!(copy_to_host_blocking(&**context, &x)?.as_slice::<f32>()?, [1.0, 2.0, 3.0]);
    Ok(())
}

/// The error of a launch without a grid that matters.
#[track_caller]
fn refused(program: &'static DeviceProgram, args: &[ProgramArg<'_>]) -> Error {
    let device = gpu();
    let refused = context(&device).launch(program, [1, 1, 1], args).expect_err("an error");
    context(&device).synchronize().expect("the device goes on");
    refused
}

#[track_caller]
fn check_message(error: &Error, code: Code, parts: &[&str]) {
    assert_eq!(error.code(), code, "{error}");
    let message = error.to_string();
    parts.iter().for_each(|part| assert!(message.contains(part), "no `{part}` in:\n{message}"));
}

static MISTAKE: DeviceProgram = program("fn main() { let x: f32 = 1u; }", &[], &[]);
static NOT_VALID: DeviceProgram = program(
    "fn two(x: f32) -> f32 { if x > 0.0 { return x; } }
     @compute @workgroup_size(1) fn main() { let y = two(1.0); }",
    &[],
    &[],
);
static NO_ENTRY: DeviceProgram = program("@compute @workgroup_size(1) fn other() {}", &[], &[]);
static TOO_LARGE: DeviceProgram = program("@compute @workgroup_size(65536) fn main() {}", &[], &[]);
static STRAY: DeviceProgram = program(
    "@group(0) @binding(4) var<storage, read_write> y: array<f32>;
     @compute @workgroup_size(1) fn main() { y[0] = 1.0; }",
    &[ProgramParam::Output(DType::Float)],
    &[],
);

#[test]
fn mistakes_in_the_text_are_shown() {
    let head = "the program Test by main (T=float) of tests/it/support.rs:7";
    let code = Code::InvalidArgument;
    check_message(&refused(&MISTAKE, &[]), code, &[head, "fn main() { let x: f32 = 1u; }", "^"]);
    check_message(&refused(&NOT_VALID, &[]), code, &[head, "fn two"]);
    check_message(&refused(&NO_ENTRY, &[]), code, &[head, "main"]);
    check_message(&refused(&TOO_LARGE, &[]), code, &[head, "Workgroup size is out of range"]);
    let y = context(&gpu()).allocate(DType::Float, Shape::new(&[1])).expect("memory");
    check_message(&refused(&STRAY, &[ProgramArg::Buffer(&y)]), code, &[head, "the binding 4 of group 0"]);
}

static BFLOAT: DeviceProgram = program("@compute @workgroup_size(1) fn main() {}", &[], &[ProgramFeature::BF16]);
static UNSAYABLE: DeviceProgram = program("", &[], &[]);

#[test]
fn what_the_device_lacks_is_named() {
    let (code, place) = (Code::Unimplemented, "Test by main (T=float) of tests/it/support.rs:7");
    check_message(&refused(&BFLOAT, &[]), code, &["device:GPU:0: ", "has no BF16 by Vulkan", place]);
    check_message(&refused(&UNSAYABLE, &[]), code, &["cannot be said in WGSL", place]);
}

#[test]
fn arguments_are_checked() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let x = context.allocate(DType::Float, Shape::new(&[3]))?;
    let longs = context.allocate(DType::Int64, Shape::new(&[3]))?;
    let host = Tensor::from_slice(&[1.0_f32]);
    let launch = |x: &Tensor, y: &Tensor, grid, last| {
        let args =
            [ProgramArg::Buffer(x), ProgramArg::Buffer(y), ProgramArg::Scalar(F32(1.0)), ProgramArg::Scalar(last)];
        context.launch(&SCALE, grid, &args).expect_err("an error")
    };
    let code = Code::InvalidArgument;
    check_message(&launch(&x, &longs, [1, 1, 1], U32(3)), code, &["argument 1 of Test by main", "a tensor of int64"]);
    check_message(&launch(&x, &x, [1, 1, 1], F32(3.0)), code, &["argument 3", "the value F32(3.0)"]);
    check_message(&launch(&x, &host, [1, 1, 1], U32(3)), code, &["lies in the host's memory"]);
    check_message(&launch(&x, &x, [1, u32::MAX, 1], U32(3)), code, &["a grid of [1, 4294967295, 1] blocks"]);
    let few = context.launch(&SCALE, [1, 1, 1], &[]).expect_err("an error");
    check_message(&few, code, &["takes 4 arguments, 0 are given"]);
    context.launch(
        &SCALE,
        [0, 1, 1],
        &[ProgramArg::Buffer(&x), ProgramArg::Buffer(&x), ProgramArg::Scalar(F32(1.0)), ProgramArg::Scalar(U32(3))],
    )
}

#[test]
fn one_tensor_read_and_written() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let x = context.copy_to_device(&Tensor::from_slice(&[1.0_f32, 2.0, 3.0]))?;
    let args =
        [ProgramArg::Buffer(&x), ProgramArg::Buffer(&x), ProgramArg::Scalar(F32(3.0)), ProgramArg::Scalar(U32(3))];
    context.launch(&SCALE, [1, 1, 1], &args)?;
    assert_eq!(copy_to_host_blocking(&**context, &x)?.as_slice::<f32>()?, [3.0, 6.0, 9.0]);
    Ok(())
}

#[test]
fn slices_that_no_binding_may_start_at() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let values: Vec<f32> = (0..40).map(|at| at as f32).collect();
    let (x, y) =
        (context.copy_to_device(&Tensor::from_slice(&values))?, context.copy_to_device(&Tensor::from_slice(&values))?);
    let (from, to) = (x.slice(3, 33)?, y.slice(5, 35)?);
    let args = [
        ProgramArg::Buffer(&from),
        ProgramArg::Buffer(&to),
        ProgramArg::Scalar(F32(100.0)),
        ProgramArg::Scalar(U32(29)),
    ];
    context.launch(&SCALE, [1, 1, 1], &args)?;
    let mut wanted = values.clone();
    (0..29).for_each(|at| wanted[at + 5] = values[at + 3] * 100.0);
    assert_eq!(copy_to_host_blocking(&**context, &y)?.as_slice::<f32>()?, wanted);
    assert_eq!(copy_to_host_blocking(&**context, &x)?.as_slice::<f32>()?, values);
    Ok(())
}

static SCALARS: DeviceProgram = program(
    "enable f16;
     struct Scalars { a: f16, b: i32, c: i64, d: u32, e: f64, f: f16, g: u64, h: f32 }
     @group(0) @binding(0) var<storage, read_write> y: array<f64>;
     @group(0) @binding(1) var<uniform> scalars: Scalars;
     @compute @workgroup_size(1) fn main() {
         y[0] = f64(f32(scalars.a)); y[1] = f64(scalars.b); y[2] = f64(f32(scalars.c)); y[3] = f64(scalars.d);
         y[4] = scalars.e; y[5] = f64(f32(scalars.f)); y[6] = f64(f32(scalars.g)); y[7] = f64(scalars.h);
     }",
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
    "@group(0) @binding(0) var<storage, read> x: array<f32>;
     @group(0) @binding(1) var<storage, read_write> y: array<f32>;
     @compute @workgroup_size(64)
     fn main(@builtin(local_invocation_id) thread: vec3<u32>, @builtin(subgroup_size) size: u32) {
         y[thread.x] = subgroupAdd(x[thread.x]) / f32(size);
     }",
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

#[test]
fn launches_of_many_threads() {
    let device = gpu();
    std::thread::scope(|scope| {
        for thread in 0..8_u8 {
            let context = context(&device);
            scope.spawn(move || {
                let start = Tensor::from_slice(&[f32::from(thread); 1000]);
                let mut x = context.copy_to_device(&start).expect("to the device");
                for _ in 0..50 {
                    let y = context.allocate(DType::Float, Shape::new(&[1000])).expect("memory");
                    let args = [
                        ProgramArg::Buffer(&x),
                        ProgramArg::Buffer(&y),
                        ProgramArg::Scalar(F32(-1.0)),
                        ProgramArg::Scalar(U32(1000)),
                    ];
                    context.launch(&SCALE, [16, 1, 1], &args).expect("a launch");
                    x = y;
                }
                let back = copy_to_host_blocking(&**context, &x).expect("to the host");
                assert_eq!(back.as_slice::<f32>().expect("floats"), start.as_slice::<f32>().expect("floats"));
            });
        }
    });
    let vulkan = context(&device).as_any().downcast_ref::<VulkanContext>().expect("by Vulkan");
    assert_eq!(vulkan.counts().programs, 1);
}

#[test]
fn the_device_tells_how_long_it_takes() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let vulkan = context.as_any().downcast_ref::<VulkanContext>().expect("by Vulkan");
    let x = context.copy_to_device(&Tensor::zeros(DType::Float, Shape::new(&[1 << 20]))?)?;
    let args = [
        ProgramArg::Buffer(&x),
        ProgramArg::Buffer(&x),
        ProgramArg::Scalar(F32(2.0)),
        ProgramArg::Scalar(U32(1 << 20)),
    ];
    let launches = |count: usize| {
        vulkan.time(|| (0..count).try_for_each(|_| context.launch(&SCALE, [(1 << 20) / 64, 1, 1], &args)))
    };
    let (few, many) = (launches(1)?, launches(200)?);
    assert!(many > few * 4, "{few:?} for one, {many:?} for 200");
    Ok(())
}
