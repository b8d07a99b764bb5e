//! Runs from several threads at once.

use std::sync::Arc;

use oplink_api::Tensor;
use oplink_graph::{Callable, Graph, Session};

use crate::fixture::session;
use crate::session::graph;

#[test]
fn sessions_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Session>();
    shared::<Callable>();
    shared::<Arc<Graph>>();
}

#[test]
fn overlapping_runs_do_not_mix_values() {
    let session = session(graph());
    let callable = session.prepare(&["x"], &["out", "x"], &[]).unwrap();
    std::thread::scope(|threads| {
        for thread in 0..4 {
            let (session, callable) = (&session, &callable);
            threads.spawn(move || {
                for step in 0..300 {
                    let value = (thread * 1000 + step) as f32;
                    let x = Tensor::full([20_000], value);
                    let fetched = if step % 2 == 0 {
                        callable.run(&[x]).unwrap()
                    } else {
                        session.run(&[("x", x)], &["out", "x"], &[]).unwrap()
                    };
                    assert!(fetched[0].as_slice::<f32>().unwrap().iter().all(|&out| out == -(value + 1.0)));
                    assert_eq!(fetched[1].as_slice::<f32>().unwrap()[7], value);
                    if step % 50 == 0 {
                        assert!(session.run(&[("x", Tensor::from_slice(&[value]))], &["unrelated"], &[]).is_err());
                    }
                }
            });
        }
    });
}
