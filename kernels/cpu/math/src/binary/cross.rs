//! `Cross`: products of vectors in space.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::math::{Cross, check_cross};

/// Fewest elements that are worth a thread's while.
const GRAIN: usize = 1 << 14;

/// `Cross` of vectors along the last axis.
#[kernel(Cross, device = CPU, T = [reals])]
pub fn cross_cpu<T: Computed<ComputeType: Arithmetic>>(
    a: &Tensor,
    b: &Tensor,
    mut product: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    check_cross(a.shape(), b.shape())?;
    let output = product.allocate(a.shape().clone())?;
    let (a, b) = (a.as_slice::<T>()?.as_chunks::<3>().0, b.as_slice::<T>()?.as_chunks::<3>().0);
    let rounded = |value: T::ComputeType| T::from_computed(value).to_computed();
    for_each_row(env.env(), output.as_mut_slice::<T>()?, 3, GRAIN, &|row, out| {
        let (a, b) = (a[row].map(T::to_computed), b[row].map(T::to_computed));
        for (axis, out) in out.iter_mut().enumerate() {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            *out = T::from_computed(rounded(a[next].mul(b[last])).sub(rounded(a[last].mul(b[next]))));
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, run_one};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("Cross", [[1, 2, 3].into(), [4, 5, 6].into()], [-3, 6, -3]);
        check("Cross", [[1u8, 2, 3].into(), [4u8, 5, 6].into()], [253u8, 6, 253]);
        let short = |values: [f32; 3]| Tensor::from(values.map(bf16::from_f32));
        check("Cross", [short([1.1, 2.3, 3.7]), short([1.3, 2.2, 3.6])], short([0.0625, 0.859375, -0.5625]));
        check_error("Cross", [[1, 2, 3].into(), [1].into()], "must have one shape");
        let error = run_one("Cross", vec![[1, 2].into(), [1, 2].into()]).unwrap_err();
        assert_eq!(error.code(), Code::FailedPrecondition);
    }
}
