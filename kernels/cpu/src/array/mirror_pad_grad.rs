//! `MirrorPadGrad`: the gradient of `MirrorPad`, elements added to those that they mirror.
//!
//! `input` has the padded shape; `paddings` and `mode` are those of the pad. Along each axis in turn, what stands in the
//! border is added to what it mirrors. The 16-bit floats are summed in f32, integers wrap. It is an error when a border is
//! larger than what can be mirrored, and when nothing is left of an axis.

use oplink::int_values;
use oplink::prelude::*;

use super::mirror_pad::mirrored;
use crate::support::elementwise::{Arithmetic, Lanes};

/// Adds the elements in mirrored borders to those that they mirror.
#[op(
    "MirrorPadGrad",
    input = "input: T",
    input = "paddings: Tpaddings",
    output = "output: T",
    attr = "T: type",
    attr = "Tpaddings: {int32, int64} = DT_INT32",
    attr = "mode: {'REFLECT', 'SYMMETRIC'}"
)]
pub fn mirror_pad_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let paddings = c.with_rank(1, 2)?;
    c.merge_dim(paddings.dim(1), Some(2))?;
    let rank = paddings.dim(0);
    let Some(rank) = rank else { return Ok(()) };
    let input = c.with_rank(0, rank)?;
    let shape = match (c.constant_ints(1)?, input.dims()) {
        (None, _) | (_, None) => PartialShape::unknown_of_rank(rank),
        (Some(values), Some(dims)) => {
            let inner =
                |(&dim, row): (&Option<usize>, &[i64])| match (dim, usize::try_from(row[0]), usize::try_from(row[1])) {
                    (None, Ok(_), Ok(_)) => Ok(None),
                    (Some(dim), Ok(before), Ok(after)) if before + after <= dim => Ok(Some(dim - before - after)),
                    _ => bail!("paddings {row:?} do not fit an extent of {dim:?}"),
                };
            dims.iter().zip(values.chunks_exact(2)).map(inner).collect::<Result<_>>()?
        }
    };
    c.set_output(0, shape);
    Ok(())
}

/// `MirrorPadGrad` of numbers.
#[kernel(MirrorPadGrad, device = CPU, T = [numbers], Tpaddings = any, host_memory = [paddings])]
pub fn mirror_pad_grad_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let edge = usize::from(context.attr::<&str>("mode")? == "REFLECT");
    let folds = folds(input.shape(), context.input(1), edge)?;
    let mut lanes = vec![T::Lane::default(); input.num_elements()];
    T::widen(input.as_slice()?, &mut lanes);
    let mut shape = input.shape().clone();
    for (axis, fold) in folds.iter().enumerate() {
        if fold.before + fold.after > 0 {
            let inner = shape[axis + 1..].iter().product();
            lanes = fold.run(&lanes, inner, edge);
            shape.dims_mut()[axis] = fold.kept;
        }
    }
    let mut out = context.allocate_output(0, shape)?;
    T::narrow(&lanes, out.as_mut_slice()?);
    context.set_output(0, out);
    Ok(())
}

/// One axis: the positions that are kept, and those in the border before and after them.
struct Fold {
    before: usize,
    kept: usize,
    after: usize,
}

fn folds(shape: &Shape, paddings: &Tensor, edge: usize) -> Result<Vec<Fold>> {
    ensure!(
        paddings.shape().dims() == [shape.rank(), 2],
        "paddings must have shape [{},2] for an input of shape {shape}, it has {}",
        shape.rank(),
        paddings.shape()
    );
    let values = int_values(paddings)?;
    let fold = |(axis, row): (usize, &[i64])| {
        let border = usize::try_from(row[0]).ok().zip(usize::try_from(row[1]).ok());
        let kept = border.and_then(|(before, after)| shape[axis].checked_sub(before.checked_add(after)?));
        match border.zip(kept) {
            Some(((before, after), kept @ 1..)) if before.max(after) == 0 || before.max(after) + edge <= kept => {
                Ok(Fold { before, kept, after })
            }
            _ => bail!("paddings {row:?} of axis {axis} do not leave what they mirror of the extent {}", shape[axis]),
        }
    };
    values.chunks_exact(2).enumerate().map(fold).collect()
}

impl Fold {
    /// The kept positions, each with the sum of what mirrors it.
    fn run<L: Arithmetic>(&self, lanes: &[L], inner: usize, edge: usize) -> Vec<L> {
        let whole = (self.before + self.kept + self.after) * inner;
        let mut out = Vec::with_capacity(lanes.len() / whole.max(1) * self.kept * inner);
        for slice in lanes.chunks_exact(whole.max(1)) {
            let start = out.len();
            out.extend_from_slice(&slice[self.before * inner..][..self.kept * inner]);
            let border = (0..self.before).chain(self.before + self.kept..self.before + self.kept + self.after);
            for at in border {
                let to = &mut out[start + mirrored(at, self.before, self.kept, edge) * inner..][..inner];
                to.iter_mut().zip(&slice[at * inner..]).for_each(|(sum, &value)| *sum = sum.add(value));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn fold(mode: &str, input: Tensor, paddings: Vec<i32>) -> Result<Tensor> {
        let paddings = Tensor::from_vec([paddings.len() / 2, 2], paddings)?;
        Ok(run("MirrorPadGrad", &[("mode", mode.into())], vec![input, paddings])?.remove(0))
    }

    #[test]
    fn adds_borders() {
        let row = Tensor::from([1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(fold("REFLECT", row.clone(), vec![2, 2]).unwrap().as_slice::<i32>().unwrap(), [10, 12, 6]);
        assert_eq!(fold("SYMMETRIC", row.clone(), vec![3, 0]).unwrap().as_slice::<i32>().unwrap(), [7, 7, 7, 7]);
        assert!(fold("REFLECT", row.clone(), vec![3, 1]).is_err());
        assert!(fold("SYMMETRIC", row, vec![2, 3]).is_err());
        let square = Tensor::from_vec([3, 3], (1..=9).collect::<Vec<i32>>()).unwrap();
        let out = fold("SYMMETRIC", square, vec![1, 0, 0, 1]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 2][..], &[5, 7 + 9, 7, 8 + 9][..]));
    }
}
