//! Changes of a call that is well-formed: most of it stays as it is, so that the change gets past the first checks.

use oplink::prelude::*;

use super::call::{Argument, Call};
use super::extremes;
use crate::random::Random;

/// Elements of a tensor that is made longer.
const LONG: usize = 100_000;

/// Changes one to three things.
pub(super) fn mutate(call: &mut Call, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let (inputs, attrs) = (call.inputs.len(), call.attrs.len());
        let at = random.below(inputs + attrs);
        if at < inputs {
            if let Argument::Tensor(tensor) = &call.inputs[at]
                && let Some(changed) = changed_tensor(tensor, random)
            {
                call.inputs[at] = Argument::Tensor(changed);
            }
        } else if let Some((_, value)) = call.attrs.get_mut(at - inputs) {
            change_attr(value, random);
        }
    }
}

fn changed_tensor(tensor: &Tensor, random: &mut Random) -> Option<Tensor> {
    let (dtype, shape, count) = (tensor.dtype(), tensor.shape().clone(), tensor.num_elements());
    match random.below(10) {
        0..=4 if count > 0 => {
            let mut changed = tensor.clone();
            extremes::set(&mut changed, random.below(count), &extremes::scalar(dtype, random)?)?;
            Some(changed)
        }
        5 => extremes::tensor(dtype, shape, random),
        6 => extremes::tensor(dtype, extremes::shape(random), random),
        7 => extremes::tensor(dtype, resized(&shape, random), random),
        8 => longer(tensor, random),
        _ => reshaped(tensor, random),
    }
}

/// The shape with one extent changed.
fn resized(shape: &Shape, random: &mut Random) -> Shape {
    let mut dims = shape.dims().to_vec();
    if let Some(at) = (!dims.is_empty()).then(|| random.below(dims.len())) {
        dims[at] = random.below(4);
    }
    Shape::new(&dims)
}

/// A tensor with many elements along one axis.
fn longer(tensor: &Tensor, random: &mut Random) -> Option<Tensor> {
    let mut dims = tensor.shape().dims().to_vec();
    let at = random.below(dims.len());
    let others: usize = dims.iter().enumerate().filter(|(axis, _)| *axis != at).map(|(_, extent)| *extent).product();
    *dims.get_mut(at)? = LONG / others.clamp(1, LONG);
    extremes::tensor(tensor.dtype(), Shape::new(&dims), random)
}

/// The same elements under another shape.
fn reshaped(tensor: &Tensor, random: &mut Random) -> Option<Tensor> {
    let mut dims = tensor.shape().dims().to_vec();
    match random.below(4) {
        0 => dims = vec![tensor.num_elements()],
        1 => dims.insert(0, 1),
        2 => dims.push(1),
        _ => dims.extend([1; 9]),
    }
    tensor.clone().with_shape(Shape::new(&dims)).ok()
}

fn change_attr(value: &mut AttrValue, random: &mut Random) {
    match value {
        AttrValue::Int(int) => *int = extremes::integer(random),
        AttrValue::Float(float) => *float = extremes::float(random) as f32,
        AttrValue::Bool(bool) => *bool = !*bool,
        AttrValue::String(bytes) => *bytes = extremes::string(random),
        AttrValue::Shape(shape) => *shape = extremes::partial_shape(random),
        AttrValue::Ints(ints) => change_list(ints, random, extremes::integer),
        AttrValue::Floats(floats) => change_list(floats, random, |random| extremes::float(random) as f32),
        AttrValue::Strings(strings) => change_list(strings, random, extremes::string),
        AttrValue::Shapes(shapes) => change_list(shapes, random, extremes::partial_shape),
        AttrValue::Types(types) if !types.is_empty() => {
            let at = random.below(types.len());
            types.remove(at);
        }
        _ => {}
    }
}

fn change_list<T: Clone>(list: &mut Vec<T>, random: &mut Random, extreme: impl Fn(&mut Random) -> T) {
    let at = random.below(list.len());
    match random.below(5) {
        0 => list.push(extreme(random)),
        1 => list.clear(),
        _ if list.is_empty() => list.push(extreme(random)),
        _ => list[at] = extreme(random),
    }
}
