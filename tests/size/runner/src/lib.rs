//! What both programs do: run a graph on raw pictures and print a label for each.
//!
//! `program GRAPH PICTURE...`: a picture is a file of 28 x 28 gray bytes, fed as `image`; `label` is fetched.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;

use oplink::runtime::Registry;
use oplink::device_cpu::CpuDevice;
use oplink::graph::{Graph, Session, SessionOptions};
use oplink::{Error, Result, Tensor};

/// Runs the command line with these ops and kernels; an error is printed with its kind.
pub fn main(registry: Result<Arc<Registry>>) -> ExitCode {
    match registry.and_then(|registry| run(&registry)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{:?}: {error}", error.kind());
            ExitCode::FAILURE
        }
    }
}

fn run(registry: &Arc<Registry>) -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let graph = arguments.next().ok_or_else(|| Error::invalid_argument("usage: program GRAPH PICTURE..."))?;
    let graph = Graph::load(graph, registry)?;
    let session = Session::on_device(graph, Arc::new(CpuDevice::new(0)?), SessionOptions::default())?;
    for path in arguments {
        let pixels = std::fs::read(&path).map_err(|error| Error::invalid_argument(format!("{path}: {error}")))?;
        let image = Tensor::from_vec([1, 28, 28, 1], pixels)?;
        let outputs = session.run(&[("image", image)], &["label"], &[])?;
        println!("{}", outputs[0].as_slice::<i64>()?[0]);
    }
    Ok(())
}
