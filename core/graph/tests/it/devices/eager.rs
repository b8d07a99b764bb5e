//! Eager calls on a device that is named at the call.

use std::sync::Arc;

use oplink_api::call::{Arg, Call, EagerHost};
use oplink_api::{AttrValue, DType, ErrorKind, PartialShape, Result, Tensor};
use oplink_core::Device;
use oplink_graph::eager::{EagerContext, on_device};

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

/// Two fakes before a CPU, and a context on the CPU that knows them by calls made on them.
fn several() -> ([Arc<FakeDevice>; 2], EagerContext) {
    let context = EagerContext::new(registry().clone(), TestDevice::new());
    let fakes = [FakeDevice::new(0), FakeDevice::new(1)];
    for fake in &fakes {
        let fake: Arc<dyn Device> = fake.clone();
        context.call_on(&fake, "Neg", &[&Tensor::scalar(1.0f32)], &[]).unwrap();
    }
    for fake in &fakes {
        fake.counters.take();
    }
    (fakes, context)
}

/// Devices among which calls choose, by priority.
fn by_priority(fakes: &[Arc<FakeDevice>; 2], context: &EagerContext) -> Vec<Arc<dyn Device>> {
    vec![fakes[0].clone(), fakes[1].clone(), context.device().clone()]
}

fn one(context: &EagerContext, op: &str, inputs: &[&Tensor]) -> Result<Tensor> {
    context.call(op, inputs, &[])?.one(0)
}

fn typed(context: &EagerContext, op: &'static str, device: Option<&str>, input: &Tensor) -> Result<Tensor> {
    let inputs = [Arg::One(input.clone())].into_iter().collect();
    context.execute(Call { op, name: None, device: device.map(str::to_owned), inputs, attrs: Vec::new() })?.one(0)
}

/// `FAKE:1`, or `host`.
fn place(tensor: &Tensor) -> &str {
    tensor.device().map_or("host", |name| name.rsplit_once("device:").unwrap().1)
}

#[test]
fn a_call_is_on_the_device_that_it_names() {
    let (_fakes, context) = several();
    let x = Tensor::from_slice(&[1.0f32]);
    for (name, there) in [("FAKE:1", "FAKE:1"), ("/device:fake:0", "FAKE:0"), ("FAKE", "FAKE:0"), ("fake:*", "FAKE:0")]
    {
        assert_eq!(place(&typed(&context, "Neg", Some(name), &x).unwrap()), there, "{name}");
    }
    for name in ["CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0"] {
        assert_eq!(place(&typed(&context, "Relu", Some(name), &x).unwrap()), "host", "{name}");
    }
}

#[test]
fn a_part_of_a_program_names_the_device_of_its_calls() {
    let (_fakes, context) = several();
    let x = Tensor::from_slice(&[1.0f32]);
    let neg = |device: Option<&str>| typed(&context, "Neg", device, &x).map(|y| place(&y).to_owned());
    let seen = on_device("FAKE:1", || {
        let inner = on_device("FAKE", || neg(None))?;
        let own_wish = neg(Some("FAKE:0"))?;
        let by_name = place(&one(&context, "Neg", &[&x])?).to_owned();
        let handle = place(&context.handle("Neg", &[])?.call(&[&x])?).to_owned();
        let other_thread = std::thread::scope(|scope| {
            scope.spawn(|| one(&context, "Relu", &[&x]).map(|y| place(&y).to_owned())).join().unwrap()
        })?;
        let outside = on_device(None, || Ok(place(&one(&context, "Relu", &[&x])?).to_owned()))?;
        Ok([inner, own_wish, by_name, handle, other_thread, outside, neg(None)?])
    });
    assert_eq!(seen.unwrap(), ["FAKE:1", "FAKE:0", "FAKE:1", "FAKE:1", "host", "host", "FAKE:1"]);
    let failed = on_device("FAKE:1", || -> Result<()> { Err(oplink_api::Error::internal("within")) });
    assert_eq!(failed.unwrap_err().message(), "within");
    let panicked = std::panic::catch_unwind(|| on_device("FAKE:1", || -> Result<()> { panic!("within") }));
    assert!(panicked.is_err());
    assert_eq!(place(&one(&context, "Relu", &[&x]).unwrap()), "host", "all parts have ended");
    assert!(on_device("FAKE:one", || Ok(())).unwrap_err().message().contains("`FAKE:one` is no device name"));
}

#[test]
fn calls_that_ask_for_nothing_stay_where_their_inputs_are() {
    let (fakes, context) = several();
    let x = Tensor::from_slice(&[1.0f32, -2.0]);
    assert_eq!(place(&one(&context, "Relu", &[&x]).unwrap()), "host");
    let there = context.to_device(&context.device_named("FAKE:1").unwrap(), &x).unwrap();
    fakes[1].counters.take();
    let sum = one(&context, "AddV2", &[&there, &there]).unwrap();
    let minus = one(&context, "Neg", &[&sum]).unwrap();
    assert_eq!((place(&minus), fakes[1].counters.take()), ("FAKE:1", [0, 0, 2]), "nothing is copied");
    assert_eq!(place(&one(&context, "AddV2", &[&minus, &x]).unwrap()), "FAKE:1");
    // No kernel there: on the host, as all inputs of `host_memory` and of int32 are.
    assert_eq!(one(&context, "Relu", &[&sum]).unwrap().as_slice::<f32>().unwrap(), [2.0, 0.0]);
    assert_eq!(one(&context, "Shape", &[&sum]).unwrap().as_slice::<i32>().unwrap(), [2]);
    let dims = on_device("FAKE:0", || one(&context, "AddV2", &[&Tensor::scalar(1), &Tensor::scalar(2)])).unwrap();
    assert_eq!((dims.to_scalar::<i32>().unwrap(), fakes[0].counters.take()), (3, [0, 0, 0]));
}

