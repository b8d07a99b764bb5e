//! The page of gradients in the documentation: which ops have one, and how far it is from TensorFlow's.
//!
//! `UPDATE_EXPECT=1` writes it. The errors differ a little from processor to processor, so only what else it says is
//! held.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use oplink_core::Registry;

use crate::{flow, single};

const HEAD: &str = "\
# Gradients

Ops with a gradient, against TensorFlow 2.21: on the same inputs, the gradients of the outputs by each input, and the
gradients of the sum of those (*second*). Errors are the largest of all cases, in epsilons of the dtype and of the
largest magnitude of the answer. *in graphs* are ops whose cases are whole graphs: lists, arrays, optionals, sparse
matrices, functions, loops and conditions. `none` among the second: TensorFlow has no gradient of the gradient, or a
wrong one, or the cases are graphs. `none` among the first: TensorFlow has no gradient, or a wrong one.

`If`, `Case`, `While` and calls of functions are differentiated through by looking into their functions; loops of
`Enter` and `Exit` become `While` for it. Ops through which nothing is differentiated say so where they are declared.

`UPDATE_EXPECT=1 cargo test -p oplink-gradients` writes this page.
";

/// What is known of an op.
#[derive(Default)]
struct Row {
    cases: usize,
    first: f64,
    second_cases: usize,
    second: f64,
}

fn rows() -> BTreeMap<String, Row> {
    let registry = Registry::global().unwrap();
    let mut rows: BTreeMap<String, Row> =
        registry.gradients().map(|gradient| (gradient.op.to_owned(), Row::default())).collect();
    for case in single::cases() {
        let (Ok(errors), Some(row)) = (case.check(), rows.get_mut(case.op)) else { continue };
        row.cases += 1;
        row.first = row.first.max(errors.first);
        if let Some(second) = errors.second {
            row.second_cases += 1;
            row.second = row.second.max(second);
        }
    }
    rows
}

fn page() -> String {
    let (rows, in_graphs) = (rows(), flow::ops());
    let constant = Registry::global().unwrap().ops().filter(|op| op.no_gradient).count();
    let mut page =
        format!("{HEAD}\n{} ops have a gradient, {constant} say that nothing is differentiated.\n\n", rows.len());
    page.push_str("| op | cases | worst error | second | worst error |\n|---|---|---|---|---|\n");
    for (op, row) in &rows {
        let cases = match row.cases {
            0 if in_graphs.contains(op) || op.starts_with("TensorArray") => "in graphs".to_owned(),
            0 => "none".to_owned(),
            count => count.to_string(),
        };
        let second = if row.second_cases == 0 { "none".to_owned() } else { row.second_cases.to_string() };
        let error = |count, error: f64| if count == 0 { "—".to_owned() } else { format!("{error:.1}") };
        let (first, twice) = (error(row.cases, row.first), error(row.second_cases, row.second));
        writeln!(page, "| {op} | {cases} | {first} | {second} | {twice} |").unwrap();
    }
    page
}

/// A page without the errors.
fn held(page: &str) -> String {
    let line = |line: &str| match line.split('|').collect::<Vec<_>>()[..] {
        [_, op, cases, _, second, _, _] => format!("{}|{}|{}\n", op.trim(), cases.trim(), second.trim()),
        _ => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

#[test]
fn the_page_of_gradients_is_true() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/gradients.md");
    let page = page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(held(&written) == held(&page), "{} is old: UPDATE_EXPECT=1 writes it", path.display());
}
