//! Functions of a graph's library: called as ops and by attrs, in conditions and loops, and made from graphs.

use oplink::graph::{FunctionOptions, Graph, PassOptions, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Code, DType, PartialShape, Result, Tensor};

/// Functions that the tests call.
const LIBRARY: &str = r#"
library {
  function {
    signature { name: "scaled" input_arg { name: "x" type_attr: "T" } output_arg { name: "y" type_attr: "T" }
                attr { name: "T" type: "type" } attr { name: "times" type: "int" default_value { i: 2 } } }
    node_def { name: "factor" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
               attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 3 } } } }
    node_def { name: "cast" op: "Cast" input: "factor:output:0"
               attr { key: "SrcT" value { type: DT_FLOAT } } attr { key: "DstT" value { placeholder: "T" } } }
    node_def { name: "mul" op: "Mul" input: "x" input: "cast:y:0" attr { key: "T" value { placeholder: "T" } } }
    ret { key: "y" value: "mul:z:0" }
  }
  function {
    signature { name: "both" input_arg { name: "xs" type_list_attr: "L" } output_arg { name: "ys" type_list_attr: "L" }
                attr { name: "L" type: "list(type)" } }
    node_def { name: "same" op: "IdentityN" input: "xs" attr { key: "T" value { placeholder: "L" } } }
    ret { key: "ys" value: "same:output" }
  }
  function {
    signature { name: "endless" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "again" op: "endless" input: "x" }
    ret { key: "y" value: "again:y:0" }
  }
  function {
    signature { name: "factorial" input_arg { name: "n" type: DT_INT32 } output_arg { name: "y" type: DT_INT32 } }
    node_def { name: "one" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
               attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } }
    node_def { name: "more" op: "Greater" input: "n" input: "one:output:0" attr { key: "T" value { type: DT_INT32 } } }
    node_def { name: "if" op: "StatelessIf" input: "more:z:0" input: "n"
               attr { key: "Tcond" value { type: DT_BOOL } }
               attr { key: "Tin" value { list { type: DT_INT32 } } } attr { key: "Tout" value { list { type: DT_INT32 } } }
               attr { key: "then_branch" value { func { name: "times_rest" } } }
               attr { key: "else_branch" value { func { name: "unit" } } } }
    ret { key: "y" value: "if:output:0" }
  }
  function {
    signature { name: "unit" input_arg { name: "n" type: DT_INT32 } output_arg { name: "y" type: DT_INT32 } }
    node_def { name: "one" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
               attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } }
    ret { key: "y" value: "one:output:0" }
  }
  function {
    signature { name: "times_rest" input_arg { name: "n" type: DT_INT32 } output_arg { name: "y" type: DT_INT32 } }
    node_def { name: "one" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
               attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } }
    node_def { name: "less" op: "Sub" input: "n" input: "one:output:0" attr { key: "T" value { type: DT_INT32 } } }
    node_def { name: "rest" op: "factorial" input: "less:z:0" }
    node_def { name: "mul" op: "Mul" input: "n" input: "rest:y:0" attr { key: "T" value { type: DT_INT32 } } }
    ret { key: "y" value: "mul:z:0" }
  }
  function {
    signature { name: "add_number" input_arg { name: "i" type: DT_INT32 } input_arg { name: "sum" type: DT_INT32 }
                output_arg { name: "y" type: DT_INT32 } }
    node_def { name: "add" op: "AddV2" input: "sum" input: "i" attr { key: "T" value { type: DT_INT32 } } }
    ret { key: "y" value: "add:z:0" }
  }
  function {
    signature { name: "breaks" input_arg { name: "n" type: DT_INT32 } output_arg { name: "y" type: DT_INT32 } }
    node_def { name: "divide" op: "FloorDiv" input: "n" input: "n" attr { key: "T" value { type: DT_INT32 } } }
    ret { key: "y" value: "divide:z:0" }
  }
}
versions { producer: 2474 }
"#;

fn session(nodes: &str) -> Result<Session> {
    let graph = Graph::from_text(&format!("{nodes}\n{LIBRARY}"), Registry::global()?)?;
    Session::new(graph, SessionOptions::default())
}

fn placeholder(name: &str, dtype: &str) -> String {
    format!(r#"node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: {dtype} }} }} }}"#)
}

fn call(function: &str, input: &str, dtype: &str) -> String {
    format!(
        r#"node {{ name: "call" op: "StatefulPartitionedCall" input: "{input}" attr {{ key: "f" value {{ func {{ name: "{function}" }} }} }}
           attr {{ key: "Tin" value {{ list {{ type: {dtype} }} }} }} attr {{ key: "Tout" value {{ list {{ type: {dtype} }} }} }} }}"#
    )
}

