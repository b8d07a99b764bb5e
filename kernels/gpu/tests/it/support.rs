//! Calls of one op on both devices, and how far the results may be apart.

use std::sync::{Arc, OnceLock};

use oplink::{AttrValue, DType, Result, Tensor};
use oplink_core::{Device, devices};
use oplink_graph::eager::EagerContext;

use oplink_device_cpu as _;
use oplink_device_gpu as _;

oplink::link!(oplink_kernels_cpu);
oplink::link!(oplink_kernels_gpu);

/// The first GPU.
pub(crate) fn gpu() -> &'static Arc<dyn Device> {
    static GPU: OnceLock<Arc<dyn Device>> = OnceLock::new();
    GPU.get_or_init(|| {
        let found = devices().expect("devices");
        found
            .into_iter()
            .find(|device| device.device_type() == "GPU")
            .expect("no GPU was found; Mesa's software driver is one: install mesa-vulkan-drivers and libvulkan1")
    })
}

/// The op's outputs on the GPU, brought to the host.
pub(crate) fn on_gpu(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
    let context = EagerContext::global()?;
    let outputs = context.call_on(gpu(), op, inputs, attrs)?;
    outputs.values.iter().map(|output| context.to_host(output)).collect()
}

/// The op's outputs on the CPU.
pub(crate) fn on_cpu(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
    Ok(EagerContext::global()?.call(op, inputs, attrs)?.values.to_vec())
}

/// Calls the op on both devices and holds each pair of elements to `|gpu - cpu| <= tolerance * max(1, |cpu|)`; equal
/// infinities and NaN beside NaN agree. Integers, bools and strings must be equal.
#[track_caller]
pub(crate) fn check(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)], tolerance: f64) {
    let (gpu, cpu) = (on_gpu(op, inputs, attrs), on_cpu(op, inputs, attrs));
    let (gpu, cpu) = match (gpu, cpu) {
        (Ok(gpu), Ok(cpu)) => (gpu, cpu),
        (gpu, cpu) => panic!("{op}: GPU {gpu:?}, CPU {cpu:?}"),
    };
    assert_eq!(gpu.len(), cpu.len(), "{op}: number of outputs");
    for (index, (gpu, cpu)) in gpu.iter().zip(&cpu).enumerate() {
        assert_eq!((gpu.dtype(), gpu.shape()), (cpu.dtype(), cpu.shape()), "{op}: output {index}");
        let (left, right) = (values(gpu), values(cpu));
        for (at, (gpu, cpu)) in left.iter().zip(&right).enumerate() {
            let near =
                gpu == cpu || gpu.is_nan() && cpu.is_nan() || (gpu - cpu).abs() <= tolerance * cpu.abs().max(1.0);
            assert!(near, "{op}: output {index}, element {at}: GPU {gpu}, CPU {cpu}; inputs {inputs:?}");
        }
    }
}

/// The elements as f64; of complex numbers the real parts.
fn values(tensor: &Tensor) -> Vec<f64> {
    let attrs = [("DstT", AttrValue::Type(DType::Double))];
    let cast = on_cpu("Cast", &[tensor], &attrs).expect("a cast to f64");
    cast[0].as_slice::<f64>().expect("f64 on the host").to_vec()
}
