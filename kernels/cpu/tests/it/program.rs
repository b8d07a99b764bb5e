//! Runs programs, ops one after the other that share state, and compares them with what TensorFlow computed, as the
//! scripts in `../oracle` that use `programs.py` write them.
//!
//! `# title` begins a program. A line is an op: `names|op|attrs|inputs|outputs|tolerance`. It is written as a single
//! case is, but inputs are tensors or names of earlier outputs, and an output `*` is not looked at. The op `read` gives
//! what a reference refers to. All ops of a program run in one step.

use std::collections::HashMap;
use std::fmt::Write as _;

use oplink::prelude::*;
use oplink_cpu_support::stepping::InStep;

use crate::case::{Tolerance, attr, compare, tensor, texts};

/// Checks every program on so many threads.
///
/// # Panics
/// Where one differs, listing all that do.
pub(crate) fn check_programs(programs: &str, threads: usize) {
    let mut failures = String::new();
    let (mut step, mut title, mut made) = (InStep::new(threads), "", HashMap::new());
    for (number, line) in programs.lines().enumerate() {
        if let Some(name) = line.strip_prefix("# ") {
            (step, title, made) = (InStep::new(threads), name, HashMap::new());
        } else if let Err(why) = check(&step, &mut made, line) {
            let head: String = line.chars().take(200).collect();
            writeln!(failures, "{title}, line {}: {head}\n    {why}", number + 1).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn check(step: &InStep, made: &mut HashMap<String, Tensor>, line: &str) -> Result<(), String> {
    let [names, op, attrs, inputs, outputs, tolerance] = line.split('|').collect::<Vec<_>>()[..] else {
        panic!("{line}")
    };
    let attrs: Vec<(&str, AttrValue)> = texts(attrs).map(attr).collect();
    let input = |text: &str| match text.split_once('[') {
        Some(_) => Ok(tensor(text)),
        None => made.get(text).cloned().ok_or_else(|| format!("`{text}` was not made")),
    };
    let inputs = texts(inputs).map(input).collect::<Result<Vec<_>, _>>()?;
    let actual = if op == "read" { read(&inputs[0]) } else { step.run(op, &attrs, inputs) };
    if let Some(code) = outputs.strip_prefix('!') {
        return match actual {
            Err(error) if format!("{:?}", error.code()) == code => Ok(()),
            other => Err(format!("expected {code}, got {other:?}")),
        };
    }
    let actual = actual.map_err(|error| format!("{error:?}"))?;
    made.extend(texts(&names.replace(',', ";")).map(str::to_owned).zip(actual.iter().cloned()));
    let expected: Vec<&str> = texts(outputs).collect();
    if actual.len() != expected.len() {
        return Err(format!("got {} outputs for {}", actual.len(), expected.len()));
    }
    let tolerance = Tolerance::read(tolerance);
    let shown = actual.iter().zip(expected).filter(|(_, expected)| *expected != "*");
    shown.into_iter().try_for_each(|(actual, expected)| compare(actual, &tensor(expected), tolerance))
}

fn read(reference: &Tensor) -> Result<Vec<Tensor>> {
    let resource = reference.as_slice::<ResourceHandle>()?[0].any();
    let value = resource.and_then(|resource| resource.referent());
    value.ok_or_else(|| Error::not_found("no variable"))?.map(|value| vec![value])
}
