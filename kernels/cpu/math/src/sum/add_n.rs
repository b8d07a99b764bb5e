//! `AddN`: the sum of several tensors, or of several variants as their type defines it.

use super::accumulate::accumulate;
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::math::AddN;

/// `AddN` of numbers.
#[kernel(AddN, device = CPU, T = [numbers])]
pub fn add_n_cpu<T: Computed<ComputeType: Arithmetic>>(
    inputs: InputList<'_>,
    sum: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    accumulate::<T>(inputs, sum, env)
}

/// `AddN` of variants, which are scalars.
#[kernel(AddN, device = CPU, T = [Variant])]
pub fn add_n_variant_cpu(inputs: &[Tensor]) -> Result<Tensor> {
    let variant = |input: &Tensor| match input.as_slice::<Variant>()? {
        [variant] if input.rank() == 0 => Ok(variant.clone()),
        _ => bail!("variants are added as scalars, this tensor of them has shape {}", input.shape()),
    };
    let variants = inputs.iter().map(variant).collect::<Result<Vec<_>>>()?;
    let sum = variants.into_iter().map(Ok).reduce(|sum, next| {
        let (sum, next) = (sum?, next?);
        match sum.object() {
            Some(object) => object.add(&next),
            None => Ok(next),
        }
    });
    sum.unwrap_or(Ok(Variant::default())).map(Tensor::scalar)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("AddN", [[1.0f32, 2.0].into(), [0.5f32, f32::NAN].into(), [3.0f32, 1.0].into()], [4.5f32, f32::NAN]);
        check("AddN", [[i32::MAX].into(), [1].into()], [i32::MIN]);
        check("AddN", [[1.0f32, 2.0].into()], [1.0f32, 2.0]);
        let halves = [0.5f32, 2.0].map(f16::from_f32);
        check("AddN", [halves.into(), halves.into()], [1.0f32, 4.0].map(f16::from_f32));
        check("AddN", [[-0.0f32].into(), [-0.0f32].into()], [-0.0f32]);
        check_error("AddN", [[1.0f32].into(), [1.0f32, 2.0].into()], "must have the same size and shape");
    }

    #[test]
    fn addends_are_grouped_as_in_tensorflow() {
        let addends = |first: f32| -> [Tensor; 10] {
            std::array::from_fn(|i| [f16::from_f32(if i == 0 { first } else { 1.0 })].into())
        };
        check("AddN", addends(1.0), [f16::from_f32(10.0)]);
        // One at a time is lost beside 2048; eight together are not.
        check("AddN", addends(2048.0), [f16::from_f32(2056.0)]);
    }
}
