//! `MirrorPad`: a tensor with a border of its own elements, mirrored; `MirrorPadGrad`: its gradient, elements added to
//! those that they mirror.
//!
//! Row `i` of `paddings`, [rank, 2], is how many positions come before and after axis `i`. With the attr `mode`
//! `SYMMETRIC` the edge itself is mirrored too, and paddings are at most the extent; with `REFLECT` it is not, and they
//! are less than the extent. Every dtype.
//!
//! `input` of `MirrorPadGrad` has the padded shape. Along each axis in turn, the border is added to what it mirrors.
//! The 16-bit floats are summed in f32, integers wrap. It is an error when a border is larger than what can be
//! mirrored, and when nothing is left of an axis.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{MirrorMode, MirrorPad, MirrorPadGrad, copies};

/// `MirrorPad` of every dtype.
#[kernel(MirrorPad, device = CPU, T = any, Tpaddings = any, host_memory = [paddings])]
pub fn mirror_pad_cpu(
    input: &Tensor,
    paddings: &Tensor,
    mode: MirrorMode,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::mirror_pad::<Host>(input, paddings, mode, output, env)
}

/// `MirrorPadGrad` of numbers.
#[kernel(MirrorPadGrad, device = CPU, T = [numbers], Tpaddings = any, host_memory = [paddings])]
pub fn mirror_pad_grad_cpu<T: Computed<ComputeType: Arithmetic>>(
    input: &Tensor,
    paddings: &Tensor,
    mode: MirrorMode,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let edge = copies::skipped_edge(mode);
    let folds = folds(input.shape(), paddings, edge)?;
    let mut computed = try_filled(T::ComputeType::default(), input.num_elements())?;
    T::widen(input.as_slice()?, &mut computed);
    let mut shape = input.shape().clone();
    for (axis, fold) in folds.iter().enumerate() {
        if fold.before + fold.after > 0 {
            let inner = shape[axis + 1..].iter().product();
            computed = fold.run(&computed, inner, edge, env)?;
            shape.dims_mut()[axis] = fold.kept;
        }
    }
    T::narrow(&computed, output.allocate(shape)?.as_mut_slice()?);
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
    fn run<L: Arithmetic>(&self, computed: &[L], inner: usize, edge: usize, env: Env<'_>) -> Result<Vec<L>> {
        let whole = (self.before + self.kept + self.after) * inner;
        let mut out = try_vec(computed.len() / whole.max(1) * self.kept * inner)?;
        for slice in env.watch(computed.chunks_exact(whole.max(1))) {
            let start = out.len();
            out.extend_from_slice(&slice[self.before * inner..][..self.kept * inner]);
            let border = (0..self.before).chain(self.before + self.kept..self.before + self.kept + self.after);
            for at in border {
                let to = &mut out[start + copies::mirrored(at, self.before, self.kept, edge) * inner..][..inner];
                to.iter_mut().zip(&slice[at * inner..]).for_each(|(sum, &value)| *sum = sum.add(value));
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

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
