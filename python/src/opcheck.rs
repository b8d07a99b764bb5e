//! Checks of ops against themselves.

use oplink::runtime::Registry;
use oplink::{Error, Result};
use oplink_opcheck::{Check, OpCall, OpCheck, Outcome, Report};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::OrRaise;
use crate::tensor::PyTensor;
use crate::{attrs, convert};

/// Checks an op; what was found, as a dictionary.
#[pyfunction]
#[pyo3(signature = (op, inputs, given, *, samples, seed, checks))]
pub(crate) fn opcheck<'py>(
    py: Python<'py>,
    op: &str,
    inputs: Option<Vec<Bound<'py, PyAny>>>,
    given: &Bound<'py, PyDict>,
    samples: usize,
    seed: u64,
    checks: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut check = OpCheck::new(op).num_samples(samples).seed(seed);
    if let Some(names) = checks {
        let checks: Vec<Check> = names.iter().map(|name| name.parse()).collect::<Result<_>>().or_raise(py)?;
        check = check.checks(&checks);
    }
    if let Some(inputs) = inputs {
        check = check.sample(sample(py, op, &inputs, given)?);
    }
    let report = py.detach(|| check.run()).or_raise(py)?;
    shown(py, &report)
}

/// A call that is given.
fn sample(py: Python<'_>, op: &str, inputs: &[Bound<'_, PyAny>], given: &Bound<'_, PyDict>) -> PyResult<OpCall> {
    let spec = &Registry::global().and_then(|registry| registry.op(op)).or_raise(py)?.spec;
    let mut named = Vec::new();
    for (name, value) in given {
        let name: String = name.extract()?;
        let attr = spec.attr(&name).ok_or_else(|| Error::invalid_argument(format!("op {op} has no attr `{name}`")));
        let value = attrs::value(attr.or_raise(py)?.kind, &value)?;
        named.push((name, value));
    }
    let inputs = inputs.iter().map(|input| convert::tensor(input, None)).collect::<PyResult<_>>()?;
    Ok(OpCall { op: op.to_owned(), attrs: named, inputs })
}

fn shown<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let (checks, findings) = (PyDict::new(py), PyList::empty(py));
    for (check, outcome) in &report.checks {
        let verdict = match outcome {
            Outcome::Skipped(reason) => format!("not checked: {reason}"),
            Outcome::Checked { findings, .. } if findings.is_empty() => "ok".to_owned(),
            Outcome::Checked { .. } => "failed".to_owned(),
        };
        checks.set_item(check.name(), verdict)?;
    }
    for finding in report.findings() {
        let inputs: Vec<PyTensor> = finding.call.inputs.iter().map(|input| PyTensor::from(input.clone())).collect();
        let told = PyDict::new(py);
        told.set_item("check", finding.check.name())?;
        told.set_item("message", &finding.message)?;
        told.set_item("inputs", inputs)?;
        told.set_item("program", finding.program(&[]))?;
        findings.append(told)?;
    }
    let told = PyDict::new(py);
    told.set_item("op", &report.op)?;
    told.set_item("samples", report.samples)?;
    told.set_item("combinations", report.combinations)?;
    told.set_item("reason", report.reason.as_deref())?;
    told.set_item("checks", checks)?;
    told.set_item("findings", findings)?;
    told.set_item("text", report.to_string())?;
    Ok(told)
}
