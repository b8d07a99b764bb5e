//! Tensors with one value everywhere.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::cell::{Cell, CellJob, with_cells};
use crate::parallel::for_each_chunk;

/// Writes `value`, a tensor of one element of the dtype of `out`, everywhere; the dtype's default where `None`.
pub fn fill(env: &dyn KernelEnv, out: &mut Tensor, value: Option<&Tensor>) -> Result<()> {
    with_cells(out.dtype(), Fill { env, out, value })
}

/// Fewest elements that are worth a thread.
const GRAIN: usize = 1 << 15;

struct Fill<'a> {
    env: &'a dyn KernelEnv,
    out: &'a mut Tensor,
    value: Option<&'a Tensor>,
}

impl CellJob for Fill<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let value = self.value.map_or(Ok(C::default()), |value| C::of(value).map(|cells| cells[0].clone()))?;
        for_each_chunk(self.env, C::of_mut(self.out)?, GRAIN, 1, &|_, part: &mut [C]| part.fill(value.clone()));
        Ok(())
    }
}
