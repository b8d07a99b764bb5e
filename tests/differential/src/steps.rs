//! Graphs run in several steps.

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Error, Result, Tensor};
use oplink_proto::GraphDef;
use oplink_proto::bytes::Bytes;

use crate::answers::{decode, failed, tensor, values};

/// What one step feeds and asks for.
#[derive(Default)]
struct Step {
    feeds: Vec<(String, Tensor)>,
    fetches: Vec<String>,
    targets: Vec<String>,
}

/// Runs all steps in one session; an answer a step, of which later ones may be good where former ones failed.
///
/// # Errors
/// The graph cannot be imported, or the request is malformed.
pub(crate) fn run(chunks: &[Bytes]) -> Result<Vec<Bytes>> {
    let (graph, rest) = chunks.split_first().ok_or_else(malformed)?;
    let steps = read_steps(rest)?;
    let graph = Graph::import(&decode::<GraphDef>(graph)?, Registry::global()?)?;
    let session = Session::new(graph, SessionOptions::default())?;
    Ok(steps.iter().flat_map(|step| run_step(&session, step)).collect())
}

fn run_step(session: &Session, step: &Step) -> Vec<Bytes> {
    let feeds: Vec<(&str, Tensor)> = step.feeds.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let fetches: Vec<&str> = step.fetches.iter().map(String::as_str).collect();
    let targets: Vec<&str> = step.targets.iter().map(String::as_str).collect();
    session.run(&feeds, &fetches, &targets).map_or_else(|error| failed(&error), |fetched| values(&fetched))
}

fn read_steps(chunks: &[Bytes]) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = chunks.iter();
    while let Some(kind) = rest.next() {
        if kind.as_ref() == b"step" {
            steps.push(Step::default());
            continue;
        }
        let step = steps.last_mut().ok_or_else(malformed)?;
        let name = rest.next().ok_or_else(malformed)?;
        let name = String::from_utf8_lossy(name).into_owned();
        match kind.as_ref() {
            b"feed" => step.feeds.push((name, tensor(rest.next().ok_or_else(malformed)?)?)),
            b"fetch" => step.fetches.push(name),
            b"target" => step.targets.push(name),
            _ => return Err(malformed()),
        }
    }
    Ok(steps)
}

fn malformed() -> Error {
    Error::invalid_argument("the steps of a run are malformed")
}
