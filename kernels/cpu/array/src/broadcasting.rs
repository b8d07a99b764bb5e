//! Broadcasting: of shapes (`BroadcastArgs`), the axes that gradients are summed over (`BroadcastGradientArgs`), and of
//! tensors (`BroadcastTo`).
//!
//! Shapes are vectors of extents, aligned at the last one; an extent of 1 gives way. It is an error when others differ.
//! `r0` of `BroadcastGradientArgs` lists the axes of the broadcast along which the first operand has extent 1 or no
//! axis, `r1` those of the second; both are empty where the shapes are equal. `BroadcastTo` repeats extents of 1 and
//! adds axes in front, in every dtype; an input of that shape already is passed through.

use super::arguments;
use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{BroadcastArgs, BroadcastGradientArgs, BroadcastTo, copies};

/// `BroadcastArgs` of int32 and int64. Extents are numbers as others are, also negative ones that stand for unknown
/// extents.
#[kernel(BroadcastArgs, device = CPU, T = [i32, i64], host_memory = [s0, s1, r0])]
pub fn broadcast_args_cpu(s0: &Tensor, s1: &Tensor, mut r0: OutputSlot<'_>) -> Result<()> {
    let shapes = [arguments::vector(s0, "s0")?, arguments::vector(s1, "s1")?];
    let extent = |axis| pair_at(&shapes, axis).map(|[a, b]| if a == 1 { b } else { a });
    let extents: Vec<i64> = (0..rank_of(&shapes)).map(extent).collect::<Result<_>>()?;
    arguments::set_integers(&mut r0, &extents)
}

/// `BroadcastGradientArgs` of either integer type.
#[kernel(BroadcastGradientArgs, device = CPU, T = [i32, i64], host_memory = [s0, s1, r0, r1])]
pub fn broadcast_gradient_args_cpu(
    s0: &Tensor,
    s1: &Tensor,
    mut r0: OutputSlot<'_>,
    mut r1: OutputSlot<'_>,
) -> Result<()> {
    let [first, second] = summed_axes(&[arguments::vector(s0, "s0")?, arguments::vector(s1, "s1")?])?;
    arguments::set_indices(&mut r0, [first.len()], &first)?;
    arguments::set_indices(&mut r1, [second.len()], &second)
}

/// The rank of what two shapes are broadcast to.
fn rank_of([a, b]: &[Vec<i64>; 2]) -> usize {
    a.len().max(b.len())
}

/// The extents of both shapes along an axis of what they are broadcast to.
fn pair_at(shapes: &[Vec<i64>; 2], axis: usize) -> Result<[i64; 2]> {
    let rank = rank_of(shapes);
    let extent = |shape: &Vec<i64>| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    let pair = shapes.each_ref().map(extent);
    ensure!(pair[0] == pair[1] || pair.contains(&1), "incompatible shapes: {:?} and {:?}", shapes[0], shapes[1]);
    Ok(pair)
}

/// The axes along which each shape is broadcast.
fn summed_axes(shapes: &[Vec<i64>; 2]) -> Result<[Vec<usize>; 2]> {
    let mut axes = [Vec::new(), Vec::new()];
    if shapes[0] == shapes[1] {
        return Ok(axes);
    }
    for axis in 0..rank_of(shapes) {
        for (axes, extent) in axes.iter_mut().zip(pair_at(shapes, axis)?) {
            if extent == 1 {
                axes.push(axis);
            }
        }
    }
    Ok(axes)
}

/// `BroadcastTo` of every dtype.
#[kernel(BroadcastTo, device = CPU, T = any, Tidx = any, host_memory = [shape])]
pub fn broadcast_to_cpu(input: Input<'_>, shape: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::broadcast_to::<Host>(input, shape, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, run, run_one};

    #[test]
    fn broadcasts_shapes() {
        let out = run_one("BroadcastArgs", vec![Tensor::from([3, 1]), Tensor::from([2, 1, 4])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [2, 3, 4]);
        let out = run_one("BroadcastArgs", vec![Tensor::from([0i64]), Tensor::from([1i64])]).unwrap();
        assert_eq!(out.as_slice::<i64>().unwrap(), [0]);
        let out = run_one("BroadcastArgs", vec![Tensor::from([-1, 1]), Tensor::from([4, 1, 3])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [4, -1, 3]);
        assert!(run_one("BroadcastArgs", vec![Tensor::from([-1]), Tensor::from([2])]).is_err());
        assert!(run_one("BroadcastArgs", vec![Tensor::from([3]), Tensor::from([2])]).is_err());
    }

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

    #[test]
    fn stretches() {
        let x = Tensor::from_vec([2, 1], vec![1, 2]).unwrap();
        let out = run_one("BroadcastTo", vec![x.clone(), Tensor::from([2, 2, 3])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2]);
        let out = run_one("BroadcastTo", vec![Tensor::scalar(true), Tensor::from([2i64])]).unwrap();
        assert_eq!(out.as_slice::<bool>().unwrap(), [true, true]);
        assert_eq!(run_one("BroadcastTo", vec![x.clone(), Tensor::from([2, 0])]).unwrap().shape().dims(), [2, 0]);
        for shape in [vec![3, 1], vec![2], vec![2, -1]] {
            assert!(run_one("BroadcastTo", vec![x.clone(), shape.clone().into()]).is_err(), "{shape:?}");
        }
    }
}
