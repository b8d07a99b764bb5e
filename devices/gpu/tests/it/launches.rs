//! Launches of programs by Vulkan: what is said of mistakes in WGSL, and how many are compiled.

use oplink::device::ScalarValue::{F32, U32};
use oplink::device::{DeviceProgram, ProgramArg, ProgramFeature, ProgramParam, copy_to_host_blocking};
use oplink::{Code, DType, Error, Result, Shape, Tensor};
use oplink_device_gpu::VulkanContext;

use crate::support::{check_message, context, gpu, program};

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

/// The error of a launch without a grid that matters.
#[track_caller]
fn refused(program: &'static DeviceProgram, args: &[ProgramArg<'_>]) -> Error {
    let device = gpu();
    let refused = context(&device).launch(program, [1, 1, 1], args).expect_err("an error");
    context(&device).synchronize().expect("the device goes on");
    refused
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

#[test(Vulkan)]
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

#[test(Vulkan)]
fn what_the_device_lacks_is_named() {
    let (code, place) = (Code::Unimplemented, "Test by main (T=float) of tests/it/support.rs:7");
    check_message(&refused(&BFLOAT, &[]), code, &["device:GPU:0: ", "has no BF16 by Vulkan", place]);
    check_message(&refused(&UNSAYABLE, &[]), code, &["cannot be said in WGSL", place]);
}

#[test(Vulkan)]
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

#[test(Vulkan)]
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
