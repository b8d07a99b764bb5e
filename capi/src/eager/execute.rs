//! `TFE_Execute`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::sync::Arc;

use oplink_abi::{TFE_Op, TFE_TensorHandle};
use oplink_api::{Cancellation, Error, Result, Tensor, bail, ensure};
use oplink_graph::eager::{PendingTensor, Placed, QueuedCall};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice_mut};
use smallvec::SmallVec;

use super::place::check_policy;
use super::value::Value;
use super::{Context, EagerOp, Handle, custom};
use crate::support::{c_count, c_string};

type Inputs = Vec<Arc<Handle>>;
type Made = SmallVec<[Handle; 4]>;

impl EagerOp {
    /// Runs or queues the call, and takes its inputs.
    fn execute(&mut self, room: usize) -> Result<Made> {
        let placed = self.prepare();
        self.lengths.clear();
        let mut inputs = std::mem::take(&mut self.inputs);
        let placed = placed?;
        self.last = Some(placed.kernel.clone());
        let count = placed.kernel.node().output_dtypes.len();
        ensure!(count <= room, "op {} has {count} outputs, there is room for {room}", self.spec.name);
        let context = self.context()?;
        unpack(&mut inputs, &placed, context);
        check_policy(&placed, context, &self.spec.name, &inputs)?;
        context.log_placement(&placed, &self.spec.name);
        if context.recorder().collects_graphs() {
            self.collect_graph(context)?;
        }
        if self.executor.is_async() {
            return self.queue(placed, inputs);
        }
        let outputs = context.run(&placed, inputs, &self.spec.name, self.cancellation.as_ref())?;
        let made = |output| Handle::made(output, placed.device.clone(), context.devices());
        Ok(outputs.into_iter().map(made).collect())
    }

    /// Keeps the graph of the function that is called, if it is one.
    fn collect_graph(&self, context: &Context) -> Result<()> {
        let name = &self.spec.name;
        if !context.functions().has(name) {
            return Ok(());
        }
        let graph = || context.functions().graph(&self.as_function())?.to_def();
        context.recorder().collect(name, graph)
    }

    /// Queues the call: its outputs are handles that wait for it.
    fn queue(&self, placed: Placed, inputs: Inputs) -> Result<Made> {
        let context = self.context()?.clone();
        let devices = context.devices();
        let dtypes = placed.kernel.node().output_dtypes.iter();
        let outputs: Vec<_> = dtypes.map(|&dtype| PendingTensor::new(dtype, placed.device.clone())).collect();
        let (spec, cancellation) = (self.spec.clone(), self.cancellation.clone());
        self.executor.add(QueuedCall::new(outputs.clone(), move || {
            Ok(context.run(&placed, inputs, &spec.name, cancellation.as_ref())?.into_vec())
        }))?;
        Ok(outputs.into_iter().map(|output| Handle::pending(output, devices.clone())).collect())
    }

    /// Copies inputs off clients' devices, to where the call asks to run.
    fn copy_custom_inputs(&mut self) -> Result<()> {
        let host = c_string(&self.context()?.host_name());
        let target = if self.device.is_empty() { host } else { self.device.clone() };
        for input in &mut self.inputs {
            let copied = custom::device_of(input).map(|device| custom::copied_from(device, input, &target));
            if let Some(copied) = copied {
                *input = copied?;
            }
        }
        Ok(())
    }
}

impl Context {
    /// Runs a call on its inputs, which are waited for.
    fn run(
        &self,
        placed: &Placed,
        inputs: Inputs,
        op: &str,
        cancellation: Option<&Cancellation>,
    ) -> Result<SmallVec<[Tensor; 4]>> {
        let mut inputs: SmallVec<[Tensor; 8]> = inputs.into_iter().map(Handle::into_tensor).collect::<Result<_>>()?;
        let count = placed.kernel.node().output_dtypes.len();
        let mut outputs: SmallVec<[Option<Tensor>; 4]> = SmallVec::from_elem(None, count);
        let (eager, began) = (self.eager(), self.recorder().begin());
        match cancellation {
            None => eager.run_placed(placed, &mut inputs, &mut outputs)?,
            Some(until) => eager.run_placed_until(placed, &mut inputs, &mut outputs, until)?,
        }
        if let Some(began) = began {
            let device = placed.device.as_ref().unwrap_or(eager.device());
            self.recorder().end(&self.devices().public_name(device.name()), op, began);
        }
        let missing = || Error::internal("the kernel set no output");
        outputs.into_iter().map(|output| output.ok_or_else(missing)).collect()
    }
}

/// Takes of packed handles the ones on the call's device.
fn unpack(inputs: &mut [Arc<Handle>], placed: &Placed, context: &Context) {
    let device = placed.device.as_ref().unwrap_or(context.eager().device());
    for input in inputs {
        if let Value::Packed(packed) = &input.value {
            *input = packed.on(device);
        }
    }
}

c_api! {
    /// Runs a call, or queues it where its executor is asynchronous. `num_retvals` comes with the number of slots and
    /// goes with the number of outputs, whose handles the client deletes. The call keeps its attrs, and may be given
    /// inputs and run again.
    ///
    /// # Safety
    /// The handles are null or alive; `retvals` has as many slots as `num_retvals` says.
    fn TFE_Execute(
        op: *mut TFE_Op,
        retvals: *mut *mut TFE_TensorHandle,
        num_retvals as count: *mut c_int => borrow_mut;
        status
    ) {
        let Ok(room) = usize::try_from(*count) else { bail!("{NAME}: `num_retvals` is {count}") };
        // SAFETY: `op` is null or alive; it stays as it is while a client's device has it (Safety section).
        let custom = unsafe {
            let call = EagerOp::borrow(op, NAME)?;
            custom::device_for(call, op)?
        };
        if let Some(device) = custom {
            // SAFETY: `retvals` is null or has `room` slots; `op` is alive (Safety section).
            let made = unsafe { device.execute(op, slice_mut(retvals, room, NAME, "retvals")?) }?;
            *count = c_count(made);
            // SAFETY: `op` is alive and nobody else's (Safety section).
            let call = unsafe { EagerOp::borrow_mut(op, NAME) }?;
            (call.inputs, call.lengths) = (Vec::new(), Vec::new());
            return Ok(());
        }
        // SAFETY: `op` is alive and nobody else's (Safety section).
        let call = unsafe { EagerOp::borrow_mut(op, NAME) }?;
        call.copy_custom_inputs()?;
        let outputs = call.execute(room)?;
        // SAFETY: `retvals` is null or a slot (Safety section).
        let slots = unsafe { slice_mut(retvals, outputs.len(), NAME, "retvals") }?;
        *count = c_count(outputs.len());
        slots.iter_mut().zip(outputs).for_each(|(slot, output)| *slot = output.into_raw());
        Ok(())
    }
}
