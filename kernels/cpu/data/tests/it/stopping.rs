//! Runs on iterators that find nothing end when they are told to, and so do the threads of iterators.

use std::time::{Duration, Instant};

use oplink::Code;
use oplink_graph::RunOptions;

use crate::pipeline::Pipeline;

#[test]
fn a_run_that_finds_no_element_ends_with_its_deadline() {
    for name in ["nothing_found", "nothing_found_ahead", "nothing_in_a_batch"] {
        let pipeline = Pipeline::start(&format!("endless/{name}")).unwrap();
        let options = RunOptions { timeout: Some(Duration::from_millis(200)), ..RunOptions::default() };
        let start = Instant::now();
        for _ in 0..2 {
            let error = pipeline.session.run_with(&options, &[], &["next_0:0"], &[]).unwrap_err();
            assert_eq!(error.code(), Code::DeadlineExceeded, "{name}: {error}");
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn threads_of_an_iterator_end_with_the_session() {
    let threads = || std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    let pipeline = Pipeline::start("endless/nothing_found_ahead").unwrap();
    let options = RunOptions { timeout: Some(Duration::from_millis(50)), ..RunOptions::default() };
    pipeline.session.run_with(&options, &[], &["next_0:0"], &[]).unwrap_err();
    let resources = std::sync::Arc::downgrade(pipeline.session.resources());
    drop(pipeline);
    let start = Instant::now();
    // What an iterator does holds the resources of its session.
    while resources.strong_count() > 0 {
        assert!(start.elapsed() < Duration::from_secs(10), "{} threads go on", threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_iterator_without_a_dataset_says_what_to_run() {
    let pipeline = Pipeline::load("range_repeat_take").unwrap();
    let error = pipeline.session.run(&[], &["next_0:0"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::FailedPrecondition);
    assert!(error.to_string().contains("MakeIterator"), "{error}");
}
