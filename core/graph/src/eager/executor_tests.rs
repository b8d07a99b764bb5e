//! Executors: order, errors, limits, ends; and cancellation managers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use oplink_api::{Cancellation, Code, DType, Error, Result, Step, Tensor};

use super::{CancellationManager, EagerExecutor, Executors, PendingTensor, QueuedCall};

fn scalar(value: f32) -> Tensor {
    Tensor::scalar(value)
}

/// Queues a call; what waits for its output.
fn queue(
    executor: &EagerExecutor,
    work: impl FnOnce() -> Result<Tensor> + Send + 'static,
) -> Result<Arc<PendingTensor>> {
    let output = PendingTensor::new(DType::Float, None);
    executor.add(QueuedCall::new(vec![output.clone()], move || Ok(vec![work()?])))?;
    Ok(output)
}

fn value(output: &PendingTensor) -> Result<f32> {
    output.wait()?.to_scalar()
}

#[test]
fn queued_calls_run_in_order_and_callers_go_on() {
    let executor = EagerExecutor::asynchronous(0);
    let (go_on, wait) = mpsc::channel::<()>();
    let order = Arc::new(Mutex::new(Vec::new()));
    let first = queue(&executor, move || {
        wait.recv().unwrap();
        Ok(scalar(1.0))
    })
    .unwrap();
    let rest: Vec<_> = (0..20)
        .map(|index| {
            let order = order.clone();
            queue(&executor, move || {
                order.lock().unwrap().push(index);
                Ok(scalar(index as f32))
            })
            .unwrap()
        })
        .collect();
    assert!(first.outcome().is_none() && order.lock().unwrap().is_empty());
    go_on.send(()).unwrap();
    executor.wait().unwrap();
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    assert_eq!(value(&rest[7]).unwrap(), 7.0);
}

#[test]
fn a_failed_call_ends_those_behind_it() {
    let executor = EagerExecutor::asynchronous(0);
    let (go_on, wait) = mpsc::channel::<()>();
    let ran = Arc::new(AtomicBool::new(false));
    let failing = queue(&executor, move || {
        wait.recv().unwrap();
        Err(Error::invalid_argument("no"))
    })
    .unwrap();
    let behind = queue(&executor, {
        let ran = ran.clone();
        move || {
            ran.store(true, Ordering::Relaxed);
            Ok(scalar(1.0))
        }
    })
    .unwrap();
    go_on.send(()).unwrap();
    for output in [&failing, &behind] {
        let error = value(output).unwrap_err();
        assert_eq!((error.code(), error.message()), (Code::InvalidArgument, "no"));
    }
    assert!(!ran.load(Ordering::Relaxed));
    for _ in 0..2 {
        let error = executor.wait().unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(error.message().contains("takes calls again"), "{error}");
    }
    assert!(queue(&executor, || Ok(scalar(1.0))).is_err());
    executor.clear_error();
    assert_eq!(value(&queue(&executor, || Ok(scalar(2.0))).unwrap()).unwrap(), 2.0);
    assert!(value(&failing).is_err(), "what failed stays so");
}

#[test]
fn a_panic_is_an_error_of_the_call() {
    let executor = EagerExecutor::asynchronous(0);
    let output = queue(&executor, || panic!("oh")).unwrap();
    assert!(value(&output).unwrap_err().message().contains("panicked: oh"));
}

#[test]
fn a_limit_holds_callers_back() {
    let executor = EagerExecutor::asynchronous(2);
    let (go_on, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let (queued, seen) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for index in 0..3 {
                let wait = wait.clone();
                let work = move || {
                    wait.lock().unwrap().recv().unwrap();
                    Ok(scalar(0.0))
                };
                queue(&executor, work).unwrap();
                queued.send(index).unwrap();
            }
        });
        assert_eq!(seen.recv(), Ok(0));
        assert!(seen.recv_timeout(std::time::Duration::from_millis(50)).is_err(), "the second call is held");
        go_on.send(()).unwrap();
        assert_eq!(seen.recv(), Ok(1));
        go_on.send(()).unwrap();
        go_on.send(()).unwrap();
        assert_eq!(seen.recv(), Ok(2));
    });
}

