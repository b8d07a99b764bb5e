//! Infers the shapes of programs, as the scripts in `../oracle` write them with `Shapes` of `programs.py`, and compares
//! them with TensorFlow's.
//!
//! A line is `names|op|attrs|inputs|outputs|`. An input is the name of an earlier output, a constant tensor, or
//! `?dtype[shape]`; an output is `[shape]`, with `@dtype[shape]/…` where it is a handle that says what it refers to.

use std::collections::HashMap;
use std::fmt::Write as _;

use oplink::prelude::*;
use oplink::shape_inference::{ConstantInputs, HandleShape};
use oplink_cpu_support::testing::infer;

use crate::case::{attr, dtype, shape, tensor, texts};

/// What is known of a value.
#[derive(Clone)]
struct Known {
    dtype: DType,
    shape: PartialShape,
    value: Option<Tensor>,
    handle: Vec<HandleShape>,
}

struct Inputs(Vec<Known>);

impl ConstantInputs for Inputs {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.0.get(index)?.value.as_ref()
    }

    fn handle_shapes(&self, index: usize) -> &[HandleShape] {
        self.0.get(index).map_or(&[], |known| &known.handle)
    }
}

/// Checks every program.
///
/// # Panics
/// Where one differs, listing all that do.
pub(crate) fn check_shapes(programs: &str) {
    let (mut failures, mut count, mut made) = (String::new(), 0, HashMap::new());
    for (number, line) in programs.lines().enumerate() {
        if line.starts_with("# ") {
            made.clear();
        } else if let Err(why) = check(&mut made, line) {
            let head: String = line.chars().take(200).collect();
            writeln!(failures, "line {}: {head}\n    {why}", number + 1).unwrap();
            count += 1;
        }
    }
    assert!(failures.is_empty(), "{count} differ:\n{failures}");
}

fn check(made: &mut HashMap<String, Known>, line: &str) -> Result<(), String> {
    let [names, op, attrs, inputs, outputs, _] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
    let attrs: Vec<(&str, AttrValue)> = texts(attrs).map(attr).collect();
    let input = |text: &str| match (text.strip_prefix('?'), text.split_once('[')) {
        (Some(unknown), _) => Ok(parse(unknown)),
        (None, Some(_)) => Ok(constant(text)),
        (None, None) => made.get(text).cloned().ok_or_else(|| format!("`{text}` was not made")),
    };
    let inputs = Inputs(texts(inputs).map(input).collect::<Result<_, _>>()?);
    let stand_ins: Vec<Tensor> = inputs.0.iter().map(|known| Tensor::zeros(known.dtype, []).unwrap()).collect();
    let shapes: Vec<PartialShape> = inputs.0.iter().map(|known| known.shape.clone()).collect();
    let inferred = infer(op, &attrs, &stand_ins, &shapes, &inputs);
    if outputs.starts_with('!') {
        return inferred.map_or(Ok(()), |shapes| Err(format!("expected an error, got {shapes:?}")));
    }
    let inferred = inferred.map_err(|error| format!("{error:?}"))?;
    let known = |(dtype, shape, handle)| Known { dtype, shape, value: None, handle };
    let actual: Vec<Known> = inferred.into_iter().map(known).collect();
    let text: Vec<String> = actual.iter().map(show).collect();
    let expected: Vec<String> = texts(outputs).map(|output| show(&expected(output))).collect();
    made.extend(texts(&names.replace(',', ";")).map(str::to_owned).zip(actual));
    if text == expected { Ok(()) } else { Err(format!("got {text:?}\n    for {expected:?}")) }
}

fn parse(text: &str) -> Known {
    let (name, dims) = text.strip_suffix(']').unwrap().split_once('[').unwrap();
    Known { dtype: dtype(name), shape: shape(dims), value: None, handle: Vec::new() }
}

fn constant(text: &str) -> Known {
    let value = tensor(text);
    Known { dtype: value.dtype(), shape: value.shape().into(), value: Some(value), handle: Vec::new() }
}

fn expected(text: &str) -> Known {
    let (dims, held) = text.split_once('@').unwrap_or((text, ""));
    let held = held.split('/').filter(|held| !held.is_empty()).map(parse).map(|held| (held.dtype, held.shape));
    Known { handle: held.collect(), ..parse(&format!("float32{dims}")) }
}

fn show(known: &Known) -> String {
    let held = known.handle.iter().map(|(dtype, shape)| format!(" {dtype} {shape}")).collect::<String>();
    format!("{}{held}", known.shape)
}
