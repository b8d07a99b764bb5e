//! One session and one graph used from several threads at once.

use std::ffi::c_int;
use std::ptr;

use oplink_abi::*;
use oplink_capi::host::tensor::TF_DeleteTensor;
use oplink_capi::session::lifetime::TF_CloseSession;
use oplink_capi::session::run::TF_SessionRun;

use crate::client::*;

/// A handle that goes to another thread.
#[derive(Clone, Copy)]
struct Shared<T>(T);

unsafe impl<T> Send for Shared<T> {}
unsafe impl<T> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    fn get(&self) -> T {
        self.0
    }
}

fn run(session: *mut TF_Session, x: TF_Output, y: TF_Output, value: f32) -> Result<Vec<f32>, TF_Code> {
    let status = Status::new();
    let (value, mut result) = (tensor(&[1], &[value]), ptr::null_mut());
    let none: c_int = 0;
    unsafe {
        let (options, metadata) = (ptr::null(), ptr::null_mut());
        TF_SessionRun(
            session,
            options,
            &raw const x,
            &raw const value,
            1,
            &raw const y,
            &raw mut result,
            1,
            ptr::null(),
            none,
            metadata,
            status.0,
        );
        TF_DeleteTensor(value);
    }
    if status.code() == code::OK { Ok(take(result)) } else { Err(status.code()) }
}

#[test]
fn sixteen_threads_run_and_build() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, None);
    let y = graph.op("Neg", "y", &[x]);
    let session = Session::new(&graph);
    let shared = Shared((session.0, &raw const graph, x, y));
    std::thread::scope(|scope| {
        for thread in 0..16_u8 {
            scope.spawn(move || {
                let (session, graph, x, y) = shared.get();
                for turn in 0..20_u8 {
                    let value = f32::from(thread) * 100.0 + f32::from(turn);
                    assert_eq!(run(session, x, y, value), Ok(vec![-value]));
                    if turn % 5 == 0 {
                        let graph = unsafe { &*graph };
                        let z = graph.op("Add", &format!("t{thread}_{turn}"), &[x, x]);
                        assert_eq!(run(session, x, z, value), Ok(vec![2.0 * value]));
                    }
                }
            });
        }
    });
}

/// Closing a session stops what others run and refuses what they begin.
#[test]
fn a_session_is_closed_under_others() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, None);
    let y = graph.op("Neg", "y", &[x]);
    let session = Session::new(&graph);
    let shared = Shared((session.0, x, y));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                let (session, x, y) = shared.get();
                let ended = (0..100_000).find_map(|_| run(session, x, y, 1.0).err());
                assert_eq!(ended, Some(code::CANCELLED));
            });
        }
        let status = Status::new();
        std::thread::sleep(std::time::Duration::from_millis(20));
        unsafe { TF_CloseSession(shared.get().0, status.0) };
        status.ok();
    });
    let status = Status::new();
    unsafe { TF_CloseSession(session.0, status.0) };
    status.ok();
}
