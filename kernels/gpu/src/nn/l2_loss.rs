//! `L2Loss`: half the sum of squares; the 16-bit floats are summed in f32.

use oplink::prelude::*;
use oplink_ops::nn::L2Loss;

use crate::reduce::{Layout, fold, sums};

/// `L2Loss` for the floats.
#[kernel(L2Loss, device = GPU, T = [floats])]
pub fn l2_loss_gpu(t: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let layout = Layout::whole(t.shape())?;
    let output = output.allocate(layout.output.clone())?;
    fold(env.device()?, t, output, &layout, sums::of_floats(t.dtype()), sums::squared(2))
}
