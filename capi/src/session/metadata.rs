//! Options and metadata of runs as messages.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use oplink_graph::{RunMetadata, RunOptions, TraceLevel};

use crate::messages::{self, DeviceStepStats, NodeExecStats, StepStats};

/// The options that a message asks for.
pub(super) fn options(message: &messages::RunOptions) -> RunOptions {
    let timeout = u64::try_from(message.timeout_in_ms).unwrap_or(0);
    RunOptions {
        timeout: (timeout > 0).then(|| Duration::from_millis(timeout)),
        trace: if message.trace_level > 0 { TraceLevel::Nodes } else { TraceLevel::Off },
        ..RunOptions::default()
    }
}

/// The message of what a run told, which began at `start`.
pub(super) fn to_message(metadata: &RunMetadata, start: SystemTime) -> messages::RunMetadata {
    let start = start.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut devices: Vec<DeviceStepStats> = Vec::new();
    for node in &metadata.nodes {
        let at = devices.iter().position(|stats| stats.device == node.device).unwrap_or_else(|| {
            let threads = metadata.threads.iter().enumerate().map(|(number, name)| (number as u32, name.clone()));
            let device = node.device.clone();
            devices.push(DeviceStepStats { device, node_stats: Vec::new(), thread_names: threads.collect() });
            devices.len() - 1
        });
        let (began, took) = (start + node.start, node.duration);
        devices[at].node_stats.push(NodeExecStats {
            node_name: node.name.clone(),
            all_start_micros: began.as_micros() as i64,
            op_start_rel_micros: 0,
            op_end_rel_micros: took.as_micros() as i64,
            all_end_rel_micros: took.as_micros() as i64,
            timeline_label: format!("{} = {}", node.name, node.op),
            thread_id: node.thread as u32,
            all_start_nanos: began.as_nanos() as i64,
            op_end_rel_nanos: took.as_nanos() as i64,
            all_end_rel_nanos: took.as_nanos() as i64,
        });
    }
    let step_stats = (!devices.is_empty()).then_some(StepStats { dev_stats: devices });
    messages::RunMetadata { step_stats, ..messages::RunMetadata::default() }
}
