//! A graph of TensorFlow with an iterator, in a session, and its elements as text.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use oplink::element::{bf16, f16};
use oplink::{Code, DType, Result, TString, Tensor};
use oplink_core::Registry;
use oplink_graph::{Graph, Session, SessionOptions};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/pipelines")
}

/// A pipeline in a session of its own.
pub(crate) struct Pipeline {
    name: String,
    pub(crate) session: Session,
    pub(crate) fetches: Vec<String>,
}

impl Pipeline {
    /// A pipeline whose iterator has not started.
    pub(crate) fn load(name: &str) -> Result<Self> {
        Self::load_edited(name, |_| Ok(()))
    }

    /// As [`load`](Self::load), of a graph that `edit` changed.
    fn load_edited(name: &str, edit: impl FnOnce(&mut Graph) -> Result<()>) -> Result<Self> {
        let mut graph = Graph::load(folder().join(format!("{name}.pb")), Registry::global()?)?;
        edit(&mut graph)?;
        let components = graph.nodes().iter().filter(|node| node.name().starts_with("next_")).count();
        let session = Session::new(graph, SessionOptions::default())?;
        let fetches = (0..components).map(|at| format!("next_{at}:0")).collect();
        Ok(Self { name: name.to_owned(), session, fetches })
    }

    pub(crate) fn start(name: &str) -> Result<Self> {
        Self::load(name)?.started()
    }

    /// A pipeline that starts, whose graph `edit` changed.
    pub(crate) fn start_edited(name: &str, edit: impl FnOnce(&mut Graph) -> Result<()>) -> Result<Self> {
        Self::load_edited(name, edit)?.started()
    }

    fn started(self) -> Result<Self> {
        let pipeline = self;
        pipeline.session.run(&[], &[], &["tables"])?;
        let files = TString::from(folder().join("files").to_str().unwrap());
        pipeline.session.run(&[("folder:0", Tensor::scalar(files))], &[], &["init"])?;
        Ok(pipeline)
    }

    /// The next elements as the oracle writes them, `most` of them at most, to the end or to the first error.
    pub(crate) fn take(&self, most: usize) -> Vec<String> {
        let fetches: Vec<&str> = self.fetches.iter().map(String::as_str).collect();
        let mut lines = Vec::new();
        while lines.len() < most {
            match self.session.run(&[], &fetches, &[]) {
                Ok(element) => lines.push(element.iter().map(text_of).collect::<Vec<_>>().join(" ; ")),
                Err(error) if error.code() == Code::OutOfRange => {
                    lines.push("end".to_owned());
                    break;
                }
                Err(error) => {
                    let names_dataset = error.to_string().contains("in dataset `");
                    assert!(names_dataset, "{}: the error names no dataset: {error}", self.name);
                    println!("{}: {error}", self.name);
                    lines.push(format!("error {}", error.code() as i32));
                    break;
                }
            }
        }
        lines
    }
}

fn text_of(tensor: &Tensor) -> String {
    let dtype = match tensor.dtype() {
        DType::Float => "float32",
        DType::Double => "float64",
        DType::Half => "float16",
        other => other.name(),
    };
    let mut text = format!("{dtype}[{}]", join(tensor.shape().iter(), ","));
    let values = values_of(tensor);
    if !values.is_empty() {
        write!(text, " {values}").unwrap();
    }
    text
}

fn join<T: ToString>(items: impl Iterator<Item = T>, between: &str) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

fn values_of(tensor: &Tensor) -> String {
    let bits = |numbers: Vec<f64>| join(numbers.iter().map(|number| number.to_bits()), " ");
    match tensor.dtype() {
        DType::String => join(tensor.as_slice::<TString>().unwrap().iter().map(hex), " "),
        DType::Float => bits(tensor.as_slice::<f32>().unwrap().iter().map(|&v| v.into()).collect()),
        DType::Double => bits(tensor.as_slice::<f64>().unwrap().to_vec()),
        DType::Half => bits(tensor.as_slice::<f16>().unwrap().iter().map(|v| v.to_f64()).collect()),
        DType::BFloat16 => bits(tensor.as_slice::<bf16>().unwrap().iter().map(|v| v.to_f64()).collect()),
        DType::Int32 => join(tensor.as_slice::<i32>().unwrap().iter(), " "),
        DType::Int64 => join(tensor.as_slice::<i64>().unwrap().iter(), " "),
        DType::Int16 => join(tensor.as_slice::<i16>().unwrap().iter(), " "),
        DType::UInt8 => join(tensor.as_slice::<u8>().unwrap().iter(), " "),
        DType::Bool => join(tensor.as_slice::<bool>().unwrap().iter().map(|&v| i32::from(v)), " "),
        other => panic!("no pipeline has elements of {other}"),
    }
}

fn hex(string: &TString) -> String {
    let bytes = string.as_bytes();
    if bytes.is_empty() { "-".to_owned() } else { bytes.iter().map(|byte| format!("{byte:02x}")).collect() }
}
