//! The order in which declarations arrive leaves no trace; lookup follows device, label, dtypes and priority.

use oplink_api::descriptors::{KernelDescriptor, OpDescriptor};
use oplink_api::{AttrValue, DType};
use oplink_core::{ANY_OP, DEFAULT_DEVICE_TYPE, Registry, node_from_attrs};

use crate::fixture::{CAST, CONCAT, RELU, RELU_FLOATS, builder, kernel, leak, op, sealed};

fn listed(registry: &Registry) -> Vec<String> {
    let ops = registry.ops().map(|op| op.name().to_owned());
    let kernels = registry.kernels().map(|k| format!("{} {} {} {}", k.op, k.device, k.priority, k.location.line));
    ops.chain(kernels).collect()
}

#[test]
fn every_order_of_arrival_gives_one_registry() {
    let mut high = kernel("Relu", &["T"], &[&[DType::Float]], 60);
    high.priority = 5;
    let mut gpu = kernel("Relu", &["T"], &[&[DType::Float]], 61);
    gpu.device = "GPU";
    let any = kernel(ANY_OP, &[], &[&[]], 62);
    let mut ops: Vec<&'static OpDescriptor> = vec![&RELU, &CAST, &CONCAT];
    let mut kernels: Vec<&'static KernelDescriptor> = vec![&RELU_FLOATS, leak(high), leak(gpu), leak(any)];
    let first = listed(&sealed(&ops, &kernels));
    assert_eq!(first, ["Cast", "Concat", "Relu", "Relu CPU 5 60", "Relu CPU 0 11", "Relu GPU 0 61", "* CPU 0 62"]);
    for turn in 0..12 {
        ops.rotate_left(1);
        kernels.rotate_left(1);
        kernels.swap(turn % 4, (turn + 1) % 4);
        assert_eq!(listed(&sealed(&ops, &kernels)), first);
    }
}

#[test]
fn conflicts_come_in_one_order() {
    let kernels: Vec<&'static KernelDescriptor> =
        (0..5).map(|i| leak(kernel("Relu", &["T"], &[&[DType::Half]], 70 + i))).collect();
    let turned: Vec<_> = kernels.iter().rev().copied().collect();
    let message = |kernels: &[&'static KernelDescriptor]| builder(&[&RELU], kernels).seal().unwrap_err().to_string();
    assert_eq!(message(&kernels), message(&turned));
}

#[test]
fn the_highest_priority_that_fits_wins_and_any_op_comes_last() {
    let mut high = kernel("Relu", &["T"], &[&[DType::Float]], 80);
    high.priority = 5;
    let mut label = kernel("Relu", &["T"], &[&[DType::Float]], 81);
    (label.priority, label.label) = (9, "slow");
    let registry = sealed(&[&RELU], &[&RELU_FLOATS, leak(high), leak(label), leak(kernel(ANY_OP, &[], &[&[]], 82))]);
    let line = |dtype: DType, label: &str| {
        let node = node_from_attrs(registry.op("Relu").unwrap(), "n", "", [("T", AttrValue::Type(dtype))]).unwrap();
        registry.find_kernel("Relu", "CPU", label, &node).map(|kernel| kernel.location().line)
    };
    assert_eq!(line(DType::Float, "").unwrap(), 80);
    assert_eq!(line(DType::Double, "").unwrap(), 11);
    assert_eq!(line(DType::Float, "slow").unwrap(), 81);
    assert_eq!(line(DType::Int8, "").unwrap(), 82);
    assert!(line(DType::Int8, "slow").is_err());
}

#[test]
fn kernels_for_any_device_serve_each_after_its_own() {
    let mut default = kernel("Relu", &["T"], &[&[DType::Float], &[DType::Double]], 85);
    (default.device, default.priority) = (DEFAULT_DEVICE_TYPE, 9);
    let mut gpu = kernel("Relu", &["T"], &[&[DType::Double]], 86);
    gpu.device = "GPU";
    let registry = sealed(&[&RELU], &[leak(default), leak(gpu)]);
    let line = |dtype: DType, device: &str| {
        let node = node_from_attrs(registry.op("Relu").unwrap(), "n", "", [("T", AttrValue::Type(dtype))]).unwrap();
        registry.find_kernel("Relu", device, "", &node).map(|kernel| kernel.location().line)
    };
    assert_eq!(line(DType::Float, "CPU").unwrap(), 85);
    assert_eq!(line(DType::Float, "GPU").unwrap(), 85);
    assert_eq!(line(DType::Double, "GPU").unwrap(), 86);
    assert!(line(DType::Int8, "CPU").is_err());
}

#[test]
fn kernels_of_lists_serve_lists_of_one_dtype() {
    let pack = leak(op("Tuple", &["components: Ts"], &["handle: variant"], &["Ts: list(type) >= 0"], 90));
    let kernels = kernel("Tuple", &["Ts"], &[&[DType::Float], &[DType::Int32]], 91);
    let registry = sealed(&[pack], &[leak(kernels)]);
    let found = |types: &[DType]| {
        let node = node_from_attrs(registry.op("Tuple").unwrap(), "n", "", [("Ts", types.into())]).unwrap();
        registry.find_kernel("Tuple", "CPU", "", &node).map(|kernel| kernel.entry.dtypes)
    };
    assert_eq!(found(&[DType::Int32, DType::Int32]).unwrap(), [DType::Int32]);
    assert_eq!(found(&[]).unwrap(), [DType::Float]);
    assert!(found(&[DType::Int32, DType::Float]).is_err());
}
