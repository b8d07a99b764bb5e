//! Runs that wait for a staging area.

use std::time::Duration;

use oplink::prelude::*;
use oplink_cpu_support::stepping::{InStep, Running};

fn attrs(capacity: i64, memory_limit: i64) -> Vec<(&'static str, AttrValue)> {
    let dtypes: &[DType] = &[DType::Float];
    vec![
        ("dtypes", dtypes.into()),
        ("shared_name", "area".into()),
        ("capacity", capacity.into()),
        ("memory_limit", memory_limit.into()),
    ]
}

fn start(step: &InStep, op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Running {
    step.start(op, attrs, inputs).unwrap()
}

fn outputs(running: &Running) -> Vec<Tensor> {
    let outputs = running.recv_timeout(Duration::from_secs(20)).unwrap().unwrap();
    outputs.into_iter().map(Option::unwrap).collect()
}

fn code(running: &Running) -> Code {
    running.recv_timeout(Duration::from_secs(20)).unwrap().unwrap_err().code()
}

fn waits(running: &Running) -> bool {
    running.try_recv().is_err()
}

fn size(step: &InStep, op: &str) -> i32 {
    outputs(&start(step, op, &attrs(0, 0), vec![]))[0].to_scalar().unwrap()
}

#[test]
fn a_run_waits_for_room_and_another_for_an_element() {
    let step = InStep::new(1);
    let limited = attrs(1, 0);
    outputs(&start(&step, "Stage", &limited, vec![1f32.into()]));
    let second = start(&step, "Stage", &limited, vec![2f32.into()]);
    let peek = start(&step, "StagePeek", &limited, vec![1.into()]);
    assert!(waits(&second) && waits(&peek));
    assert_eq!(outputs(&start(&step, "Unstage", &limited, vec![]))[0].to_scalar::<f32>().unwrap(), 1.0);
    outputs(&second);
    assert_eq!(outputs(&start(&step, "Unstage", &limited, vec![]))[0].to_scalar::<f32>().unwrap(), 2.0);
    let third = start(&step, "Unstage", &limited, vec![]);
    assert!(waits(&third) && waits(&peek));
    outputs(&start(&step, "Stage", &limited, vec![3f32.into()]));
    assert_eq!(outputs(&third)[0].to_scalar::<f32>().unwrap(), 3.0);
    assert_eq!(size(&step, "StageSize"), 0);
}

#[test]
fn bytes_are_limited() {
    let step = InStep::new(1);
    let limited = attrs(0, 8);
    assert_eq!(code(&start(&step, "Stage", &limited, vec![[1f32, 2.0, 3.0].into()])), Code::ResourceExhausted);
    outputs(&start(&step, "Stage", &limited, vec![1f32.into()]));
    let second = start(&step, "Stage", &limited, vec![[2f32, 3.0].into()]);
    assert!(waits(&second));
    outputs(&start(&step, "StageClear", &limited, vec![]));
    outputs(&second);
    assert_eq!(size(&step, "StageSize"), 1);
}

#[test]
fn a_cancelled_step_leaves_the_area_as_it_was() {
    let step = InStep::new(1);
    let other = step.next();
    let asked = start(&other, "MapUnstage", &attrs(0, 0), vec![7i64.into(), [0].into()]);
    assert!(waits(&asked));
    other.step().cancellation().cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, "too late"));
    assert_eq!(code(&asked), Code::DeadlineExceeded);
    outputs(&start(&step, "MapStage", &attrs(0, 0), vec![7i64.into(), [0].into(), 1f32.into()]));
    assert_eq!(size(&step, "MapSize"), 1);
    assert_eq!(size(&step, "OrderedMapSize"), 0);
    let late = start(&other, "MapUnstage", &attrs(0, 0), vec![7i64.into(), [0].into()]);
    assert_eq!(code(&late), Code::DeadlineExceeded);
}

#[test]
fn areas_with_keys_wait_for_the_key_and_have_room_for_so_many() {
    let step = InStep::new(1);
    let limited = attrs(1, 0);
    let put = |key: i64| start(&step, "OrderedMapStage", &limited, vec![key.into(), [0].into(), (key as f32).into()]);
    outputs(&put(5));
    let second = put(3);
    let asked = start(&step, "OrderedMapUnstage", &limited, vec![3i64.into(), [0].into()]);
    assert!(waits(&second) && waits(&asked));
    let first = outputs(&start(&step, "OrderedMapUnstageNoKey", &limited, vec![[0].into()]));
    assert_eq!((first[0].to_scalar::<i64>().unwrap(), first[1].to_scalar::<f32>().unwrap()), (5, 5.0));
    outputs(&second);
    assert_eq!(outputs(&asked)[0].to_scalar::<f32>().unwrap(), 3.0);
}

#[test]
fn elements_that_do_not_fit_the_outputs_are_errors() {
    let step = InStep::new(1);
    let dtypes: &[DType] = &[DType::Int32];
    let other = [("dtypes", dtypes.into()), ("shared_name", "area".into())];
    outputs(&start(&step, "Stage", &attrs(0, 0), vec![1f32.into()]));
    assert_eq!(code(&start(&step, "Unstage", &other, vec![])), Code::Internal);
    assert_eq!(code(&start(&step, "StagePeek", &attrs(0, 0), vec![(-1).into()])), Code::InvalidArgument);
    let bad = |indices: Tensor| start(&step, "MapStage", &attrs(0, 0), vec![7i64.into(), indices, 1f32.into()]);
    assert_eq!(code(&bad([1].into())), Code::InvalidArgument);
    assert_eq!(code(&bad([-1].into())), Code::InvalidArgument);
    assert_eq!(code(&bad([0, 1].into())), Code::InvalidArgument);
}
