//! What a run tells of itself.

use oplink_api::Tensor;
use oplink_graph::{RunOptions, TraceLevel};

use super::text::{LoopOptions, Text};

fn traced() -> RunOptions {
    RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() }
}

#[test]
fn every_kernel_is_told() {
    let mut text = Text::default();
    for name in ["limit", "start", "step"] {
        text.placeholder(name);
    }
    let plain = text.node("plain", "AddV2", &["start", "step"], "");
    let exits = text.counting_loop("limit", "start", "step", LoopOptions::default());
    let session = text.session();
    let feeds = ["limit", "start", "step"].map(|name| (name, Tensor::scalar(3i32)));
    for (fetch, count) in [(plain.as_str(), 1), (exits[1].as_str(), 4 + 3 + 3)] {
        let (_, metadata) = session.run_with(&traced(), &feeds, &[fetch], &[]).unwrap();
        assert_eq!(metadata.nodes.len(), count, "{fetch}");
        for node in &metadata.nodes {
            assert_eq!(node.outputs.len(), 1);
            assert_eq!(node.outputs[0].bytes, if node.op == "Less" { 1 } else { 4 });
            assert!(node.thread < metadata.threads.len() && node.device.contains("CPU"));
        }
        assert!(metadata.nodes.is_sorted_by_key(|node| node.start), "one thread, one after the other");
        let off = session.run_with(&RunOptions::default(), &feeds, &[fetch], &[]).unwrap().1;
        assert!(off.nodes.is_empty() && off.step_id == metadata.step_id + 1);
    }
}

#[test]
fn a_timeline_is_json_with_an_event_a_node() {
    let mut text = Text::default();
    text.placeholder("x");
    text.node("scope/sum", "AddV2", &["x", "x"], "");
    let session = text.session();
    let (_, metadata) = session.run_with(&traced(), &[("x", Tensor::scalar(3i32))], &["scope/sum"], &[]).unwrap();
    let trace = metadata.to_chrome_trace();
    assert!(trace.starts_with("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{") && trace.ends_with("}}\n]}\n"));
    let event = trace.lines().find(|line| line.contains("\"ph\":\"X\"")).unwrap();
    for part in
        ["\"name\":\"AddV2\"", "\"node\":\"scope/sum\"", "\"output 0\":\"int32 [], 4 bytes\"", "\"ts\":", "\"dur\":"]
    {
        assert!(event.contains(part), "{event}");
    }
}
