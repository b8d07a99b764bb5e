//! `OneHot`: for each index a vector of `depth` elements, `on_value` at the index and `off_value` elsewhere.
//!
//! The vectors lie along the attr `axis` of the output, -1 being the last. Every dtype of values. An index outside
//! `[0, depth)` gives `off_value` everywhere.

use super::arguments;
use oplink::parallel::for_each_chunk;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::array::OneHot;

/// `OneHot` of every dtype.
#[kernel(OneHot, device = CPU, T = any, TI = any, host_memory = [depth])]
pub fn one_hot_cpu(
    indices: &Tensor,
    depth: &Tensor,
    on_value: &Tensor,
    off_value: &Tensor,
    axis: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(
        (-1..=indices.rank() as i64).contains(&axis),
        "axis must be -1 or in [0, {}], it is {axis}",
        indices.rank()
    );
    let depth = arguments::scalar(depth, "depth")?;
    ensure!(depth >= 0, "depth must be >= 0, it is {depth}");
    let values = [on_value, off_value];
    for (value, name) in values.iter().zip(["on_value", "off_value"]) {
        ensure!(value.rank() == 0, "{name} must be a scalar, it has shape {}", value.shape());
    }
    let axis = arguments::axis(axis, indices.rank() + 1, "axis")?;
    let mut shape = indices.shape().to_vec();
    let suffix = shape[axis..].iter().product();
    shape.insert(axis, depth as usize);
    let indices = int_values(indices)?;
    let out = output.allocate(shape)?;
    with_cells(out.dtype(), Scatter { env, out, values, indices: &indices, depth: depth as usize, suffix })
}

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 15;

struct Scatter<'a> {
    env: Env<'a>,
    out: &'a mut Tensor,
    values: [&'a Tensor; 2],
    indices: &'a [i64],
    depth: usize,
    suffix: usize,
}

impl CellJob for Scatter<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let [on, off] = [&C::of(self.values[0])?[0], &C::of(self.values[1])?[0]];
        let out = C::of_mut(self.out)?;
        for_each_chunk(&self.env, out, GRAIN, 1, &|_, part: &mut [C]| part.fill(off.clone()));
        for (number, &index) in self.env.watch(self.indices).enumerate() {
            if (0..self.depth as i64).contains(&index) {
                let (prefix, rest) = (number / self.suffix, number % self.suffix);
                out[(prefix * self.depth + index as usize) * self.suffix + rest] = on.clone();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn one_hot(axis: i64, depth: i32) -> Result<Tensor> {
        let inputs = vec![Tensor::from([0i64, 2, -1]), Tensor::scalar(depth), Tensor::scalar(5), Tensor::scalar(1)];
        Ok(run("OneHot", &[("axis", axis.into())], inputs)?.remove(0))
    }

    #[test]
    fn turns_one_element_on() {
        let out = one_hot(-1, 3).unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[3, 3][..], &[5, 1, 1, 1, 1, 5, 1, 1, 1][..])
        );
        let out = one_hot(0, 2).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 3][..], &[5, 1, 1, 1, 1, 1][..]));
        assert_eq!(one_hot(0, 0).unwrap().shape().dims(), [0, 3]);
    }

    #[test]
    fn bad_axes_and_depths_are_errors() {
        assert!(one_hot(2, 3).is_err());
        assert!(one_hot(-2, 3).is_err());
        assert!(one_hot(0, -1).is_err());
    }
}
