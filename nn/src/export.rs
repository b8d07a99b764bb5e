//! Models written as TensorFlow's SavedModels: a module's variables, and calls of it as signatures.

use std::collections::BTreeMap;
use std::path::Path;

use oplink_api::resource::Variable as VariableResource;
use oplink_api::{DType, Error, Output, PartialShape, ResourceHandle, Result, ResultExt, Tensor, ensure};
use oplink_graph::{FeedShapes, Session};
use oplink_ops::Identity;
use oplink_saved_model::{SavedModelBuilder, SignatureBuilder};

use crate::module::Module;
use crate::run::call_with;
use crate::trace::{Captured, Trace, session, within};
use crate::value::Value;

/// An input of a signature: its name, dtype and shape, of which parts may be open.
#[derive(Clone, Debug)]
pub struct Input {
    name: String,
    dtype: DType,
    shape: PartialShape,
}

impl Input {
    /// An input; `None` among the extents is open, as that of the batch is.
    pub fn new(name: &str, dtype: DType, shape: impl Into<PartialShape>) -> Self {
        Self { name: name.to_owned(), dtype, shape: shape.into() }
    }
}

/// A model that is going to be written: calls are traced into one graph.
///
/// ```ignore
/// let mut model = Export::new(&network)?;
/// let image = Input::new("image", DType::UInt8, PartialShape::new(&[None, Some(28), Some(28), Some(1)]));
/// model.signature("serving_default", &[image], |inputs| {
///     let logits = network.forward(&inputs[0].cast(DType::Float)?, Mode::Infer)?;
///     Ok(vec![("probability".to_owned(), logits.softmax()?)])
/// })?;
/// model.save("digits_model")?;
/// ```
#[derive(Debug)]
pub struct Export {
    trace: Option<Trace>,
    builder: SavedModelBuilder,
}

impl Export {
    /// A model without signatures yet. Variables are named by where they are in the module.
    ///
    /// # Errors
    /// The linked declarations conflict.
    pub fn new(module: &(impl Module + ?Sized)) -> Result<Self> {
        let mut trace = Trace::new()?;
        trace.is_for_export = true;
        for (path, variable) in module.variables() {
            trace.name_variable(variable.handle(), &path.replace('.', "/"))?;
        }
        Ok(Self { trace: Some(trace), builder: SavedModelBuilder::new() })
    }

    /// Adds a call: `body` gets a value for each input, and gives the outputs with their names.
    ///
    /// # Errors
    /// The body's, while it is traced; a name that is malformed or given twice.
    pub fn signature(
        &mut self,
        name: &str,
        inputs: &[Input],
        body: impl FnOnce(&[Value]) -> Result<Vec<(String, Value)>>,
    ) -> Result<&mut Self> {
        let mut trace = self.trace.take().ok_or_else(lost)?;
        let (mut signature, mut values) = (SignatureBuilder::new(), Vec::new());
        for Input { name: input, dtype, shape } in inputs {
            let (value, output) = trace.placeholder(&format!("{name}_{input}"), *dtype, shape.clone())?;
            signature = signature.input(input, output);
            values.push(value);
        }
        let traced = within(trace, || {
            let outputs = body(&values)?;
            let named = |(name, value): (String, Value)| Ok((name, call_with::<Identity>([value.ok()?], Vec::new())?));
            outputs.into_iter().map(named).collect::<Result<BTreeMap<String, Value>>>()
        });
        let (outputs, mut trace) = traced.context_with(|| format!("while the signature `{name}` was traced"))?;
        for (output, value) in &outputs {
            signature = signature.output(output, trace.output(value)?);
        }
        self.builder = std::mem::take(&mut self.builder).signature(name, signature);
        self.trace = Some(trace);
        Ok(self)
    }

    /// Writes the model, with the values that the variables have now. One that is in the folder already is replaced.
    ///
    /// # Errors
    /// A signature changes a variable; a file cannot be written; a signature failed before.
    pub fn save(&mut self, dir: impl AsRef<Path>) -> Result<()> {
        let trace = self.trace.take().ok_or_else(lost)?;
        ensure!(trace.effects.is_empty(), "a signature changes a variable: call layers with `Mode::Infer` in it");
        let Trace { graph, captured, .. } = trace;
        let session = session(graph, false)?;
        captured.iter().try_for_each(|captured| give_value(&session, captured))?;
        self.builder.save(&session, dir)
    }
}

fn lost() -> Error {
    Error::invalid_argument("the model was written already, or one of its signatures failed: start a new one")
}

/// Gives a variable of the session the value that it has here.
fn give_value(session: &Session, captured: &Captured) -> Result<()> {
    let handle = |output: Output| -> Result<ResourceHandle> {
        let call = session.prepare_outputs(&[], &[output], &[], FeedShapes::Static)?;
        Ok(call.run(&[])?.swap_remove(0).handle()?.clone())
    };
    let value: Tensor = captured.handle.handle()?.get::<VariableResource>()?.read()?.to_host()?;
    let shape = PartialShape::from(value.shape());
    handle(captured.output)?.get_or_create(|| Ok(VariableResource::new(value.dtype(), shape)))?.assign(value)
}