#[test]
fn a_function_is_an_op_with_attrs() -> Result<()> {
    let node = r#"node { name: "call" op: "scaled" input: "x" attr { key: "T" value { type: DT_INT32 } } }"#;
    let session = session(&format!("{}{node}", placeholder("x", "DT_INT32")))?;
    let y = session.run(&[("x", Tensor::from([1, 2]))], &["call"], &[])?;
    assert_eq!(y[0].as_slice::<i32>()?, [3, 6]);
    Ok(())
}

#[test]
fn lists_go_in_and_out() -> Result<()> {
    let node = r#"node { name: "call" op: "both" input: "a" input: "b"
                         attr { key: "L" value { list { type: DT_INT32 type: DT_FLOAT } } } }"#;
    let session = session(&format!("{}{}{node}", placeholder("a", "DT_INT32"), placeholder("b", "DT_FLOAT")))?;
    let feeds = [("a", Tensor::scalar(1)), ("b", Tensor::scalar(0.5f32))];
    let outputs = session.run(&feeds, &["call:1", "call:0"], &[])?;
    assert_eq!((outputs[0].to_scalar::<f32>()?, outputs[1].to_scalar::<i32>()?), (0.5, 1));
    Ok(())
}

#[test]
fn functions_call_themselves() -> Result<()> {
    let session = session(&format!("{}{}", placeholder("n", "DT_INT32"), call("factorial", "n", "DT_INT32")))?;
    for (n, wanted) in [(0, 1), (1, 1), (5, 120), (10, 3_628_800)] {
        let y = session.run(&[("n", Tensor::scalar(n))], &["call"], &[])?;
        assert_eq!(y[0].to_scalar::<i32>()?, wanted, "{n}!");
    }
    Ok(())
}

#[test]
fn endless_recursion_is_an_error_that_names_the_function() -> Result<()> {
    let session = session(&format!("{}{}", placeholder("x", "DT_FLOAT"), call("endless", "x", "DT_FLOAT")))?;
    let error = session.run(&[("x", Tensor::scalar(1f32))], &["call"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert!(error.message().contains("function `endless` is called inside 200 calls"), "{}", error.message());
    Ok(())
}

#[test]
fn an_error_names_the_function_and_the_node_inside() -> Result<()> {
    let nodes = format!("{}{}\n{LIBRARY}", placeholder("n", "DT_INT32"), call("breaks", "n", "DT_INT32"));
    let called = ["node `divide` (op FloorDiv)", "in function `breaks`", "node `call` (op StatefulPartitionedCall)"];
    let inlined = ["node `call/divide` (op FloorDiv)"];
    let without = PassOptions::default().without("function_inlining")?;
    for (passes, parts) in [(without, &called[..]), (PassOptions::default(), &inlined[..])] {
        let options = SessionOptions { passes, ..SessionOptions::default() };
        let session = Session::new(Graph::from_text(&nodes, Registry::global()?)?, options)?;
        let error = session.run(&[("n", Tensor::scalar(0))], &["call"], &[]).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{part} is missing in: {error}");
        }
    }
    let session = session(&format!("{}{}", placeholder("n", "DT_INT32"), call("breaks", "n", "DT_INT32")))?;
    session.run(&[("n", Tensor::scalar(0))], &["call"], &[]).unwrap_err();
    let y = session.run(&[("n", Tensor::scalar(3))], &["call"], &[])?;
    assert_eq!(y[0].to_scalar::<i32>()?, 1, "the session is usable after an error");
    Ok(())
}

#[test]
fn a_function_that_is_not_there_is_named() -> Result<()> {
    let session = session(&format!("{}{}", placeholder("n", "DT_INT32"), call("factorail", "n", "DT_INT32")))?;
    let error = session.run(&[("n", Tensor::scalar(0))], &["call"], &[]).unwrap_err().to_string();
    assert!(error.contains("no function `factorail`; did you mean `factorial`?"), "{error}");
    Ok(())
}

#[test]
fn for_goes_through_numbers() -> Result<()> {
    let node = r#"node { name: "for" op: "For" input: "start" input: "limit" input: "delta" input: "start"
                         attr { key: "T" value { list { type: DT_INT32 } } }
                         attr { key: "body" value { func { name: "add_number" } } } }"#;
    let placeholders: String = ["start", "limit", "delta"].map(|name| placeholder(name, "DT_INT32")).concat();
    let session = session(&format!("{placeholders}{node}"))?;
    let run = |start: i32, limit: i32, delta: i32| {
        let feeds = [("start", start), ("limit", limit), ("delta", delta)].map(|(name, v)| (name, Tensor::scalar(v)));
        session.run(&feeds, &["for"], &[]).and_then(|y| y[0].to_scalar::<i32>())
    };
    assert_eq!(run(0, 5, 1)?, 10);
    assert_eq!(run(5, 0, -2)?, 5 + 5 + 3 + 1);
    assert_eq!(run(3, 3, 0)?, 3, "no iteration");
    assert!(run(0, 5, -1).unwrap_err().message().contains("steps of -1 from 0 never reach 5"));
    Ok(())
}

