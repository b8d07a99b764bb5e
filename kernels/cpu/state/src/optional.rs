//! Optionals: several tensors or nothing, in a scalar of dtype variant.

use crate::sums;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink_ops::state::{OptionalFromValue, OptionalGetValue, OptionalHasValue, OptionalNone};

/// Several tensors, or nothing.
#[derive(Clone, Debug, Default)]
pub struct Optional(pub Option<Vec<Tensor>>);

impl Optional {
    /// As a scalar tensor.
    fn into_tensor(self) -> Tensor {
        Tensor::scalar(Variant::new(self))
    }
}

/// The optional in a scalar.
impl<'a> InputParam<'a> for &'a Optional {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        let [variant] = input.as_slice::<Variant>()? else {
            bail!("it must be a scalar that holds an optional, it has shape {}", input.shape())
        };
        let name = variant.type_name();
        variant.get().ok_or_else(|| Error::invalid_argument(format!("it holds `{name}`, not an optional")))
    }
}

impl VariantObject for Optional {
    fn type_name(&self) -> &'static str {
        "tensorflow::data::Optional"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let zeros = |values: &Vec<Tensor>| values.iter().map(sums::zeros_like).collect();
        Ok(Variant::new(Self(self.0.as_ref().map(zeros).transpose()?)))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Self>() else { return Err(sums::types_differ(self.type_name(), other)) };
        let sum = match (&self.0, &other.0) {
            (None, None) => None,
            (Some(a), Some(b)) if a.len() == b.len() => {
                Some(a.iter().zip(b).map(|(a, b)| sums::add(a, b)).collect::<Result<_>>()?)
            }
            (Some(a), Some(b)) => bail!("optionals of {} and of {} values cannot be added", a.len(), b.len()),
            _ => bail!("optionals of which one has a value and the other has none cannot be added"),
        };
        Ok(Variant::new(Self(sum)))
    }
}

/// `OptionalFromValue`: an optional that holds tensors of every dtype.
#[kernel(OptionalFromValue, device = CPU)]
pub fn optional_from_value_cpu(components: InputList<'_>) -> Tensor {
    Optional(Some(components.into_inputs().map(Input::take).collect())).into_tensor()
}

/// `OptionalNone`: an optional without a value.
#[kernel(OptionalNone, device = CPU)]
pub fn optional_none_cpu() -> Tensor {
    Optional::default().into_tensor()
}

/// `OptionalHasValue`.
#[kernel(OptionalHasValue, device = CPU)]
pub fn optional_has_value_cpu(optional: &Optional) -> bool {
    optional.0.is_some()
}

/// `OptionalGetValue`: the tensors that an optional holds. An optional without a value is an error, and so are tensors
/// of other dtypes than the attr `output_types` or of shapes that do not fit the attr `output_shapes`.
#[kernel(OptionalGetValue, device = CPU)]
pub fn optional_get_value_cpu(
    optional: &Optional,
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<Vec<Tensor>> {
    let Some(values) = &optional.0 else { bail!("the optional has no value") };
    let (count, wanted) = (values.len(), output_types.len());
    ensure!(
        count == wanted && output_shapes.len() == wanted,
        "the optional holds {count} tensors, the op has {wanted} outputs"
    );
    for (at, ((value, dtype), shape)) in values.iter().zip(output_types).zip(output_shapes).enumerate() {
        let fits = value.dtype() == *dtype && shape.accepts(value.shape());
        ensure!(fits, "tensor {at} is {} {}, the op expects {dtype} {shape}", value.dtype(), value.shape());
    }
    Ok(values.clone())
}
