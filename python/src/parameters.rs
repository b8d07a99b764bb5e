//! The parameters that an op's function has in Python, as its declaration says: inputs by position or name, then attrs
//! by name.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use oplink::spec::{ArgSpec, ArgType, AttrKind, OpSpec, ScalarKind};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::attrs;

/// What Python code cannot write as a name.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// An input.
pub(crate) struct Input {
    /// The name in Python.
    pub(crate) name: String,
    pub(crate) is_list: bool,
    pub(crate) ty: ArgType,
}

/// An attr.
pub(crate) struct Attr {
    /// The name in Python.
    pub(crate) name: String,
    /// The name that the op knows.
    pub(crate) own_name: &'static str,
    pub(crate) kind: AttrKind,
    /// Whether a call must give it: it follows from no input, and has no default.
    pub(crate) is_required: bool,
}

/// The same text, for as long as the process runs; each text is kept once.
pub(crate) fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(text) = kept.get(text) {
        return text;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(leaked);
    leaked
}

/// A name as Python code writes it.
pub(crate) fn python_name(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

pub(crate) fn is_list(arg: &ArgSpec) -> bool {
    arg.number_attr.is_some() || matches!(arg.ty, ArgType::ListAttr(_))
}

pub(crate) fn inputs(spec: &OpSpec) -> Vec<Input> {
    let input = |arg: &ArgSpec| Input { name: python_name(&arg.name), is_list: is_list(arg), ty: arg.ty.clone() };
    spec.inputs.iter().map(input).collect()
}

/// Whether the attr follows from inputs.
fn is_inferred(spec: &OpSpec, attr: &str) -> bool {
    spec.inputs.iter().any(|input| {
        input.number_attr.as_deref() == Some(attr)
            || matches!(&input.ty, ArgType::Attr(name) | ArgType::ListAttr(name) if name == attr)
    })
}

pub(crate) fn attrs(spec: &OpSpec) -> Vec<Attr> {
    let attr = |attr: &oplink::spec::AttrSpec| Attr {
        name: python_name(&attr.name),
        own_name: kept(&attr.name),
        kind: attr.kind,
        is_required: attr.default.is_none() && !is_inferred(spec, &attr.name),
    };
    spec.attrs.iter().map(attr).collect()
}

/// How type checkers name the values of an attr.
fn annotation(kind: AttrKind) -> String {
    let one = match kind.scalar {
        ScalarKind::String => "str | bytes",
        ScalarKind::Int => "int",
        ScalarKind::Float => "float",
        ScalarKind::Bool => "bool",
        ScalarKind::Type => "DTypeLike",
        ScalarKind::Shape => "ShapeLike",
        ScalarKind::Tensor => "TensorLike",
        ScalarKind::Func => "str",
    };
    if kind.list { format!("Sequence[{one}]") } else { one.to_owned() }
}

/// What a call returns.
pub(crate) fn returned(spec: &OpSpec) -> String {
    let one = |arg: &ArgSpec| if is_list(arg) { "list[Tensor]" } else { "Tensor" };
    match &spec.outputs[..] {
        [] => "None".to_owned(),
        [only] => one(only).to_owned(),
        several => format!("tuple[{}]", several.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// The `inspect.Signature` of an op's function.
pub(crate) fn signature<'py>(py: Python<'py>, spec: &OpSpec) -> PyResult<Bound<'py, PyAny>> {
    let inspect = py.import("inspect")?;
    let parameter = inspect.getattr("Parameter")?;
    let make = |name: &str, kind: &str, default: Option<Bound<'py, PyAny>>, annotation: &str| {
        let options = PyDict::new(py);
        options.set_item("annotation", annotation)?;
        if let Some(default) = default {
            options.set_item("default", default)?;
        }
        parameter.call((name, parameter.getattr(kind)?), Some(&options))
    };
    let parameters = PyList::empty(py);
    for input in inputs(spec) {
        let annotation = if input.is_list { "Sequence[TensorLike]" } else { "TensorLike" };
        parameters.append(make(&input.name, "POSITIONAL_OR_KEYWORD", None, annotation)?)?;
    }
    for (attr, declared) in attrs(spec).iter().zip(&spec.attrs) {
        let default = match &declared.default {
            Some(default) => Some(attrs::shown(py, default)?),
            None if attr.is_required => None,
            None => Some(py.None().into_bound(py)),
        };
        let optional = default.as_ref().is_some_and(|default| default.is_none());
        let annotation = annotation(attr.kind) + if optional { " | None" } else { "" };
        parameters.append(make(&attr.name, "KEYWORD_ONLY", default, &annotation)?)?;
    }
    let options = PyDict::new(py);
    options.set_item("return_annotation", returned(spec))?;
    inspect.getattr("Signature")?.call((parameters,), Some(&options))
}

/// The signature as help shows it: `MatMul(a: TensorLike, …, *, transpose_a: bool = False, …) -> Tensor`.
pub(crate) fn text(name: &str, signature: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut parts = Vec::new();
    for parameter in signature.getattr("parameters")?.call_method0("values")?.try_iter()? {
        let parameter = parameter?;
        if parts.iter().all(|part| part != "*") && parameter.getattr("kind")?.eq(parameter.getattr("KEYWORD_ONLY")?)? {
            parts.push("*".to_owned());
        }
        let (name, annotation, default) =
            (parameter.getattr("name")?, parameter.getattr("annotation")?, parameter.getattr("default")?);
        let default =
            if default.is(&parameter.getattr("empty")?) { String::new() } else { format!(" = {}", default.repr()?) };
        parts.push(format!("{name}: {annotation}{default}"));
    }
    Ok(format!("{name}({}) -> {}", parts.join(", "), signature.getattr("return_annotation")?))
}
