//! Loads plugins of the two example ops into this program and runs them: `plugins_in_oplink PLUGIN...` prints a line a
//! check; the exit code is not 0 where one failed.
#![forbid(unsafe_code)]

#[path = "../../../plugins/gradient_steps.rs"]
mod gradient_steps;

use std::path::Path;
use std::process::ExitCode;

use oplink::call::Arg;
use oplink::graph::eager::EagerContext;
use oplink::graph::{Graph, NewNode, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{AttrValue, DType, Error, Output, PartialShape, Result, Runtime, TString, Tensor, bail, ensure};

use gradient_steps::{GRADIENT_STEPS, gradient_steps};

/// The ops of one plugin.
struct Ops {
    file: String,
    suffix: String,
}

type Check = (&'static str, fn(&Ops) -> Result<()>);

const CHECKS: &[Check] = &[
    ("eager, attrs and their defaults", eager),
    ("scalars and empty tensors", shapes),
    ("string tensors", strings),
    ("shape function", shape_function),
    ("graph and session", session),
    ("kernel errors name node, op and plugin", kernel_error),
    ("construction errors", construction_error),
    ("many threads", threads),
    ("a second load changes nothing", second_load),
    ("its gradient, and a training step", gradient),
];

impl Ops {
    fn affine(&self, x: &Tensor, attrs: &[(&str, AttrValue)]) -> Result<Tensor> {
        self.call("OplinkAffine", &[x], attrs)
    }

    fn call(&self, op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Result<Tensor> {
        let outputs = EagerContext::global()?.call(&format!("{op}{}", self.suffix), inputs, attrs)?;
        outputs.values.into_iter().next().ok_or_else(|| Error::internal("no output"))
    }
}

fn clip(bounds: &[f32]) -> [(&'static str, AttrValue); 2] {
    [("mode", AttrValue::String(b"clip".to_vec())), ("bounds", AttrValue::Floats(bounds.to_vec()))]
}

fn eager(ops: &Ops) -> Result<()> {
    let x = Tensor::from_slice(&[1.0f32, -2.0, 3.0]);
    ensure!(ops.affine(&x, &[])?.as_slice::<f32>()? == [1.0, -2.0, 3.0], "defaults change the values");
    let y = ops.affine(&x, &[("scale", AttrValue::Float(2.0)), ("shift", AttrValue::Int(1))])?;
    ensure!(y.as_slice::<f32>()? == [3.0, -3.0, 7.0], "scale and shift give {y}");
    let y = ops.affine(&x, &clip(&[-1.0, 2.0]))?;
    ensure!(y.as_slice::<f32>()? == [1.0, -1.0, 2.0], "clipped: {y}");
    let y = ops.affine(&Tensor::from_slice(&[0.5f64]), &[("scale", AttrValue::Float(4.0))])?;
    ensure!(y.as_slice::<f64>()? == [2.0], "doubles: {y}");
    ensure!(x.as_slice::<f32>()? == [1.0, -2.0, 3.0], "the input changed: {x}");
    Ok(())
}

fn shapes(ops: &Ops) -> Result<()> {
    ensure!(ops.affine(&Tensor::scalar(2.5f32), &[])?.to_scalar::<f32>()? == 2.5, "a scalar");
    let empty = ops.affine(&Tensor::zeros(DType::Float, [0, 3])?, &[])?;
    ensure!(empty.shape().dims() == [0, 3], "an empty tensor becomes {}", empty.shape());
    Ok(())
}

fn strings(ops: &Ops) -> Result<()> {
    let long = "a string that does not fit into the string itself";
    let (a, b) = (["", "x"].map(TString::from), ["y", long].map(TString::from));
    let joined = ops.call(
        "OplinkJoin",
        &[&Tensor::from_slice(&a), &Tensor::from_slice(&b)],
        &[("separator", AttrValue::String(b"-".to_vec()))],
    )?;
    let texts: Vec<&str> = joined.as_slice::<TString>()?.iter().map(|s| s.to_str().unwrap_or("?")).collect();
    ensure!(texts == ["-y".to_owned(), format!("x-{long}")], "{texts:?}");
    Ok(())
}

fn graph(ops: &Ops, attrs: &[(&str, AttrValue)]) -> Result<(Graph, Output)> {
    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[None, Some(3)]))?;
    let op = format!("OplinkAffine{}", ops.suffix);
    let node = NewNode { op: &op, name: "y", device: "", inputs: &[Arg::One(x)], control_inputs: &[], attrs };
    let node = graph.add(node)?;
    Ok((graph, Output { node, index: 0 }))
}

fn shape_function(ops: &Ops) -> Result<()> {
    let (graph, y) = graph(ops, &[])?;
    let shape = graph.shape(y);
    ensure!(shape == PartialShape::new(&[None, Some(3)]), "inferred {shape}");
    Ok(())
}

fn session(ops: &Ops) -> Result<()> {
    let (graph, _) = graph(ops, &[("scale", AttrValue::Float(3.0))])?;
    let graph = Graph::from_bytes(graph.to_bytes()?, Registry::global()?)?;
    let session = Session::new(graph, SessionOptions::default())?;
    let x = Tensor::from_slice(&[1.0f32, 2.0, 3.0]).with_shape([1, 3])?;
    let y = session.run(&[("x", x)], &["y"], &[])?;
    ensure!(y[0].as_slice::<f32>()? == [3.0, 6.0, 9.0], "{}", y[0]);
    Ok(())
}

/// What `result` says where it is an error with all these words.
fn expect_error(result: Result<Tensor>, words: &[&str]) -> Result<()> {
    let Err(error) = result else { bail!("no error") };
    let told = error.to_string();
    ensure!(words.iter().all(|word| told.contains(word)), "the error says `{told}`, not {words:?}");
    Ok(())
}

fn kernel_error(ops: &Ops) -> Result<()> {
    let (a, b) = (Tensor::from_slice(&["x"].map(TString::from)), Tensor::from_slice(&["x", "y"].map(TString::from)));
    expect_error(ops.call("OplinkJoin", &[&a, &b], &[]), &["node `OplinkJoin", "(op OplinkJoin", "string [1]"])
}

fn construction_error(ops: &Ops) -> Result<()> {
    expect_error(ops.affine(&Tensor::scalar(1.0f32), &clip(&[1.0])), &["bounds"])
}

fn threads(ops: &Ops) -> Result<()> {
    std::thread::scope(|scope| {
        let work = |number: usize| {
            let x = Tensor::from_slice(&[number as f32; 100]);
            (0..200).try_for_each(|_| {
                let y = ops.affine(&x, &[("shift", AttrValue::Int(1))])?;
                ensure!(y.as_slice::<f32>()? == [number as f32 + 1.0; 100], "thread {number}: {y}");
                Ok(())
            })
        };
        let running: Vec<_> = (0..16).map(|number| scope.spawn(move || work(number))).collect();
        running.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| bail!("a thread panicked")))
    })
}

