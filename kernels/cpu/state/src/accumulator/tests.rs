//! Runs that wait for gradients.

use std::time::Duration;

use oplink::prelude::*;
use oplink_cpu_support::stepping::InStep;

#[test]
fn a_run_waits_for_as_many_gradients_as_it_asks_for() {
    let step = InStep::new(1);
    let attrs = [("dtype", DType::Float.into()), ("shape", PartialShape::unknown().into())];
    let accumulator = step.one("ResourceConditionalAccumulator", &attrs, vec![]).unwrap();
    let take = |step: &InStep, count: i32| {
        let inputs = vec![accumulator.clone(), count.into()];
        step.start("ResourceAccumulatorTakeGradient", &[("dtype", DType::Float.into())], inputs).unwrap()
    };
    let apply = |at: i64, gradient: [f32; 2]| {
        let inputs = vec![accumulator.clone(), at.into(), gradient.into()];
        step.run("ResourceAccumulatorApplyGradient", &[], inputs).unwrap();
    };
    let other = step.next();
    let (first, cancelled) = (take(&step, 2), take(&other, 1));
    other.step().cancellation().cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, "too late"));
    assert_eq!(cancelled.recv().unwrap().unwrap_err().code(), Code::DeadlineExceeded);
    apply(0, [1.0, 2.0]);
    assert!(first.try_recv().is_err());
    apply(0, [3.0, 6.0]);
    let outputs = first.recv_timeout(Duration::from_secs(20)).unwrap().unwrap();
    assert_eq!(outputs[0].as_ref().unwrap().as_slice::<f32>().unwrap(), [2.0, 4.0]);
    // The step is 1 now, and a gradient of step 0 is dropped.
    apply(0, [9.0, 9.0]);
    let count = step.one("ResourceAccumulatorNumAccumulated", &[], vec![accumulator.clone()]).unwrap();
    assert_eq!(count.to_scalar::<i32>().unwrap(), 0);
    assert_eq!(take(&step, 0).recv().unwrap().unwrap_err().code(), Code::InvalidArgument);
}
