//! What a call costs: an addition of 4 elements, and a call with attrs, in frames as XLA makes them.

extern crate oplink_api as oplink;

use divan::Bencher;

#[path = "../tests/it/frame.rs"]
#[allow(dead_code, reason = "shared with tests")]
mod frame;
#[path = "../tests/it/ops.rs"]
mod ops;

use frame::{Frame, Value};

fn main() {
    divan::main();
}

fn calls(bencher: Bencher<'_, '_>, op: &str, mut frame: Frame) {
    let handler = ops::handler_of(op);
    frame.call(handler).expect("the call fits");
    bencher.bench_local(|| frame.call(handler));
}

#[divan::bench(sample_size = 1000)]
fn add(bencher: Bencher<'_, '_>) {
    calls(bencher, "JaxAdd", Frame::new(&[&[4], &[4]], &[&[4]], &[]));
}

#[divan::bench(sample_size = 1000)]
fn scale(bencher: Bencher<'_, '_>) {
    let attrs = [("mode", Value::Text("twice")), ("scale", Value::Float(1.5))];
    calls(bencher, "JaxScale", Frame::new(&[&[4]], &[&[4]], &attrs));
}
