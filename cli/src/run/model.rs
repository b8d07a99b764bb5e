//! What is run: a signature of a SavedModel, or tensors of a graph.

use oplink::graph::{Graph, RunMetadata, RunOptions, Session};
use oplink::saved_model::{LoadOptions, ModelFile, TensorInfo};
use oplink::{Code, DType, Error, PartialShape, Result, ResultExt, SavedModel, Tensor, bail, ensure};

use super::{Named, RunArguments};
use crate::freeze::signature_name;
use crate::{inputs, load};

/// A model that is ready to run.
pub(super) enum Loaded {
    /// By names of tensors.
    Graph(Session),
    /// As [`Loaded::Graph`], with the variables of a SavedModel.
    Tensors(SavedModel),
    /// By a signature's names.
    Signature(SavedModel, String),
}

impl Loaded {
    pub(super) fn load(arguments: &RunArguments) -> Result<Self> {
        let path = &arguments.model;
        let by_signature = arguments.signature.is_some() || !arguments.input.is_empty();
        let by_tensor = !arguments.feed.is_empty() || !arguments.target.is_empty();
        match ModelFile::read(path)? {
            ModelFile::Graph(def) => {
                let no_signatures = arguments.signature.is_none() && arguments.tags.is_empty();
                ensure!(no_signatures, "{} is a graph, which has no signatures and no tags", path.display());
                let graph = load::import(&def, path)?;
                let devices = arguments.devices()?;
                let options = arguments.session_options();
                let session = if devices.is_empty() {
                    Session::new(graph, options)
                } else {
                    Session::on_devices(graph, devices, options)
                };
                session.map(Self::Graph)
            }
            ModelFile::SavedModel(folder) => {
                let both = by_signature && by_tensor;
                ensure!(
                    !both,
                    "--signature and --input name a signature's tensors, --feed and --target the graph's: use one of both"
                );
                let mut options = LoadOptions::default();
                (options.tags, options.session) = (arguments.tags.clone(), arguments.session_options());
                options.devices = arguments.devices()?;
                let model = SavedModel::load_with(folder, &options)?;
                if by_tensor {
                    return Ok(Self::Tensors(model));
                }
                let name = signature_name(&model, arguments.signature.as_deref())?;
                Ok(Self::Signature(model, name))
            }
        }
    }

    /// The name and the value of a feed that is written `name=value`.
    pub(super) fn feed(&self, feed: &str) -> Result<Named> {
        let parts = feed.split_once('=').filter(|(name, _)| !name.is_empty());
        let Some((name, value)) = parts else {
            bail!("--feed {feed}: write name=file.npy, name=file.png or name=value, such as x=[1,2]")
        };
        let (dtype, shape) = self.dtype_and_shape(name)?;
        let tensor = inputs::read(value, dtype, &shape).context_with(|| format!("the value of `{name}`"))?;
        let held = tensor.dtype();
        ensure!(
            held == dtype,
            "{value} holds {held}, `{name}` takes {dtype}: save it so with NumPy, `array.astype(\"{}\")`",
            inputs::numpy_name(dtype)
        );
        Ok((name.to_owned(), tensor))
    }

    /// The error of a run, with the placeholders that had no value.
    pub(super) fn with_advice(&self, error: Error, feeds: &[Named]) -> Error {
        let graph = match self {
            Self::Graph(session) => session.graph(),
            Self::Tensors(model) => model.session().graph(),
            Self::Signature(..) => return error,
        };
        let is_fed = |name: &String| feeds.iter().any(|feed| feed.0.trim_end_matches(":0") == name);
        let placeholders = load::placeholders(&graph).into_iter().filter(|name| !is_fed(name));
        let options: Vec<String> = placeholders.map(|name| format!("--feed {name}=FILE.npy")).collect();
        match error.code() {
            Code::InvalidArgument if !options.is_empty() => error.context(format!("not fed: {}", options.join(" "))),
            _ => error,
        }
    }

    fn dtype_and_shape(&self, name: &str) -> Result<(DType, PartialShape)> {
        let graph = match self {
            Self::Graph(session) => session.graph(),
            Self::Tensors(model) => model.session().graph(),
            Self::Signature(model, signature) => {
                let signature = model.signature(signature)?;
                let found = signature.inputs().iter().find(|input| input.name == name);
                return match found {
                    Some(TensorInfo { dtype: Some(dtype), shape, .. }) => Ok((*dtype, shape.clone())),
                    // The call's own error lists the inputs that there are.
                    _ => signature
                        .run(&[(name, Tensor::scalar(0.0f32))])
                        .map(|_| (DType::Float, PartialShape::unknown())),
                };
            }
        };
        let placeholders = || load::placeholders(&graph).join(", ");
        let output = graph.output_named(name).context_with(|| format!("what the graph is fed: {}", placeholders()))?;
        Ok((graph.dtype(output).unwrap_or(DType::Float), graph.shape(output)))
    }

    /// What is fetched where nothing is asked for.
    pub(super) fn outputs(&self) -> Vec<String> {
        match self {
            Self::Graph(session) => unread_outputs(&session.graph()),
            Self::Tensors(model) => unread_outputs(&model.session().graph()),
            Self::Signature(model, signature) => {
                let outputs = model.signature(signature).map(|signature| signature.outputs()).unwrap_or_default();
                let with_value = outputs.iter().filter(|output| output.dtype.is_some());
                with_value.map(|output| output.name.clone()).collect()
            }
        }
    }

    /// Runs once; the values in the order of `fetches`.
    pub(super) fn run(
        &self,
        options: &RunOptions,
        feeds: &[(&str, Tensor)],
        fetches: &[String],
        targets: &[String],
    ) -> Result<(Vec<Tensor>, RunMetadata)> {
        let session = match self {
            Self::Graph(session) => session,
            Self::Tensors(model) => model.session(),
            Self::Signature(model, signature) => {
                let (outputs, metadata) = model.signature(signature)?.run_with(options, feeds)?;
                let value = |name: &String| match outputs.get(name) {
                    Some(value) => Ok(value.clone()),
                    None => {
                        let names: Vec<&str> = outputs.keys().map(String::as_str).collect();
                        bail!("the signature `{signature}` has no output `{name}`; it has {}", names.join(", "))
                    }
                };
                return Ok((fetches.iter().map(value).collect::<Result<_>>()?, metadata));
            }
        };
        session.run_with(options, feeds, &load::as_strs(fetches), &load::as_strs(targets))
    }
}

/// First outputs of the nodes whose outputs no node reads.
fn unread_outputs(graph: &Graph) -> Vec<String> {
    load::unread_nodes(graph).map(|(_, node)| node.name().to_owned()).collect()
}
