//! `TensorScatterUpdate`: a tensor with slices at coordinates replaced.
//!
//! The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
//! `indices[:-1] + tensor[indices.shape[-1]:]`. Of slices of equal coordinates the last one stays. Coordinates outside are
//! an error; with the attr `bad_indices_policy` `IGNORE` their slices are left out. Numbers, bools and strings. The output
//! takes the input's memory where nobody else needs it.

use oplink::prelude::*;

use super::engine::Scatter;
use crate::support::movement::{Cell, CellJob, with_cells};

/// `tensor` with the slices of `updates` at coordinates.
#[op("TensorScatterUpdate",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int16, int32, int64, uint16}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterUpdate;

/// `TensorScatterUpdate` of numbers, bools and strings.
#[kernel(TensorScatterUpdate, device = CPU, T = [numbers, bool, TString], Tindices = [i32, i64])]
pub fn tensor_scatter_update_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let scatter = Scatter::new(context, context.input(0).shape(), context.input(1), context.input(2))?;
    let mut out = context.take_input(0).make_unique()?;
    with_cells(out.dtype(), Replace { scatter, out: &mut out, updates: context.input(2) })?;
    context.set_output(0, out);
    Ok(())
}

struct Replace<'a> {
    scatter: Scatter,
    out: &'a mut Tensor,
    updates: &'a Tensor,
}

impl CellJob for Replace<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        self.scatter.run(C::of_mut(self.out)?, C::of(self.updates)?, C::clone_from);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn the_last_slice_stays() {
        let at = Tensor::from_vec([3, 1], vec![2, 0, 2]).unwrap();
        check("TensorScatterUpdate", [[1, 2, 3].into(), at.clone(), [4, 5, 6].into()], [5, 2, 6]);
        let texts = |texts: [&str; 3]| Tensor::from(texts.map(TString::from));
        let inputs = [texts(["a", "b", "c"]), at.clone(), texts(["x", "y", "z"])];
        check("TensorScatterUpdate", inputs, texts(["y", "b", "z"]));
        check_error("TensorScatterUpdate", [[1, 2].into(), at, [4, 5, 6].into()], "does not index into shape [2]");
    }
}
