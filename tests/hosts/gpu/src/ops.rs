//! The ops.

use std::sync::{Mutex, PoisonError};

use oplink::descriptors::Location;
use oplink::device::{DeviceProgram, ProgramArg, ProgramParam, ScalarValue};
use oplink::gpu::{Launch, barrier, block_dim, block_index, shared, thread_index};
use oplink::prelude::*;

/// `y = x * scale`.
#[op("Scale", input = "x: T", output = "y: T", attr = "scale: float = 2.0",
     attr = "T: {float, double, half, int32}", shape = shape_fns::unchanged)]
pub struct Scale;

#[kernel(Scale, device = [CPU, GPU(T = [f32, f16])], T = [f32, f64, f16], scalar)]
fn scale<T: Float>(x: T, scale: f32) -> T {
    x * T::from_f32(scale)
}

#[gradient(Scale)]
fn scale_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(Scale::builder().scale(op.attr("scale")?).build(scope, dy[0])?)])
}

/// The sum, broadcast.
#[op("Sum2", input = "x: T", input = "y: T", output = "z: T", attr = "T: {float, int32}",
     shape = shape_fns::broadcast_binary)]
pub struct Sum2;

#[kernel(Sum2, device = [CPU, GPU], T = [f32, i32], scalar)]
fn sum2<T: Real>(x: T, y: T) -> T {
    x + y
}

/// Whether `x` is less than `y`.
#[op("Less2", input = "x: float", input = "y: float", output = "z: bool", shape = shape_fns::broadcast_binary)]
pub struct Less2;

#[kernel(Less2, device = [CPU, GPU], scalar)]
fn less2(x: f32, y: f32) -> bool {
    x < y
}

/// The sums of rows.
#[op("RowSum", input = "x: float", output = "sums: float")]
pub fn row_sum_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let x = c.with_rank(0, 2)?;
    c.set_output(0, PartialShape::new(&[x.dim(0)]));
    Ok(())
}

#[kernel(RowSum, device = CPU)]
fn row_sum(x: ArrayView2<'_, f32>) -> Array1<f32> {
    x.rows().into_iter().map(|row| row.iter().sum()).collect()
}

#[kernel(RowSum, device = GPU, block = 64, launch = rows)]
fn row_sum_gpu(x: &[f32], sums: &mut [f32], columns: u32) {
    let mut partial = shared::<f32, 64>();
    let me = thread_index().x;
    let columns = columns as usize;
    let start = block_index().x * columns;
    let mut sum = 0.0;
    for i in (me..columns).step_by(block_dim().x) {
        sum += x[start + i];
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
    if me == 0 {
        sums[block_index().x] = partial[0];
    }
}

fn rows(c: &KernelContext<'_>) -> Result<Launch> {
    let shape = c.input(0).shape();
    Ok(Launch::blocks(shape[0]).scalar("columns", shape[1] as u32))
}

/// One more than each element, in the input's memory where it can be.
#[op("Next", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct Next;

#[kernel(Next, device = CPU, forward(x => y))]
fn next(y: InOut<'_, f32>) {
    y.map(|x| x + 1.0);
}

#[kernel(Next, device = GPU, block = 64, forward(x => y))]
fn next_gpu(y: &mut [f32]) {
    let at = block_index().x * block_dim().x + thread_index().x;
    if at < y.len() {
        y[at] += 1.0;
    }
}

/// `x` of the shape `dims`, whose values are read on the host.
#[op("FillLike", input = "dims: int32", input = "x: float", output = "y: float", output = "size: int32")]
pub fn fill_like_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(0)?;
    c.set_output(0, shape);
    c.set_output(1, PartialShape::scalar());
    Ok(())
}

#[program(block = 64)]
fn fill(x: &[f32], y: &mut [f32]) {
    let at = block_index().x * block_dim().x + thread_index().x;
    if at < y.len() {
        y[at] = x[0];
    }
}

fn extents(dims: &Tensor) -> Result<Shape> {
    let dims: Vec<i64> = dims.as_slice::<i32>()?.iter().map(|&dim| i64::from(dim)).collect();
    Shape::from_i64(&dims)
}

#[kernel(FillLike, device = CPU)]
fn fill_like(dims: &Tensor, x: f32, mut y: OutputSlot<'_>, mut size: OutputSlot<'_>) -> Result<()> {
    let y = y.allocate(extents(dims)?)?;
    y.as_mut_slice::<f32>()?.fill(x);
    let count = y.num_elements() as i32;
    size.set(Tensor::scalar(count));
    Ok(())
}

