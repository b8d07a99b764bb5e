//! Annotated kernels on the device: eager calls and sessions.

use std::sync::{Arc, OnceLock};

use oplink::gpu::{Launch, barrier, block_dim, block_index, shared, thread_index};
use oplink::prelude::*;
use oplink_core::{Device, Registry, host_device};
use oplink_graph::eager::EagerContext;
use oplink_graph::{Graph, RunOptions, Session, SessionOptions, TraceLevel};

use oplink_device_cpu as _;

use crate::support::gpu;

/// The sum, broadcast.
#[op("GpuSum", input = "x: T", input = "y: T", output = "z: T", attr = "T: type", shape = shape_fns::broadcast_binary)]
pub struct GpuSum;

#[kernel(GpuSum, device = [CPU, GPU], T = [f32, f64, f16, i32, i64], scalar)]
fn gpu_sum<T: Real>(x: T, y: T) -> T {
    x + y
}

/// Whether `x` is less than `y`.
#[op("GpuLess", input = "x: T", input = "y: T", output = "z: bool", attr = "T: type",
     shape = shape_fns::broadcast_binary)]
pub struct GpuLess;

#[kernel(GpuLess, device = [CPU, GPU], T = [f32, i8], scalar)]
fn gpu_less<T: Real>(x: T, y: T) -> bool {
    x < y
}

/// The sums of rows.
#[op("GpuRowSum", input = "x: float", output = "sums: float", shape = row_sum_shape)]
pub struct GpuRowSum;

fn row_sum_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let rows = c.input(0).to_shape().map(|shape| Shape::new(&[shape[0]]));
    c.set_output(0, rows.map_or(PartialShape::new(&[None]), PartialShape::from));
    Ok(())
}

#[kernel(GpuRowSum, device = GPU, block = 64, launch = rows)]
fn gpu_row_sum(x: &[f32], sums: &mut [f32], columns: u32) {
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
#[op("GpuNext", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct GpuNext;

#[kernel(GpuNext, device = GPU, block = 64, forward(x => y))]
fn gpu_next(y: &mut [f32]) {
    let at = block_index().x * block_dim().x + thread_index().x;
    if at < y.len() {
        y[at] += 1.0;
    }
}

/// A value that is fed.
#[op("Placeholder", output = "output: dtype", attr = "dtype: type", attr = "shape: shape = { unknown_rank: true }",
     shape = shape_fns::placeholder)]
pub struct Placeholder;

fn device() -> &'static Arc<dyn Device> {
    static DEVICE: OnceLock<Arc<dyn Device>> = OnceLock::new();
    DEVICE.get_or_init(gpu)
}

fn call(op: &str, inputs: &[&Tensor]) -> Result<Tensor> {
    let context = EagerContext::global()?;
    context.to_host(&context.call_on(device(), op, inputs, &[])?.values[0])
}

fn floats(shape: &[usize]) -> Tensor {
    let values: Vec<f32> = (0..shape.iter().product()).map(|at: usize| at as f32 * 0.25 - 3.0).collect();
    Tensor::from_slice(&values).with_shape(Shape::new(shape)).expect("as many elements")
}

/// Both devices, the same results.
fn check_both(op: &str, inputs: &[&Tensor]) -> Result<()> {
    let host = EagerContext::global()?.call(op, inputs, &[])?.values[0].clone();
    let gpu = call(op, inputs)?;
    assert_eq!((gpu.dtype(), gpu.shape(), gpu.as_bytes()?), (host.dtype(), host.shape(), host.as_bytes()?), "{op}");
    Ok(())
}

#[test]
fn scalar_kernels_with_and_without_broadcasting() -> Result<()> {
    for (x, y) in [(&[5][..], &[5][..]), (&[2, 3], &[3]), (&[4, 1, 3], &[2, 1]), (&[], &[7]), (&[0, 3], &[3])] {
        check_both("GpuSum", &[&floats(x), &floats(y)])?;
        check_both("GpuLess", &[&floats(x), &floats(y)])?;
    }
    Ok(())
}

