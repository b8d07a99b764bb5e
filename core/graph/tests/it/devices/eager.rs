//! Eager calls on a device that is named at the call.

use std::sync::Arc;

use oplink_api::{ErrorKind, Tensor};
use oplink_core::Device;
use oplink_graph::eager::EagerContext;

use super::fake::FakeDevice;
use crate::fixture::{TestDevice, registry};

#[test]
fn inputs_come_to_the_device_of_the_call() {
    let context = EagerContext::new(registry().clone(), TestDevice::new());
    let fakes = [FakeDevice::new(0), FakeDevice::new(1)];
    let devices: Vec<Arc<dyn Device>> = vec![fakes[0].clone(), fakes[1].clone()];
    let x = Tensor::from_slice(&[1.0f32, -2.0]);
    let sum = context.call_on(&devices[0], "AddV2", &[&x, &x], &[]).unwrap().one(0).unwrap();
    assert!(sum.is_on_device());
    assert_eq!(fakes[0].counters.take(), [2, 0, 1]);
    let minus = context.call_on(&devices[0], "Neg", &[&sum], &[]).unwrap().one(0).unwrap();
    assert_eq!(fakes[0].counters.take(), [0, 0, 1], "what is on the device stays there");
    let twice = context.call_on(&devices[1], "AddV2", &[&minus, &sum], &[]).unwrap().one(0).unwrap();
    assert_eq!((fakes[0].counters.take(), fakes[1].counters.take()), ([0, 2, 0], [2, 0, 1]));
    assert_eq!(context.to_host(&twice).unwrap().as_slice::<f32>().unwrap(), [0.0, 0.0]);
    let host: Arc<dyn Device> = context.device().clone();
    let relu = context.call_on(&host, "Relu", &[&sum], &[]).unwrap().one(0).unwrap();
    assert_eq!(relu.as_slice::<f32>().unwrap(), [2.0, 0.0]);
    let dims = context.call_on(&devices[0], "Shape", &[&sum], &[]).unwrap().one(0).unwrap();
    assert_eq!(dims.as_slice::<i32>().unwrap(), [2]);
}

#[test]
fn a_device_without_the_kernel_is_named() {
    let context = EagerContext::new(registry().clone(), TestDevice::new());
    let fake: Arc<dyn Device> = FakeDevice::new(0);
    let error = context.call_on(&fake, "Relu", &[&Tensor::scalar(1.0f32)], &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoMatchingKernel);
    assert!(error.to_string().contains("device FAKE"), "{error}");
}
