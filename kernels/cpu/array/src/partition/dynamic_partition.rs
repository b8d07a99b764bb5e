//! `DynamicPartition`: slices of a tensor shared out to several outputs.
//!
//! `data` starts with the shape of `partitions`; each number there, in `[0, num_partitions)`, says to which output the
//! slice behind it goes. Output shapes are `[count] + data.shape[partitions.rank:]`, slices in order. Every dtype.

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, copy_axes_into};
use oplink_ops::array::DynamicPartition;

/// `DynamicPartition` of every dtype.
#[kernel(DynamicPartition, device = CPU, T = any)]
pub fn dynamic_partition_cpu(
    data: &Tensor,
    partitions: &Tensor,
    mut outputs: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(
        data.shape().starts_with(partitions.shape()),
        "the shape {} of data must start with the shape {} of partitions",
        data.shape(),
        partitions.shape()
    );
    let rest = &data.shape()[partitions.rank()..];
    let length: usize = rest.iter().product();
    let count = outputs.len();
    let mut starts = try_filled(Vec::new(), count)?;
    for (at, &number) in env.watch(partitions.as_slice::<i32>()?).enumerate() {
        let part = usize::try_from(number).ok().and_then(|number| starts.get_mut(number));
        let Some(part) = part else { bail!("partitions[{at}] = {number} is not in [0, {count})") };
        part.push((at * length) as isize);
    }
    for (starts, mut output) in starts.iter().zip(outputs.iter_mut()) {
        env.poll();
        let axes = [Axis::Table(starts), Axis::Strided { count: length, stride: 1 }];
        copy_axes_into(&env, output.allocate([&[starts.len()], rest].concat())?, data, 0, &axes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

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
