//! Calls that follow from an op's declaration alone.

use oplink::AttrKind;
use oplink::descriptors::KernelDescriptor;
use oplink::prelude::*;
use oplink::runtime::OpEntry;
use oplink::spec::{Allowed, ArgSpec, ArgType, AttrSpec, ScalarKind};

use super::call::{Argument, Call};
use super::extremes;
use crate::random::Random;

/// A call of the op, whatever comes of it.
///
/// # Panics
/// The registry has no such op.
pub(super) fn call(op: &str, random: &mut Random) -> Call {
    let registry = Registry::global().unwrap_or_else(|error| panic!("{error}"));
    let entry = registry.op(op).unwrap_or_else(|error| panic!("{error}"));
    let kernels: Vec<_> = registry.kernels_of(op).filter(|kernel| kernel.device == "CPU").collect();
    let kernel = *random.pick(&kernels);
    let attrs = attrs(entry, kernel, random);
    let common = extremes::shape(random);
    let mut inputs = Vec::new();
    for arg in &entry.spec.inputs {
        for dtype in dtypes(arg, &attrs) {
            inputs.push(input(arg, dtype, &common, random));
        }
    }
    Call { op: op.to_owned(), attrs, inputs, names: Vec::new() }
}

/// The attrs, of the dtypes that one of the kernel's entries has.
fn attrs(entry: &OpEntry, kernel: &KernelDescriptor, random: &mut Random) -> Vec<(String, AttrValue)> {
    let mut attrs = Vec::new();
    let served = if kernel.entries.is_empty() { None } else { Some(random.pick(kernel.entries).dtypes) };
    for attr in &entry.spec.attrs {
        let at = kernel.type_attrs.iter().position(|name| *name == attr.name);
        let served = at.zip(served).and_then(|(at, dtypes)| dtypes.get(at));
        let default = entry.default_of(&attr.name).ok().flatten();
        let value = match (served, default) {
            (Some(dtype), _) => AttrValue::Type(*dtype),
            (None, Some(default)) if random.percent(50) => default.clone(),
            _ => attr_value(attr, random),
        };
        attrs.push((attr.name.clone(), value));
    }
    attrs
}

/// The least value, or an extreme one.
fn attr_value(attr: &AttrSpec, random: &mut Random) -> AttrValue {
    let AttrKind { scalar, list } = attr.kind;
    let count = if list { attr.minimum.unwrap_or_default().clamp(0, 8) as usize + random.below(5) } else { 1 };
    let allowed = |random: &mut Random| match &attr.allowed {
        Some(Allowed::Strings(strings)) => random.pick(strings).clone(),
        _ => extremes::string(random),
    };
    let int = |random: &mut Random| match attr.minimum.filter(|_| !list) {
        Some(minimum) if random.percent(60) => minimum.saturating_add(random.below(3) as i64),
        Some(minimum) => extremes::integer(random).max(minimum),
        None => extremes::integer(random),
    };
    match (scalar, list) {
        (ScalarKind::String, false) => AttrValue::String(allowed(random)),
        (ScalarKind::String, true) => AttrValue::Strings((0..count).map(|_| allowed(random)).collect()),
        (ScalarKind::Int, false) => AttrValue::Int(int(random)),
        (ScalarKind::Int, true) => AttrValue::Ints((0..count).map(|_| int(random)).collect()),
        (ScalarKind::Float, false) => AttrValue::Float(extremes::float(random) as f32),
        (ScalarKind::Float, true) => AttrValue::Floats((0..count).map(|_| extremes::float(random) as f32).collect()),
        (ScalarKind::Bool, _) => AttrValue::Bool(random.percent(50)),
        (ScalarKind::Type, false) => AttrValue::Type(dtype(attr, random)),
        (ScalarKind::Type, true) => AttrValue::Types((0..count).map(|_| dtype(attr, random)).collect()),
        (ScalarKind::Shape, false) => AttrValue::Shape(extremes::partial_shape(random)),
        (ScalarKind::Shape, true) => AttrValue::Shapes((0..count).map(|_| extremes::partial_shape(random)).collect()),
        (ScalarKind::Tensor, _) => AttrValue::Tensor(Tensor::scalar(extremes::integer(random))),
        (ScalarKind::Func, false) => AttrValue::Func(FuncAttr { name: "none".to_owned(), ..FuncAttr::default() }),
        (ScalarKind::Func, true) => AttrValue::Funcs(Vec::new()),
    }
}

fn dtype(attr: &AttrSpec, random: &mut Random) -> DType {
    const USUAL: &[DType] =
        &[DType::Float, DType::Double, DType::Int32, DType::Int64, DType::String, DType::Bool, DType::UInt8];
    match &attr.allowed {
        Some(Allowed::Types(types)) => *random.pick(types),
        _ => *random.pick(USUAL),
    }
}

/// The dtypes of an argument's tensors.
fn dtypes(arg: &ArgSpec, attrs: &[(String, AttrValue)]) -> Vec<DType> {
    const MOST: i64 = 8;
    let value = |name: &str| attrs.iter().find(|(attr, _)| attr == name).map(|(_, value)| value);
    let one = match &arg.ty {
        ArgType::Type(dtype) => *dtype,
        ArgType::Attr(name) => match value(name) {
            Some(AttrValue::Type(dtype)) => *dtype,
            _ => DType::Float,
        },
        ArgType::ListAttr(name) => match value(name) {
            Some(AttrValue::Types(types)) => return types.clone(),
            _ => return Vec::new(),
        },
    };
    let count = match arg.number_attr.as_deref().map(value) {
        Some(Some(AttrValue::Int(count))) => (*count).clamp(0, MOST),
        _ => 1,
    };
    vec![one; count as usize]
}

/// A tensor: of the common shape, or a small vector or scalar where the op reads sizes and positions.
fn input(arg: &ArgSpec, dtype: DType, common: &Shape, random: &mut Random) -> Argument {
    if arg.is_ref || matches!(dtype, DType::Resource | DType::Variant) {
        return Argument::Any(if arg.is_ref { DType::Resource } else { dtype });
    }
    let is_fixed = matches!(arg.ty, ArgType::Type(_)) || matches!(dtype, DType::Int32 | DType::Int64);
    let shape = match random.below(10) {
        0 => extremes::shape(random),
        1..=6 if is_fixed => Shape::new(&vec![random.below(5); random.below(2)]),
        _ => common.clone(),
    };
    extremes::tensor(dtype, shape, random).map_or(Argument::Any(dtype), Argument::Tensor)
}
