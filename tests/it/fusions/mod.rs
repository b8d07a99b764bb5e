//! Passes that make several nodes one op: it is made where it should be, and values stay what they are but for
//! rounding.

mod activations;
mod contractions;
mod loops;
mod lstm;
mod pads;
mod separable;

use oplink::graph::{Graph, Node, PassOptions, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Result, Tensor};

const FLOAT: &str = r#"attr { key: "T" value { type: DT_FLOAT } }"#;

fn value(i: usize) -> f32 {
    ((i * 37 + 11) % 101) as f32 / 50.0 - 1.0
}

fn tensor(shape: &[usize], seed: usize) -> Tensor {
    Tensor::from_vec(shape, (0..shape.iter().product()).map(|i: usize| value(i + seed)).collect()).unwrap()
}

fn dims(shape: &[i64]) -> String {
    shape.iter().map(|extent| format!("dim {{ size: {extent} }} ")).collect()
}

fn placeholder(name: &str, shape: &[i64]) -> String {
    format!(
        r#"node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                   attr {{ key: "shape" value {{ shape {{ {} }} }} }} }}"#,
        dims(shape)
    )
}

fn constant(name: &str, shape: &[i64], values: &[f32]) -> String {
    let values: String = values.iter().map(|value| format!("float_val: {value} ")).collect();
    format!(
        r#"node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                   attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ {} }} {values} }} }} }} }}"#,
        dims(shape)
    )
}

fn filled(name: &str, shape: &[i64]) -> String {
    let count = shape.iter().product::<i64>() as usize;
    constant(name, shape, &(0..count).map(|i| value(i + name.len())).collect::<Vec<_>>())
}

fn integers(name: &str, values: &[i64]) -> String {
    shaped_integers(name, &[values.len() as i64], values)
}

fn shaped_integers(name: &str, shape: &[i64], values: &[i64]) -> String {
    let text: String = values.iter().map(|value| format!("int_val: {value} ")).collect();
    format!(
        r#"node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
                   attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{ {} }} {text} }} }} }} }}"#,
        dims(shape)
    )
}

