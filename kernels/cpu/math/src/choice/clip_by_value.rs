//! `ClipByValue`: numbers confined to an interval.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{BLOCK, Computed, GRAIN, Ordered, unary};
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::math::ClipByValue;
use oplink_vmath::loops::zip3;

/// `ClipByValue` of numbers.
#[kernel(ClipByValue, device = CPU, T = [reals, complex])]
pub fn clip_by_value_cpu<T: Computed<ComputeType: Clip>>(
    t: Input<'_>,
    clip_value_min: &Tensor,
    clip_value_max: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (min, max) = (clip_value_min, clip_value_max);
    let fits = |bound: &Tensor| bound.rank() == 0 || bound.shape() == t.shape();
    ensure!(
        fits(min) && fits(max),
        "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. \
         input shape: {} clip_value_min shape: {} clip_value_max shape: {}",
        t.shape(),
        min.shape(),
        max.shape()
    );
    if min.rank() > 0 || max.rank() > 0 {
        return clip_by_tensors::<T>([&t, min, max], output, env);
    }
    let (min, max) = (min.to_scalar::<T>()?.to_computed(), max.to_scalar::<T>()?.to_computed());
    unary::<T>(t, output, env, |x| x.clip(min, max))
}

fn clip_by_tensors<T: Computed<ComputeType: Clip>>(
    inputs: [&Tensor; 3],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let output = output.allocate(inputs[0].shape().clone())?;
    let [t, min, max] = inputs.map(Tensor::as_slice::<T>);
    let sides = [t?, min?, max?];
    for_each_chunk(env.env(), output.as_mut_slice::<T>()?, GRAIN, 1, &|start, part| {
        if part.is_empty() {
            return;
        }
        let mut blocks = sides.map(|side| [side[0].to_computed(); BLOCK]);
        for (index, output) in part.chunks_mut(BLOCK).enumerate() {
            let start = start + index * BLOCK;
            for (side, block) in sides.iter().zip(&mut blocks).filter(|(side, _)| side.len() > 1) {
                T::widen(&side[start..start + output.len()], &mut block[..output.len()]);
            }
            let [t, min, max] = &blocks;
            let mut clipped = [T::ComputeType::default(); BLOCK];
            zip3(t, min, max, &mut clipped, Clip::clip);
            T::narrow(&clipped[..output.len()], output);
        }
    });
    Ok(())
}

/// Numbers that can be confined to an interval.
pub trait Clip: Element + Copy {
    /// The number nearest to `self` in `min..=max`; `min` where that is empty.
    fn clip(self, min: Self, max: Self) -> Self;
}

macro_rules! clip {
    (reals: $($ty:ty),*; complex: $($part:ty),*;) => {
        $(impl Clip for $ty {
            #[inline(always)]
            fn clip(self, min: Self, max: Self) -> Self { clip_real(self, min, max) }
        })*
        $(impl Clip for Complex<$part> {
            #[inline(always)]
            fn clip(self, min: Self, max: Self) -> Self {
                Self::new(clip_real(self.re, min.re, max.re), clip_real(self.im, min.im, max.im))
            }
        })*
    };
}

clip!(reals: i8, i16, i32, i64, u8, u16, u32, u64, f32, f64; complex: f32, f64;);

#[inline(always)]
fn clip_real<T: Ordered>(x: T, min: T, max: T) -> T {
    let below = if max < x { max } else { x };
    if below < min { min } else { below }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        let t = [f32::NAN, 1.0, 2.0, 3.0];
        check("ClipByValue", [t.into(), 1.5f32.into(), 2.5f32.into()], [f32::NAN, 1.5, 2.0, 2.5]);
        check("ClipByValue", [[1, 2, 3].into(), [5, 5, 5].into(), 2.into()], [5, 5, 5]);
        let (min, max) = ([f32::NAN, 0.0, 0.0], [2.0f32, f32::NAN, 2.0]);
        check("ClipByValue", [[1.0f32, 2.0, 3.0].into(), min.into(), max.into()], [1.0f32, 2.0, 2.0]);
        let z = [(1.0, 5.0), (3.0, 9.0), (-5.0, 1.0)].map(|(re, im)| Complex::<f32>::new(re, im));
        let bounds = [2.0f32, 4.0].map(|re| Tensor::from(Complex::new(re, 0.0)));
        let [min, max] = bounds;
        check("ClipByValue", [z.into(), min, max], [2.0f32, 3.0, 2.0].map(|re| Complex::new(re, 0.0)));
        let empty = || Tensor::zeros(DType::Float, [0, 3]).unwrap();
        check("ClipByValue", [empty(), empty(), 1.0f32.into()], empty());
        check_error("ClipByValue", [t.into(), [1.0f32].into(), 2.0f32.into()], "must be either of the same shape");
    }
}
