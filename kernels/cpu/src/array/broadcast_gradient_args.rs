//! `BroadcastGradientArgs`: the axes over which the gradients of two operands that broadcast are summed.
//!
//! `s0` and `s1` are the operands' shapes as vectors. `r0` lists the axes of the broadcast along which the first operand
//! has extent 1 or no axis, `r1` those of the second; both are empty where the shapes are equal. It is an error when the
//! shapes do not broadcast.

use oplink::prelude::*;

use super::arguments;

/// The axes over which gradients of operands of shapes `s0` and `s1` are summed.
#[op(
    "BroadcastGradientArgs",
    no_gradient,
    input = "s0: T",
    input = "s1: T",
    output = "r0: T",
    output = "r1: T",
    attr = "T: {int32, int64} = DT_INT32"
)]
pub fn broadcast_gradient_args(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// `BroadcastGradientArgs` of either integer type.
#[kernel(BroadcastGradientArgs, device = CPU, T = [i32, i64], host_memory = [s0, s1, r0, r1])]
pub fn broadcast_gradient_args_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shapes = [arguments::vector(context, 0, "s0")?, arguments::vector(context, 1, "s1")?];
    let axes = summed_axes(&shapes)?;
    for (index, axes) in axes.iter().enumerate() {
        let out = arguments::indices(context, index, [axes.len()], axes)?;
        context.set_output(index, out);
    }
    Ok(())
}

/// The axes along which each shape is stretched.
fn summed_axes([a, b]: &[Vec<i64>; 2]) -> Result<[Vec<usize>; 2]> {
    let mut axes = [Vec::new(), Vec::new()];
    if a == b {
        return Ok(axes);
    }
    let rank = a.len().max(b.len());
    let extent = |shape: &[i64], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    for axis in 0..rank {
        let pair = [extent(a, axis), extent(b, axis)];
        ensure!(pair[0] == pair[1] || pair.contains(&1), "incompatible shapes: {a:?} and {b:?}");
        for (axes, extent) in axes.iter_mut().zip(pair) {
            if extent == 1 {
                axes.push(axis);
            }
        }
    }
    Ok(axes)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::{check_error, run};

    #[test]
    fn lists_stretched_axes() {
        type Case = (&'static [i32], &'static [i32], &'static [i32], &'static [i32]);
        let cases: [Case; 5] = [
            (&[2, 3], &[2, 3], &[], &[]),
            (&[2, 1, 3], &[3], &[1], &[0, 1]),
            (&[1], &[1, 1], &[0, 1], &[0, 1]),
            (&[], &[2], &[0], &[]),
            (&[0], &[1], &[], &[0]),
        ];
        for (a, b, first, second) in cases {
            let out = run("BroadcastGradientArgs", &[], vec![a.into(), b.into()]).unwrap();
            assert_eq!((out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap()), (first, second));
        }
        check_error("BroadcastGradientArgs", [[2].into(), [3].into()], "incompatible shapes");
    }
}
