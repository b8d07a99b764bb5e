//! Tensors with one value everywhere.

use oplink::prelude::*;

use super::cell::{Cell, CellJob, with_cells};

/// Writes `value`, a tensor of one element of the dtype of `out`, everywhere; the dtype's default where `None`.
pub fn fill(out: &mut Tensor, value: Option<&Tensor>) -> Result<()> {
    with_cells(out.dtype(), Fill { out, value })
}

struct Fill<'a> {
    out: &'a mut Tensor,
    value: Option<&'a Tensor>,
}

impl CellJob for Fill<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let value = self.value.map_or(Ok(C::default()), |value| C::of(value).map(|cells| cells[0].clone()))?;
        C::of_mut(self.out)?.fill(value);
        Ok(())
    }
}
