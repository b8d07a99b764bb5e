//! The kernels of `state`.

use oplink::{AttrValue, DType, PartialShape, Result, Tensor, ensure};
use oplink_graph::eager::EagerContext;

use super::support::gpu;

/// A resource variable on the GPU.
pub(crate) struct OnGpu(Tensor);

impl OnGpu {
    /// A variable of this name with a value.
    pub(crate) fn new(name: &str, value: &Tensor) -> Self {
        let attrs = [
            ("shared_name", name.into()),
            ("dtype", AttrValue::Type(value.dtype())),
            ("shape", AttrValue::Shape(PartialShape::unknown())),
        ];
        let this = Self(call("VarHandleOp", &[], &attrs).unwrap().remove(0));
        this.assign(value).unwrap();
        this
    }

    pub(crate) fn handle(&self) -> &Tensor {
        &self.0
    }

    fn assign(&self, value: &Tensor) -> Result<()> {
        call("AssignVariableOp", &[&self.0, value], &[]).map(drop)
    }

    /// The value, in the device's memory.
    fn read(&self, dtype: DType) -> Tensor {
        call("ReadVariableOp", &[&self.0], &[("dtype", AttrValue::Type(dtype))]).unwrap().remove(0)
    }

    /// The value as f32, on the host.
    pub(crate) fn values(&self, dtype: DType) -> Vec<f32> {
        floats(&self.read(dtype))
    }
}

fn call(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
    let context = EagerContext::global()?;
    Ok(context.call_on(gpu(), op, inputs, attrs)?.values.to_vec())
}

/// The elements of a tensor of the device, as f32.
fn floats(tensor: &Tensor) -> Vec<f32> {
    let host = EagerContext::global().unwrap().to_host(tensor).unwrap();
    let attrs = [("DstT", AttrValue::Type(DType::Float))];
    super::support::on_cpu("Cast", &[&host], &attrs).unwrap()[0].as_slice().unwrap().to_vec()
}

#[test]
fn a_value_stays_in_the_memory_of_the_device() {
    let variable = OnGpu::new("stays", &Tensor::from_slice(&[1f32, 2.0]));
    assert!(variable.read(DType::Float).is_on_device());
    assert_eq!(variable.values(DType::Float), [1.0, 2.0]);
    let shape = call("VariableShape", &[variable.handle()], &[]).unwrap();
    assert_eq!(shape[0].as_slice::<i32>().unwrap(), [2]);
    let there = || call("VarIsInitializedOp", &[variable.handle()], &[]).unwrap()[0].to_scalar::<bool>().unwrap();
    assert!(there());
    call("DestroyResourceOp", &[variable.handle()], &[]).unwrap();
    assert!(!there());
}

#[test]
fn a_snapshot_outlives_updates() {
    let variable = OnGpu::new("snapshot", &Tensor::from_slice(&[1f32, 2.0, 3.0]));
    let before = variable.read(DType::Float);
    call("AssignAddVariableOp", &[variable.handle(), &Tensor::from_slice(&[10f32, 20.0, 30.0])], &[]).unwrap();
    assert_eq!(floats(&before), [1.0, 2.0, 3.0]);
    assert_eq!(variable.values(DType::Float), [11.0, 22.0, 33.0]);
    drop(before);
    call("AssignSubVariableOp", &[variable.handle(), &Tensor::from_slice(&[1f32, 1.0, 1.0])], &[]).unwrap();
    assert_eq!(variable.values(DType::Float), [10.0, 21.0, 32.0]);
}

#[test]
fn integers_are_counted() {
    let narrow = OnGpu::new("narrow", &Tensor::scalar(i32::MAX));
    call("AssignAddVariableOp", &[narrow.handle(), &Tensor::scalar(1)], &[]).unwrap();
    assert_eq!(narrow.values(DType::Int32), [i32::MIN as f32]);
    let wide = OnGpu::new("wide", &Tensor::scalar(u32::MAX as i64));
    call("AssignAddVariableOp", &[wide.handle(), &Tensor::scalar(1i64)], &[]).unwrap();
    assert_eq!(wide.values(DType::Int64), [4_294_967_296.0]);
}

#[test]
fn slices_of_a_variable_are_picked() {
    let variable = OnGpu::new("rows", &Tensor::from_vec([3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap());
    let attrs = [("dtype", AttrValue::Type(DType::Float))];
    let picked = call("ResourceGather", &[variable.handle(), &Tensor::from_slice(&[2, 0])], &attrs).unwrap();
    assert_eq!(floats(&picked[0]), [5.0, 6.0, 1.0, 2.0]);
}

#[test]
fn values_that_do_not_fit_are_errors() -> Result<()> {
    let variable = OnGpu::new("fits", &Tensor::from_slice(&[1f32, 2.0]));
    let error = call("AssignAddVariableOp", &[variable.handle(), &Tensor::scalar(1f32)], &[]).unwrap_err();
    ensure!(error.to_string().contains("must be equal"), "{error}");
    let error = variable.assign(&Tensor::scalar(1)).unwrap_err();
    ensure!(error.to_string().contains("cannot take a value of int32"), "{error}");
    Ok(())
}
