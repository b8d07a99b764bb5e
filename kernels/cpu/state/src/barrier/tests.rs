//! Runs that wait for whole elements.

use std::time::Duration;

use oplink::prelude::*;
use oplink_cpu_support::stepping::InStep;

#[test]
fn a_run_waits_until_elements_are_whole_or_the_barrier_is_closed() {
    let step = InStep::new(1);
    let (dtypes, shapes): (&[DType], &[PartialShape]) =
        (&[DType::Float, DType::Int32], &[PartialShape::scalar(), PartialShape::scalar()]);
    let attrs = [("component_types", dtypes.into()), ("shapes", shapes.into())];
    let barrier = step.one("Barrier", &attrs, vec![]).unwrap();
    let insert = |component: i64, keys: [&str; 2], values: Tensor| {
        let keys: Vec<TString> = keys.into_iter().map(TString::from).collect();
        let inputs = vec![barrier.clone(), keys.into(), values];
        step.run("BarrierInsertMany", &[("component_index", component.into())], inputs)
    };
    let take = |count: i32| {
        let attrs = [("component_types", dtypes.into()), ("allow_small_batch", true.into())];
        step.start("BarrierTakeMany", &attrs, vec![barrier.clone(), count.into()]).unwrap()
    };
    insert(0, ["a", "b"], [1f32, 2.0].into()).unwrap();
    let first = take(1);
    assert!(first.try_recv().is_err());
    insert(1, ["b", "c"], [20, 30].into()).unwrap();
    let outputs = first.recv_timeout(Duration::from_secs(20)).unwrap().unwrap();
    assert_eq!(outputs[0].as_ref().unwrap().as_slice::<i64>().unwrap(), [i64::MIN]);
    assert_eq!(outputs[3].as_ref().unwrap().as_slice::<i32>().unwrap(), [20]);
    assert_eq!(insert(1, ["c", "a"], [0, 0].into()).unwrap_err().code(), Code::InvalidArgument);
    let second = take(3);
    step.run("BarrierClose", &[], vec![barrier.clone()]).unwrap();
    assert!(second.try_recv().is_err());
    assert_eq!(insert(0, ["c", "d"], [3f32, 4.0].into()).unwrap_err().code(), Code::Cancelled);
    insert(1, ["a", "a"], [10, 10].into()).unwrap_err();
    let outputs = second.recv_timeout(Duration::from_secs(20)).unwrap().unwrap();
    assert_eq!(outputs[2].as_ref().unwrap().as_slice::<f32>().unwrap(), [1.0, 3.0]);
    let last = take(1).recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(last.unwrap_err().code(), Code::OutOfRange);
}