#[test]
fn the_end_waits_for_what_is_queued() {
    let executor = EagerExecutor::asynchronous(0);
    let outputs: Vec<_> = (0..3).map(|index| queue(&executor, move || Ok(scalar(index as f32))).unwrap()).collect();
    executor.shut_down();
    assert!(outputs.iter().all(|output| output.outcome().is_some()));
    assert_eq!(queue(&executor, || Ok(scalar(0.0))).err().unwrap().code(), Code::FailedPrecondition);
}

#[test]
fn a_call_may_hold_the_last_reference_to_its_executor() {
    let executor = EagerExecutor::asynchronous(0);
    let (go_on, wait) = mpsc::channel::<()>();
    let last = executor.clone();
    let output = queue(&executor, move || {
        wait.recv().unwrap();
        drop(last);
        Ok(scalar(3.0))
    })
    .unwrap();
    drop(executor);
    go_on.send(()).unwrap();
    assert_eq!(value(&output).unwrap(), 3.0);
}

#[test]
fn threads_have_the_executor_that_they_chose() {
    let executors = Executors::new(EagerExecutor::synchronous());
    let own = EagerExecutor::asynchronous(0);
    executors.choose(Some(own.clone()));
    assert!(executors.current().is_async());
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(!executors.current().is_async()));
    });
    let failing = queue(&own, || Err(Error::not_found("no"))).unwrap();
    assert!(value(&failing).is_err());
    assert_eq!(executors.wait().unwrap_err().code(), Code::NotFound);
    assert!(executors.wait().is_ok(), "waiting clears errors");
    own.shut_down();
    assert!(!executors.current().is_async(), "one that has ended is passed over");
}

#[test]
fn cancellation_runs_callbacks_once() {
    let manager = Arc::new(CancellationManager::default());
    let calls = Arc::new(Mutex::new(Vec::new()));
    let noting = |name: i64| {
        let (manager, calls) = (Arc::downgrade(&manager), calls.clone());
        move || {
            let manager = manager.upgrade().unwrap();
            calls.lock().unwrap().push((name, manager.is_cancelling(), manager.is_cancelled()));
        }
    };
    let (first, second, third) = (manager.token(), manager.token(), manager.token());
    assert!(manager.register(first, noting(1)) && manager.register(second, noting(2)));
    assert!(manager.register(second, noting(22)) && manager.register(third, noting(3)));
    assert!(manager.deregister(third) && manager.try_deregister(99));
    assert!(!manager.cancellation().is_cancelled());
    (0..2).for_each(|_| manager.cancel());
    assert_eq!(*calls.lock().unwrap(), [(1, true, false), (22, true, false)]);
    assert!(manager.is_cancelled() && !manager.is_cancelling() && manager.cancellation().is_cancelled());
    assert!(!manager.register(first, || {}) && !manager.deregister(first) && !manager.try_deregister(first));
}

#[test]
fn dropping_a_manager_ends_its_calls() {
    let manager = CancellationManager::default();
    let cancellation = manager.cancellation().clone();
    drop(manager);
    assert_eq!(cancellation.check().unwrap_err().code(), Code::Cancelled);
}

#[test]
fn a_part_of_a_step_ends_by_itself() {
    let step = Step::new(3, Arc::default(), None, Cancellation::default());
    let manager = CancellationManager::default();
    let part = step.with_cancellation(manager.cancellation().clone());
    manager.cancel();
    assert!(part.cancellation().is_cancelled() && !step.cancellation().is_cancelled());
    assert!(std::ptr::eq(part.own_resources(), step.own_resources()) && part.id() == step.id());
}
