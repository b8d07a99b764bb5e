//! Networks on the simulated accelerator: TensorFlow's results, and which ops ran elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use oplink::graph::{Graph, RunOptions, Session, SessionOptions, TraceLevel};
use oplink::runtime::{Device, Registry, host_device};
use oplink::{Result, Tensor};
use oplink_device_tests::{devices_of_type, sim};
use oplink_proto::{GraphDef, Message};

use crate::arrays::{Archive, large_model, repository};

/// How nodes are asked for.
#[derive(Clone, Copy)]
enum On {
    /// Nodes that ask for none, on two devices and the host: what the first can, runs there.
    First,
    /// Every other node on the other device.
    Both,
}

fn model(name: &str) -> PathBuf {
    repository(&format!("../models/{name}"))
}

fn session(path: &Path, on: On) -> Result<Session> {
    let mut def = GraphDef::decode(&*std::fs::read(path).unwrap()).unwrap();
    for (number, node) in def.node.iter_mut().enumerate() {
        node.device = match on {
            On::First => String::new(),
            On::Both => format!("/device:SIM:{}", number % 2),
        };
    }
    let mut devices: Vec<Arc<dyn Device>> = devices_of_type(sim::SIM)?;
    devices.push(host_device()?);
    Session::on_devices(Graph::import(&def, Registry::global()?)?, devices, SessionOptions::default())
}

/// A traced run: the fetched values, and the ops that ran on the host with how many of all nodes those are.
fn run(session: &Session, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<(Vec<Tensor>, Ran)> {
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let (fetched, metadata) = session.run_with(&options, feeds, fetches, targets)?;
    let mut ran = Ran::default();
    for node in &metadata.nodes {
        *ran.by_device
            .entry(node.device.rsplit_once("device:").map_or(String::new(), |(_, d)| d.to_owned()))
            .or_default() += 1;
        if node.device.contains("CPU") && !node.name.contains("_copy") && node.op != "_DeviceCopy" {
            ran.on_host.insert(node.op.clone());
        }
    }
    Ok((fetched, ran))
}

#[derive(Debug, Default)]
struct Ran {
    on_host: BTreeSet<String>,
    by_device: BTreeMap<String, usize>,
}

/// The largest difference, relative to the largest magnitude that is wanted.
fn relative_error(have: &Tensor, want: &Tensor) -> Result<f32> {
    assert_eq!(have.shape(), want.shape());
    let (have, want) = (have.as_slice::<f32>()?, want.as_slice::<f32>()?);
    let scale = want.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
    Ok(have.iter().zip(want).fold(0.0f32, |most, (have, want)| most.max((have - want).abs())) / scale)
}

/// Runs a model on its archive's inputs; its outputs are within 1e-5 of the archive's, and only these ops run on the
/// host.
fn check(graph: &Path, values: &Path, on: On, on_host: &[&str]) -> Result<()> {
    let _undisturbed = sim::undisturbed();
    let mut archive = Archive::open(values);
    let names: Vec<String> = archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let feeds: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("in:")).collect();
    let is_picture = |feed: &str| graph.ends_with("digits.pb") && feed.starts_with("image");
    let mut read = |feed: &str| match is_picture(feed) {
        true => archive.read::<u8>(&format!("in:{feed}")),
        false => archive.read_any(&format!("in:{feed}")),
    };
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|feed| (*feed, read(feed))).collect();
    let is_float = |fetch: &&str| !(graph.ends_with("digits.pb") && *fetch == "Identity:0");
    let fetches: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("out:")).filter(is_float).collect();
    let session = session(graph, on)?;
    let (outputs, ran) = run(&session, &feeds, &fetches, &[])?;
    for (fetch, have) in fetches.iter().zip(&outputs) {
        let error = relative_error(have, &archive.read::<f32>(&format!("out:{fetch}")))?;
        assert!(error <= 1e-5, "{}, {fetch}: relative error {error:.1e}", graph.display());
    }
    eprintln!("{}: {:?}", graph.display(), ran.by_device);
    let on_host: BTreeSet<String> = on_host.iter().map(|op| (*op).to_owned()).collect();
    assert_eq!(ran.on_host, on_host, "{}", graph.display());
    assert!(ran.by_device.get("SIM:0").is_some_and(|count| *count > 0), "{:?}", ran.by_device);
    Ok(())
}

