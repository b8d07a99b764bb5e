//! Changes to graphs: of their bytes, and of single fields.

use crate::random::Random;
use oplink::runtime::Registry;
use oplink_proto::attr_value::Value;
use oplink_proto::bytes::Bytes;
use oplink_proto::{AttrValue, FunctionDef, GraphDef, NodeDef, TensorProto};

/// Numbers at which code tends to change its mind.
const EXTREME: [i64; 14] =
    [0, 1, -1, -2, 2, 127, 255, 65_536, i32::MAX as i64, i32::MIN as i64, 1 << 32, 1 << 40, i64::MAX, i64::MIN];

/// Changes a few bytes: other values, pieces that are missing, doubled or cut off.
pub(crate) fn bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let end = (at + (1 + random.below(39))).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => bytes[at] = 0xff,
        }
    }
}

/// Changes one field of a node of the graph or of a function, or the functions themselves.
pub(crate) fn fields(def: &mut GraphDef, random: &mut Random) {
    let functions = def.library.as_ref().map_or(0, |library| library.function.len());
    if functions > 0 && random.percent(39) {
        let library = &mut def.library.get_or_insert_default().function;
        let at = random.below(functions);
        if random.percent(23) {
            return function(library, at, random);
        }
        return nodes(&mut library[at].node_def, random);
    }
    if random.percent(2) {
        def.versions.get_or_insert_default().producer = *pick(&[0, 8, 21, 26, 27, i32::MAX, -1], random);
    }
    nodes(&mut def.node, random);
}

fn function(library: &mut Vec<FunctionDef>, at: usize, random: &mut Random) {
    let other = random.below(library.len());
    match random.below(6) {
        0 => library[at].node_def = library[other].node_def.clone(),
        1 => library[at].signature = library[other].signature.clone(),
        2 => library[at].ret = library[other].ret.clone(),
        3 => drop(library.remove(at)),
        4 => {
            if let Some(result) = library[at].ret.values_mut().next() {
                *result = wrong_name(result, random);
            }
        }
        _ => {
            if let Some(signature) = &mut library[at].signature {
                let arguments = &mut signature.input_arg;
                if arguments.is_empty() || random.percent(50) {
                    arguments.clear();
                } else {
                    arguments.swap_remove(0);
                }
            }
        }
    }
}

fn nodes(nodes: &mut Vec<NodeDef>, random: &mut Random) {
    if nodes.is_empty() {
        return;
    }
    let (at, other) = (random.below(nodes.len()), random.below(nodes.len()));
    match random.below(10) {
        0 => drop(nodes.remove(at)),
        1 => {
            let copy = nodes[other].clone();
            nodes.insert(at, copy);
        }
        2 => nodes[at].op = if random.percent(50) { nodes[other].op.clone() } else { any_op(random) },
        3 => {
            nodes[at].name =
                if random.percent(50) { nodes[other].name.clone() } else { wrong_name(&nodes[at].name, random) }
        }
        4 => {
            let devices = &["/cpu:0", "/GPU:7", "//", "/job:x/task:-1", "CPU:99999999999"];
            (*pick(devices, random)).clone_into(&mut nodes[at].device);
        }
        5 | 6 => {
            let name = nodes[other].name.clone();
            input(&mut nodes[at], &name, random);
        }
        _ => {
            let donor = nodes[other].attr.clone();
            attrs(&mut nodes[at], donor.into_iter().collect(), random);
        }
    }
}

fn input(node: &mut NodeDef, other: &str, random: &mut Random) {
    let new = match random.below(5) {
        0 => format!("^{other}"),
        1 => format!("{other}:{}", pick(&EXTREME, random)),
        2 => wrong_name(other, random),
        _ => other.to_owned(),
    };
    let count = node.input.len();
    match random.below(4) {
        0 => node.input.push(new),
        1 if count > 0 => drop(node.input.remove(random.below(count))),
        _ if count > 0 => node.input[random.below(count)] = new,
        _ => node.input.push(new),
    }
}