#[test]
fn a_graph_becomes_a_function() -> Result<()> {
    let registry = Registry::global()?;
    let mut graph = Graph::new(registry);
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::unknown())?;
    let double = oplink::ops::add_v2(&mut scope, x, x)?;
    let y = oplink::ops::mul(&mut scope, double, x)?;
    let function = graph.to_function("twice_square", &[x], &[y, double], &FunctionOptions::default())?;

    let mut caller = Graph::new(registry);
    caller.add_function(&function)?;
    caller.add_function(&function)?;
    let input = caller.scope().placeholder("input", DType::Float, PartialShape::unknown())?;
    let node = oplink::graph::NewNode {
        op: "twice_square",
        name: "call",
        device: "",
        inputs: &[],
        control_inputs: &[],
        attrs: &[],
    };
    caller.add_flat(node, &[input])?;
    let back = Graph::from_bytes(caller.to_bytes()?, registry)?;
    let session = Session::new(back, SessionOptions::default())?;
    let outputs = session.run(&[("input", Tensor::from([3f32, -1.0]))], &["call:0", "call:1"], &[])?;
    assert_eq!(outputs[0].as_slice::<f32>()?, [18.0, 2.0]);
    assert_eq!(outputs[1].as_slice::<f32>()?, [6.0, -2.0]);
    Ok(())
}

#[test]
fn a_function_needs_its_placeholders_as_inputs() -> Result<()> {
    let mut graph = Graph::new(Registry::global()?);
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::unknown())?;
    let y = scope.placeholder("y", DType::Float, PartialShape::unknown())?;
    let sum = oplink::ops::add_v2(&mut scope, x, y)?;
    let error = graph.to_function("sum", &[x], &[sum], &FunctionOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the placeholder `y` is needed, but it is no input of the function"), "{error}");
    Ok(())
}

#[test]
fn a_body_that_reads_a_variable_waits_for_what_its_call_waits_for() -> Result<()> {
    let scalar = r#"attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {} } }"#;
    let constant = |name: &str, value: f32| {
        format!(
            r#"node {{ name: "{name}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
                       attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{}} float_val: {value} }} }} }} }}"#
        )
    };
    let assign = |name: &str, value: &str, after: &str| {
        format!(
            r#"node {{ name: "{name}" op: "AssignVariableOp" input: "v" input: "{value}" {after}
                       attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} }}"#
        )
    };
    let text = format!(
        r#"library {{ function {{
             signature {{ name: "reads" input_arg {{ name: "v" type: DT_RESOURCE }} output_arg {{ name: "y" type: DT_FLOAT }} }}
             node_def {{ name: "read" op: "ReadVariableOp" input: "v" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} }}
             ret {{ key: "y" value: "read:value:0" }} }} }}
           node {{ name: "v" op: "VarHandleOp" {scalar} }} {} {} {} {}
           node {{ name: "before" op: "reads" input: "v" input: "^first" }}
           node {{ name: "after" op: "reads" input: "v" input: "^second" }}"#,
        constant("one", 1.0),
        constant("two", 2.0),
        assign("first", "one", ""),
        assign("second", "two", r#"input: "^before""#)
    );
    let session = Session::new(Graph::from_text(&text, Registry::global()?)?, SessionOptions::default())?;
    for _ in 0..3 {
        // The second is asked for first: nothing but what the calls wait for orders them.
        let values = session.run(&[], &["after", "before"], &[])?;
        let values: Vec<f32> = values.iter().map(Tensor::to_scalar).collect::<Result<_>>()?;
        assert_eq!(values, [2.0, 1.0]);
    }
    Ok(())
}
