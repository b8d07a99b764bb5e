//! `Const`: a tensor of the graph, copied to the device when it is first asked for.
//!
//! Every run gives the same memory. Values of int32 stay in host memory.

use std::sync::{Mutex, PoisonError};

use oplink::prelude::*;
use oplink_cpu_array::*;
use oplink_ops::array::*;

use crate::host_fallback::{host, kernels};

/// The value of one node.
#[derive(Debug)]
pub struct DeviceConst(Mutex<Option<Tensor>>);

#[kernel(Const, device = GPU, dtype = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
impl RawKernel for DeviceConst {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(Mutex::new(None)))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let mut copied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let output = match &*copied {
            Some(copied) => copied.clone(),
            None => copied.insert(copy(context)?).clone(),
        };
        context.set_output(0, output);
        Ok(())
    }
}

/// The attr `value` in the device's memory.
fn copy(context: &KernelContext<'_>) -> Result<Tensor> {
    let value = context.attr::<&Tensor>("value")?;
    let dtype = context.node().output_dtypes[0];
    ensure!(value.dtype() == dtype, "the attr value holds {}, the attr dtype says {dtype}", value.dtype());
    if value.is_on_device() { Ok(value.clone()) } else { context.device()?.copy_to_device(value) }
}

kernels! {
    #[kernel(Const, device = GPU, dtype = [i32], host_memory = [output])]
    const_int32 = host::<const_cpu>;
}
