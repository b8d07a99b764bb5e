//! What binding by name costs over the raw context: two inputs, one output, one attr, of scalars that others hold too.

extern crate oplink_api as oplink;

use std::sync::Arc;

use divan::Bencher;
use oplink::descriptors::{HasKernelDescriptor, KernelFunction};
use oplink::prelude::*;
use oplink::{AttrMap, DefaultEnv, NodeInfo, OpSpec};

#[op("BenchSum", input = "x: float", input = "y: float", output = "sum: float", attr = "scale: float = 1.0",
     shape = shape_fns::unchanged)]
pub struct BenchSum;

fn add(x: &Tensor, y: &Tensor, scale: f32, sum: &mut Tensor) -> Result<()> {
    let (x, y) = (x.as_slice::<f32>()?, y.as_slice::<f32>()?);
    for (sum, (x, y)) in sum.as_mut_slice::<f32>()?.iter_mut().zip(x.iter().zip(y)) {
        *sum = scale * (x + y);
    }
    Ok(())
}

#[kernel(BenchSum, device = CPU, label = "raw")]
fn raw_context(context: &mut KernelContext<'_>) -> Result<()> {
    let scale = context.attr("scale")?;
    let mut sum = context.allocate_output(0, context.input(0).shape().clone())?;
    add(context.input(0), context.input(1), scale, &mut sum)?;
    context.set_output(0, sum);
    Ok(())
}

#[kernel(BenchSum, device = CPU, label = "parameters")]
fn parameters(x: &Tensor, y: &Tensor, scale: f32, mut sum: OutputSlot<'_>) -> Result<()> {
    let shape = x.shape().clone();
    add(x, y, scale, sum.allocate(shape)?)
}

#[kernel(BenchSum, device = CPU, label = "groups")]
fn groups(inputs: BenchSumInputs<'_>, attrs: BenchSumAttrs<'_>, outputs: &mut BenchSumOutputs<'_>) -> Result<()> {
    let shape = inputs.x.shape().clone();
    add(&inputs.x, &inputs.y, attrs.scale, outputs.sum.allocate(shape)?)
}

struct Object {
    scale: f32,
}

#[kernel(BenchSum, device = CPU, label = "object")]
impl Kernel for Object {
    type Op = BenchSum;

    fn new(construction: Construction<'_, BenchSum>) -> Result<Self> {
        Ok(Self { scale: construction.attrs.scale })
    }

    fn compute(&self, inputs: BenchSumInputs<'_>, outputs: &mut BenchSumOutputs<'_>, _: Env<'_>) -> Result<()> {
        let shape = inputs.x.shape().clone();
        add(&inputs.x, &inputs.y, self.scale, outputs.sum.allocate(shape)?)
    }
}

struct RawObject {
    scale: f32,
}

#[kernel(BenchSum, device = CPU, label = "raw object")]
impl RawKernel for RawObject {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { scale: construction.attr("scale")? })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let mut sum = context.allocate_output(0, context.input(0).shape().clone())?;
        add(context.input(0), context.input(1), self.scale, &mut sum)?;
        context.set_output(0, sum);
        Ok(())
    }
}

#[kernel(BenchSum, device = CPU, label = "raw forwarded")]
fn raw_forwarded(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = context.input(0).shape().clone();
    let (taken, mut sum) = context.forward_or_allocate(&[0], 0, &shape)?;
    if taken.is_none() {
        sum.as_mut_slice::<f32>()?.copy_from_slice(context.input(0).as_slice()?);
    }
    sum.as_mut_slice::<f32>()?.iter_mut().for_each(|sum| *sum += 1.0);
    context.set_output(0, sum);
    Ok(())
}

#[kernel(BenchSum, device = CPU, label = "forwarded")]
fn forwarded(x: Input<'_>, mut sum: OutputSlot<'_>) -> Result<()> {
    let shape = x.shape().clone();
    let (sum, x) = sum.forward(x, &shape)?;
    let sum = sum.as_mut_slice::<f32>()?;
    if let Some(x) = x {
        sum.copy_from_slice(x.as_slice()?);
    }
    sum.iter_mut().for_each(|sum| *sum += 1.0);
    Ok(())
}

fn node() -> NodeInfo {
    let op = <BenchSum as Op>::DESCRIPTOR;
    let spec =
        OpSpec::from_pieces(op.name, op.inputs, op.outputs, op.attrs, op.flags, None).expect("the op is declared");
    NodeInfo {
        name: "sum".to_owned(),
        device: "/device:CPU:0".to_owned(),
        attrs: AttrMap::from_iter([("scale", AttrValue::Float(2.0))]),
        input_dtypes: vec![DType::Float; 2],
        output_dtypes: vec![DType::Float],
        input_ranges: vec![0..1, 1..2],
        output_ranges: std::iter::once(0..1).collect(),
        shape_fn: op.shape.map(Into::into),
        op: Arc::new(spec),
    }
}

#[divan::bench(types = [raw_context, parameters, groups, RawObject, Object], sample_size = 10_000)]
fn binding<K: HasKernelDescriptor>(bencher: Bencher<'_, '_>) {
    let (node, mut inputs) = (node(), [Tensor::scalar(1f32), Tensor::scalar(2f32)]);
    let held = inputs.clone();
    let run: Box<dyn Fn(&mut KernelContext<'_>) -> Result<()>> = match K::DESCRIPTORS[0].entries[0].function {
        KernelFunction::Compute(function) => Box::new(function),
        KernelFunction::Create(create) => {
            let kernel = create(&KernelConstruction::new(&node)).expect("the node has the op's attrs");
            Box::new(move |context| kernel.compute(context))
        }
        _ => unreachable!("the kernels compute at once"),
    };
    bencher.bench_local(|| {
        let mut outputs = [None];
        let ran = run(divan::black_box(&mut KernelContext::new(&node, &mut inputs, &mut outputs, &DefaultEnv)));
        divan::black_box((ran, outputs))
    });
    drop(held);
}

#[divan::bench(types = [raw_forwarded, forwarded], sample_size = 10_000)]
fn forwarding<K: HasKernelDescriptor>(bencher: Bencher<'_, '_>) {
    let (node, y) = (node(), Tensor::scalar(2f32));
    let KernelFunction::Compute(function) = K::DESCRIPTORS[0].entries[0].function else {
        unreachable!("the kernels are functions")
    };
    let mut x = Some(Tensor::scalar(1f32));
    bencher.bench_local(|| {
        let mut inputs = [x.take().unwrap_or_else(Tensor::empty), y.clone()];
        let mut outputs = [None];
        let ran = function(divan::black_box(&mut KernelContext::new(&node, &mut inputs, &mut outputs, &DefaultEnv)));
        let [sum] = outputs;
        x = sum;
        divan::black_box(ran)
    });
}

fn main() {
    divan::main();
}
