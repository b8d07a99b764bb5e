//! `oplink select --check`: a selection file against this build, and against what graphs need.

use std::fmt::Write;
use std::path::Path;

use oplink::runtime::Registry;
use oplink::spec::{ScalarKind, nearest};
use oplink::{DType, Error, Result};
use oplink_macros_expand::{Chosen, Selection};

/// What graphs need: for each op, the dtypes of its type attrs, as attr and dtype.
pub(crate) type Needs<'a> = Vec<(&'a str, Vec<(String, DType)>)>;

/// Refuses a file that names what nothing declares, or that lacks what is needed; else the number of its ops.
pub(crate) fn check(file: &Path, needs: &Needs<'_>) -> Result<usize> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::io(file.display(), e))?;
    let refused = |problem: &str| Error::invalid_argument(format!("{}: {problem}", file.display()));
    let selection = Selection::parse(&text).map_err(|problem| refused(&problem))?;
    let mut problems = unknown(&selection, Registry::global()?);
    problems.extend(needs.iter().filter_map(|(op, dtypes)| lacking(&selection, op, dtypes)));
    problems.dedup();
    let list = problems.iter().fold(String::new(), |mut list, problem| {
        let _ = write!(list, "\n- {problem}");
        list
    });
    match problems.len() {
        0 => Ok(selection.ops().count()),
        1 => Err(refused(&problems[0])),
        count => Err(refused(&format!("{count} problems:{list}"))),
    }
}

/// Names of ops and attrs that are not declared, each with the nearest that is.
fn unknown(selection: &Selection, registry: &Registry) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, chosen) in selection.ops() {
        let Ok(op) = registry.op(name) else {
            let near = did_you_mean(name, registry.ops().map(|op| op.spec.name.as_str()));
            problems.push(format!("no op is called `{name}`{near}"));
            continue;
        };
        let types = op.spec.attrs.iter().filter(|attr| attr.kind.scalar == ScalarKind::Type && !attr.kind.list);
        let types: Vec<&str> = types.map(|attr| attr.name.as_str()).collect();
        let Chosen::Dtypes(rows) = chosen else { continue };
        for (attr, _) in rows.iter().flatten().filter(|(attr, _)| !types.contains(&attr.as_str())) {
            let near = did_you_mean(attr, types.iter().copied());
            problems.push(format!("op `{name}` has no type attr `{attr}`{near}"));
        }
    }
    problems
}

fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// That the selection leaves out a node's op or its dtypes.
fn lacking(selection: &Selection, op: &str, dtypes: &[(String, DType)]) -> Option<String> {
    let asked: Vec<(&str, Option<DType>)> = dtypes.iter().map(|(attr, dtype)| (attr.as_str(), Some(*dtype))).collect();
    if selection.chosen(op).allows(&asked) {
        return None;
    }
    let row: Vec<String> = dtypes.iter().map(|(attr, dtype)| format!("{attr}={dtype}")).collect();
    Some(match selection.has_op(op) && !row.is_empty() {
        true => format!("the graphs need `{op}` with `{}`", row.join(" ")),
        false => format!("the graphs need `{op}`"),
    })
}
