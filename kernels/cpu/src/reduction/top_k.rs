//! `TopK`: the `k` largest elements along the last axis, and where they stand.
//!
//! As `TopKV2` with `k` as an attr and int32 positions.

use oplink::prelude::*;

use super::top_k_v2::largest;

/// The `k` largest elements of `input` along its last axis, and their positions.
#[op("TopK",
     input = "input: T",
     output = "values: T",
     output = "indices: int32",
     attr = "k: int >= 0",
     attr = "sorted: bool = true",
     attr = "T: realnumbertype",
     deprecated(since = 7, note = "Use TopKV2 instead"),
     shape = top_k_shape)]
pub struct TopK;

fn top_k_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, k) = (c.with_rank_at_least(0, 1)?, c.attr::<i64>("k")?);
    ensure!(k >= 0, "k must be >= 0, it is {k}");
    let shape = match input.dims().and_then(<[_]>::split_last) {
        None => PartialShape::unknown(),
        Some((&last, leading)) => {
            ensure!(last.is_none_or(|last| k as usize <= last), "k is {k}, the last axis of {input} is shorter");
            leading.iter().copied().chain([Some(k as usize)]).collect()
        }
    };
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    Ok(())
}

/// `TopK` for every real number.
#[kernel(TopK, device = CPU, T = [reals])]
pub fn top_k_v1_cpu<T: Real>(context: &mut KernelContext<'_>) -> Result<()> {
    let k = context.attr("k")?;
    largest::<T, i32>(context, k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{output_shapes, run};

    #[test]
    fn the_largest_come_first() {
        let input = Tensor::from_vec([2, 3], vec![1.0f32, 3.0, 2.0, 5.0, 5.0, 4.0]).unwrap();
        let out = run("TopK", &[("k", 2.into())], vec![input.clone()]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [3.0, 2.0, 5.0, 5.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [1, 2, 0, 1]);
        assert!(run("TopK", &[("k", 4.into())], vec![input.clone()]).is_err());
        let shapes = output_shapes("TopK", &[("k", 2.into())], &[input]).unwrap();
        assert_eq!(shapes[1], PartialShape::new(&[Some(2), Some(2)]));
    }
}
