//! Kernels of a device that are those of the host.

use std::sync::Arc;

use expect_test::{Expect, expect};
use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction};
use oplink_api::{
    AttrValue, DType, DefaultEnv, ErrorKind, KernelConstruction, KernelContext, RawKernel, Result, Tensor,
};
use oplink_core::{PreparedKernel, Registry, node_from_attrs};

use crate::fixture::{RELU, builder, leak, with_entries};

fn on_gpu() -> KernelDescriptor {
    let entry = |dtypes| KernelEntry::new(dtypes, KernelFunction::HostFallback);
    let entries = leak([entry(&[DType::Float]), entry(&[DType::Double]), entry(&[DType::Half])]);
    KernelDescriptor {
        device: "GPU",
        host_memory: &["features", "activations"],
        ..with_entries("Relu", &["T"], entries, 21)
    }
}

/// Functions for f32, objects for f64, nothing for f16.
fn on_host() -> KernelDescriptor {
    let entries = leak([
        KernelEntry::new(&[DType::Float], KernelFunction::Compute(sets_seven)),
        KernelEntry::new(&[DType::Double], KernelFunction::Create(|_| Ok(Box::new(SetsEight)))),
    ]);
    with_entries("Relu", &["T"], entries, 20)
}

fn sets_seven(context: &mut KernelContext<'_>) -> Result<()> {
    context.set_scalar(0, 7f32);
    Ok(())
}

struct SetsEight;

impl RawKernel for SetsEight {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        context.set_scalar(0, 8f64);
        Ok(())
    }
}

fn prepare(registry: &Registry, dtype: DType) -> Result<PreparedKernel> {
    let node = node_from_attrs(registry.op("Relu")?, "n", "/device:GPU:0", [("T", AttrValue::Type(dtype))])?;
    let found = registry.get_kernel("Relu", "GPU", "", &node);
    let prepared = PreparedKernel::new(registry, Arc::new(node), "GPU");
    assert_eq!(found.is_some(), prepared.is_ok());
    prepared
}

fn run(registry: &Registry, input: Tensor) -> Tensor {
    let kernel = prepare(registry, input.dtype()).unwrap();
    assert_eq!(kernel.kernel().location().line, 21);
    assert!(kernel.host_memory().has_input(0) && kernel.host_memory().has_output(0));
    let mut outputs = [None];
    kernel.run(&mut [input], &mut outputs, &DefaultEnv).unwrap();
    outputs[0].take().unwrap()
}

fn fails(registry: &Registry, expected: Expect) {
    let error = prepare(registry, DType::Half).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotLinked);
    expected.assert_eq(error.to_string().lines().next().unwrap_or_default());
}

#[test]
fn functions_and_objects_of_the_host_compute() {
    let registry = builder(&[&RELU], &[leak(on_gpu()), leak(on_host())]).seal().unwrap();
    assert_eq!(run(&registry, 1f32.into()).to_scalar::<f32>().unwrap(), 7.0);
    assert_eq!(run(&registry, 1f64.into()).to_scalar::<f64>().unwrap(), 8.0);
}

#[test]
fn without_a_kernel_of_the_host_the_error_says_what_to_link() {
    let registry = builder(&[&RELU], &[leak(on_gpu()), leak(on_host())]).seal().unwrap();
    fails(
        &registry,
        expect![
            "op `Relu` for device GPU, T=half runs the kernel of device CPU, of which none is registered: link a crate that has it, such as `oplink-kernels-cpu`"
        ],
    );
    let registry =
        builder(&[&RELU], &[leak(on_gpu())]).hint("Relu", "oplink-kernels-cpu", "enable its feature `nn`").seal();
    fails(
        &registry.unwrap(),
        expect![
            "op `Relu` for device GPU, T=half runs the kernel of device CPU, of which none is registered: the crate `oplink-kernels-cpu` has kernels, enable its feature `nn`"
        ],
    );
}
