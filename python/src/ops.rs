//! Ops as Python functions: objects that are made of the registry's declarations when they are first asked for.

use std::sync::Arc;

use oplink::call::{Arg, Outputs};
use oplink::nn::Value;
use oplink::runtime::Registry;
use oplink::spec::{ArgType, OpSpec};
use oplink::{AttrValue, DType};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use smallvec::{SmallVec, smallvec};

use crate::calls::{self, Attrs};
use crate::errors::OrRaise;
use crate::parameters::{self, Attr, Input};
use crate::tensor::PyTensor;
use crate::{attrs, convert, literal};

// An op: call it with tensors and attrs, and it runs at once. The class has no documentation, which would hide that of
// each op.
#[pyclass(frozen, name = "Op", module = "oplink")]
pub(crate) struct PyOp {
    name: &'static str,
    doc: String,
    spec: Arc<OpSpec>,
    inputs: Vec<Input>,
    attrs: Vec<Attr>,
    /// Whether each output is a list.
    outputs: SmallVec<[bool; 4]>,
    has_lists: bool,
}

/// What a call gave for each input.
type Given<'a, 'py> = SmallVec<[Option<Bound<'py, PyAny>>; 8]>;

#[pymethods]
impl PyOp {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let (inputs, attrs) = match self.tensors(args, kwargs) {
            Some(inputs) => (inputs, Attrs::new()),
            None => self.bind(args, kwargs)?,
        };
        let outputs = calls::run(py, self.name, inputs, attrs)?;
        self.returned(py, outputs)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.name
    }

    /// The signature, then what the op's declaration says.
    #[getter]
    fn __doc__(&self, py: Python<'_>) -> PyResult<String> {
        let text = parameters::text(self.name, &self.__signature__(py)?)?;
        Ok(format!("{text}\n\n{}", self.doc))
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parameters::signature(py, &self.spec)
    }

    fn __repr__(&self) -> String {
        format!("<oplink op {}>", self.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("oplink._oplink")?.getattr("op")?, (self.name,)))
    }
}

impl PyOp {
    fn new(spec: &Arc<OpSpec>, doc: &str) -> Self {
        let inputs = parameters::inputs(spec);
        let outputs: SmallVec<[bool; 4]> = spec.outputs.iter().map(parameters::is_list).collect();
        Self {
            name: parameters::kept(&spec.name),
            doc: doc.to_owned(),
            attrs: parameters::attrs(spec),
            has_lists: inputs.iter().any(|input| input.is_list),
            spec: spec.clone(),
            inputs,
            outputs,
        }
    }

