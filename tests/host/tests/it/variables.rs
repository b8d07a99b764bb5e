//! Variables that a plugin's kernels change.

use oplink::graph::eager::EagerContext;
use oplink::{AttrValue, DType, PartialShape, Runtime, Tensor};

use crate::support::build;

#[test]
fn a_variable_is_changed_in_place_and_a_snapshot_of_it_is_not() {
    Runtime::load_plugin(build("variables.c", "variables", &[])).unwrap();
    let context = EagerContext::global().unwrap();
    let call = |op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]| {
        let values = context.call(op, inputs, attrs).unwrap().values;
        values.into_iter().next()
    };
    let (dtype, shape) = (AttrValue::Type(DType::Float), AttrValue::Shape(PartialShape::new(&[Some(2)])));
    let attrs = [("dtype", dtype.clone()), ("shape", shape), ("shared_name", AttrValue::from("of_the_plugin"))];
    let variable = call("VarHandleOp", &[], &attrs).unwrap();
    call("AssignVariableOp", &[&variable, &Tensor::from_slice(&[1.0f32, 2.0])], &[]);
    let read = || call("ReadVariableOp", &[&variable], &[("dtype", dtype.clone())]).unwrap();
    let snapshot = read();
    call("VariableBump", &[&variable, &Tensor::scalar(10.0f32)], &[]);
    assert_eq!(read().as_slice::<f32>().unwrap(), [11.0, 12.0]);
    assert_eq!(snapshot.as_slice::<f32>().unwrap(), [1.0, 2.0]);
    call("VariableMultiply", &[&variable, &Tensor::from_slice(&[1.0f32, 2.0])], &[]);
    assert_eq!(read().as_slice::<f32>().unwrap(), [33.0, 72.0]);
    let error = context.call("VariableMultiply", &[&variable, &Tensor::scalar(1.0f32)], &[]).unwrap_err();
    assert!(error.to_string().contains("is updated by a value of shape []"), "{error}");
}
