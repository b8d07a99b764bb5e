//! `DynamicPartition`: slices of a tensor shared out to several outputs.
//!
//! `data` starts with the shape of `partitions`; each number there, in `[0, num_partitions)`, says to which output the
//! slice behind it goes. Output shapes are `[count] + data.shape[partitions.rank:]`, slices in order. Every dtype.

use oplink::prelude::*;

use crate::support::movement::{Axis, copy_axes};

/// Shares out the slices of `data` by the numbers in `partitions`.
#[op(
    "DynamicPartition",
    input = "data: T",
    input = "partitions: int32",
    output = "outputs: num_partitions * T",
    attr = "num_partitions: int >= 1",
    attr = "T: type"
)]
pub fn dynamic_partition(c: &mut ShapeContext<'_>) -> Result<()> {
    if c.input(1).rank().is_none() {
        return Ok(());
    }
    let rest = shape_fns::without_prefix(c, c.input(0), c.input(1))?;
    let shape = c.concatenate(&PartialShape::new(&[None]), &rest);
    (0..c.num_outputs()).for_each(|index| c.set_output(index, shape.clone()));
    Ok(())
}

/// `DynamicPartition` of every dtype.
#[kernel(DynamicPartition, device = CPU, T = any)]
pub fn dynamic_partition_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (data, partitions) = (context.input(0).clone(), context.input(1));
    ensure!(
        data.shape().starts_with(partitions.shape()),
        "the shape {} of data must start with the shape {} of partitions",
        data.shape(),
        partitions.shape()
    );
    let rest = data.shape()[partitions.rank()..].to_vec();
    let length: usize = rest.iter().product();
    let mut starts = vec![Vec::new(); context.num_outputs()];
    for (at, &number) in partitions.as_slice::<i32>()?.iter().enumerate() {
        let part = usize::try_from(number).ok().and_then(|number| starts.get_mut(number));
        let Some(part) = part else { bail!("partitions[{at}] = {number} is not in [0, {})", context.num_outputs()) };
        part.push((at * length) as isize);
    }
    for (index, starts) in starts.iter().enumerate() {
        let shape = [&[starts.len()], &rest[..]].concat();
        let axes = [Axis::Table(starts), Axis::Strided { count: length, stride: 1 }];
        let out = copy_axes(context, index, shape, &data, 0, &axes)?;
        context.set_output(index, out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn partition(data: Tensor, partitions: Tensor, count: i64) -> Result<Vec<Tensor>> {
        run("DynamicPartition", &[("num_partitions", count.into())], vec![data, partitions])
    }

    #[test]
    fn shares_out_slices() {
        let data = Tensor::from_vec([3, 2], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let out = partition(data.clone(), [1, 0, 1].into(), 3).unwrap();
        let shapes: Vec<_> = out.iter().map(|out| out.shape().to_vec()).collect();
        assert_eq!(shapes, [[1, 2], [2, 2], [0, 2]]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [1, 2, 5, 6]);
        let whole = partition(data.clone(), 1.into(), 2).unwrap();
        assert_eq!((whole[0].shape().dims(), whole[1].shape().dims()), (&[0, 3, 2][..], &[1, 3, 2][..]));
        assert!(partition(data.clone(), [1, 0, 3].into(), 3).unwrap_err().message().contains("partitions[2] = 3"));
        assert!(partition(data, [1, 0].into(), 3).unwrap_err().message().contains("must start with"));
    }
}
