//! Which values are copied, and how often.

use std::sync::Arc;

use expect_test::expect;
use oplink_api::Tensor;
use oplink_core::Device;
use oplink_graph::{Session, SessionOptions};

use super::fake::FakeDevice;
use super::{constant, floats, node, options, where_run, with_fake, x};
use crate::fixture::{TestDevice, import};

/// `x` is read twice on the device and once on the host, `y` twice on the host.
fn text() -> String {
    node("x", "Placeholder", "", &[], "")
        + &constant("two", 2.0, &[])
        + &node("y", "AddV2", "", &["x", "x"], "")
        + &node("z", "Mul", "", &["x", "two"], "")
        + &node("same", "Identity", "", &["y"], "")
        + &node("h", "Relu", "", &["y"], "")
        + &node("i", "Relu", "", &["same"], "")
        + &node("j", "Relu", "", &["x"], "")
}

#[test]
fn one_copy_for_each_value_and_memory() {
    let (fake, session) = with_fake(&text());
    let call = session.prepare(&["x"], &["h", "i", "j", "z"], &[]).unwrap();
    assert_eq!(fake.counters.take(), [1, 0, 0], "the constant goes over once, when the call is prepared");
    for _ in 0..20 {
        let values = floats(call.run(&[x().1]));
        assert_eq!(values, [[2.0, 4.0], [2.0, 4.0], [1.0, 2.0], [2.0, 4.0]]);
        assert_eq!(fake.counters.take(), [1, 2, 2]);
    }
    drop((call, session));
    assert!(fake.counters.holds_nothing(), "all memory is given back");
}

#[test]
fn passes_leave_the_work_on_the_device() {
    let fake = FakeDevice::new(0);
    let devices: Vec<Arc<dyn Device>> = vec![fake.clone(), TestDevice::new()];
    let session = Session::on_devices(import(&text()).unwrap(), devices, SessionOptions::default()).unwrap();
    assert_eq!(floats(session.run(&[x()], &["h", "z", "i"], &[])), [[2.0, 4.0]; 3]);
    assert_eq!(fake.counters.take(), [2, 2, 2]);
}

#[test]
fn values_on_the_device_are_fed_as_they_are() {
    let (fake, session) = with_fake(&text());
    let fed = fake.context().unwrap().copy_to_device(&x().1).unwrap();
    fake.counters.take();
    assert_eq!(floats(session.run(&[("x", fed.clone())], &["y"], &[])), [[2.0, 4.0]]);
    assert_eq!(fake.counters.take(), [0, 1, 1]);
    assert_eq!(floats(session.run(&[("x", fed)], &["j"], &[])), [[1.0, 2.0]]);
    assert_eq!(fake.counters.take(), [0, 1, 0]);
}

#[test]
fn host_memory_stays_on_the_host() {
    let int = r#"attr { key: "T" value { type: DT_INT32 } }"#;
    let shaped = |name: &str, op: &str, inputs: &[&str]| {
        let inputs: String = inputs.iter().map(|input| format!(" input: {input:?}")).collect();
        format!("node {{ name: {name:?} op: {op:?}{inputs} {int} }}\n")
    };
    let zero = r#"node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
        attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 0 } } } }"#;
    let text = node("x", "Placeholder", "", &[], "")
        + &node("y", "Neg", "", &["x"], "")
        + &node("dims", "Shape", "", &["y"], "")
        + zero
        + &shaped("sum", "AddV2", &["dims", "zero"])
        + &node("z", "Reshape", "", &["y", "sum"], "");
    let (fake, session) = with_fake(&text);
    expect!["dims FAKE:0, sum FAKE:0, x/to_FAKE_0 FAKE:0, y FAKE:0, z FAKE:0, z/to_CPU_0 CPU:0"].assert_eq(&where_run(
        &session,
        &[x()],
        &["z"],
        &[],
    ));
    assert_eq!(fake.counters.take(), [1, 1, 2]);
}

#[test]
fn from_one_device_to_another_by_way_of_the_host() {
    let text = node("x", "Placeholder", "", &[], "")
        + &node("y", "Neg", "/device:FAKE:0", &["x"], "")
        + &node("z", "Neg", "/device:FAKE:1", &["y"], "")
        + &node("w", "AddV2", "/device:FAKE:0", &["z", "y"], "");
    let fakes = [FakeDevice::new(0), FakeDevice::new(1)];
    let devices: Vec<Arc<dyn Device>> = vec![fakes[0].clone(), fakes[1].clone(), TestDevice::new()];
    let session = Session::on_devices(import(&text).unwrap(), devices, options(false)).unwrap();
    assert_eq!(floats(session.run(&[x()], &["w", "y"], &[])), [[0.0, 0.0], [-1.0, -2.0]]);
    // x and z come to the first, y once and w go to the host.
    assert_eq!(fakes[0].counters.take(), [2, 2, 2]);
    assert_eq!(fakes[1].counters.take(), [1, 1, 1]);
    let fed = fakes[1].context().unwrap().copy_to_device(&x().1).unwrap();
    assert_eq!(floats(session.run(&[("x", fed)], &["y"], &[])), [[-1.0, -2.0]]);
}

#[test]
fn the_session_tells_its_devices() {
    let (_, session) = with_fake(&text());
    let names: Vec<&str> = session.devices().iter().map(|device| device.device_type()).collect();
    assert_eq!((names, session.device().device_type()), (vec!["FAKE", "CPU"], "CPU"));
    let alone: Vec<Arc<dyn Device>> = vec![FakeDevice::new(0)];
    let error = Session::on_devices(import(&text()).unwrap(), alone, options(false)).unwrap_err();
    expect!["none of the devices [/job:localhost/replica:0/task:0/device:FAKE:0] works in host memory, where feeds come from and fetches go to: add the CPU"].assert_eq(&error.to_string());
    let twice: Vec<Arc<dyn Device>> = vec![TestDevice::new(), TestDevice::new()];
    let error = Session::on_devices(import(&text()).unwrap(), twice, options(false)).unwrap_err();
    expect!["the device /job:localhost/replica:0/task:0/device:CPU:0 is given twice"].assert_eq(&error.to_string());
}

#[test]
fn fake_memory_is_closed_to_the_host() {
    let fake = FakeDevice::new(0);
    let tensor = fake.context().unwrap().copy_to_device(&Tensor::scalar(1.0f32)).unwrap();
    assert!(tensor.as_slice::<f32>().is_err() && fake.env().device().is_some());
}
