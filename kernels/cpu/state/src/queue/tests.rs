//! Runs that wait for a queue.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use oplink::prelude::*;

use oplink_cpu_support::stepping::{InStep, Running};

const FLOAT: &[DType] = &[DType::Float];

fn queue(step: &InStep, op: &str, capacity: i64) -> Tensor {
    let shapes: &[PartialShape] = &[PartialShape::scalar()];
    let attrs = [("component_types", FLOAT.into()), ("shapes", shapes.into()), ("capacity", capacity.into())];
    step.one(op, &attrs, vec![]).unwrap()
}

fn put(step: &InStep, queue: &Tensor, values: &[f32]) -> Running {
    step.start("QueueEnqueueManyV2", &[], vec![queue.clone(), values.into()]).unwrap()
}

fn get(step: &InStep, queue: &Tensor, count: i32) -> Running {
    let inputs = vec![queue.clone(), count.into()];
    step.start("QueueDequeueManyV2", &[("component_types", FLOAT.into())], inputs).unwrap()
}

fn close(step: &InStep, queue: &Tensor, cancel: bool) -> Running {
    step.start("QueueCloseV2", &[("cancel_pending_enqueues", cancel.into())], vec![queue.clone()]).unwrap()
}

fn size(step: &InStep, queue: &Tensor) -> i32 {
    step.one("QueueSizeV2", &[], vec![queue.clone()]).unwrap().to_scalar().unwrap()
}

fn waits(running: &Running) -> bool {
    running.try_recv().is_err()
}

fn values(running: &Running) -> Vec<f32> {
    let outputs = running.recv_timeout(Duration::from_secs(20)).unwrap().unwrap();
    outputs[0].as_ref().unwrap().as_slice().unwrap().to_vec()
}

fn code(running: &Running) -> Code {
    running.recv_timeout(Duration::from_secs(20)).unwrap().unwrap_err().code()
}

#[test]
fn a_run_waits_for_elements_and_others_for_room() {
    let step = InStep::new(1);
    let queue = queue(&step, "FIFOQueueV2", 2);
    let read = get(&step, &queue, 3);
    assert!(waits(&read));
    let write = put(&step, &queue, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(values(&read), [1.0, 2.0, 3.0]);
    assert!(waits(&write));
    assert_eq!(values(&get(&step, &queue, 1)), [4.0]);
    write.recv().unwrap().unwrap();
    assert_eq!(size(&step, &queue), 2);
}

#[test]
fn runs_are_served_in_the_order_in_which_they_came() {
    let step = InStep::new(1);
    let queue = queue(&step, "FIFOQueueV2", -1);
    let (first, second) = (get(&step, &queue, 2), get(&step, &queue, 1));
    put(&step, &queue, &[1.0]);
    assert!(waits(&first) && waits(&second));
    put(&step, &queue, &[2.0, 3.0]);
    assert_eq!((values(&first), values(&second)), (vec![1.0, 2.0], vec![3.0]));
}

#[test]
fn closing_waits_for_those_that_wait_for_room() {
    let step = InStep::new(1);
    let queue = queue(&step, "FIFOQueueV2", 1);
    let write = put(&step, &queue, &[1.0, 2.0]);
    let closing = close(&step, &queue, false);
    assert!(waits(&write) && waits(&closing));
    assert_eq!(values(&get(&step, &queue, 1)), [1.0]);
    write.recv().unwrap().unwrap();
    closing.recv().unwrap().unwrap();
    assert_eq!(code(&put(&step, &queue, &[3.0])), Code::Cancelled);
    assert_eq!(code(&get(&step, &queue, 2)), Code::OutOfRange);
    assert_eq!(values(&get(&step, &queue, 1)), [2.0]);
}

#[test]
fn closing_can_end_those_that_wait() {
    let step = InStep::new(1);
    let queue = queue(&step, "FIFOQueueV2", 1);
    let write = put(&step, &queue, &[1.0, 2.0]);
    close(&step, &queue, true).recv().unwrap().unwrap();
    assert_eq!(code(&write), Code::Cancelled);
    let read = get(&step, &queue, 5);
    assert_eq!(code(&read), Code::OutOfRange);
    assert_eq!(size(&step, &queue), 1);
}

#[test]
fn a_cancelled_step_leaves_the_queue_as_it_was() {
    let step = InStep::new(1);
    let queue = queue(&step, "FIFOQueueV2", 2);
    let (other, third) = (step.next(), step.next());
    put(&step, &queue, &[1.0]);
    let read = get(&other, &queue, 2);
    let behind = get(&third, &queue, 1);
    assert!(waits(&read) && waits(&behind));
    other.step().cancellation().cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, "too late"));
    assert_eq!(code(&read), Code::DeadlineExceeded);
    assert_eq!(values(&behind), [1.0]);
    assert_eq!(code(&get(&other, &queue, 1)), Code::DeadlineExceeded);
    assert_eq!(size(&step, &queue), 0);
}

#[test]
fn a_queue_goes_although_runs_wait_for_it() {
    let step = InStep::new(1);
    let queue = queue(&step, "FIFOQueueV2", -1);
    let read = get(&step, &queue, 1);
    step.run("DestroyResourceOp", &[], vec![queue]).unwrap();
    assert!(read.recv_timeout(Duration::from_secs(20)).unwrap().is_err());
}

#[test]
fn many_threads_lose_and_invent_nothing() {
    let step = InStep::new(1);
    for op in ["FIFOQueueV2", "RandomShuffleQueueV2"] {
        let queue = queue(&step.next(), op, 7);
        let received = std::thread::scope(|scope| {
            let readers: Vec<_> = (0..3).map(|_| scope.spawn(|| read_all(&step, &queue))).collect();
            let writers = (0..3).map(|writer| {
                let (step, queue) = (&step, &queue);
                scope.spawn(move || {
                    for value in 0..300 {
                        let value = (writer * 300 + value) as f32;
                        put(step, queue, &[value]).recv().unwrap().unwrap();
                    }
                })
            });
            writers.collect::<Vec<_>>().into_iter().for_each(|writer| writer.join().unwrap());
            close(&step, &queue, false).recv().unwrap().unwrap();
            readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect::<Vec<f32>>()
        });
        let mut sorted: Vec<usize> = received.iter().map(|value| *value as usize).collect();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..900).collect::<Vec<_>>());
        step.run("DestroyResourceOp", &[], vec![queue]).unwrap();
    }
}

/// Reads until the queue is closed and empty.
fn read_all(step: &InStep, queue: &Tensor) -> Vec<f32> {
    let mut all = Vec::new();
    loop {
        let inputs = vec![queue.clone(), 4.into()];
        let read = step.start("QueueDequeueUpToV2", &[("component_types", FLOAT.into())], inputs).unwrap();
        match read.recv_timeout(Duration::from_mins(1)) {
            Ok(Ok(outputs)) => all.extend_from_slice(outputs[0].as_ref().unwrap().as_slice().unwrap()),
            Ok(Err(error)) => {
                assert_eq!(error.code(), Code::OutOfRange);
                return all;
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => panic!("the read did not end"),
        }
    }
}