fn second_load(ops: &Ops) -> Result<()> {
    let before = Registry::global()?.ops().count();
    let again = Runtime::load_plugin(&ops.file)?;
    ensure!(again.ops.len() == 2, "the second load tells of {} ops", again.ops.len());
    ensure!(Registry::global()?.ops().count() == before, "the second load added ops");
    Ok(())
}

/// The gradient that the plugin carries; those in C and C++ carry none, which the error tells.
fn gradient(ops: &Ops) -> Result<()> {
    if ops.suffix.is_empty() {
        let told = gradient_steps("OplinkAffine")?;
        ensure!(told == GRADIENT_STEPS, "{told:?}");
        return Ok(());
    }
    let Err(error) = gradient_steps(&format!("OplinkAffine{}", ops.suffix)) else { bail!("no error") };
    ensure!(error.to_string().contains("carries no gradient of it"), "the error says `{error}`");
    Ok(())
}

fn file_name(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

fn load(file: &str) -> Result<Ops> {
    let plugin = Runtime::load_plugin(file)?;
    let suffix = plugin.ops.iter().find_map(|op| op.name.strip_prefix("OplinkAffine"));
    let suffix = suffix.map(ToOwned::to_owned);
    suffix
        .map(|suffix| Ops { file: file.to_owned(), suffix })
        .ok_or_else(|| Error::not_found("it has no op OplinkAffine"))
}

fn main() -> ExitCode {
    let mut failed = false;
    for file in std::env::args().skip(1) {
        let rows: Vec<(&str, Result<()>)> = match load(&file) {
            Ok(ops) => CHECKS.iter().map(|(name, check)| (*name, check(&ops))).collect(),
            Err(error) => vec![("load", Err(error))],
        };
        for (name, outcome) in rows {
            failed |= outcome.is_err();
            let outcome = outcome.map_or_else(|error| format!("FAILED: {error}"), |()| "ok".to_owned());
            println!("oplink in Rust | {} | {name} | {outcome}", file_name(&file));
        }
    }
    ExitCode::from(u8::from(failed))
}
