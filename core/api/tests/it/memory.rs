//! Collections whose sizes come from input, and loops that end with their step.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oplink_api::memory::{try_collect, try_filled, try_reserve, try_resize, try_vec};
use oplink_api::resource::ResourceManager;
use oplink_api::tensor::Allocator;
use oplink_api::{Cancellation, Code, KernelEnv, Step, interrupt, parallel};

#[test]
fn what_no_machine_has_is_an_error() {
    const HUGE: usize = 1 << 60;
    assert_eq!(try_vec::<u8>(HUGE).unwrap_err().code(), Code::ResourceExhausted);
    assert_eq!(try_filled(0u64, usize::MAX).unwrap_err().code(), Code::ResourceExhausted);
    assert_eq!(try_reserve(&mut vec![1u8], HUGE).unwrap_err().code(), Code::ResourceExhausted);
    assert_eq!(try_resize(&mut vec![1u8], HUGE, 0).unwrap_err().code(), Code::ResourceExhausted);
    assert_eq!(try_collect(0..HUGE).unwrap_err().code(), Code::ResourceExhausted);
}

#[test]
fn what_fits_is_what_vectors_hold() {
    assert!(try_vec::<u8>(100).unwrap().capacity() >= 100);
    assert_eq!(try_filled("x", 3).unwrap(), ["x"; 3]);
    let odd = (0..10_000).filter(|at| at % 2 == 1);
    assert_eq!(try_collect(odd.clone()).unwrap(), odd.collect::<Vec<_>>());
    let mut list = vec![1, 2, 3];
    try_resize(&mut list, 5, 0).unwrap();
    assert_eq!(list, [1, 2, 3, 0, 0]);
    try_resize(&mut list, 1, 0).unwrap();
    assert_eq!(list, [1]);
}

struct InStep(Step);

impl KernelEnv for InStep {
    fn step(&self) -> Option<&Step> {
        Some(&self.0)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
}

#[test]
fn loops_end_with_their_step() {
    let deadline = Instant::now() + Duration::from_millis(20);
    let stop = Cancellation::with_deadline(Some(deadline));
    let env = InStep(Step::new(1, Arc::new(ResourceManager::new()), None, stop));
    let mut values = vec![0u8; 1 << 20];
    let mut loops: Vec<Box<dyn FnMut() + '_>> = vec![
        Box::new(|| parallel::watch(&env, 0..u64::MAX).for_each(drop)),
        Box::new(|| {
            parallel::for_each_block(&env, &mut values, 1, |_, _| {
                std::thread::sleep(Duration::from_millis(1));
            });
        }),
    ];
    for run in &mut loops {
        let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(interrupt::reason_of(&*payload).unwrap().code(), Code::DeadlineExceeded);
    }
}

#[test]
fn without_a_step_loops_go_to_their_end() {
    assert_eq!(parallel::watch(&oplink_api::DefaultEnv, 0..5000).count(), 5000);
    assert_eq!(parallel::watch(&oplink_api::DefaultEnv, 0..5000).next_back(), Some(4999));
}