fn attrs(node: &mut NodeDef, donor: Vec<(String, AttrValue)>, random: &mut Random) {
    let names: Vec<String> = node.attr.keys().cloned().collect();
    if names.is_empty() {
        return node.attr.extend(donor);
    }
    let name = random.pick(&names);
    match random.below(4) {
        0 => drop(node.attr.remove(name)),
        1 => {
            if !donor.is_empty() {
                node.attr.insert(name.clone(), random.pick(&donor).1.clone());
            }
        }
        _ => {
            if let Some(value) = node.attr.get_mut(name).and_then(|attr| attr.value.as_mut()) {
                attr(value, random);
            }
        }
    }
}

/// Another value of an attr's kind.
fn attr(value: &mut Value, random: &mut Random) {
    match value {
        Value::I(number) => *number = *pick(&EXTREME, random),
        Value::F(number) => *number = *pick(&[0.0, -1.0, f32::NAN, f32::INFINITY, f32::MIN, 1e-45], random),
        Value::B(flag) => *flag = !*flag,
        Value::Type(number) => *number = random.below(131) as i32 - 1,
        Value::S(text) => {
            *text =
                Bytes::from_static(pick::<&[u8]>(&[b"", b"SAME", b"NHWC", b"\xff\xfe", b"a\0b", b"loc:@x"], random));
        }
        Value::Shape(shape) => shape_proto(shape, random),
        Value::Tensor(tensor) => tensor_proto(tensor, random),
        Value::List(list) => {
            for number in &mut list.i {
                if random.percent(50) {
                    *number = *pick(&EXTREME, random);
                }
            }
            list.i.truncate(random.below(list.i.len() + 1));
            list.r#type.reverse();
            list.shape.iter_mut().for_each(|shape| shape_proto(shape, random));
            list.s.pop();
        }
        Value::Func(function) => function.name.push_str(pick::<&str>(&["", "_1", "\0"], random)),
        Value::Placeholder(name) => name.push('x'),
    }
}

fn shape_proto(shape: &mut oplink_proto::TensorShapeProto, random: &mut Random) {
    match random.below(4) {
        0 => shape.unknown_rank = !shape.unknown_rank,
        1 => drop(shape.dim.pop()),
        2 => shape.dim.extend(shape.dim.clone()),
        _ => {
            for dim in &mut shape.dim {
                if random.percent(50) {
                    dim.size = *pick(&EXTREME, random);
                }
            }
        }
    }
}

fn tensor_proto(tensor: &mut TensorProto, random: &mut Random) {
    match random.below(5) {
        0 => tensor.dtype = random.below(131) as i32 - 1,
        1 => tensor.tensor_content = tensor.tensor_content.slice(..random.below(tensor.tensor_content.len() + 1)),
        2 => {
            let mut content = tensor.tensor_content.to_vec();
            bytes(&mut content, random);
            tensor.tensor_content = content.into();
        }
        3 => tensor.int_val = vec![*pick(&[0, -1, i32::MAX, i32::MIN, 7], random)],
        _ => shape_proto(tensor.tensor_shape.get_or_insert_default(), random),
    }
}

/// The name of a registered op that ends no process and touches no file by itself.
fn any_op(random: &mut Random) -> String {
    let Ok(registry) = Registry::global() else { return String::new() };
    let names: Vec<&str> = registry.ops().map(oplink::runtime::OpEntry::name).collect();
    (*random.pick(&names)).to_owned()
}

fn wrong_name(name: &str, random: &mut Random) -> String {
    match random.below(6) {
        0 => String::new(),
        1 => format!("{name}/"),
        2 => format!("^^{name}"),
        3 => format!("{name}:output:{}", pick(&EXTREME, random)),
        4 => "\u{1f980}".repeat(1 + random.below(99)),
        _ => format!("{name}_"),
    }
}

fn pick<'v, T>(values: &'v [T], random: &mut Random) -> &'v T {
    &values[random.below(values.len())]
}