/// Lines `name = Op(inputs) attrs`, of float.
fn nodes(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, rest) = line.split_once(" = ").unwrap();
        let (op, rest) = rest.split_once('(').unwrap();
        let (inputs, attrs) = rest.split_once(')').unwrap();
        let inputs: String = inputs.split(", ").map(|input| format!(r#"input: "{input}" "#)).collect();
        let more = match op {
            "Mean" => r#"attr { key: "Tidx" value { type: DT_INT32 } } attr { key: "keep_dims" value { b: true } }"#,
            "Transpose" => r#"attr { key: "Tperm" value { type: DT_INT32 } }"#,
            "Reshape" => r#"attr { key: "Tshape" value { type: DT_INT32 } }"#,
            "Einsum" => r#"attr { key: "N" value { i: 2 } }"#,
            "Pad" => r#"attr { key: "Tpaddings" value { type: DT_INT32 } }"#,
            "Conv2D" | "DepthwiseConv2dNative" if attrs.contains("padding") => "",
            "Conv2D" | "DepthwiseConv2dNative" => {
                r#"attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } }
                   attr { key: "padding" value { s: "SAME" } }"#
            }
            _ => "",
        };
        text += &format!(r#"node {{ name: "{name}" op: "{op}" {inputs} {FLOAT} {more} {attrs} }}"#);
    }
    text
}

/// Whether `op` is in what runs, and that `fetches` are the same with the pass and without any.
#[track_caller]
fn check(nodes: &str, feeds: &[(&str, Tensor)], fetches: &[&str], pass: &str, op: &str, count: usize) -> Result<()> {
    let graph = || Graph::from_text(nodes, Registry::global()?);
    let names: Vec<&str> = feeds.iter().map(|feed| feed.0).collect();
    let optimized = graph()?.optimized(&names, fetches, &[], &PassOptions::default())?.graph;
    let ops: Vec<&str> = optimized.nodes().iter().map(Node::op_name).collect();
    assert_eq!(ops.iter().filter(|name| **name == op).count(), count, "{ops:?}");
    let run = |passes: PassOptions| {
        let options = SessionOptions { passes, ..SessionOptions::default() };
        Session::new(graph()?, options)?.run(feeds, fetches, &[])
    };
    let expected = run(PassOptions::none())?;
    for passes in [PassOptions::default(), PassOptions::default().without(pass)?] {
        for (actual, expected) in run(passes)?.iter().zip(&expected) {
            assert_eq!(actual.shape(), expected.shape());
            for (a, e) in actual.as_slice::<f32>()?.iter().zip(expected.as_slice::<f32>()?) {
                assert!((a - e).abs() <= 2e-5 * (1.0 + e.abs()), "{a} in place of {e}");
            }
        }
    }
    Ok(())
}

fn moments() -> String {
    placeholder("x", &[-1, -1, 24])
        + &integers("axes", &[-1])
        + &constant("epsilon", &[], &[1e-3])
        + &filled("gamma", &[24])
        + &filled("beta", &[1, 1, 24])
        + &nodes(
            "mean = Mean(x, axes)
             stopped = StopGradient(mean)
             squares = SquaredDifference(x, stopped)
             variance = Mean(squares, axes)
             sum = AddV2(variance, epsilon)
             root = Rsqrt(sum)",
        )
}

#[test]
fn layer_norms_are_found_however_they_are_written() -> Result<()> {
    let spellings = [
        "scale = Mul(root, gamma)\n a = Mul(x, scale)\n b = Mul(mean, scale)\n c = Sub(beta, b)\n y = AddV2(a, c)",
        "scale = Mul(root, gamma)\n a = Mul(x, scale)\n n = Neg(mean)\n b = Mul(n, scale)\n c = AddV2(b, beta)\n y = AddV2(a, c)",
        "a = Sub(x, mean)\n b = Mul(a, root)\n c = Mul(b, gamma)\n y = AddV2(c, beta)",
        "a = Sub(x, mean)\n y = Mul(root, a)",
    ];
    for spelling in spellings {
        let text = moments() + &nodes(spelling);
        let feeds = [("x", tensor(&[2, 5, 24], 3))];
        check(&text, &feeds, &["y"], "layer_norm_fusion", "_FusedLayerNorm", 1)?;
        check(&text, &feeds, &["y", "mean", "root"], "layer_norm_fusion", "_FusedLayerNorm", 1)?;
    }
    Ok(())
}

#[test]
fn what_is_no_layer_norm_stays() -> Result<()> {
    let others = [
        "a = AddV2(x, mean)\n y = Mul(a, root)",
        "y = Mul(mean, root)",
        "a = Mul(x, gamma)\n b = Sub(a, mean)\n y = Mul(b, root)",
    ];
    for other in others {
        let text = moments() + &nodes(other);
        check(&text, &[("x", tensor(&[2, 5, 24], 3))], &["y"], "layer_norm_fusion", "_FusedLayerNorm", 0)?;
    }
    Ok(())
}

#[test]
fn roots_of_mean_squares_are_layer_norms_without_a_mean() -> Result<()> {
    let text = placeholder("x", &[-1, 24])
        + &integers("axes", &[1])
        + &constant("epsilon", &[], &[1e-3])
        + &filled("gamma", &[24])
        + &nodes(
            "squares = Square(x)
             mean = Mean(squares, axes)
             sum = AddV2(epsilon, mean)
             root = Rsqrt(sum)
             a = Mul(x, root)
             y = Mul(gamma, a)",
        );
    check(&text, &[("x", tensor(&[7, 24], 3))], &["y"], "layer_norm_fusion", "_FusedLayerNorm", 1)
}

/// `AddN` of values that `lines` make, with a chain behind it.
fn sum_of(count: usize, lines: &str) -> String {
    let inputs: String = (0..count).map(|at| format!(r#"input: "a{at}" "#)).collect();
    placeholder("x", &[16, 512])
        + &nodes(lines)
        + &format!(r#"node {{ name: "sum" op: "AddN" {inputs} {FLOAT} attr {{ key: "N" value {{ i: {count} }} }} }}"#)
        + &nodes("y = Tanh(sum)")
}

#[test]
fn sums_of_two_values_are_parts_of_chains() -> Result<()> {
    let feeds = [("x", tensor(&[16, 512], 3))];
    let two = sum_of(2, "a0 = Exp(x)\n a1 = Sin(x)");
    check(&two, &feeds, &["y"], "pair_sums", "AddN", 0)?;
    check(&two, &feeds, &["y"], "pair_sums", "_FusedElementwise", 1)?;
    check(&sum_of(3, "a0 = Exp(x)\n a1 = Sin(x)\n a2 = Cos(x)"), &feeds, &["y"], "pair_sums", "AddN", 1)
}

#[test]
fn attention_by_products_of_batches() -> Result<()> {
    let shape = [-1, -1, 2, 4];
    let text = placeholder("q", &shape)
        + &placeholder("k", &shape)
        + &placeholder("v", &shape)
        + &placeholder("mask", &[-1, 1, 1, -1])
        + &integers("swapped", &[0, 2, 1, 3])
        + &constant("root", &[], &[2.0])
        + &nodes(
            r#"a = Transpose(q, swapped)
               b = Transpose(k, swapped)
               c = Transpose(v, swapped)
               product = BatchMatMulV2(a, b) attr { key: "adj_y" value { b: true } }
               scaled = RealDiv(product, root)
               masked = AddV2(scaled, mask)
               powers = Softmax(masked)
               weighted = BatchMatMulV2(powers, c)
               y = Transpose(weighted, swapped)"#,
        );
    let of = |batch, time, seed| tensor(&[batch, time, 2, 4], seed);
    let mask = tensor(&[3, 1, 1, 7], 4);
    let feeds = [("q", of(3, 5, 1)), ("k", of(3, 7, 2)), ("v", of(3, 7, 3)), ("mask", mask.clone())];
    check(&text, &feeds, &["y"], "attention_fusion", "_FusedAttention", 1)?;
    check(&text, &feeds, &["y", "powers"], "attention_fusion", "_FusedAttention", 0)?;
    // The mask has more batches than what it masks.
    let feeds = [("q", of(1, 5, 1)), ("k", of(1, 7, 2)), ("v", of(1, 7, 3)), ("mask", mask)];
    check(&text, &feeds, &["y"], "attention_fusion", "_FusedAttention", 1)
}

#[test]
fn attention_by_sums_over_labels() -> Result<()> {
    for (first, second, third) in
        [("q, k", "BTNH,BSNH->BNTS", "BNTS,BSNH->BTNH"), ("k, q", "aecd,abcd->acbe", "acbe,aecd->abcd")]
    {
        let text = placeholder("q", &[-1, 6, 2, 4])
            + &placeholder("k", &[-1, 6, 2, 4])
            + &constant("scale", &[], &[0.5])
            + &nodes(&format!(
                r#"product = Einsum({first}) attr {{ key: "equation" value {{ s: "{second}" }} }}
                   scaled = Mul(scale, product)
                   powers = Softmax(scaled)
                   y = Einsum(powers, k) attr {{ key: "equation" value {{ s: "{third}" }} }}"#
            ));
        let feeds = [("q", tensor(&[3, 6, 2, 4], 1)), ("k", tensor(&[3, 6, 2, 4], 2))];
        check(&text, &feeds, &["y"], "attention_fusion", "_FusedAttention", 1)?;
    }
    Ok(())
}
