//! What a call over the C ABI costs: the sum of two scalars by a kernel inside, and by the same one in a plugin.

use std::path::Path;

use divan::{Bencher, black_box};
use oplink::prelude::*;
use oplink::runtime::{ArgDTypes, PreparedKernel, Registry, node_for_call};
use oplink::{DefaultEnv, Runtime};

/// The sum, without a plugin.
#[op("InsideAdd", input = "x: float", input = "y: float", output = "sum: float")]
pub struct InsideAdd;

#[kernel(InsideAdd, device = CPU)]
fn inside_add(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, y) = (context.input(0).to_scalar::<f32>()?, context.input(1).to_scalar::<f32>()?);
    let mut sum = context.allocate_output(0, Shape::scalar())?;
    sum.as_mut_slice::<f32>()?[0] = x + y;
    context.set_output(0, sum);
    Ok(())
}

fn main() {
    divan::main();
}

fn prepared(op: &str) -> Result<PreparedKernel> {
    let registry = Registry::global()?;
    let node = node_for_call(registry.op(op)?, "add", "CPU:0", &[ArgDTypes::One(DType::Float); 2], [])?;
    PreparedKernel::new(registry, node.into(), "CPU")
}

fn run(bencher: Bencher<'_, '_>, kernel: &PreparedKernel) {
    let mut inputs = [Tensor::scalar(1.0f32), Tensor::scalar(2.0f32)];
    bencher.bench_local(|| {
        let mut outputs = [None];
        kernel.run(&mut inputs, &mut outputs, &DefaultEnv).expect("a sum");
        drop(black_box(outputs));
    });
}

/// The kernel inside.
#[divan::bench(sample_size = 1000, sample_count = 500)]
fn inside(bencher: Bencher<'_, '_>) {
    run(bencher, &prepared("InsideAdd").expect("the kernel is linked"));
}

/// The kernel of a plugin in C.
#[divan::bench(sample_size = 1000, sample_count = 500)]
fn plugin(bencher: Bencher<'_, '_>) {
    let file = oplink_host_tests::build(Path::new(env!("CARGO_TARGET_TMPDIR")), "add.c", "add", &["NDEBUG"]);
    Runtime::load_plugin(file).expect("the plugin loads");
    run(bencher, &prepared("PluginAdd").expect("the plugin has a kernel"));
}
