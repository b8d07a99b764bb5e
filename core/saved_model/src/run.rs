//! `Signature`: a call of a loaded model.

use std::collections::BTreeMap;
use std::fmt;

use oplink_api::spec::nearest;
use oplink_api::{Error, Result, ResultExt, Tensor, ensure};
use oplink_graph::{Callable, RunMetadata, RunOptions};

use crate::{SavedModel, SignatureInfo, TensorInfo};

/// A call that a loaded model offers: values in by name, values out by name.
#[derive(Clone, Copy)]
pub struct Signature<'m> {
    model: &'m SavedModel,
    at: usize,
}

impl<'m> Signature<'m> {
    pub(crate) fn new(model: &'m SavedModel, at: usize) -> Self {
        Self { model, at }
    }

    pub(crate) fn model(&self) -> &'m SavedModel {
        self.model
    }

    /// Name, kind and description, with all inputs and outputs.
    pub fn info(&self) -> &'m SignatureInfo {
        &self.model.signatures[self.at].info
    }

    /// The name.
    pub fn name(&self) -> &'m str {
        &self.info().name
    }

    /// What a call is given.
    pub fn inputs(&self) -> &'m [TensorInfo] {
        &self.info().inputs
    }

    /// What a call returns.
    pub fn outputs(&self) -> &'m [TensorInfo] {
        &self.info().outputs
    }

    /// Calls it with values by name, in any order, and returns the outputs by name.
    ///
    /// # Errors
    /// An input that the signature does not have, that is given twice or missing, or whose dtype or shape does not fit;
    /// an error of a kernel.
    pub fn run(&self, inputs: &[(&str, Tensor)]) -> Result<BTreeMap<String, Tensor>> {
        self.run_with(&RunOptions::default(), inputs).map(|(outputs, _)| outputs)
    }

    /// As [`Signature::run`], within a time, until it is cancelled, or traced, as the options say.
    ///
    /// # Errors
    /// As [`Signature::run`]; `DeadlineExceeded` where the time is over, and the reason of a cancellation.
    pub fn run_with(
        &self,
        options: &RunOptions,
        inputs: &[(&str, Tensor)],
    ) -> Result<(BTreeMap<String, Tensor>, RunMetadata)> {
        let run = || {
            let values = self.values(inputs)?;
            let mut fetched = Vec::new();
            let metadata = self.callable()?.run_with(options, values, &mut fetched)?;
            let names = self.outputs().iter().filter(|output| output.dtype.is_some());
            Ok((names.map(|output| output.name.clone()).zip(fetched).collect(), metadata))
        };
        run().context_with(|| format!("calling the signature `{}` of {}", self.name(), self.model.dir().display()))
    }

    /// The call, worked out when it is first made.
    fn callable(&self) -> Result<&'m Callable> {
        let slot = &self.model.signatures[self.at].call;
        if let Some(call) = slot.get() {
            return Ok(call);
        }
        let tensors = |infos: &'m [TensorInfo], with_value: bool| -> Vec<&'m str> {
            let infos = infos.iter().filter(|info| info.dtype.is_some() == with_value);
            infos.map(|info| info.tensor.as_str()).collect()
        };
        let (feeds, fetches) = (tensors(self.inputs(), true), tensors(self.outputs(), true));
        let call = self.model.session.prepare(&feeds, &fetches, &tensors(self.outputs(), false))?;
        Ok(slot.get_or_init(|| call))
    }

    /// The values in the order of the signature's inputs.
    fn values(&self, given: &[(&str, Tensor)]) -> Result<Vec<Tensor>> {
        for (at, (name, _)) in given.iter().enumerate() {
            ensure!(given[..at].iter().all(|(other, _)| other != name), "the input `{name}` is given twice");
            if self.inputs().iter().all(|input| input.name != *name) {
                return Err(self.no_input(name));
            }
        }
        self.inputs().iter().map(|input| value(input, given)).collect()
    }

    #[cold]
    fn no_input(&self, name: &str) -> Error {
        let inputs = self.inputs();
        let guess = nearest(name, inputs.iter().map(|input| input.name.as_str()));
        let guess = guess.map_or_else(String::new, |guess| format!("; did you mean `{guess}`?"));
        let list = inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let has = if list.is_empty() { "it takes none".to_owned() } else { format!("it takes {list}") };
        Error::invalid_argument(format!("there is no input `{name}`: {has}{guess}"))
    }
}

/// The value of an input: the one given, or else its default.
fn value(input: &TensorInfo, given: &[(&str, Tensor)]) -> Result<Tensor> {
    let value = given.iter().find(|(name, _)| *name == input.name).map(|(_, value)| value);
    let Some(value) = value.or(input.default.as_ref()) else {
        return Err(Error::invalid_argument(format!("the input {input} is missing")));
    };
    let fits = input.dtype.is_none_or(|dtype| dtype == value.dtype()) && input.shape.accepts(value.shape());
    ensure!(fits, "the input {input} is given a value of {} {}", value.dtype(), value.shape());
    Ok(value.clone())
}

impl fmt::Debug for Signature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.info().fmt(f)
    }
}