    /// The inputs of a call that gives nothing but tensors, one for each.
    #[inline]
    fn tensors(
        &self,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> Option<SmallVec<[Arg<Value>; 4]>> {
        if self.has_lists || kwargs.is_some() || args.len() != self.inputs.len() {
            return None;
        }
        let mut inputs = SmallVec::new();
        for arg in args.iter_borrowed() {
            inputs.push(Arg::One(arg.cast::<PyTensor>().ok()?.get().value.clone()));
        }
        self.attrs.iter().all(|attr| !attr.is_required).then_some(inputs)
    }

    fn bind<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(SmallVec<[Arg<Value>; 4]>, Attrs)> {
        let (wanted, given) = (self.inputs.len(), args.len());
        if given > wanted {
            return Err(self.error(format_args!("takes {wanted} tensors by position, {given} are given")));
        }
        let mut inputs: Given<'_, 'py> = smallvec![None; wanted];
        args.iter().zip(&mut inputs).for_each(|(arg, input)| *input = Some(arg));
        let mut attrs = Attrs::new();
        for (name, value) in kwargs.into_iter().flat_map(|kwargs| kwargs.iter()) {
            self.bind_named(name.cast::<PyString>()?.to_str()?, value, &mut inputs, &mut attrs)?;
        }
        let is_given = |attr: &&Attr| attrs.iter().any(|(name, _)| *name == attr.own_name);
        if let Some(missing) = self.attrs.iter().find(|attr| attr.is_required && !is_given(attr)) {
            return Err(self.error(format_args!("needs the attr `{}`", missing.name)));
        }
        Ok((self.values(&inputs, &attrs)?, attrs))
    }

    fn bind_named<'py>(
        &self,
        name: &str,
        value: Bound<'py, PyAny>,
        inputs: &mut Given<'_, 'py>,
        attrs: &mut Attrs,
    ) -> PyResult<()> {
        if let Some(at) = self.inputs.iter().position(|input| input.name == name) {
            if inputs[at].is_some() {
                return Err(self.error(format_args!("gets `{name}` twice")));
            }
            inputs[at] = Some(value);
            return Ok(());
        }
        let Some(attr) = self.attrs.iter().find(|attr| attr.name == name) else {
            let names = self.inputs.iter().map(|input| &*input.name).chain(self.attrs.iter().map(|attr| &*attr.name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(self.error(format_args!("has no argument `{name}`; it has {names}")));
        };
        // `None` is for what is not given; only a shape that must be given has it as a value.
        if !value.is_none() || attr.is_required {
            let converted = attrs::value(attr.kind, &value);
            let named = |error: PyErr| self.named(value.py(), name, &error);
            attrs.push((attr.own_name, converted.map_err(named)?));
        }
        Ok(())
    }

    /// The values of the inputs: first of those that have a dtype, then of numbers and texts, which take the dtype that
    /// others or attrs give to their type attr.
    fn values(&self, given: &Given<'_, '_>, attrs: &Attrs) -> PyResult<SmallVec<[Arg<Value>; 4]>> {
        let mut types: SmallVec<[(&str, DType); 4]> = SmallVec::new();
        for (name, value) in attrs {
            if let AttrValue::Type(dtype) = value {
                types.push((name, *dtype));
            }
        }
        let mut values: SmallVec<[Option<Arg<Value>>; 4]> = smallvec![None; self.inputs.len()];
        for written in [false, true] {
            for ((input, object), value) in self.inputs.iter().zip(given).zip(&mut values) {
                let Some(object) = object else {
                    return Err(self.error(format_args!("needs the input `{}`", input.name)));
                };
                if value.is_none() && (written || !is_written(input, object)) {
                    let made = argument(input, object, &types);
                    let made = made.map_err(|error| self.named(object.py(), &input.name, &error))?;
                    remember(&mut types, input, &made);
                    *value = Some(made);
                }
            }
        }
        Ok(values.into_iter().flatten().collect())
    }

    fn returned<'py>(&self, py: Python<'py>, outputs: Outputs<Value>) -> PyResult<Bound<'py, PyAny>> {
        let Outputs { values, ranges, .. } = outputs;
        let mut values = values.into_iter();
        let mut next = |is_list: bool, count: usize| -> PyResult<Bound<'py, PyAny>> {
            if is_list {
                return Ok(
                    PyList::new(py, values.by_ref().take(count).map(PyTensor::from).collect::<Vec<_>>())?.into_any()
                );
            }
            match values.next() {
                Some(value) => Ok(Bound::new(py, PyTensor::from(value))?.into_any()),
                None => Ok(py.None().into_bound(py)),
            }
        };
        match &self.outputs[..] {
            [] => Ok(py.None().into_bound(py)),
            [is_list] => next(*is_list, ranges.first().map_or(0, ExactSizeIterator::len)),
            several => {
                let each = several.iter().zip(&ranges).map(|(is_list, range)| next(*is_list, range.len()));
                Ok(PyTuple::new(py, each.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
        }
    }

    fn error(&self, what: std::fmt::Arguments<'_>) -> PyErr {
        PyTypeError::new_err(format!("{} {what}", self.name))
    }

    /// The same error of an argument of this name; one that is none of Python's own stays as it is.
    fn named(&self, py: Python<'_>, name: &str, error: &PyErr) -> PyErr {
        let class = error.get_type(py);
        let module = class.module().and_then(|module| module.extract::<String>()).unwrap_or_default();
        if module != "builtins" {
            return error.clone_ref(py);
        }
        PyErr::from_type(class, format!("{}, argument `{name}`: {}", self.name, error.value(py)))
    }
}

/// Whether the input is written in Python, and takes the dtype of others.
fn is_written(input: &Input, object: &Bound<'_, PyAny>) -> bool {
    if !input.is_list {
        return literal::is_literal(object);
    }
    object.try_iter().is_ok_and(|mut items| items.all(|item| item.is_ok_and(|item| literal::is_literal(&item))))
}

fn argument(input: &Input, object: &Bound<'_, PyAny>, types: &[(&str, DType)]) -> PyResult<Arg<Value>> {
    let wanted = match &input.ty {
        ArgType::Type(dtype) => Some(*dtype),
        ArgType::Attr(attr) => types.iter().find(|(name, _)| name == attr).map(|(_, dtype)| *dtype),
        ArgType::ListAttr(_) => None,
    };
    if !input.is_list {
        return convert::value(object, wanted).map(Arg::One);
    }
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("a list of tensors is wanted, not a text"));
    }
    object.try_iter()?.map(|item| convert::value(&item?, wanted)).collect::<PyResult<Vec<_>>>().map(Arg::List)
}

/// Keeps the dtype that an input gives to its type attr.
fn remember<'a>(types: &mut SmallVec<[(&'a str, DType); 4]>, input: &'a Input, value: &Arg<Value>) {
    let ArgType::Attr(attr) = &input.ty else { return };
    let first = match value {
        Arg::One(value) => Some(value),
        Arg::List(values) => values.first(),
    };
    if let Some(dtype) = first.and_then(|value| value.dtype().ok()) {
        types.push((attr, dtype));
    }
}

/// The function of an op.
#[pyfunction]
fn op(py: Python<'_>, name: &str) -> PyResult<PyOp> {
    let registry = Registry::global().or_raise(py)?;
    match registry.get_op(name).filter(|entry| !entry.excluded) {
        Some(entry) => Ok(PyOp::new(&entry.spec, &entry.doc)),
        None => Err(PyAttributeError::new_err(registry.op(name).map_or_else(|e| e.to_string(), |_| name.to_owned()))),
    }
}

/// The names of all ops, in their order.
#[pyfunction]
fn op_names(py: Python<'_>) -> PyResult<Vec<String>> {
    let registry = Registry::global().or_raise(py)?;
    let mut names: Vec<String> =
        registry.ops().filter(|entry| !entry.excluded).map(|entry| entry.spec.name.clone()).collect();
    names.sort();
    Ok(names)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyOp>()?;
    module.add_function(wrap_pyfunction!(op, module)?)?;
    module.add_function(wrap_pyfunction!(op_names, module)?)
}
