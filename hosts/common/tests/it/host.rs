//! A host whose tensors are vectors.
#![allow(unsafe_code, reason = "room: memory of a host")]

use std::sync::{Arc, Mutex};

use oplink_api::{DType, Result, Shape, Tensor};
use oplink_hosts_common::{
    CallFrame, CallKey, HostedOp, HostedPlugin, NodeCalls, OpTable, OutputMemory, PreparedKernel, Words, borrowed,
    guarded, output,
};

use crate::{FOR_GRADIENTS, OPS};

static PLUGIN: HostedPlugin = HostedPlugin::new("host-tests", "1.0", &[&OPS]).with_gradient_ops(&[&FOR_GRADIENTS]);

/// The same without the ops for gradients.
static ALONE: HostedPlugin = HostedPlugin::new("host-tests-alone", "1.0", &[&OPS]);

pub(crate) fn alone() -> &'static HostedPlugin {
    &ALONE
}

pub(crate) fn plugin() -> &'static HostedPlugin {
    &PLUGIN
}

pub(crate) fn table() -> &'static OpTable {
    PLUGIN.table().unwrap()
}

/// Outputs, in memory that the host owns.
#[derive(Default)]
pub(crate) struct Memory(pub(crate) Mutex<Vec<(usize, DType, Shape, Vec<u64>)>>);

impl OutputMemory for Memory {
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let mut words = vec![0u64; shape.num_elements() + 1];
        // SAFETY: the words outlive the run: they move with the vector of outputs, but not in memory.
        let tensor = unsafe { output(dtype, shape.clone(), words.as_mut_ptr().cast()) };
        self.0.lock().unwrap().push((index, dtype, shape.clone(), words));
        tensor
    }
}

impl Memory {
    /// The last memory of an output, as floats.
    pub(crate) fn floats(&self, index: usize) -> Vec<f32> {
        let outputs = self.0.lock().unwrap();
        let (_, _, shape, words) = outputs.iter().rev().find(|(at, ..)| *at == index).unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let all = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_ne_bytes(*bytes));
        all.take(shape.num_elements()).collect()
    }
}

/// Calls an op with vectors of floats.
pub(crate) fn call(op: &str, inputs: &[&[f32]], key: CallKey, memory: &Memory) -> Result<()> {
    call_of(table(), op, inputs, key, memory)
}

/// As `call`, of an op of another table.
pub(crate) fn call_of(
    table: &'static OpTable,
    op: &str,
    inputs: &[&[f32]],
    key: CallKey,
    memory: &Memory,
) -> Result<()> {
    let op = table.op(op).unwrap();
    let what = || op.descriptor.name.to_owned();
    guarded(what, || {
        let kernel = op.prepared(&key)?;
        // SAFETY: the slices outlive the run.
        let view = |values: &&[f32]| unsafe { borrowed(DType::Float, [values.len()].into(), values.as_ptr().cast()) };
        kernel.run(inputs.iter().map(view).collect::<Result<_>>()?, memory)
    })
}

/// A call with one vector of floats.
struct Frame<'a>(&'a [f32]);

impl CallFrame for Frame<'_> {
    fn describe(&self, words: &mut impl Words) {
        words.tensor(DType::Float.number(), &[self.0.len() as i64]);
    }

    fn data(&self, _: usize) -> *const u8 {
        self.0.as_ptr().cast()
    }
}

impl Frame<'_> {
    fn view(&self) -> Result<Tensor> {
        // SAFETY: the slice outlives the run.
        unsafe { borrowed(DType::Float, [self.0.len()].into(), self.0.as_ptr().cast()) }
    }
}

/// A call that the thread keeps.
pub(crate) fn kept_call(
    op: &HostedOp,
    x: &[f32],
    memory: &Memory,
    prepare: impl FnOnce() -> Result<Arc<PreparedKernel>>,
) -> Result<()> {
    let (frame, id) = (Frame(x), std::ptr::from_ref(op).addr());
    // SAFETY: the frame tells the length of the slice, which nobody writes.
    unsafe {
        oplink_hosts_common::call((0, id), &frame, memory, || Ok((prepare()?, [frame.view()?].into_iter().collect())))
    }
}

/// A call of a node.
pub(crate) fn node_call(node: &NodeCalls, x: &[f32], memory: &Memory) -> Result<()> {
    let frame = Frame(x);
    // SAFETY: the frame tells the length of the slice, which nobody writes.
    unsafe { node.call(&frame, memory, || Ok([frame.view()?].into_iter().collect())) }
}
