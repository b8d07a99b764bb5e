//! What calls did, for clients that ask for it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use oplink_abi::{TF_Buffer, TFE_Context};
use oplink_api::Result;
use oplink_host::c_api;
use oplink_proto::GraphDef;
use prost::Message;

use super::Context;
use crate::messages::{DeviceStepStats, FunctionGraphs, NodeExecStats, RunMetadata, StepStats};
use crate::support::fill;

/// Notes calls from when it is switched on until they are asked for.
#[derive(Default)]
pub(super) struct Recorder {
    is_on: AtomicBool,
    /// With the device of each.
    calls: Mutex<Vec<(String, NodeExecStats)>>,
    collects_graphs: AtomicBool,
    graphs: Mutex<Graphs>,
}

/// Graphs of functions, each once.
#[derive(Default)]
struct Graphs {
    seen: HashSet<String>,
    kept: Vec<GraphDef>,
}

impl Recorder {
    /// When a call begins; `None` where nobody wants to know.
    #[inline]
    pub(super) fn begin(&self) -> Option<SystemTime> {
        self.is_on.load(Ordering::Relaxed).then(SystemTime::now)
    }

    /// Notes a call that began then and ends now.
    pub(super) fn end(&self, device: &str, op: &str, began: SystemTime) {
        let took = began.elapsed().unwrap_or_default();
        let began = began.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push((device.to_owned(), stats(op, began, took)));
    }

    fn take(&self) -> RunMetadata {
        let calls = std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner));
        let mut by_device: BTreeMap<String, Vec<NodeExecStats>> = BTreeMap::new();
        calls.into_iter().for_each(|(device, stats)| by_device.entry(device).or_default().push(stats));
        let of_device = |(device, node_stats)| DeviceStepStats { device, node_stats, ..DeviceStepStats::default() };
        let dev_stats: Vec<DeviceStepStats> = by_device.into_iter().map(of_device).collect();
        let partition_graphs = std::mem::take(&mut self.graphs.lock().unwrap_or_else(PoisonError::into_inner).kept);
        RunMetadata {
            step_stats: Some(StepStats { dev_stats }).filter(|step| !step.dev_stats.is_empty()),
            function_graphs: partition_graphs.iter().map(of_function).collect(),
            partition_graphs,
        }
    }

    /// Whether the graphs of functions are wanted.
    pub(super) fn collects_graphs(&self) -> bool {
        self.collects_graphs.load(Ordering::Relaxed)
    }

    /// Keeps the graph of a function, the first time that it is called.
    pub(super) fn collect(&self, function: &str, graph: impl FnOnce() -> Result<GraphDef>) -> Result<()> {
        let mut graphs = self.graphs.lock().unwrap_or_else(PoisonError::into_inner);
        if !graphs.seen.contains(function) {
            graphs.kept.push(graph()?);
            graphs.seen.insert(function.to_owned());
        }
        Ok(())
    }
}

fn of_function(graph: &GraphDef) -> FunctionGraphs {
    FunctionGraphs { partition_graphs: vec![graph.clone()], pre_optimization_graph: Some(graph.clone()) }
}

fn stats(op: &str, began: Duration, took: Duration) -> NodeExecStats {
    NodeExecStats {
        node_name: op.to_owned(),
        all_start_micros: began.as_micros() as i64,
        op_end_rel_micros: took.as_micros() as i64,
        all_end_rel_micros: took.as_micros() as i64,
        timeline_label: op.to_owned(),
        all_start_nanos: began.as_nanos() as i64,
        op_end_rel_nanos: took.as_nanos() as i64,
        all_end_rel_nanos: took.as_nanos() as i64,
        ..NodeExecStats::default()
    }
}

/// Switches the notes of calls on or off; null is passed over.
///
/// # Safety
/// The handle is null or alive.
unsafe fn switch(ctx: *mut TFE_Context, on: bool) {
    // SAFETY: `ctx` is null or alive (Safety section).
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        context.recorder().is_on.store(on, Ordering::Relaxed);
    }
}

/// Notes each call from now on.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextEnableRunMetadata(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    unsafe { switch(ctx, true) }
}

/// Notes no more calls; those that were noted can still be asked for.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextDisableRunMetadata(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    unsafe { switch(ctx, false) }
}

/// Keeps the graph of each function that is called from now on, for the metadata. Null is passed over.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextEnableGraphCollection(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        context.recorder().collects_graphs.store(true, Ordering::Relaxed);
    }
}

/// Keeps no more graphs; null is passed over.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextDisableGraphCollection(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        context.recorder().collects_graphs.store(false, Ordering::Relaxed);
    }
}

c_api! {
    /// Fills a buffer with the calls and graphs that were noted, as a serialized `RunMetadata`, and forgets them.
    /// Queued calls are waited for, as by `TFE_ContextAsyncWait`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextExportRunMetadata(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        buf: *mut TF_Buffer;
        status
    ) {
        context.executors().wait()?;
        let told = context.recorder().take();
        // SAFETY: `buf` is null or alive (Safety section).
        unsafe { fill(buf, &told.encode_to_vec(), NAME, "buf") }
    }
}
