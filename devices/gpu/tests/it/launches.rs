//! Launches of programs.

use oplink::ScalarValue::{F32, U32};
use oplink::{DType, DeviceProgram, ProgramArg, ProgramParam, Result, Shape, Tensor, copy_to_host_blocking};

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
