//! Print and parse are inverses, for models made at random.

use oplink_spec::{
    Allowed, ArgSpec, ArgType, AttrKind, AttrSpec, AttrValue, DType, Deprecation, Flags, FuncValue, ListValue, OpSpec,
    ScalarKind, ShapeValue, TensorValue,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::mutation::round_trip;

fn dtype() -> impl Strategy<Value = DType> + Clone {
    proptest::sample::select(DType::ALL)
}

fn shape() -> impl Strategy<Value = ShapeValue> {
    proptest::option::of(vec(prop_oneof![-1..4i64, 0..i64::MAX], 0..4))
}

fn tensor() -> impl Strategy<Value = TensorValue> {
    let floats = (vec(any::<u32>().prop_map(f32::from_bits), 0..3), vec(any::<u64>().prop_map(f64::from_bits), 0..3));
    let ints = (vec(any::<i32>(), 0..3), vec(any::<i64>(), 0..3), vec(any::<u32>(), 0..3), vec(any::<u64>(), 0..3));
    let bytes = (vec(any::<u8>(), 0..9), vec(vec(any::<u8>(), 0..5), 0..3), vec(any::<u8>(), 0..5));
    (dtype(), vec(0..5i64, 0..3), any::<i32>(), floats, ints, bytes, vec(any::<bool>(), 0..3)).prop_map(
        |(dtype, dims, version_number, (f32s, f64s), (i32s, i64s, u32s, u64s), (content, strings, float8s), bools)| {
            TensorValue {
                version_number,
                content,
                half_val: i32s.clone(),
                scomplex_val: f32s.clone(),
                dcomplex_val: f64s.clone(),
                float_val: f32s,
                double_val: f64s,
                int_val: i32s,
                int64_val: i64s,
                uint32_val: u32s,
                uint64_val: u64s,
                string_val: strings,
                bool_val: bools,
                float8_val: float8s,
                ..TensorValue::new(dtype, Some(dims))
            }
        },
    )
}

/// Functions whose attrs hold values of every kind; `inner` functions nest at most twice.
fn func() -> impl Strategy<Value = FuncValue> {
    let leaf = any::<String>().prop_map(|name| FuncValue { name, attrs: vec![] });
    leaf.prop_recursive(2, 8, 3, |inner| {
        let value = prop_oneof![
            4 => scalar_value(inner.clone().boxed()),
            1 => any::<String>().prop_map(AttrValue::Placeholder),
            1 => vec(inner, 0..3).prop_map(|funcs| AttrValue::List(Box::new(ListValue { funcs, ..ListValue::default() }))),
            1 => (vec(any::<i64>(), 0..3), vec(shape(), 0..3))
                .prop_map(|(ints, shapes)| AttrValue::List(Box::new(ListValue { ints, shapes, ..ListValue::default() }))),
        ];
        (any::<String>(), btree_map(any::<String>(), proptest::option::of(value), 0..3))
            .prop_map(|(name, attrs)| FuncValue { name, attrs: attrs.into_iter().collect() })
    })
}

fn scalar_value(func: BoxedStrategy<FuncValue>) -> impl Strategy<Value = AttrValue> {
    (0..ScalarKind::ALL.len()).prop_flat_map(move |i| value_of(ScalarKind::ALL[i], func.clone()))
}

fn value_of(kind: ScalarKind, func: BoxedStrategy<FuncValue>) -> BoxedStrategy<AttrValue> {
    match kind {
        ScalarKind::String => vec(any::<u8>(), 0..12).prop_map(AttrValue::String).boxed(),
        ScalarKind::Int => any::<i64>().prop_map(AttrValue::Int).boxed(),
        ScalarKind::Float => any::<u32>().prop_map(|bits| AttrValue::Float(f32::from_bits(bits))).boxed(),
        ScalarKind::Bool => any::<bool>().prop_map(AttrValue::Bool).boxed(),
        ScalarKind::Type => dtype().prop_map(AttrValue::Type).boxed(),
        ScalarKind::Shape => shape().prop_map(AttrValue::Shape).boxed(),
        ScalarKind::Tensor => tensor().prop_map(|tensor| AttrValue::Tensor(Box::new(tensor))).boxed(),
        ScalarKind::Func => func.prop_map(AttrValue::Func).boxed(),
    }
}

fn list_of(values: Vec<AttrValue>) -> ListValue {
    let mut list = ListValue::default();
    for value in values {
        match value {
            AttrValue::String(value) => list.strings.push(value),
            AttrValue::Int(value) => list.ints.push(value),
            AttrValue::Float(value) => list.floats.push(value),
            AttrValue::Bool(value) => list.bools.push(value),
            AttrValue::Type(value) => list.types.push(value),
            AttrValue::Shape(value) => list.shapes.push(value),
            AttrValue::Tensor(value) => list.tensors.push(*value),
            AttrValue::Func(value) => list.funcs.push(value),
            AttrValue::List(_) | AttrValue::Placeholder(_) => {}
        }
    }
    list
}

/// An attr that keeps its own constraint: the allowed values include the default, the minimum is not above it.
fn attr() -> impl Strategy<Value = AttrSpec> {
    (0..ScalarKind::ALL.len(), any::<bool>()).prop_flat_map(|(i, list)| {
        let scalar = ScalarKind::ALL[i];
        let values = vec(value_of(scalar, func().boxed()), 1..4);
        let more = (vec(dtype(), 1..5), vec(vec(any::<u8>(), 0..4), 1..3));
        (values, more, any::<[bool; 3]>(), any::<u8>()).prop_map(move |(values, (types, strings), [a, m, d], below)| {
            let values = if list { values } else { values[..1].to_vec() };
            let all = list_of(values.clone());
            let allowed = match scalar {
                ScalarKind::Type if a => Some(Allowed::Types([types, all.types.clone()].concat())),
                ScalarKind::String if a => Some(Allowed::Strings([strings, all.strings.clone()].concat())),
                _ => None,
            };
            let minimum = match &values[0] {
                AttrValue::Int(value) if m && !list => Some(value.saturating_sub(below.into())),
                _ if m && list => Some(values.len() as i64),
                _ => None,
            };
            let default = if list { AttrValue::List(Box::new(all)) } else { values[0].clone() };
            let kind = AttrKind { scalar, list };
            AttrSpec { name: String::new(), kind, allowed, minimum, default: d.then_some(default) }
        })
    })
}

/// An op whose arguments name its own attrs.
fn op() -> impl Strategy<Value = OpSpec> {
    let name = "_{0,2}[A-Z][A-Za-z0-9_]{0,8}(>[A-Z][a-z0-9]{0,3})?";
    let arg = (any::<u8>(), any::<u8>(), dtype(), any::<[bool; 3]>());
    let deprecation = proptest::option::of((any::<i32>(), any::<String>()));
    let args = (vec(arg.clone(), 0..4), vec(arg, 0..4));
    (name, args, vec(attr(), 0..5), vec("[a-zA-Z][a-zA-Z0-9_]{0,5}", 0..2), any::<[bool; 5]>(), deprecation).prop_map(
        |(name, (inputs, outputs), mut attrs, mut control_outputs, flags, deprecation)| {
            for (i, attr) in attrs.iter_mut().enumerate() {
                attr.name = format!("{}{i}", if i % 2 == 0 { "T" } else { "attr_" });
            }
            control_outputs.dedup();
            let args = |prefix: &str, args: Vec<_>| {
                args.into_iter().enumerate().map(|(i, arg)| arg_of(format!("{prefix}{i}"), arg, &attrs)).collect()
            };
            let (inputs, outputs) = (args("in", inputs), args("out_", outputs));
            OpSpec {
                name,
                inputs,
                outputs,
                attrs,
                control_outputs,
                flags: Flags {
                    commutative: flags[0],
                    aggregate: flags[1],
                    stateful: flags[2],
                    allows_uninitialized_input: flags[3],
                    distributed_communication: flags[4],
                },
                deprecation: deprecation.map(|(version, explanation)| Deprecation { version, explanation }),
            }
        },
    )
}

fn arg_of(
    name: String,
    (ty, number, dtype, [is_ref, by_attr, many]): (u8, u8, DType, [bool; 3]),
    attrs: &[AttrSpec],
) -> ArgSpec {
    let pick = |index: u8, fits: &dyn Fn(&AttrSpec) -> bool| {
        let fitting: Vec<&AttrSpec> = attrs.iter().filter(|attr| fits(attr)).collect();
        fitting.get(usize::from(index) % fitting.len().max(1)).map(|attr| (attr.name.clone(), attr.kind.list))
    };
    let ty = match pick(ty, &|attr| attr.kind.scalar == ScalarKind::Type) {
        Some((name, true)) if by_attr => ArgType::ListAttr(name),
        Some((name, false)) if by_attr => ArgType::Attr(name),
        _ => ArgType::Type(dtype),
    };
    let counts = |attr: &AttrSpec| {
        let default_fits = !matches!(attr.default, Some(AttrValue::Int(..1)));
        attr.kind == AttrKind::scalar(ScalarKind::Int) && attr.minimum.is_none_or(|m| m >= 0) && default_fits
    };
    let number = pick(number, &counts).filter(|_| many && !matches!(ty, ArgType::ListAttr(_)));
    ArgSpec { name, ty, number_attr: number.map(|(name, _)| name), is_ref }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_op_prints_to_a_text_that_parses_back(mut op in op()) {
        op.set_implied_minimums();
        prop_assert_eq!(op.check(), vec![]);
        let text = op.to_string();
        match OpSpec::parse(&text) {
            Ok(parsed) => prop_assert_eq!(parsed, op, "{}", text),
            Err(errors) => prop_assert!(false, "{}\n{}", errors[0].render(&text), text),
        }
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in any::<String>()) {
        round_trip(&text);
        round_trip(&format!("op Foo\nattr a: {text}"));
        round_trip(&format!("op Foo\nattr a: func = {{ {text} }}"));
    }
}
