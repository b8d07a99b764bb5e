//! Tensors made of the elements of lists and arrays, and such elements made of tensors.

use oplink::memory::try_vec;
use oplink::prelude::*;

use oplink_cpu_support::movement::{Cell, CellJob, with_cells};

/// Sets an output to the elements one after the other, each with its number of values; zeros for those never set.
pub(super) fn join(
    output: &mut OutputSlot<'_>,
    shape: impl Into<Shape>,
    elements: &[(Option<&Tensor>, usize)],
) -> Result<()> {
    join_into(output.allocate(shape)?, elements)
}

/// As [`join`], into a tensor with as many values as the elements together.
pub(super) fn join_into(out: &mut Tensor, elements: &[(Option<&Tensor>, usize)]) -> Result<()> {
    with_cells(out.dtype(), Join { out, elements })
}

struct Join<'a> {
    out: &'a mut Tensor,
    elements: &'a [(Option<&'a Tensor>, usize)],
}

impl CellJob for Join<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let mut rest = C::of_mut(self.out)?;
        for &(element, length) in self.elements {
            let (row, after) = rest.split_at_mut(length);
            match element {
                Some(element) => row.clone_from_slice(C::of(element)?),
                None => row.fill(C::default()),
            }
            rest = after;
        }
        Ok(())
    }
}

/// The rows of a tensor along its first axis; they share its memory.
pub(super) fn rows<'a>(env: impl Into<Option<Env<'a>>>, tensor: &Tensor) -> Result<Vec<Option<Tensor>>> {
    let Some((&count, row)) = tensor.shape().split_first() else {
        bail!("a list is made of the rows of a tensor, a scalar has none")
    };
    let row = Shape::new(row);
    let mut rows = try_vec(count)?;
    let env = env.into();
    for at in 0..count {
        if let (0, Some(env)) = (at % 1024, &env) {
            env.poll();
        }
        rows.push(Some(tensor.slice(at, at + 1)?.with_shape(row.clone())?));
    }
    Ok(rows)
}

/// A tensor of zeros (false, empty strings).
pub(super) fn zeros(env: Env<'_>, dtype: DType, shape: Shape) -> Result<Tensor> {
    let mut out = env.allocate(dtype, shape)?;
    oplink_cpu_support::movement::fill(&env, &mut out, None)?;
    Ok(out)
}