#[test]
fn dtypes_of_8_16_and_64_bits() -> Result<()> {
    let halves: Vec<f16> = (0..7).map(|at| f16::from_f32(at as f32 / 3.0)).collect();
    let halves = Tensor::from_slice(&halves);
    check_both("GpuSum", &[&halves, &halves])?;
    let longs = Tensor::from_slice(&[i64::MAX / 2, -1, 1 << 40]);
    check_both("GpuSum", &[&longs, &longs])?;
    let doubles = Tensor::from_slice(&[0.1_f64, -1e300, 3.0]);
    check_both("GpuSum", &[&doubles, &doubles])?;
    let bytes = Tensor::from_slice(&[-128_i8, 3, 7, 127, 5]);
    check_both("GpuLess", &[&bytes, &Tensor::from_slice(&[0_i8])])
}

#[test]
fn grid_kernels_with_shared_memory() -> Result<()> {
    let sums = call("GpuRowSum", &[&floats(&[3, 200])])?;
    let wanted: Vec<f32> = (0..3).map(|row| (0..200).map(|at| (row * 200 + at) as f32 * 0.25 - 3.0).sum()).collect();
    assert_eq!(sums.as_slice::<f32>()?, wanted);
    Ok(())
}

#[test]
fn an_input_that_others_need_is_not_written() -> Result<()> {
    let context = EagerContext::global()?;
    let x = device().context().expect("a GPU").copy_to_device(&floats(&[100]))?;
    let y = &context.call_on(device(), "GpuNext", &[&x], &[])?.values[0];
    let (x, y) = (context.to_host(&x)?, context.to_host(y)?);
    assert_eq!(x.as_bytes()?, floats(&[100]).as_bytes()?);
    let next: Vec<f32> = floats(&[100]).as_slice::<f32>()?.iter().map(|x| x + 1.0).collect();
    assert_eq!(y.as_slice::<f32>()?, next);
    Ok(())
}

/// `y = x + x` and `z = y + 1` for each element; only the GPU has a kernel for the second.
fn doubled_and_one_more() -> Result<Session> {
    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[None]))?;
    let y = GpuSum::builder().name("y").build(&mut graph.scope(), x, x)?;
    GpuNext::builder().name("z").build(&mut graph.scope(), y)?;
    Session::on_devices(graph, vec![device().clone(), host_device()?], SessionOptions::default())
}

#[test]
fn sessions_run_nodes_on_the_device() -> Result<()> {
    let session = doubled_and_one_more()?;
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    for count in [1, 5, 1000, 0] {
        let x = floats(&[count]);
        let (fetched, metadata) = session.run_with(&options, &[("x", x.clone())], &["y", "z"], &[])?;
        let (y, z): (Vec<f32>, Vec<f32>) = x.as_slice::<f32>()?.iter().map(|x| (x * 2.0, x * 2.0 + 1.0)).unzip();
        assert_eq!((fetched[0].as_slice::<f32>()?, fetched[1].as_slice::<f32>()?), (&y[..], &z[..]));
        for name in ["y", "z"] {
            let node = metadata.nodes.iter().find(|node| node.name == name).expect("a node that ran");
            assert_eq!(node.device, device().name());
        }
    }
    Ok(())
}

#[test]
fn sessions_of_many_threads() -> Result<()> {
    let session = doubled_and_one_more()?;
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let session = &session;
            scope.spawn(move || {
                for round in 1..20 {
                    let x = floats(&[thread * 100 + round]);
                    let z = session.run(&[("x", x.clone())], &["z"], &[]).expect("a run");
                    let wanted: Vec<f32> = x.as_slice::<f32>().expect("floats").iter().map(|x| x * 2.0 + 1.0).collect();
                    assert_eq!(z[0].as_slice::<f32>().expect("floats"), wanted);
                }
            });
        }
    });
    Ok(())
}

#[test]
fn a_value_may_stay_on_the_device() -> Result<()> {
    let session = doubled_and_one_more()?;
    let there = device().context().expect("a GPU").copy_to_device(&floats(&[4]))?;
    let z = session.run(&[("x", there)], &["z"], &[])?;
    assert_eq!(z[0].as_slice::<f32>()?, [-5.0, -4.5, -4.0, -3.5]);
    Ok(())
}
