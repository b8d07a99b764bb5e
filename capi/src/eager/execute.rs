//! `TFE_Execute`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;

use oplink_abi::{TFE_Op, TFE_TensorHandle};
use oplink_api::{Error, Result, Tensor, bail, ensure};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice_mut};
use smallvec::SmallVec;

use super::place::check_policy;
use super::{EagerOp, Handle};
use crate::support::c_count;

impl EagerOp {
    /// Runs the call and takes its inputs.
    fn execute(&mut self, room: usize) -> Result<SmallVec<[Tensor; 4]>> {
        let placed = self.prepare();
        self.lengths.clear();
        let mut inputs = std::mem::take(&mut self.inputs);
        let placed = placed?;
        let kernel = placed.kernel.clone();
        self.last = Some(kernel.clone());
        let count = kernel.node().output_dtypes.len();
        ensure!(count <= room, "op {} has {count} outputs, there is room for {room}", self.spec.name);
        let mut outputs: SmallVec<[Option<Tensor>; 4]> = SmallVec::from_elem(None, count);
        let context = self.context()?;
        let eager = context.eager();
        check_policy(&placed, context, &self.spec.name, &inputs)?;
        let began = context.recorder().begin();
        eager.run_placed(&placed, &mut inputs, &mut outputs)?;
        if let Some(began) = began {
            context.recorder().end(placed.device.as_ref().unwrap_or(eager.device()).name(), &self.spec.name, began);
        }
        let missing = || Error::internal("the kernel set no output");
        outputs.into_iter().map(|output| output.ok_or_else(missing)).collect()
    }
}

c_api! {
    /// Runs a call. `num_retvals` comes with the number of slots and goes with the number of outputs, whose handles the
    /// client deletes. The call keeps its attrs, and may be given inputs and run again.
    ///
    /// # Safety
    /// The handles are null or alive; `retvals` has as many slots as `num_retvals` says.
    fn TFE_Execute(
        op: *mut TFE_Op => { EagerOp::borrow_mut(op, NAME) },
        retvals: *mut *mut TFE_TensorHandle,
        num_retvals as count: *mut c_int => borrow_mut;
        status
    ) {
        let Ok(room) = usize::try_from(*count) else { bail!("{NAME}: `num_retvals` is {count}") };
        let outputs = op.execute(room)?;
        // SAFETY: `retvals` is null or a slot (Safety section).
        let slots = unsafe { slice_mut(retvals, outputs.len(), NAME, "retvals") }?;
        *count = c_count(outputs.len());
        let context = op.context()?;
        slots.iter_mut().zip(outputs).for_each(|(slot, output)| *slot = Handle::of(output, context.devices()));
        Ok(())
    }
}
