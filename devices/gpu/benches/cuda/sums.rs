//! A program of an annotated function, launched without the runtime.

use oplink::Tensor;
use oplink::descriptors::{KernelFunction, collected_kernels};
use oplink::device::ScalarValue::U32;
use oplink::device::{DeviceContext, DeviceProgram, ProgramArg};
use oplink::gpu::GpuForm;
use oplink::prelude::*;
use oplink_device_gpu::CudaDeviceContext;

/// The sum.
#[op("BenchSum", input = "x: float", input = "y: float", output = "z: float", shape = shape_fns::broadcast_binary)]
pub struct BenchSum;

#[kernel(BenchSum, device = GPU, scalar)]
fn bench_sum(x: f32, y: f32) -> f32 {
    x + y
}

/// The kernel's program for tensors of one shape.
fn program() -> &'static DeviceProgram {
    static PROGRAM: std::sync::OnceLock<&DeviceProgram> = std::sync::OnceLock::new();
    PROGRAM.get_or_init(|| {
        let kernels = collected_kernels();
        let kernel = kernels.iter().find(|kernel| kernel.op == "BenchSum").expect("the kernel is linked");
        match kernel.entries[0].function {
            KernelFunction::Program(kernel) => match &kernel.form {
                GpuForm::Elementwise(program) => program.contiguous(),
                GpuForm::Grid { program, .. } => program,
            },
            _ => unreachable!("a function of single values is a program"),
        }
    })
}

/// Enqueues `z = x + y`, with as many blocks as the runtime would take.
pub(crate) fn launch(cuda: &CudaDeviceContext, x: &Tensor, y: &Tensor, z: &Tensor) -> Result<()> {
    let (program, count) = (program(), x.num_elements());
    let blocks = count.div_ceil(program.block[0] as usize * 4).clamp(1, 65_535) as u32;
    let buffers = [x, y, z].map(ProgramArg::Buffer);
    let length = [count as u32, (count as u64 >> 32) as u32].map(|part| ProgramArg::Scalar(U32(part)));
    let args: Vec<ProgramArg<'_>> = buffers.into_iter().chain(length).collect();
    cuda.launch(program, [blocks, 1, 1], &args)
}