#[kernel(FillLike, device = GPU, host_memory = [dims, size])]
fn fill_like_gpu(
    dims: &Tensor,
    x: &Tensor,
    mut y: OutputSlot<'_>,
    mut size: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let y = y.allocate(extents(dims)?)?;
    let count = y.num_elements();
    let device = env.device()?;
    // Through memory of the kernel's own, which goes at once.
    let copy = device.copy_in_device(x)?;
    let one = device.copy_to_device(&Tensor::scalar(7.0_f32))?;
    drop(one);
    fill { x: &copy, y }.launch(device, oplink::gpu::blocks(count, 64))?;
    size.set(Tensor::scalar(count as i32));
    Ok(())
}

/// `x * 3` of int32, which the CPU computes whatever the device.
#[op("Triple", input = "x: int32", output = "y: int32", shape = shape_fns::unchanged)]
pub struct Triple;

#[kernel(Triple, device = CPU)]
fn triple(x: ArrayViewD<'_, i32>) -> ArrayD<i32> {
    x.mapv(|x| x * 3)
}

struct OnHost;

#[kernel(Triple, device = GPU, host_memory = [x, y])]
impl HostFallback for OnHost {}

/// An op for the CPU alone.
#[op("CpuOnly", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct CpuOnly;

#[kernel(CpuOnly, device = CPU, scalar)]
fn cpu_only(x: f32) -> f32 {
    -x
}

/// `fails` says how a GPU's kernel fails; else it is `x`.
#[op("Failing", input = "x: float", output = "y: float", attr = "fails: {'launch', 'text', 'panic', 'keeps', 'no'}",
     shape = shape_fns::unchanged)]
pub struct Failing;

const fn program(cuda: &'static str, block: [u32; 3]) -> DeviceProgram {
    DeviceProgram {
        name: "Failing by entry_of_test",
        entry: "entry_of_test",
        cuda,
        wgsl: "",
        params: &[ProgramParam::Output(DType::Float), ProgramParam::Scalar(DType::UInt32)],
        block,
        needs: &[],
        location: Location { crate_name: "gpu-ops", crate_version: "1.0", file: "ops.rs", line: 1 },
    }
}

static TOO_LARGE: DeviceProgram =
    program("extern \"C\" __global__ void entry_of_test(float* y, unsigned int count) {}", [2048, 1, 1]);
static WRONG: DeviceProgram = program("extern \"C\" __global__ void entry_of_test(float* y) { mistake }", [64, 1, 1]);
static KEPT: Mutex<Vec<Tensor>> = Mutex::new(Vec::new());

#[kernel(Failing, device = CPU)]
fn failing(x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[kernel(Failing, device = GPU)]
fn failing_gpu(x: &Tensor, fails: &str, env: Env<'_>) -> Result<Tensor> {
    let device = env.device()?;
    let args = [ProgramArg::Buffer(x), ProgramArg::Scalar(ScalarValue::U32(1))];
    match fails {
        "launch" => device.launch(&TOO_LARGE, [1, 1, 1], &args)?,
        "text" => device.launch(&WRONG, [1, 1, 1], &args)?,
        "panic" => panic!("a kernel of {} elements", x.num_elements()),
        "keeps" => {
            let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(before) = kept.last() {
                return device.copy_in_device(before);
            }
            kept.extend([x.clone(), device.copy_in_device(x)?]);
        }
        _ => {}
    }
    Ok(x.clone())
}

/// What it is given.
#[op("PassAll", input = "xs: N * float", output = "ys: N * float", attr = "N: int >= 1")]
pub fn pass_all_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    (0..c.num_outputs()).for_each(|at| c.set_output(at, c.input(at).clone()));
    Ok(())
}

#[kernel(PassAll, device = CPU)]
fn pass_all(xs: &[Tensor]) -> Vec<Tensor> {
    xs.to_vec()
}

#[kernel(PassAll, device = GPU)]
fn pass_all_gpu(xs: &[Tensor], env: Env<'_>) -> Result<Vec<Tensor>> {
    env.device()?;
    Ok(xs.to_vec())
}

/// No input tells where it runs.
#[op("Zero", output = "y: float")]
pub fn zero_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::scalar());
    Ok(())
}

#[kernel(Zero, device = CPU)]
fn zero() -> f32 {
    0.0
}

library! {
    pub OPS;
    ops::{Scale, Sum2, Less2, RowSum, Next, FillLike, Triple, CpuOnly, Failing, PassAll, Zero},
    kernels::{
        scale, sum2, less2, row_sum, row_sum_gpu, next, next_gpu, fill_like, fill_like_gpu, triple, OnHost, cpu_only,
        failing, failing_gpu, pass_all, pass_all_gpu, zero,
    },
    gradients::scale_gradient,
}
