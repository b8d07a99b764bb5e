//! Defaults: of the attr's kind, well formed, and within the attr's own constraint and minimum.

use super::Finding;
use crate::diagnostic::Piece;
use crate::dtype::DType;
use crate::model::{Allowed, AttrSpec, ScalarKind};
use crate::parse::{MAX_DEPTH, Part};
use crate::print::quoted;
use crate::value::{AttrValue, FuncValue, ListValue, ShapeValue, TensorValue};

/// The first mistake in the default, if there is one.
pub(super) fn default(attr: &AttrSpec, piece: Piece) -> Option<Finding> {
    let value = attr.default.as_ref()?;
    let message = wrong_kind(attr, value)
        .or_else(|| malformed(value))
        .or_else(|| not_allowed(attr, value))
        .or_else(|| below_minimum(attr, value))?;
    Some(Finding::new(piece, Part::Default, message))
}

fn wrong_kind(attr: &AttrSpec, value: &AttrValue) -> Option<String> {
    let fits = match value {
        AttrValue::List(list) => attr.kind.list && list.len() == len_of(list, attr.kind.scalar),
        scalar => !attr.kind.list && kind_of(scalar) == Some(attr.kind.scalar),
    };
    (!fits).then(|| format!("the default is not of the kind `{}`", attr.kind))
}

fn kind_of(value: &AttrValue) -> Option<ScalarKind> {
    Some(match value {
        AttrValue::String(_) => ScalarKind::String,
        AttrValue::Int(_) => ScalarKind::Int,
        AttrValue::Float(_) => ScalarKind::Float,
        AttrValue::Bool(_) => ScalarKind::Bool,
        AttrValue::Type(_) => ScalarKind::Type,
        AttrValue::Shape(_) => ScalarKind::Shape,
        AttrValue::Tensor(_) => ScalarKind::Tensor,
        AttrValue::Func(_) => ScalarKind::Func,
        AttrValue::List(_) | AttrValue::Placeholder(_) => return None,
    })
}

fn len_of(list: &ListValue, scalar: ScalarKind) -> usize {
    match scalar {
        ScalarKind::String => list.strings.len(),
        ScalarKind::Int => list.ints.len(),
        ScalarKind::Float => list.floats.len(),
        ScalarKind::Bool => list.bools.len(),
        ScalarKind::Type => list.types.len(),
        ScalarKind::Shape => list.shapes.len(),
        ScalarKind::Tensor => list.tensors.len(),
        ScalarKind::Func => list.funcs.len(),
    }
}

/// What cannot be a value anywhere.
fn malformed(value: &AttrValue) -> Option<String> {
    if depth(value) > MAX_DEPTH {
        return Some(format!("the default nests messages more than {MAX_DEPTH} deep"));
    }
    match value {
        AttrValue::Type(dtype) => malformed_type(*dtype),
        AttrValue::Shape(shape) => malformed_shape(shape),
        AttrValue::Tensor(tensor) => malformed_tensor(tensor),
        AttrValue::Func(func) => malformed_func(func),
        AttrValue::List(list) => {
            let types = list.types.iter().find_map(|t| malformed_type(*t));
            types
                .or_else(|| list.shapes.iter().find_map(malformed_shape))
                .or_else(|| list.tensors.iter().find_map(malformed_tensor))
                .or_else(|| list.funcs.iter().find_map(malformed_func))
        }
        _ => None,
    }
}

fn malformed_type(dtype: DType) -> Option<String> {
    (dtype == DType::Invalid).then(|| "`DT_INVALID` is no type, so it is no default".to_owned())
}

fn malformed_shape(shape: &ShapeValue) -> Option<String> {
    let bad = shape.iter().flatten().find(|size| **size < -1)?;
    Some(format!("a dimension is -1 (unknown) or more, not {bad}"))
}

fn malformed_tensor(tensor: &TensorValue) -> Option<String> {
    if tensor.dtype == DType::Invalid {
        return Some("the tensor has no `dtype`".to_owned());
    }
    match &tensor.shape {
        Some(dims) if dims.iter().all(|size| *size >= 0) => None,
        _ => Some("a tensor's shape is fully known".to_owned()),
    }
}

fn malformed_func(func: &FuncValue) -> Option<String> {
    let sorted = func.attrs.windows(2).all(|pair| pair[0].0 < pair[1].0);
    if !sorted {
        return Some("a function's attrs are sorted by name, each name once".to_owned());
    }
    let mut inner = func.attrs.iter().filter_map(|(_, value)| value.as_ref());
    inner.find_map(|value| match value {
        AttrValue::Shape(shape) => malformed_shape(shape),
        AttrValue::Func(func) => malformed_func(func),
        AttrValue::List(list) => {
            list.shapes.iter().find_map(malformed_shape).or_else(|| list.funcs.iter().find_map(malformed_func))
        }
        _ => None,
    })
}

/// How deep the value's text proto nests messages.
fn depth(value: &AttrValue) -> usize {
    match value {
        AttrValue::Shape(_) => 2,
        AttrValue::Tensor(_) => 3,
        AttrValue::Func(func) => func_depth(func),
        AttrValue::List(list) => list_depth(list),
        _ => 0,
    }
}

/// The deepest element, without the list itself.
fn list_depth(list: &ListValue) -> usize {
    let funcs = list.funcs.iter().map(func_depth).max().unwrap_or(0);
    let shapes = 2 * usize::from(!list.shapes.is_empty());
    let tensors = 3 * usize::from(!list.tensors.is_empty());
    funcs.max(shapes).max(tensors)
}

/// A function's attr adds the map's entry and the value, a list in it one more.
fn func_depth(func: &FuncValue) -> usize {
    let values = func.attrs.iter().map(|(_, value)| match value {
        Some(AttrValue::List(list)) => 3 + list_depth(list),
        Some(value) => 2 + depth(value),
        None => 2,
    });
    1 + values.max().unwrap_or(0)
}

fn not_allowed(attr: &AttrSpec, value: &AttrValue) -> Option<String> {
    let shown = match (attr.allowed.as_ref()?, value) {
        (Allowed::Types(allowed), AttrValue::Type(dtype)) => {
            stranger(allowed, std::slice::from_ref(dtype)).copied().map(show_type)
        }
        (Allowed::Types(allowed), AttrValue::List(list)) => stranger(allowed, &list.types).copied().map(show_type),
        (Allowed::Strings(allowed), AttrValue::String(text)) => {
            stranger(allowed, std::slice::from_ref(text)).map(|text| show_text(text))
        }
        (Allowed::Strings(allowed), AttrValue::List(list)) => {
            stranger(allowed, &list.strings).map(|text| show_text(text))
        }
        _ => None,
    }?;
    Some(format!("the default {shown} breaks the attr's own constraint"))
}

/// The first value that is not allowed.
fn stranger<'a, T: PartialEq>(allowed: &[T], values: &'a [T]) -> Option<&'a T> {
    values.iter().find(|value| !allowed.contains(value))
}

fn show_type(dtype: DType) -> String {
    format!("`{}`", dtype.enum_name())
}

fn show_text(text: &[u8]) -> String {
    quoted(text).to_string()
}

fn below_minimum(attr: &AttrSpec, value: &AttrValue) -> Option<String> {
    let minimum = attr.minimum?;
    match value {
        AttrValue::Int(value) if *value < minimum => {
            Some(format!("the default {value} is less than the minimum {minimum}"))
        }
        AttrValue::List(list) if (list.len() as i64) < minimum => {
            Some(format!("the default has {} values, fewer than the minimum {minimum}", list.len()))
        }
        _ => None,
    }
}
