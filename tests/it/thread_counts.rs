//! A promise: results are the same bits whatever the number of threads. Ops and models run with one, two, three and
//! five threads.

use std::sync::{Mutex, PoisonError};

use oplink::graph::eager::EagerContext;
use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::{Registry, device_of_type, set_intra_op_threads};
use oplink::{AttrValue, Result, Tensor};

use crate::arrays::{Archive, repository};

const THREADS: [usize; 4] = [1, 2, 3, 5];

/// Numbers that look random, of both signs and several magnitudes.
fn numbers(shape: &[usize], seed: u32) -> Tensor {
    let mut state = u64::from(seed) * 2 + 0x9e37_79b9;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / 8_388_608.0 - 1.0) * [1.0, 0.01, 3.0][(state >> 33) as usize % 3]
    };
    let values = (0..shape.iter().product()).map(|_| next()).collect();
    Tensor::from_vec(shape, values).unwrap()
}

fn integers(shape: &[usize], below: i32) -> Tensor {
    let values = (0..shape.iter().product::<usize>()).map(|at| (at as i32).wrapping_mul(7919).rem_euclid(below));
    Tensor::from_vec(shape, values.collect()).unwrap()
}

fn axes(axes: &[i32]) -> Tensor {
    Tensor::from_slice(axes)
}

fn ints(values: &[i64]) -> AttrValue {
    AttrValue::Ints(values.to_vec())
}

fn text(value: &str) -> AttrValue {
    AttrValue::String(value.as_bytes().to_vec())
}

struct Case {
    op: &'static str,
    inputs: Vec<Tensor>,
    attrs: Vec<(&'static str, AttrValue)>,
}

fn case(op: &'static str, inputs: impl Into<Vec<Tensor>>) -> Case {
    Case { op, inputs: inputs.into(), attrs: Vec::new() }
}

impl Case {
    fn with(mut self, name: &'static str, value: AttrValue) -> Self {
        self.attrs.push((name, value));
        self
    }

    fn sliding(self, stride: i64) -> Self {
        self.with("strides", ints(&[1, stride, stride, 1])).with("padding", text("SAME"))
    }

