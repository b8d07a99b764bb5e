//! Elements that own memory, strings above all: no compute type, no blocks, one at a time.

use oplink::prelude::*;

use super::Broadcast;

/// Sets `z` to `f` of the elements of `x` and `y`, which broadcast.
pub fn binary_cloned<T: Element, U: Element>(
    x: &Tensor,
    y: &Tensor,
    mut z: OutputSlot<'_>,
    f: impl Fn(&T, &T) -> U,
) -> Result<()> {
    let broadcast = Broadcast::new([x.shape(), y.shape()])?;
    let output = z.allocate(broadcast.shape.clone())?;
    if output.num_elements() == 0 {
        return Ok(());
    }
    let (left, right) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
    let dim = broadcast.inner();
    let mut rows = broadcast.rows(0);
    for row in output.as_mut_slice::<U>()?.chunks_mut(dim.extent) {
        for (column, value) in row.iter_mut().enumerate() {
            let [x, y] = [0, 1].map(|i| rows.offsets[i] + column * dim.strides[i]);
            *value = f(&left[x], &right[y]);
        }
        rows.advance();
    }
    Ok(())
}
