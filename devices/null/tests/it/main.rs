//! The null device: any op runs, its outputs have the shapes that inference gives them.
#![allow(clippy::unnecessary_wraps, reason = "the signature of shape functions")]

use std::sync::Arc;

use oplink_api::descriptors::Location;
use oplink_api::shape::Dim;
use oplink_api::shape_inference::ShapeFn;
use oplink_api::{AttrValue, DType, ErrorKind, NodeInfo, OpSpec, PartialShape, Result, ShapeContext, Tensor};
use oplink_core::{Device, PreparedKernel, Registry, RegistryBuilder, node_for_flat_call};
use oplink_device_null::{KERNEL, NULL, NullDevice};

const HERE: Location = Location { crate_name: "test", crate_version: "0.1.0", file: file!(), line: line!() };

fn matmul_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let dims: [Dim; 2] = [c.input(0).dim(0), c.input(1).dim(1)];
    c.set_output(0, PartialShape::new(&dims));
    Ok(())
}

fn unknown_shape(_: &mut ShapeContext<'_>) -> Result<()> {
    Ok(())
}

fn registry(shape_fn: ShapeFn) -> Registry {
    let spec = OpSpec::parse("op MatMul\ninput a: T\ninput b: T\noutput product: T\nattr T: {float, double}").unwrap();
    RegistryBuilder::empty().dynamic_op(spec, Some(shape_fn), "", HERE).kernel(&KERNEL).seal().unwrap()
}

fn prepared(registry: &Registry) -> PreparedKernel {
    let op = registry.op("MatMul").unwrap();
    let attrs: [(&str, AttrValue); 0] = [];
    let node: NodeInfo = node_for_flat_call(op, "product", NULL, &[DType::Float, DType::Float], &attrs).unwrap();
    PreparedKernel::new(registry, Arc::new(node), NULL).unwrap()
}

#[test]
fn outputs_are_allocated_by_the_shape_function() {
    let device = NullDevice::new(0);
    let mut inputs = [Tensor::zeros(DType::Float, [300, 2]).unwrap(), Tensor::zeros(DType::Float, [2, 100]).unwrap()];
    let mut outputs = [None];
    prepared(&registry(matmul_shape)).run(&mut inputs, &mut outputs, device.env()).unwrap();
    let output = outputs[0].take().unwrap();
    assert_eq!((output.dtype(), output.shape().dims()), (DType::Float, &[300, 100][..]));
    assert_eq!(device.memory_statistics().in_use, 300 * 100 * 4);
    drop(output);
    assert_eq!(device.memory_statistics().in_use, 0);
}

#[test]
fn an_unknown_shape_is_an_error_that_names_the_node() {
    let mut inputs = [Tensor::scalar(1f32), Tensor::scalar(2f32)];
    let error = prepared(&registry(unknown_shape)).run(&mut inputs, &mut [None], NullDevice::new(0).env()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unimplemented);
    assert!(error.to_string().contains("node `product` (op MatMul)"), "{error}");
}

#[test]
fn the_linked_registry_and_devices_have_it() {
    assert!(Registry::global().unwrap().kernels().any(|kernel| std::ptr::eq(kernel, &raw const KERNEL)));
    assert_eq!(oplink_core::device_of_type(NULL).unwrap().name(), "/job:localhost/replica:0/task:0/device:NULL:0");
}
