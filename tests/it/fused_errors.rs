//! Errors of nodes that passes made name the nodes that the user wrote.

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Result, Tensor};

const FLOAT: &str = r#"attr { key: "T" value { type: DT_FLOAT } }"#;

fn placeholder(name: &str, shape: &str) -> String {
    format!(
        r#"node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                   attr {{ key: "shape" value {{ shape {{ {shape} }} }} }} }}"#
    )
}

fn node(name: &str, op: &str, inputs: &[&str], attrs: &str) -> String {
    let inputs: String = inputs.iter().map(|input| format!(r#"input: "{input}" "#)).collect();
    format!(r#"node {{ name: "{name}" op: "{op}" {inputs} {attrs} }}"#)
}

fn values(shape: [usize; 2]) -> Result<Tensor> {
    Tensor::from_vec(shape, vec![0.5f32; shape[0] * shape[1]])
}

/// Runs `y` with `x` and `z`, which fails, and checks that the message has all parts.
#[track_caller]
fn check(nodes: &str, feeds: &[(&str, Tensor)], parts: &[&str]) -> Result<()> {
    let session = Session::new(Graph::from_text(nodes, Registry::global()?)?, SessionOptions::default())?;
    let text = session.run(feeds, &["y"], &[]).unwrap_err().to_string();
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in: {text}"));
    Ok(())
}

#[test]
fn a_chain_of_elementwise_ops_names_each() -> Result<()> {
    let shape = "dim { size: -1 } dim { size: 4096 }";
    let nodes = placeholder("x", shape)
        + &placeholder("z", shape)
        + &node("product", "Mul", &["x", "z"], FLOAT)
        + &node("y", "Tanh", &["product"], FLOAT);
    let feeds = [("x", values([2, 4096])?), ("z", values([3, 4096])?)];
    check(&nodes, &feeds, &["_FusedElementwise", "it does the work of `product` (op Mul), `y` (op Tanh)"])
}

#[test]
fn a_contraction_names_what_is_fused_with_it() -> Result<()> {
    let constant = |name: &str, shape: &str| {
        format!(
            r#"node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                       attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ {shape} }} float_val: 2 }} }} }} }}"#
        )
    };
    let nodes = placeholder("x", "dim { size: -1 } dim { size: -1 }")
        + &constant("w", "dim { size: 4 } dim { size: 5 }")
        + &constant("b", "dim { size: 5 }")
        + &node("dense", "MatMul", &["x", "w"], FLOAT)
        + &node("biased", "BiasAdd", &["dense", "b"], FLOAT)
        + &node("y", "Relu", &["biased"], FLOAT);
    let parts = ["`dense` (op MatMul)", "`biased` (op BiasAdd)", "`y` (op Relu)"];
    check(&nodes, &[("x", values([2, 3])?)], &parts)
}

#[test]
fn nodes_of_functions_name_the_function() -> Result<()> {
    let shape = "dim { size: -1 } dim { size: 4096 }";
    let library = format!(
        r#"library {{ function {{ signature {{ name: "gated" input_arg {{ name: "x" type: DT_FLOAT }}
                                               input_arg {{ name: "z" type: DT_FLOAT }}
                                               output_arg {{ name: "y" type: DT_FLOAT }} }}
           node_def {{ name: "product" op: "Mul" input: "x" input: "z" {FLOAT} }}
           node_def {{ name: "tanh" op: "Tanh" input: "product:z:0" {FLOAT} }}
           ret {{ key: "y" value: "tanh:y:0" }} }} }}"#
    );
    let nodes = library + &placeholder("x", shape) + &placeholder("z", shape) + &node("y", "gated", &["x", "z"], "");
    let feeds = [("x", values([2, 4096])?), ("z", values([3, 4096])?)];
    check(&nodes, &feeds, &["`y/product` (op Mul) of function `gated`, `y/tanh` (op Tanh) of function `gated`"])
}
