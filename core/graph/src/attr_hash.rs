//! Hashes of attr values: equal values have equal hashes, but for large tensors, which are told apart by where they
//! lie.

use std::hash::{DefaultHasher, Hash, Hasher};

use oplink_api::{AttrMap, AttrValue, FuncAttr, TString, Tensor};

/// Tensors up to this size are hashed by value, larger ones by identity.
pub(crate) const MAX_HASHED_BYTES: usize = 1 << 10;

/// The hash of all attrs, whatever their order.
pub(crate) fn hash_attrs(attrs: &AttrMap) -> u64 {
    let each = attrs.iter().map(|(name, value)| {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        hash_value(value, &mut hasher);
        hasher.finish()
    });
    each.fold(0, u64::wrapping_add)
}

/// Feeds a value to a hasher.
pub(crate) fn hash_value(value: &AttrValue, hasher: &mut DefaultHasher) {
    if value.list_len() == Some(0) {
        // Whatever its kind: an empty list of unknown kind equals it.
        return 0_u8.hash(hasher);
    }
    std::mem::discriminant(value).hash(hasher);
    match value {
        AttrValue::String(v) => v.hash(hasher),
        AttrValue::Int(v) => v.hash(hasher),
        AttrValue::Float(v) => v.to_bits().hash(hasher),
        AttrValue::Bool(v) => v.hash(hasher),
        AttrValue::Type(v) => v.hash(hasher),
        AttrValue::Shape(v) => v.hash(hasher),
        AttrValue::Tensor(v) => hash_tensor(v, hasher),
        AttrValue::Func(v) => hash_function(v, hasher),
        AttrValue::Strings(v) => v.hash(hasher),
        AttrValue::Ints(v) => v.hash(hasher),
        AttrValue::Floats(v) => v.iter().for_each(|v| v.to_bits().hash(hasher)),
        AttrValue::Bools(v) => v.hash(hasher),
        AttrValue::Types(v) => v.hash(hasher),
        AttrValue::Shapes(v) => v.hash(hasher),
        AttrValue::Tensors(v) => v.iter().for_each(|v| hash_tensor(v, hasher)),
        AttrValue::Funcs(v) => v.iter().for_each(|v| hash_function(v, hasher)),
        AttrValue::EmptyList => {}
        AttrValue::Placeholder(v) => v.hash(hasher),
    }
}

fn hash_function(function: &FuncAttr, hasher: &mut DefaultHasher) {
    (&function.name, hash_attrs(&function.attrs)).hash(hasher);
}

fn hash_tensor(tensor: &Tensor, hasher: &mut DefaultHasher) {
    (tensor.dtype(), tensor.shape()).hash(hasher);
    if tensor.num_bytes() > MAX_HASHED_BYTES {
        return tensor.part().hash(hasher);
    }
    match tensor.as_bytes() {
        Ok(bytes) => bytes.hash(hasher),
        Err(_) => {
            if let Ok(strings) = tensor.as_slice::<TString>() {
                strings.iter().for_each(|string| string.as_bytes().hash(hasher));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(value: &AttrValue) -> u64 {
        let attrs: AttrMap = [("a", value.clone())].into_iter().collect();
        hash_attrs(&attrs)
    }

    #[test]
    fn equal_values_have_equal_hashes() {
        let tensor = |values: &[f32]| AttrValue::Tensor(Tensor::from_slice(values));
        assert_eq!(hash(&tensor(&[1.0, 2.0])), hash(&tensor(&[1.0, 2.0])));
        assert_ne!(hash(&tensor(&[1.0, 2.0])), hash(&tensor(&[2.0, 1.0])));
        assert_eq!(hash(&AttrValue::EmptyList), hash(&AttrValue::Ints(Vec::new())));
        assert_ne!(hash(&AttrValue::Ints(vec![1])), hash(&AttrValue::Ints(vec![2])));
        let text = |text: &str| AttrValue::Tensor(Tensor::from_slice(&[TString::from(text)]));
        assert_eq!(hash(&text("a")), hash(&text("a")));
        assert_ne!(hash(&text("a")), hash(&text("b")));
    }

    #[test]
    fn the_order_of_attrs_does_not_count() {
        let attrs = |names: [&str; 2]| names.into_iter().map(|name| (name, AttrValue::Int(1))).collect::<AttrMap>();
        assert_eq!(hash_attrs(&attrs(["a", "b"])), hash_attrs(&attrs(["b", "a"])));
    }
}
