//! `Betainc`: the incomplete beta function.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::math::Betainc;
use oplink_vmath::special::{self, Precision};

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 9;

/// `Betainc` in single and double precision.
#[kernel(Betainc, device = CPU, T = [f32, f64])]
pub fn betainc_cpu<T: Computed<ComputeType: Precision>>(
    a: &Tensor,
    b: &Tensor,
    x: &Tensor,
    mut z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut shape = Shape::scalar();
    for input in [a, b, x] {
        ensure!(
            input.rank() == 0 || shape.rank() == 0 || *input.shape() == shape,
            "a, b and x must have one shape or be scalars, they have shapes {}, {} and {}",
            a.shape(),
            b.shape(),
            x.shape()
        );
        if input.rank() > 0 {
            shape = input.shape().clone();
        }
    }
    let output = z.allocate(shape)?;
    // A scalar is one element for all, whatever the number of them is.
    let scalars = [a, b, x].map(|input| input.rank() == 0);
    let [a, b, x] = [a, b, x].map(Tensor::as_slice::<T>);
    let sides = [a?, b?, x?];
    let at = |side: usize, place: usize| sides[side][if scalars[side] { 0 } else { place }].to_computed();
    for_each_chunk(env.env(), output.as_mut_slice::<T>()?, GRAIN, 1, &|start, part| {
        for (place, out) in (start..).zip(part) {
            *out = T::from_computed(special::betainc(at(0, place), at(1, place), at(2, place)));
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("Betainc", [[2.0f32, 2.0].into(), [3.0f32, 1.0].into(), [0.3f32, 0.5].into()], [0.348_299_92_f32, 0.25]);
        check("Betainc", [[1.0f32, 2.0, -1.0].into(), 1.0f32.into(), 0.5f32.into()], [0.5f32, 0.25, f32::NAN]);
        check("Betainc", [1.0f32.into(), 1.0f32.into(), 0.5f32.into()], 0.5f32);
        check_error("Betainc", [[1.0f32, 2.0].into(), [1.0f32].into(), 0.5f32.into()], "must have one shape");
    }
}
