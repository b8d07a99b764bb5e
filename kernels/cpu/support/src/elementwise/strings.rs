//! Elements that own memory, strings above all: no lanes, no blocks, one at a time.

use oplink::prelude::*;

use super::Broadcast;

/// Sets output 0 to `f` of the elements of inputs 0 and 1, which broadcast.
pub fn binary_cloned<T: Element, U: Element>(context: &mut KernelContext<'_>, f: impl Fn(&T, &T) -> U) -> Result<()> {
    let broadcast = Broadcast::new([context.input(0).shape(), context.input(1).shape()])?;
    let mut output = context.allocate_output(0, broadcast.shape.clone())?;
    let (left, right) = (context.input(0).as_slice::<T>()?, context.input(1).as_slice::<T>()?);
    if output.num_elements() == 0 {
        context.set_output(0, output);
        return Ok(());
    }
    let dim = broadcast.inner();
    let mut rows = broadcast.rows(0);
    for row in output.as_mut_slice::<U>()?.chunks_mut(dim.extent) {
        for (column, value) in row.iter_mut().enumerate() {
            let [x, y] = [0, 1].map(|i| rows.offsets[i] + column * dim.strides[i]);
            *value = f(&left[x], &right[y]);
        }
        rows.advance();
    }
    context.set_output(0, output);
    Ok(())
}
