//! Composite tensors as values.

use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink_ops::state::{CompositeTensorVariantFromComponents, CompositeTensorVariantToComponents};

use crate::sums;

/// The components of a composite tensor, and the class of its type.
#[derive(Clone, Debug)]
pub struct CompositeTensor {
    components: Vec<Tensor>,
    class: u64,
}

impl VariantObject for CompositeTensor {
    fn type_name(&self) -> &'static str {
        "CompositeTensorVariant"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let components = self.components.iter().map(sums::zeros_like).collect::<Result<_>>()?;
        Ok(Variant::new(Self { components, class: self.class }))
    }
}

/// `CompositeTensorVariantFromComponents` of components of every dtype.
#[kernel(CompositeTensorVariantFromComponents, device = CPU)]
pub fn composite_tensor_variant_from_components_cpu(
    components: &[Tensor],
    metadata: &str,
    mut encoded: OutputSlot<'_>,
) -> Result<()> {
    let composite = CompositeTensor { components: components.to_vec(), class: class(metadata)? };
    encoded.set_scalar(Variant::new(composite));
    Ok(())
}

/// `CompositeTensorVariantToComponents` of components of every dtype. Where the variant is empty, which is
/// the zero that gradients of nothing are, each component is the scalar zero of its dtype.
#[kernel(CompositeTensorVariantToComponents, device = CPU)]
pub fn composite_tensor_variant_to_components_cpu(
    encoded: &Tensor,
    metadata: &str,
    mut components: OutputList<'_>,
) -> Result<()> {
    let [variant] = encoded.as_slice::<Variant>()? else {
        bail!("encoded must have one element, its shape is {}", encoded.shape())
    };
    let wanted = class(metadata)?;
    let Some(composite) = variant.get::<CompositeTensor>() else {
        if variant.object().is_some() {
            bail!("encoded holds `{}`, not a composite tensor", variant.type_name())
        }
        for mut component in components.iter_mut() {
            let zero = Tensor::zeros(component.dtype(), Shape::scalar())?;
            component.set(zero);
        }
        return Ok(());
    };
    let (given, class) = (composite.components.len(), composite.class);
    ensure!(class == wanted, "encoded has a type of class {class}, the op expects class {wanted}");
    let count = components.len();
    ensure!(given == count, "encoded has {given} components, the op expects {count}");
    for (at, (own, mut component)) in composite.components.iter().zip(components.iter_mut()).enumerate() {
        let (given, wanted) = (own.dtype(), component.dtype());
        ensure!(given == wanted, "component {at} is a tensor of {given}, the op expects {wanted}");
        component.set(own.clone());
    }
    Ok(())
}

/// The class of a type in a `CompositeTensorVariantMetadata`: field 1 of the message in field 1.
fn class(metadata: &str) -> Result<u64> {
    let parsed = field(metadata.as_bytes()).and_then(|(_, inner)| field(inner.unwrap_or_default()));
    match parsed {
        Some((number, _)) => Ok(number),
        None => bail!("the attr `metadata` is no message of a composite tensor's type"),
    }
}

/// Field 1 of a message: a number, or bytes. `None` where the bytes are no message.
fn field(mut bytes: &[u8]) -> Option<(u64, Option<&[u8]>)> {
    let mut found = (0, None);
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let value = match key & 7 {
            0 => (varint(&mut bytes)?, None),
            kind @ (1 | 5) => {
                bytes = bytes.get(if kind == 1 { 8 } else { 4 }..)?;
                (0, None)
            }
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                let (inner, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                (0, Some(inner))
            }
            _ => return None,
        };
        if key >> 3 == 1 {
            found = value;
        }
    }
    Some(found)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for at in 0..10 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f).checked_shl(7 * at)?;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}
