//! A plugin's ops in graphs and sessions.

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{ErrorKind, Tensor};

use crate::support::plugin;

fn graph(text: &str) -> oplink::Result<Graph> {
    plugin();
    Graph::from_text(text, Registry::global()?)
}

fn chain(x: &str) -> String {
    let dims = |size: i32| format!("dim {{ size: {size} }}");
    format!(
        "node {{ name: 'x' op: 'Placeholder' attr {{ key: 'dtype' value {{ type: DT_FLOAT }} }}
           attr {{ key: 'shape' value {{ shape {{ {x} {} }} }} }} }}
         node {{ name: 'a' op: 'HostScale' input: 'x' attr {{ key: 'T' value {{ type: DT_FLOAT }} }} }}
         node {{ name: 'b' op: 'HostScale' input: 'a' attr {{ key: 'T' value {{ type: DT_FLOAT }} }}
           attr {{ key: 'scale' value {{ f: 0.5 }} }} }}
         node {{ name: 'c' op: 'HostSquare' input: 's' }}
         node {{ name: 's' op: 'Const' attr {{ key: 'dtype' value {{ type: DT_FLOAT }} }}
           attr {{ key: 'value' value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ }} float_val: 4 }} }} }} }}",
        dims(2)
    )
}

#[test]
fn shapes_are_inferred_and_a_session_runs_and_forwards() {
    let graph = graph(&chain("dim { size: -1 }")).unwrap();
    let shape = graph.shape(oplink::Output { node: 2, index: 0 });
    assert_eq!(shape.to_string(), "[?,2]");
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    let x = Tensor::from_vec([1, 2], vec![1.0f32, 3.0]).unwrap();
    let outputs = session.run(&[("x", x.clone())], &["b", "a:1", "b:1", "c"], &[]).unwrap();
    assert_eq!(outputs[0].as_slice::<f32>().unwrap(), [1.0, 3.0]);
    // The fed tensor is still the caller's, the one between the nodes is nobody's.
    assert!(!outputs[1].to_scalar::<bool>().unwrap());
    assert!(outputs[2].to_scalar::<bool>().unwrap());
    assert_eq!(outputs[3].to_scalar::<f32>().unwrap(), 16.0);
    assert_eq!(x.as_slice::<f32>().unwrap(), [1.0, 3.0]);
}

#[test]
fn a_shape_function_refuses_while_the_graph_is_built() {
    let five = "dim { size: 1 } dim { size: 1 } dim { size: 1 } dim { size: 1 }";
    let error = graph(&chain(five)).unwrap_err();
    assert!(error.to_string().contains("must be at most of rank 4"), "{error}");
    assert_eq!(error.kind(), ErrorKind::ShapeInference);
}
