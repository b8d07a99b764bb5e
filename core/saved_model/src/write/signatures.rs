//! Signatures of a model that is written.

use oplink_api::{Output, Result, ResultExt, Tensor, bail, ensure};
use oplink_graph::{Graph, shape_to_proto, tensor_to_proto};
use oplink_proto::tensor_info::Encoding;
use oplink_proto::{SignatureDef, TensorProto};

use super::functions;

/// What a call of TensorFlow's servers is called.
const PREDICT: &str = "tensorflow/serving/predict";

/// A call that a written model offers: tensors of the graph, or a function of its library, by names.
#[derive(Clone, Debug, Default)]
pub struct SignatureBuilder {
    pub(super) inputs: Vec<(String, Output)>,
    pub(super) outputs: Vec<(String, Output)>,
    pub(super) function: Option<(String, Vec<(String, Output)>)>,
    pub(super) defaults: Vec<(String, Tensor)>,
    pub(super) method_name: Option<String>,
    pub(super) description: String,
    pub(super) descriptions: Vec<(String, String)>,
}

impl SignatureBuilder {
    /// A call without inputs and outputs yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The call of a function of the graph's library: its arguments are the inputs, its results the outputs.
    /// `captures` are arguments that are no inputs but values of the graph, such as handles of variables.
    pub fn function(name: &str, captures: &[(&str, Output)]) -> Self {
        let captures = captures.iter().map(|(name, output)| ((*name).to_owned(), *output)).collect();
        Self { function: Some((name.to_owned(), captures)), ..Self::default() }
    }

    /// Adds an input: a tensor to feed, usually a placeholder.
    #[must_use]
    pub fn input(mut self, name: &str, tensor: Output) -> Self {
        self.inputs.push((name.to_owned(), tensor));
        self
    }

    /// Adds an output: a tensor to fetch.
    #[must_use]
    pub fn output(mut self, name: &str, tensor: Output) -> Self {
        self.outputs.push((name.to_owned(), tensor));
        self
    }

    /// The value of an input that a call does not give.
    #[must_use]
    pub fn default_value(mut self, input: &str, value: impl Into<Tensor>) -> Self {
        self.defaults.push((input.to_owned(), value.into()));
        self
    }

    /// The kind of call, in place of `tensorflow/serving/predict`.
    #[must_use]
    pub fn method_name(mut self, name: &str) -> Self {
        self.method_name = Some(name.to_owned());
        self
    }

    /// Says what the call does.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.description);
        self
    }

    /// Says what an input or output is.
    #[must_use]
    pub fn describe(mut self, name: &str, text: &str) -> Self {
        self.descriptions.push((name.to_owned(), text.to_owned()));
        self
    }

    /// The message of a signature that [`add_all`] has checked.
    pub(super) fn message(&self, graph: &Graph) -> SignatureDef {
        let tensors = |tensors: &[(String, Output)]| {
            tensors.iter().map(|(name, output)| (name.clone(), tensor_info(graph, *output))).collect()
        };
        let default = |(name, value): &(String, Tensor)| -> Option<(String, TensorProto)> {
            Some((name.clone(), tensor_to_proto(value).ok()?))
        };
        SignatureDef {
            inputs: tensors(&self.inputs),
            outputs: tensors(&self.outputs),
            method_name: self.method_name.clone().unwrap_or_else(|| PREDICT.to_owned()),
            defaults: self.defaults.iter().filter_map(default).collect(),
        }
    }

    fn check(&self, graph: &Graph) -> Result<()> {
        for tensors in [&self.inputs, &self.outputs] {
            for (at, (name, tensor)) in tensors.iter().enumerate() {
                graph.check_output(*tensor).context_with(|| format!("`{name}`"))?;
                ensure!(!name.is_empty(), "an input or output has no name");
                ensure!(tensors[..at].iter().all(|(other, _)| other != name), "`{name}` is given twice");
            }
        }
        for (name, value) in &self.defaults {
            let Some((_, input)) = self.inputs.iter().find(|(input, _)| input == name) else {
                bail!("the default value of `{name}` is for no input")
            };
            let fits = graph.dtype(*input) == Some(value.dtype()) && graph.shape(*input).accepts(value.shape());
            ensure!(fits, "the default value of `{name}`, a {} {}, does not fit it", value.dtype(), value.shape());
            tensor_to_proto(value).context_with(|| format!("the default value of `{name}`"))?;
        }
        let known = |name: &String| self.inputs.iter().chain(&self.outputs).any(|(known, _)| known == name);
        match self.descriptions.iter().find(|(name, _)| !known(name)) {
            Some((name, _)) => bail!("`{name}` is described, but is neither input nor output"),
            None => Ok(()),
        }
    }
}

/// A tensor of the graph as messages name it.
pub(super) fn tensor_info(graph: &Graph, output: Output) -> oplink_proto::TensorInfo {
    oplink_proto::TensorInfo {
        dtype: graph.dtype(output).map_or(0, oplink_api::DType::number),
        tensor_shape: Some(shape_to_proto(&graph.shape(output))),
        encoding: Some(Encoding::Name(tensor_name(graph, output))),
    }
}

/// `node:index`, with an index for the first output too, as messages have it.
pub(super) fn tensor_name(graph: &Graph, output: Output) -> String {
    let name = graph.node(output.node).map_or("", |node| node.name());
    format!("{name}:{}", output.index)
}

/// The signatures with tensors for inputs and outputs: those of functions get nodes that call them.
pub(super) fn add_all(
    graph: &mut Graph,
    signatures: &[(String, SignatureBuilder)],
) -> Result<Vec<(String, SignatureBuilder)>> {
    let mut added = Vec::with_capacity(signatures.len());
    for (name, signature) in signatures {
        let context = || format!("signature `{name}`");
        let signature = match &signature.function {
            Some((function, captures)) => {
                functions::add_call(graph, name, function, captures, signature).context_with(context)?
            }
            None => signature.clone(),
        };
        signature.check(graph).context_with(context)?;
        added.push((name.clone(), signature));
    }
    Ok(added)
}
