//! Gradients that a plugin carries: one in C, over the functions that add nodes.

use std::sync::OnceLock;

use oplink::call::Arg;
use oplink::graph::{Graph, NewNode, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{Code, DType, Error, ErrorKind, Output, PartialShape, Result, Runtime, Tensor};

use crate::support::build;

fn plugin() {
    static LOADED: OnceLock<()> = OnceLock::new();
    LOADED.get_or_init(|| {
        let info = Runtime::load_plugin(build("gradient.c", "gradient", &["PREFIX=\"\""])).unwrap();
        assert_eq!(info.entry_points, ["TF_InitKernel", "oplink_plugin_gradients"]);
        assert_eq!((info.ops.len(), info.gradients.len(), info.rejected.len()), (5, 5, 0));
    });
}

/// A graph of the op twice over, and its gradient.
fn differentiated(op: &str) -> Result<(Graph, Output)> {
    plugin();
    let mut graph = Graph::new(Registry::global()?);
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[None]))?;
    let mut y = x;
    for name in ["once", "twice"] {
        let (inputs, control_inputs, attrs) = (&[Arg::One(y)][..], &[][..], &[][..]);
        y = Output { node: graph.add(NewNode { op, name, device: "", inputs, control_inputs, attrs })?, index: 0 };
    }
    let before = graph.nodes().len();
    match graph.add_gradients(None, &[y], &[x], None) {
        Ok(gradients) => Ok((graph, gradients[0].expect("a gradient"))),
        Err(error) => {
            assert_eq!(graph.nodes().len(), before, "the graph is as it was");
            Err(error)
        }
    }
}

#[test]
fn a_plugins_gradient_adds_nodes_and_a_session_runs_them() {
    let (graph, gradient) = differentiated("GradTwice").unwrap();
    let name = graph.node(gradient.node).unwrap().name().to_owned();
    assert!(name.starts_with("gradients/Mul"), "{name}");
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    let told = session.run(&[("x", Tensor::from_slice(&[1.0f32, 5.0]))], &[&name], &[]).unwrap();
    assert_eq!(told[0].as_slice::<f32>().unwrap(), [4.0, 4.0]);
}

#[test]
fn what_goes_wrong_is_an_error_and_the_graph_is_as_it_was() {
    let check = |op: &str, code: Code, parts: &[&str]| {
        let error: Error = differentiated(op).expect_err("an error");
        assert_eq!(error.code(), code, "{error}");
        for part in [&[format!("gradient of node `twice` (op {op})").as_str()], parts].concat() {
            assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
        }
        error
    };
    check("GradTwicerefused", Code::FailedPrecondition, &["the gradient refuses the node"]);
    let unknown = check("GradTwiceunknown", Code::NotFound, &["op `NoSuchOp` is not declared"]);
    assert_eq!(unknown.kind(), ErrorKind::OpNotDeclared);
    check("GradTwicemissing", Code::InvalidArgument, &["12345"]);
    check("GradTwiceforeign", Code::InvalidArgument, &["12345"]);
}

#[test]
fn an_op_without_a_gradient_names_its_plugin() {
    crate::support::plugin();
    let mut graph = Graph::new(Registry::global().unwrap());
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[None])).unwrap();
    let inputs = &[Arg::One(x)];
    let node = NewNode { op: "HostSquare", name: "y", device: "", inputs, control_inputs: &[], attrs: &[] };
    let y = Output { node: graph.add(node).unwrap(), index: 0 };
    let error = graph.add_gradients(None, &[y], &[x], None).unwrap_err();
    let told = error.to_string();
    assert!(
        told.contains("No gradient defined for op: HostSquare. The plugin ") && told.contains("libplugin.so"),
        "{told}"
    );
}

#[test]
fn gradients_of_another_version_or_for_another_host_are_refused() {
    let refused = |name: &str, definition: &str| {
        let file = build("gradient.c", name, &[&format!("PREFIX=\"{name}\""), definition]);
        let error = Runtime::load_plugin(file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PluginRejected);
        error.to_string()
    };
    let version = refused("version", "VERSION=2");
    assert!(version.contains("its `oplink_plugin_gradients` is of version 2"), "{version}");
    let import = refused("import", "IMPORT=\"OPLINK_OfTheFuture\"");
    assert!(import.contains("it needs the function `OPLINK_OfTheFuture`"), "{import}");
}
