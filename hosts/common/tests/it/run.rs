//! Kernels prepared and run.

use std::sync::Arc;

use oplink_api::{AttrValue, DType, ErrorKind};
use oplink_hosts_common::CallKey;
use smallvec::smallvec;

use crate::host::{Memory, call, table};

pub(crate) fn key(lengths: &[u32], attrs: &[Option<AttrValue>]) -> CallKey {
    let count: u32 = lengths.iter().sum();
    CallKey {
        dtypes: (0..count).map(|_| DType::Float).collect(),
        lengths: lengths.iter().copied().collect(),
        attrs: attrs.iter().cloned().collect(),
    }
}

#[test]
fn outputs_are_in_the_memory_of_the_host_and_inputs_stay() {
    let (memory, x) = (Memory::default(), [1.0, 2.0]);
    call("HostScale", &[&x], key(&[1], &[None]), &memory).unwrap();
    assert_eq!((memory.floats(0), x), (vec![2.0, 4.0], [1.0, 2.0]));
    assert_eq!(memory.0.lock().unwrap().len(), 1, "the memory is asked for once");
    let memory = Memory::default();
    call("HostScale", &[&x], key(&[1], &[Some(AttrValue::Float(0.5))]), &memory).unwrap();
    assert_eq!(memory.floats(0), [0.5, 1.0]);
}

#[test]
fn a_returned_input_is_copied() {
    let (memory, x) = (Memory::default(), [3.0, 4.0, 5.0]);
    call("HostFirst", &[&x, &[1.0]], key(&[2], &[]), &memory).unwrap();
    assert_eq!(memory.floats(0), x);
    let outputs = memory.0.lock().unwrap();
    let count = outputs.iter().find(|(index, ..)| *index == 1).unwrap();
    assert_eq!((count.1, count.3[0]), (DType::Int64, 2));
}

#[test]
fn kernels_are_kept_for_the_next_call_with_the_same_attrs() {
    let op = table().op("HostScale").unwrap();
    let of = |scale: f32| op.prepared(&key(&[1], &[Some(AttrValue::Float(scale))])).unwrap();
    let first = of(7.0);
    assert!(Arc::ptr_eq(&first, &of(7.0)) && !Arc::ptr_eq(&first, &of(8.0)));
    (0..100).for_each(|scale| drop(of(100.0 + scale as f32)));
    assert!(!Arc::ptr_eq(&first, &of(7.0)), "the oldest goes");
}

#[test]
fn what_is_wrong_is_an_error() {
    let error = |op: &str, inputs: &[&[f32]], key: CallKey| call(op, inputs, key, &Memory::default()).unwrap_err();
    let wrong = CallKey { dtypes: smallvec![DType::Int32], ..key(&[1], &[None]) };
    let text = error("HostScale", &[&[1.0]], wrong).to_string();
    assert!(text.contains("does not allow int32"), "{text}");
    let text = error("HostScale", &[&[1.0], &[1.0]], key(&[1], &[None])).to_string();
    assert!(text.contains("takes 1 inputs here, 2 are given"), "{text}");
    let text = error("HostFirst", &[], key(&[0], &[])).to_string();
    assert!(text.contains("must be at least 1"), "{text}");
    let panic = error("HostPanic", &[&[1.0, 2.0]], key(&[1], &[None]));
    assert_eq!(panic.kind(), ErrorKind::KernelPanicked);
    assert!(panic.to_string().contains("HostPanic panicked: 2 elements"), "{panic}");
}

/// Runs itself in a process of its own.
#[test]
fn a_kernel_that_keeps_a_tensor_of_the_host_ends_the_process() {
    const INNER: &str = "OPLINK_TEST_KEEPS_A_TENSOR";
    if std::env::var_os(INNER).is_some() {
        call("HostKeep", &[&[1.0]], key(&[1], &[]), &Memory::default()).unwrap();
        return;
    }
    let name = "run::a_kernel_that_keeps_a_tensor_of_the_host_ends_the_process";
    let mut inner = std::process::Command::new(std::env::current_exe().unwrap());
    let output = inner.args(["--exact", name, "--nocapture"]).env(INNER, "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("the kernel of HostKeep kept a tensor"), "{text}");
}
