//! `Bucketize`: the number of boundaries that do not exceed each element.
//!
//! The attr `boundaries` rises; it is an error when it does not. Integers are compared as floats. NaN counts as larger
//! than every boundary.

use oplink::prelude::*;
use oplink_ops::array::Bucketize;

/// `Bucketize` of every dtype it allows.
#[kernel(Bucketize, device = CPU, T = [i32, i64, f32, f64])]
pub fn bucketize_cpu<T: Comparable>(
    input: &Tensor,
    boundaries: &[f32],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(!boundaries.windows(2).any(|pair| pair[1] < pair[0]), "boundaries must rise, they are {boundaries:?}");
    let out = output.allocate(input.shape().clone())?;
    for (out, &value) in env.watch(out.as_mut_slice::<i32>()?).zip(input.as_slice::<T>()?) {
        *out = boundaries.partition_point(|&boundary| !value.is_below(boundary)) as i32;
    }
    Ok(())
}

/// A number that is compared with boundaries.
pub trait Comparable: Element + Copy {
    /// Whether it is less than a boundary.
    fn is_below(self, boundary: f32) -> bool;
}

macro_rules! comparable {
    ($($ty:ty: $as:ty),*) => {$(
        impl Comparable for $ty {
            #[inline]
            fn is_below(self, boundary: f32) -> bool { (self as $as) < <$as>::from(boundary) }
        }
    )*};
}

comparable!(i32: f32, i64: f32, f32: f32, f64: f64);

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_with, run};

    #[test]
    fn finds_buckets() {
        let boundaries = [("boundaries", AttrValue::Floats(vec![0.0, 1.0, 10.0]))];
        check_with("Bucketize", &boundaries, [[-5.0f32, 0.0, 1.5, f32::NAN].into()], [0, 1, 2, 3]);
        check_with("Bucketize", &boundaries, [[10i64, 9].into()], [3, 2]);
        let falling = [("boundaries", AttrValue::Floats(vec![1.0, 0.0]))];
        assert!(run("Bucketize", &falling, vec![1.0f32.into()]).is_err());
    }
}