#[test]
fn calls_choose_the_first_device_with_a_kernel() {
    let (fakes, context) = several();
    context.choose_among(by_priority(&fakes, &context));
    let x = Tensor::from_slice(&[1.0f32]);
    assert_eq!(place(&one(&context, "Neg", &[&x]).unwrap()), "FAKE:0");
    assert_eq!(place(&one(&context, "Relu", &[&x]).unwrap()), "host");
    // As in TensorFlow, a tensor does not keep a call on its device.
    let there = on_device("FAKE:1", || one(&context, "Neg", &[&x])).unwrap();
    assert_eq!((place(&there), place(&one(&context, "Neg", &[&there]).unwrap())), ("FAKE:1", "FAKE:0"));
    context.choose_among(vec![context.device().clone()]);
    let error = on_device("FAKE:1", || one(&context, "Neg", &[&x])).unwrap_err().to_string();
    assert!(
        error.starts_with("there is no device `/device:FAKE:1`, there is `") && error.contains("CPU:0`"),
        "{error}"
    );
}

#[test]
fn a_resource_keeps_calls_on_its_device() {
    let (fakes, context) = several();
    context.choose_among(by_priority(&fakes, &context));
    let variable = |device: &str| {
        let shape = AttrValue::Shape(PartialShape::unknown());
        let attrs = [("dtype", AttrValue::Type(DType::Float)), ("shape", shape), ("shared_name", device.into())];
        on_device(device, || context.call("VarHandleOp", &[], &attrs)?.one(0)).unwrap()
    };
    let x = Tensor::from_slice(&[1.0f32]);
    for there in ["FAKE:1", "CPU:0"] {
        let handle = variable(there);
        for asked in [None, Some("FAKE:0")] {
            on_device(asked, || context.call("AssignVariableOp", &[&handle, &x], &[])).unwrap();
            let attrs = [("dtype", AttrValue::Type(DType::Float))];
            let value = on_device(asked, || context.call("ReadVariableOp", &[&handle], &attrs)?.one(0)).unwrap();
            assert_eq!(place(&value), if there == "CPU:0" { "host" } else { there }, "asked {asked:?}");
        }
    }
    let error = context.call("AssignAddVariableOp", &[&variable("FAKE:1"), &x], &[]).unwrap_err().to_string();
    let said =
        "op AssignAddVariableOp cannot run on /job:localhost/replica:0/task:0/device:FAKE:1, where its resource is";
    assert!(error.contains(said), "{error}");
}

#[test]
fn errors_name_the_op_the_device_and_those_that_could_run_it() {
    let (fakes, context) = several();
    context.choose_among(by_priority(&fakes, &context));
    let x = Tensor::from_slice(&[1.0f32]);
    let error = typed(&context, "Relu", Some("FAKE:1"), &x).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoMatchingKernel);
    let host = context.device().name();
    let said = format!(
        "op Relu cannot run on /job:localhost/replica:0/task:0/device:FAKE:1, which was asked for; \
         with these dtypes and attrs `{host}` can run it"
    );
    assert!(error.to_string().contains(&said), "{error}");
    let error = typed(&context, "Relu", Some("FAKE:7"), &x).unwrap_err().to_string();
    for part in ["there is no device `/device:FAKE:7`", "device:FAKE:0`", "device:FAKE:1`", host, "op Relu"] {
        assert!(error.contains(part), "{part} is not in: {error}");
    }
    let error = typed(&context, "Relu", Some("FAKE:"), &x).unwrap_err().to_string();
    assert!(error.contains("`FAKE:` is no device name"), "{error}");
    context.set_soft_placement(true);
    for asked in ["FAKE:1", "FAKE:7"] {
        assert_eq!(place(&typed(&context, "Relu", Some(asked), &x).unwrap()), "host", "soft placement");
    }
}

#[test]
fn a_handle_stays_on_its_device() {
    let (fakes, context) = several();
    let x = Tensor::from_slice(&[1.0f32, -2.0]);
    let device = context.device_named("FAKE:1").unwrap();
    let add = context.handle_on(&device, "AddV2", &[]).unwrap();
    let sum = add.call(&[&x, &x]).unwrap();
    assert_eq!((place(&sum), add.device().name()), ("FAKE:1", device.name()));
    fakes[1].counters.take();
    let again = add.call(&[&sum, &sum]).unwrap();
    assert_eq!(fakes[1].counters.take(), [0, 0, 1], "what is there is not copied");
    // One for the host takes what lies elsewhere too, from the first call on.
    let relu = context.handle("Relu", &[]).unwrap();
    for _ in 0..2 {
        assert_eq!(relu.call(&[&again]).unwrap().as_slice::<f32>().unwrap(), [4.0, 0.0]);
    }
    let of_another = context.handle_on(&context.device_named("FAKE:0").unwrap(), "Neg", &[]).unwrap();
    let minus = of_another.call(&[&again]).unwrap();
    assert_eq!(context.to_host(&minus).unwrap().as_slice::<f32>().unwrap(), [-4.0, 8.0]);
}
