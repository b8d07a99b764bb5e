//! `MirrorPad`: a tensor with a border of its own elements, mirrored.
//!
//! Row `i` of `paddings`, [rank, 2], says how many positions come before and after axis `i`. The attr `mode` says whether
//! the edge itself is mirrored too (`SYMMETRIC`: paddings are at most the extent) or not (`REFLECT`: less than the
//! extent). Every dtype.

use oplink::prelude::*;

use super::pad::padded_shape;
use crate::support::movement::{Axis, AxisList, Host, Mover, row_major_strides};

/// Pads `input` with mirrored values.
#[op("MirrorPad",
     input = "input: T",
     input = "paddings: Tpaddings",
     output = "output: T",
     attr = "T: type",
     attr = "Tpaddings: {int32, int64} = DT_INT32",
     attr = "mode: {'REFLECT', 'SYMMETRIC'}",
     shape = shape_fns::mirror_pad)]
pub struct MirrorPad;

/// `MirrorPad` of every dtype.
#[kernel(MirrorPad, device = CPU, T = any, Tpaddings = any, host_memory = [paddings])]
pub fn mirror_pad_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    mirror_pad_by::<Host>(context)
}

/// `MirrorPad` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn mirror_pad_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let (before, shape) = padded_shape(input.shape(), context.input(1))?;
    let edge = usize::from(context.attr::<&str>("mode")? == "REFLECT");
    let strides = row_major_strides(input.shape());
    let table = |axis: usize| {
        let (dim, after) = (input.shape()[axis], shape[axis] - input.shape()[axis] - before[axis]);
        ensure!(
            before[axis].max(after) + edge <= dim,
            "paddings [{}, {after}] of axis {axis} are larger than what can be mirrored of extent {dim}",
            before[axis]
        );
        Ok((0..shape[axis]).map(|at| mirrored(at, before[axis], dim, edge) as isize * strides[axis]).collect())
    };
    let tables = (0..shape.rank()).map(table).collect::<Result<Vec<Vec<isize>>>>()?;
    let axes: AxisList<'_> = tables.iter().map(|table| Axis::Table(table)).collect();
    let out = M::copy_axes(context, 0, shape.clone(), input, 0, &axes)?;
    context.set_output(0, out);
    Ok(())
}

/// The input's position of position `at` of a padded axis.
pub(super) fn mirrored(at: usize, before: usize, dim: usize, edge: usize) -> usize {
    if at < before {
        before - at - 1 + edge
    } else if at < before + dim {
        at - before
    } else {
        dim - 1 - edge - (at - before - dim)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;
    use oplink::{Result, Tensor};

    fn mirror(mode: &str, before: i32, after: i32) -> Result<Vec<i32>> {
        let inputs = vec![Tensor::from([1, 2, 3]), Tensor::from_vec([1, 2], vec![before, after])?];
        Ok(run("MirrorPad", &[("mode", mode.into())], inputs)?[0].as_slice::<i32>()?.to_vec())
    }

    #[test]
    fn mirrors_with_and_without_the_edge() {
        assert_eq!(mirror("REFLECT", 2, 1).unwrap(), [3, 2, 1, 2, 3, 2]);
        assert_eq!(mirror("SYMMETRIC", 3, 1).unwrap(), [3, 2, 1, 1, 2, 3, 3]);
    }

    #[test]
    fn more_than_there_is_to_mirror_is_an_error() {
        assert!(mirror("REFLECT", 3, 0).is_err());
        let nothing = vec![Tensor::from([0f32; 0]), Tensor::from_vec([1, 2], vec![0, 0]).unwrap()];
        assert!(run("MirrorPad", &[("mode", "REFLECT".into())], nothing.clone()).is_err());
        assert!(run("MirrorPad", &[("mode", "SYMMETRIC".into())], nothing).is_ok());
        assert!(mirror("SYMMETRIC", 0, 4).is_err());
    }
}