    fn run(&self, context: &EagerContext) -> Result<Vec<Tensor>> {
        let inputs: Vec<&Tensor> = self.inputs.iter().collect();
        Ok(context.call(self.op, &inputs, &self.attrs)?.values.into_vec())
    }
}

fn elementwise_and_reductions() -> Vec<Case> {
    let long = numbers(&[300_007], 1);
    let (wide, tall) = (numbers(&[37, 20_011], 2), numbers(&[20_011, 37], 3));
    let mut cases: Vec<Case> = ["Exp", "Tanh", "Sigmoid", "Erf", "Gelu", "Softplus", "Rsqrt", "Sin", "L2Loss"]
        .into_iter()
        .filter(|op| Registry::global().is_ok_and(|registry| registry.get_op(op).is_some()))
        .map(|op| case(op, [long.clone()]))
        .collect();
    for op in ["Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"] {
        cases.push(case(op, [long.clone(), axes(&[0])]));
        for input in [&wide, &tall] {
            cases.extend([&[0][..], &[1], &[0, 1]].map(|over| case(op, [input.clone(), axes(over)])));
        }
        cases.push(case(op, [numbers(&[17, 301, 97], 4), axes(&[0, 2])]));
        cases.push(case(op, [numbers(&[17, 301, 97], 4), axes(&[1])]));
    }
    for op in ["Softmax", "LogSoftmax"] {
        cases.extend([case(op, [wide.clone()]), case(op, [tall.clone()])]);
    }
    cases.push(case("SoftmaxCrossEntropyWithLogits", [tall.clone(), numbers(&[20_011, 37], 5)]));
    cases.push(case("BiasAddGrad", [numbers(&[8, 61, 61, 33], 6)]));
    cases.push(case("Cumsum", [wide.clone(), Tensor::scalar(1i32)]));
    cases.push(case("Cumsum", [tall.clone(), Tensor::scalar(0i32)]));
    let segments = integers(&[20_011], 50);
    cases.push(case("UnsortedSegmentSum", [tall.clone(), segments.clone(), Tensor::scalar(50i32)]));
    cases.push(case("GatherV2", [tall.clone(), segments.clone(), Tensor::scalar(0i32)]));
    cases.push(case("ScatterNd", [segments.with_shape([20_011, 1]).unwrap(), tall, axes(&[50, 37])]));
    cases.push(case("AddV2", [wide, numbers(&[20_011], 7)]));
    cases
}

fn products() -> Vec<Case> {
    let mut cases = Vec::new();
    for [rows, depth, columns] in [[1, 1000, 1000], [7, 333, 2000], [129, 257, 131], [400, 300, 500], [64, 5000, 64]] {
        cases.push(case("MatMul", [numbers(&[rows, depth], 10), numbers(&[depth, columns], 11)]));
        let turned = case("MatMul", [numbers(&[depth, rows], 12), numbers(&[columns, depth], 13)]);
        let turned = turned.with("transpose_a", AttrValue::Bool(true));
        cases.push(turned.with("transpose_b", AttrValue::Bool(true)));
    }
    cases.push(case("BatchMatMulV2", [numbers(&[6, 65, 64], 14), numbers(&[6, 64, 67], 15)]));
    cases.push(case("BatchMatMulV2", [numbers(&[100, 17, 33], 16), numbers(&[100, 33, 5], 17)]));
    cases
}

fn windows() -> Vec<Case> {
    let mut cases = Vec::new();
    for (size, from, to, window, stride) in
        [(33, 64, 64, 3, 1), (56, 32, 70, 1, 1), (64, 3, 64, 7, 2), (7, 160, 320, 1, 1), (14, 96, 48, 3, 2)]
    {
        let (image, filter) = (numbers(&[2, size, size, from], 20), numbers(&[window, window, from, to], 21));
        let after = (size as i64 + stride - 1) / stride;
        let back = numbers(&[2, after as usize, after as usize, to], 22);
        let extents = |tensor: &Tensor| axes(&tensor.shape().iter().map(|&extent| extent as i32).collect::<Vec<_>>());
        cases.push(case("Conv2D", [image.clone(), filter.clone()]).sliding(stride));
        cases.push(case("Conv2DBackpropInput", [extents(&image), filter.clone(), back.clone()]).sliding(stride));
        cases.push(case("Conv2DBackpropFilter", [image, extents(&filter), back]).sliding(stride));
    }
    let (image, filter) = (numbers(&[2, 57, 57, 48], 23), numbers(&[3, 3, 48, 1], 24));
    let back = numbers(&[2, 57, 57, 48], 25);
    let (image_size, filter_size) = (axes(&[2, 57, 57, 48]), axes(&[3, 3, 48, 1]));
    cases.push(case("DepthwiseConv2dNative", [image.clone(), filter.clone()]).sliding(1));
    cases.push(case("DepthwiseConv2dNativeBackpropInput", [image_size.clone(), filter, back.clone()]).sliding(1));
    cases.push(case("DepthwiseConv2dNativeBackpropFilter", [image.clone(), filter_size, back.clone()]).sliding(1));
    // Channels that threads share out, and lines.
    for (size, depth, channels) in [(57, 48, 24), (7, 320, 640), (15, 512, 512)] {
        let shapes: [&[usize]; 5] =
            [&[2, size, size, depth], &[3, 3, depth, 1], &[depth], &[1, 1, depth, channels], &[channels]];
        let inputs: Vec<Tensor> = shapes.iter().zip(40..).map(|(shape, seed)| numbers(shape, seed)).collect();
        let steps = || AttrValue::Strings(vec![b"BiasAdd".to_vec(), b"Relu6".to_vec()]);
        let pair = case("_FusedSeparableConv2D", <[Tensor; 5]>::try_from(inputs).unwrap()).sliding(1);
        cases.push(pair.with("num_args", AttrValue::Int(1)).with("depthwise_ops", steps()).with("fused_ops", steps()));
    }
    for op in ["MaxPool", "AvgPool"] {
        cases.push(case(op, [image.clone()]).sliding(2).with("ksize", ints(&[1, 3, 3, 1])));
    }
    let smaller = numbers(&[2, 29, 29, 48], 26);
    cases.push(case("AvgPoolGrad", [image_size, smaller]).sliding(2).with("ksize", ints(&[1, 3, 3, 1])));
    let of_channels: Vec<Tensor> = (0..4).map(|seed| numbers(&[48], 30 + seed)).collect();
    let [scale, offset, mean, variance] = <[Tensor; 4]>::try_from(of_channels).unwrap();
    let is_training = |on| AttrValue::Bool(on);
    let none = || Tensor::from_slice::<f32>(&[]);
    let norm = case("FusedBatchNormV3", [image.clone(), scale.clone(), offset, none(), none()]);
    cases.push(norm.with("is_training", is_training(true)));
    let grad = case("FusedBatchNormGradV3", [back, image, scale, mean, variance.clone(), variance]);
    cases.push(grad.with("is_training", is_training(true)));
    cases
}

fn bits(tensors: &[Tensor]) -> Vec<Vec<u8>> {
    tensors.iter().map(|tensor| tensor.as_bytes().expect("numbers").to_vec()).collect()
}

/// What `make` makes while the process's pool has as many threads as any of the tests asks for.
fn with_most_threads<R>(make: impl FnOnce() -> Result<R>) -> Result<R> {
    static LOCK: Mutex<()> = Mutex::new(());
    let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    set_intra_op_threads(THREADS.into_iter().max().unwrap_or(1))?;
    let made = make();
    set_intra_op_threads(0)?;
    made
}

#[test]
fn ops_give_the_same_bits_with_any_number_of_threads() -> Result<()> {
    let device = device_of_type("CPU")?;
    let context = |threads| EagerContext::with_threads(Registry::global()?.clone(), device.clone(), threads);
    let contexts = with_most_threads(|| THREADS.into_iter().map(context).collect::<Result<Vec<_>>>())?;
    let mut different = Vec::new();
    for case in elementwise_and_reductions().into_iter().chain(products()).chain(windows()) {
        let shapes: Vec<String> = case.inputs.iter().map(|input| input.shape().to_string()).collect();
        let what = format!("{} of {}", case.op, shapes.join(" and "));
        let alone = bits(&case.run(&contexts[0]).map_err(|error| error.context(what.clone()))?);
        for (context, threads) in contexts.iter().zip(THREADS).skip(1) {
            if bits(&case.run(context)?) != alone {
                different.push(format!("{what} with {threads} threads"));
            }
        }
    }
    assert!(different.is_empty(), "results that depend on the number of threads:\n{}", different.join("\n"));
    Ok(())
}

fn outputs(name: &str, threads: usize) -> Result<Vec<Vec<u8>>> {
    let mut archive = Archive::open(&repository(&format!("tests/models/{name}.npz")));
    let graph = Graph::load(repository(&format!("tests/models/{name}.pb")), Registry::global()?)?;
    let names: Vec<String> = archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let starting = |prefix: &str| names.iter().filter_map(|name| name.strip_prefix(prefix)).collect::<Vec<_>>();
    let (feeds, fetches) = (starting("in:"), starting("out:"));
    let options = SessionOptions { intra_op_threads: threads, ..SessionOptions::default() };
    let callable = with_most_threads(|| Session::new(graph, options))?.prepare(&feeds, &fetches, &[])?;
    let feeds: Vec<Tensor> = feeds.iter().map(|feed| archive.read_any(&format!("in:{feed}"))).collect();
    let mut all = Vec::new();
    // The executors that are tried in turn are among these runs.
    for _ in 0..14 {
        all.extend(bits(&callable.run(&feeds)?));
    }
    let one_run = all.len() / 14;
    assert!(all.chunks(one_run.max(1)).all(|run| run == &all[..one_run]), "{name}: runs differ");
    all.truncate(one_run);
    Ok(all)
}

#[test]
fn models_give_the_same_bits_with_any_number_of_threads() -> Result<()> {
    for name in ["lstm", "lstm_v1", "transformer", "while_v1", "while_v2"] {
        let alone = outputs(name, 1)?;
        for threads in &THREADS[1..] {
            assert!(outputs(name, *threads)? == alone, "{name} gives other bits with {threads} threads");
        }
    }
    Ok(())
}
