//! Many threads run a plugin's kernels.

use std::thread;

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{AttrValue, Tensor};

use crate::support::{call, plugin};

#[test]
fn sixteen_threads_run_one_session_and_eager_calls() {
    plugin();
    let text = "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }
                node { name: 'y' op: 'HostScale' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }
                node { name: 'z' op: 'HostSquare' input: 'y' }";
    let graph = Graph::from_text(text, Registry::global().unwrap()).unwrap();
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    thread::scope(|scope| {
        for thread in 0..16u8 {
            let session = &session;
            scope.spawn(move || {
                for step in 0..50u8 {
                    let x = f32::from(thread) + f32::from(step);
                    let z = session.run(&[("x", Tensor::scalar(x))], &["z"], &[]).unwrap();
                    assert_eq!(z[0].to_scalar::<f32>().unwrap(), 4.0 * x * x);
                    let scale = AttrValue::Float(f32::from(thread) + 1.0);
                    let y = call("HostScale", &[&Tensor::scalar(x)], &[("scale", scale)]).unwrap();
                    assert_eq!(y[0].to_scalar::<f32>().unwrap(), (f32::from(thread) + 1.0) * x);
                }
            });
        }
    });
}
