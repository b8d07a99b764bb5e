//! What it costs to spread a kernel over threads: 20 microseconds of work on one thread and on two, back to back and
//! after pauses in which nothing is spread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::Bencher;
use oplink::runtime::IntraOpPool;

/// Values of a sum that takes some 20 microseconds.
const COUNT: usize = 16 * 1024;

fn main() {
    divan::main();
}

fn work(values: &[f32]) -> f32 {
    let mut sum = 0.0f32;
    for &value in values {
        sum = black_box(value).mul_add(0.5, sum);
    }
    sum
}

fn spread(bencher: Bencher<'_, '_>, threads: usize, pause: Duration) {
    let pool = IntraOpPool::new(2).expect("threads");
    let values = vec![1.0f32; COUNT];
    let _step = pool.enter();
    let idle = || {
        let start = Instant::now();
        while start.elapsed() < pause {
            std::hint::spin_loop();
        }
    };
    bencher.with_inputs(idle).bench_local_values(|()| {
        pool.parallel_for(threads, COUNT, COUNT / 8, &|range| {
            black_box(work(&values[range]));
        });
    });
}

#[divan::bench(args = [1, 2], sample_count = 1000)]
fn back_to_back(bencher: Bencher<'_, '_>, threads: usize) {
    spread(bencher, threads, Duration::ZERO);
}

#[divan::bench(args = [1, 2], sample_count = 1000)]
fn after_50_us(bencher: Bencher<'_, '_>, threads: usize) {
    spread(bencher, threads, Duration::from_micros(50));
}

#[divan::bench(args = [1, 2], sample_count = 1000)]
fn after_300_us(bencher: Bencher<'_, '_>, threads: usize) {
    spread(bencher, threads, Duration::from_micros(300));
}