#[test]
fn digits_runs_on_the_device() -> Result<()> {
    [On::First, On::Both]
        .into_iter()
        .try_for_each(|on| check(&model("digits/digits.pb"), &model("digits/digits.npz"), on, &["NoOp"]))
}

#[test]
fn a_transformer_runs_on_the_device() -> Result<()> {
    [On::First, On::Both]
        .into_iter()
        .try_for_each(|on| check(&model("transformer.pb"), &model("transformer.npz"), on, &["NoOp"]))
}

#[test(Models)]
fn mobilenetv2_runs_on_the_device() -> Result<()> {
    check(&large_model("mobilenetv2.pb"), &large_model("mobilenetv2.npz"), On::First, &["NoOp"])
}

#[test]
fn loops_run_on_the_device() -> Result<()> {
    let lists =
        ["TensorListFromTensor", "TensorListGetItem", "TensorListReserve", "TensorListSetItem", "TensorListStack"];
    let with_loops =
        ["NoOp", "TensorListFromTensor", "TensorListGetItem", "TensorListSetItem", "TensorListStack", "While"];
    let models: [(&str, &[&str]); 4] = [
        ("while_v1", &[]),
        ("while_v2", &["StatelessIf", "StatelessWhile"]),
        ("lstm_v1", &lists),
        ("lstm", &with_loops),
    ];
    for (name, on_host) in models {
        check(&model(&format!("{name}.pb")), &model(&format!("{name}.npz")), On::First, on_host)?;
    }
    Ok(())
}

/// Forty steps of Adam, variables on the host: the loss of each step.
#[test]
fn training_follows_tensorflows_curve() -> Result<()> {
    let _undisturbed = sim::undisturbed();
    let mut archive = Archive::open(&model("mlp_train.npz"));
    let session = session(&model("mlp_train.pb"), On::First)?;
    session.run(&[], &[], &["init"])?;
    let (inputs, labels) = (archive.read::<f32>("in:feed_0:0"), archive.read::<i32>("in:feed_1:0"));
    let losses = archive.read::<f32>("loss");
    let mut on_host = BTreeSet::new();
    for (step, want) in losses.as_slice::<f32>()?.iter().enumerate() {
        let row = |all: &Tensor| all.slice(step, step + 1)?.with_shape(&all.shape()[1..]);
        let feeds = [("feed_0:0", row(&inputs)?), ("feed_1:0", row(&labels)?)];
        let (fetched, ran) = run(&session, &feeds, &["loss:0"], &["train"])?;
        on_host.extend(ran.on_host);
        let loss = fetched[0].to_scalar::<f32>()?;
        assert!((loss - want).abs() <= 1e-5 * want.abs().max(1.0), "step {step}: loss {loss}, TensorFlow's is {want}");
    }
    let of_variables = ["AssignVariableOp", "Mul", "NoOp", "ReadVariableOp", "ResourceApplyAdam", "VarHandleOp"];
    assert_eq!(on_host.into_iter().collect::<Vec<_>>(), of_variables);
    Ok(())
}

/// The same networks in processes whose streams wait longer, and not at all, before each piece of work.
#[test]
fn delays_change_nothing() {
    for (delay, seed) in [("0", "1"), ("300", "7")] {
        let program = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "models::a_transformer_runs_on_the_device", "models::loops_run_on_the_device"])
            .envs([("OPLINK_SIM_DELAY_US", delay), ("OPLINK_SIM_SEED", seed)])
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&program.stdout);
        assert!(program.status.success() && output.contains("2 passed"), "delays up to {delay} us: {output}");
    }
}
