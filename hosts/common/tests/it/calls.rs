//! Calls that are kept for the next one like them.

use std::sync::Barrier;

use oplink_hosts_common::NodeCalls;

use crate::host::{Memory, kept_call, node_call, table};
use crate::run::key;

#[test]
fn calls_of_one_op_in_turns_are_all_kept() {
    let op = table().op("HostScale").unwrap();
    let mut prepared = 0;
    let mut scale = |x: &[f32]| {
        let memory = Memory::default();
        let prepare = || {
            prepared += 1;
            op.prepared(&key(&[1], &[None]))
        };
        kept_call(op, x, &memory, prepare).unwrap();
        memory.floats(0)
    };
    for round in 0..3 {
        let by = round as f32;
        assert_eq!(scale(&[1.0 + by, 2.0]), [2.0 + 2.0 * by, 4.0]);
        assert_eq!(scale(&[by]), [2.0 * by]);
        assert_eq!(scale(&[by, by, 3.0]), [2.0 * by, 2.0 * by, 6.0]);
    }
    assert_eq!(prepared, 3, "one for each length");
}

#[test]
fn a_node_runs_on_several_threads_at_once() {
    let op = table().op("HostScale").unwrap();
    let node = NodeCalls::new(op.prepare(&key(&[1], &[None])).unwrap());
    let barrier = Barrier::new(4);
    let run = |thread: usize| {
        barrier.wait();
        for round in 0..500 {
            let (x, memory) = (vec![(thread * 1000 + round) as f32; 1 + round % 3], Memory::default());
            node_call(&node, &x, &memory).unwrap();
            assert_eq!(memory.floats(0), vec![2.0 * x[0]; x.len()]);
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || run(thread)))));
}
