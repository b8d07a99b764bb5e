//! The pool of threads: every piece once, however many threads ask at once; panics; teams; no more threads than there
//! may be.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use oplink_core::IntraOpPool;

fn pool(threads: usize) -> IntraOpPool {
    IntraOpPool::new(threads).unwrap()
}

fn sum_of(pool: &IntraOpPool, count: usize) -> usize {
    let sum = AtomicUsize::new(0);
    pool.parallel_for(pool.threads(), count, 1, &|range| {
        sum.fetch_add(range.sum(), Ordering::Relaxed);
    });
    sum.into_inner()
}

#[test]
fn each_number_comes_once() {
    for threads in [1, 2, 3, 5] {
        let pool = pool(threads);
        for count in (0..40).chain([1000]) {
            assert_eq!(sum_of(&pool, count), (0..count).sum::<usize>(), "{count} over {threads} threads");
        }
    }
}

/// Several callers, calls within calls, steps within which calls are made, and pauses in which workers fall asleep.
#[test]
fn many_callers_share_a_pool() {
    let pool = Arc::new(pool(3));
    let caller = |number: usize| {
        for round in 0..200 {
            let _step = (round % 2 == 0).then(|| pool.enter());
            let total = AtomicUsize::new(0);
            pool.parallel_for(3, 7, 1, &|range| {
                for at in range {
                    total.fetch_add(sum_of(&pool, at + number), Ordering::Relaxed);
                }
            });
            let wanted: usize = (0..7).map(|at| (0..at + number).sum::<usize>()).sum();
            assert_eq!(total.into_inner(), wanted);
            if round % 50 == number {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    };
    std::thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || caller(number));
        }
    });
}

#[test]
fn a_panic_of_a_piece_reaches_the_caller() {
    let pool = pool(4);
    for bad in 0..8 {
        let result = catch_unwind(AssertUnwindSafe(|| {
            pool.parallel_for(4, 8, 1, &|range| {
                if range.contains(&bad) {
                    std::panic::resume_unwind(Box::new(bad));
                }
            });
        }));
        assert_eq!(*result.unwrap_err().downcast::<usize>().unwrap(), bad);
        assert_eq!(sum_of(&pool, 100), 4950);
    }
}

#[test]
fn workers_help_when_they_are_called() {
    let pool = pool(3);
    for calls in [0, 1, 2] {
        let both = Barrier::new(calls + 1);
        let helped = AtomicUsize::new(0);
        let led = pool.with_team(
            &|_| {
                assert!(IntraOpPool::is_worker());
                helped.fetch_add(1, Ordering::Relaxed);
                both.wait();
            },
            |team| {
                (0..calls).for_each(|_| team.call());
                both.wait();
                calls
            },
        );
        assert_eq!((led, helped.into_inner()), (calls, calls));
    }
    assert!(!IntraOpPool::is_worker());
}

/// While as many threads are in steps as the pool has, workers leave the processors to them.
#[test]
fn steps_count_as_threads_of_the_pool() {
    let pool = pool(2);
    let (entered, done) = (Barrier::new(2), Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _step = pool.enter();
            entered.wait();
            done.wait();
        });
        let _step = pool.enter();
        entered.wait();
        let this = std::thread::current().id();
        for _ in 0..100 {
            pool.parallel_for(2, 64, 1, &|_| assert_eq!(std::thread::current().id(), this));
        }
        done.wait();
    });
}
