//! Bounds that hold in optimised builds with a wide margin; the figures themselves are the benchmarks' business.
//! Set `OPLINK_SPEED=1` and build with `--release` to run them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use oplink_api::{AttrValue, DType, KernelDescriptor, OpDescriptor};
use oplink_core::node_from_attrs;

use crate::fixture::{builder, kernel, leak, op};

const DTYPES: [&[DType]; 10] = [
    &[DType::Float],
    &[DType::Double],
    &[DType::Int32],
    &[DType::Int64],
    &[DType::Half],
    &[DType::BFloat16],
    &[DType::UInt8],
    &[DType::Int8],
    &[DType::Int16],
    &[DType::UInt16],
];

fn fastest(times: usize, mut work: impl FnMut()) -> Duration {
    let measure = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..times).map(|_| measure(&mut work)).min().unwrap_or_default()
}

/// 500 ops with two kernels each, of five dtypes each.
fn declarations() -> (Vec<&'static OpDescriptor>, Vec<&'static KernelDescriptor>) {
    let names: Vec<&'static str> = (0..500).map(|i| &**leak(format!("Elementwise{i}Op"))).collect();
    let ops =
        names.iter().map(|name| leak(op(name, &["x: T", "y: T"], &["z: T"], &["T: numbertype", "axis: int = -1"], 1)));
    let kernels =
        names.iter().flat_map(|name| [0, 5].map(|at| leak(kernel(name, &["T"], &DTYPES[at..at + 5], at as u32))));
    (ops.collect(), kernels.collect())
}

#[test]
fn sealing_and_lookup_are_fast() {
    if std::env::var_os("OPLINK_SPEED").is_none() {
        return;
    }
    let (ops, kernels) = declarations();
    let sealing = fastest(20, || drop(black_box(builder(&ops, &kernels).seal().unwrap())));
    let registry = builder(&ops, &kernels).seal().unwrap();
    let name = "Elementwise321Op";
    let node = node_from_attrs(registry.op(name).unwrap(), "n", "", [("T", AttrValue::Type(DType::UInt16))]).unwrap();
    let lookups = fastest(20, || {
        (0..1000).for_each(|_| drop(black_box(registry.find_kernel(black_box(name), "CPU", "", &node))));
    });
    println!("sealing {sealing:?}, lookup {:?}", lookups / 1000);
    assert!(sealing < Duration::from_millis(2), "sealing 1,000 kernels took {sealing:?}");
    assert!(lookups / 1000 < Duration::from_nanos(50), "a lookup took {:?}", lookups / 1000);
}
