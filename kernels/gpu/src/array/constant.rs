//! `Const`: a tensor of the graph, copied to the device when it is first asked for.
//!
//! Every run gives the same memory. Values of int32 stay in host memory.

use std::sync::{Mutex, PoisonError};

use oplink::prelude::*;
use oplink_ops::array::{Const, ConstInputs, ConstOutputs};

/// The value of one node.
#[derive(Debug)]
pub struct DeviceConst {
    value: Tensor,
    on_device: Mutex<Option<Tensor>>,
}

#[kernel(Const, device = GPU, dtype = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
impl Kernel for DeviceConst {
    type Op = Const;

    fn new(construction: Construction<'_, Const>) -> Result<Self> {
        let (value, dtype) = (construction.attrs.value, construction.attrs.dtype);
        ensure!(value.dtype() == dtype, "the attr value holds {}, the attr dtype says {dtype}", value.dtype());
        Ok(Self { value: value.clone(), on_device: Mutex::new(None) })
    }

    fn compute(&self, _: ConstInputs<'_>, outputs: &mut ConstOutputs<'_>, env: Env<'_>) -> Result<()> {
        let mut on_device = self.on_device.lock().unwrap_or_else(PoisonError::into_inner);
        let value = match &*on_device {
            Some(copied) => copied.clone(),
            None if self.value.is_on_device() => self.value.clone(),
            None => on_device.insert(env.device()?.copy_to_device(&self.value)?).clone(),
        };
        outputs.output.set(value);
        Ok(())
    }
}
