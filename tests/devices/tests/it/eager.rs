//! Eager calls on devices: typed ones, ones by name, handles; what they copy.

use oplink::graph::eager::{EagerContext, on_device};
use oplink::ops::{AddV2, Relu, StringUpper};
use oplink::runtime::devices;
use oplink::{ErrorKind, Result, Tensor};
use oplink_device_tests::{devices_of_type, sim};

#[path = "../../../../examples/on_devices.rs"]
mod example;

/// Copies to the host, to the device and within it, and kernels, so far.
fn done() -> [u64; 4] {
    let counters = sim::counters(0);
    ["copies_to_host", "copies_to_device", "copies_in_device", "kernels"]
        .map(|wanted| counters.iter().find(|(name, _)| *name == wanted).expect("a counter").1)
}

/// What a piece of work adds to the counters.
fn counted<R>(work: impl FnOnce() -> Result<R>) -> (R, [u64; 4]) {
    let before = done();
    let result = work().unwrap();
    (result, std::array::from_fn(|at| done()[at] - before[at]))
}

#[test(Gpu)]
fn the_example_is_right_on_every_device() {
    let _undisturbed = sim::undisturbed();
    devices_of_type(sim::SIM).unwrap();
    for device in ["CPU:0", "SIM:0", "SIM:1", "GPU:0"] {
        assert_eq!(example::layer(device).unwrap().as_slice::<f32>().unwrap(), [1.0, 1.0], "{device}");
    }
}

#[test]
fn values_stay_on_the_device_until_they_are_asked_for() {
    let _alone = sim::alone();
    let context = EagerContext::global().unwrap();
    let device = devices_of_type(sim::SIM).unwrap()[0].clone();
    let x = Tensor::from_slice(&[1.0f32, -2.0]);
    let there = x.to_device("SIM:0").unwrap();
    device.context().unwrap().synchronize().unwrap();
    let (y, copied) = counted(|| {
        let y = Relu::builder().device("SIM:0").call(&there)?;
        let y = on_device("SIM:0", || AddV2::call(&y, &there))?;
        // Asked for nothing, a call stays where its inputs are.
        let y = Relu::call(&y)?;
        let y = context.call("AddV2", &[&y, &y], &[])?.one(0)?;
        let y = context.handle_on(&device, "Relu", &[])?.call(&[&y])?;
        device.context().unwrap().synchronize()?;
        Ok(y)
    });
    assert_eq!((y.device(), copied), (Some(device.name()), [0, 0, 0, 5]));
    assert_eq!(y.as_slice::<f32>().unwrap_err().kind(), ErrorKind::DeviceMemory);
    let (host, copied) = counted(|| y.to_host());
    assert_eq!((host.device(), host.as_slice::<f32>().unwrap(), copied), (None, &[4.0, 0.0][..], [1, 0, 0, 0]));
    let (same, copied) = counted(|| Ok((y.to_device("SIM:0")?, host.to_host()?, host.to_device("CPU")?)));
    assert_eq!((same.0.device(), same.1.device(), same.2.device(), copied), (y.device(), None, None, [0; 4]));
    let other = y.to_device("/device:sim:1").unwrap();
    assert_eq!(other.device(), Some("/job:localhost/replica:0/task:0/device:SIM:1"));
    assert_eq!(other.to_host().unwrap().as_slice::<f32>().unwrap(), [4.0, 0.0]);
}

#[test(Gpu)]
fn calls_without_a_wish_are_on_the_host_or_where_tensorflow_puts_them() {
    let _undisturbed = sim::undisturbed();
    let context = EagerContext::global().unwrap();
    devices_of_type(sim::SIM).unwrap();
    let x = Tensor::from_slice(&[1.0f32]);
    assert_eq!(Relu::call(&x).unwrap().device(), None);
    let of_all = EagerContext::new(context.registry().clone(), context.device().clone());
    of_all.choose_among(devices().unwrap());
    let first = devices().unwrap()[0].name().to_owned();
    assert_eq!(of_all.call("Relu", &[&x], &[]).unwrap().values[0].device(), Some(&*first));
    let text = of_all.call("StringUpper", &[&Tensor::from("a")], &[]).unwrap();
    assert_eq!(text.values[0].device(), None);
    // Integers that say how work is put together are on the host, whatever the device.
    let sizes = on_device("GPU:0", || context.call("Shape", &[&x], &[])).unwrap();
    assert_eq!(sizes.values[0].as_slice::<i32>().unwrap(), [1]);
}

#[test(Gpu)]
fn a_call_that_cannot_be_there_says_where_it_can() {
    let _undisturbed = sim::undisturbed();
    devices_of_type(sim::SIM).unwrap();
    let error = StringUpper::builder().device("SIM:1").call("a").unwrap_err();
    let said = "op StringUpper cannot run on /job:localhost/replica:0/task:0/device:SIM:1, which was asked for; with these dtypes \
                and attrs `/job:localhost/replica:0/task:0/device:CPU:0`, `/job:localhost/replica:0/task:0/device:NULL:0` can run it";
    assert!(error.to_string().contains(said), "{error}");
    let error = Relu::builder().device("SIM:9").call(1.0f32).unwrap_err().to_string();
    for part in [
        "there is no device `/device:SIM:9`",
        "device:SIM:0`",
        "device:SIM:1`",
        "device:CPU:0`",
        "device:GPU:0`",
        "op Relu",
    ] {
        assert!(error.contains(part), "{part} is not in: {error}");
    }
    let error = Tensor::from("a").to_device("SIM:0").unwrap_err();
    assert!(error.to_string().contains("string"), "{error}");
}
