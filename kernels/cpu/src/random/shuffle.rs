//! `RandomShuffle`: the rows of a tensor in random order.
//!
//! Rows lie along the first axis; scalars and tensors of one row stay as they are. Every dtype. Each position in turn is
//! exchanged with a later one or itself, chosen by the remainder of one drawn number: TensorFlow's order for the same
//! seeds.

use oplink::prelude::*;

use super::generator::Generator;
use crate::support::movement::{Axis, Host, Mover};
use crate::support::philox::{Philox, Singles};

/// Shuffles a tensor along its first axis.
#[op("RandomShuffle",
     input = "value: T",
     output = "output: T",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "T: type",
     stateful,
     shape = shape_fns::unchanged)]
pub struct RandomShuffle;

/// `RandomShuffle` with the generator of the node.
pub struct RandomShuffleCpu(Generator);

#[kernel(RandomShuffle, device = CPU, T = any)]
impl Kernel for RandomShuffleCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Generator::new(*construction).map(Self)
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        shuffle_by::<Host>(context, &self.0)
    }
}

/// `RandomShuffle` on any device, from the sequence of the node.
///
/// # Errors
/// As [`Mover::copy_axes`].
pub fn shuffle_by<M: Mover>(context: &mut KernelContext<'_>, generator: &Generator) -> Result<()> {
    let value = context.input(0);
    let rows = value.shape().first().copied().unwrap_or(1);
    if rows <= 1 || value.num_elements() <= 1 {
        let value = context.take_input(0);
        context.set_output(0, value);
        return Ok(());
    }
    let start = generator.reserve((rows as u64 - 1).div_ceil(Philox::BLOCK as u64));
    let width = value.num_elements() / rows;
    let order: Vec<isize> = permutation(rows, start).into_iter().map(|row| (row * width) as isize).collect();
    let axes = [Axis::Table(&order), Axis::Strided { count: width, stride: 1 }];
    let out = M::copy_axes(context, 0, value.shape().clone(), value, 0, &axes)?;
    context.set_output(0, out);
    Ok(())
}

/// The rows in the order in which they are written.
fn permutation(rows: usize, start: Philox) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    let mut numbers = Singles::new(start);
    for position in 0..rows - 1 {
        let rest = (rows - position) as u32;
        order.swap(position, position + (numbers.draw() % rest) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn shuffled(value: Tensor) -> Tensor {
        run("RandomShuffle", &[("seed", 1.into())], vec![value]).unwrap().remove(0)
    }

    #[test]
    fn order_is_that_of_tensorflow() {
        let value = Tensor::from((0..10).collect::<Vec<i32>>());
        assert_eq!(shuffled(value).as_slice::<i32>().unwrap(), [2, 4, 0, 8, 9, 1, 5, 6, 3, 7]);
    }

    #[test]
    fn rows_stay_whole() {
        let value = Tensor::from_vec([10, 2], (0..20).map(|i| TString::from(i.to_string())).collect()).unwrap();
        let out = shuffled(value);
        assert_eq!(out.as_slice::<TString>().unwrap()[..4], ["4", "5", "8", "9"].map(TString::from));
        assert_eq!(shuffled(3.into()).to_scalar::<i32>().unwrap(), 3);
        assert_eq!(shuffled(Tensor::zeros(DType::Bool, [3, 0]).unwrap()).shape().dims(), [3, 0]);
    }
}
