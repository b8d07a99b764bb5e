//! Gradients: what comes back, names, and what leaves the graph as it was.

use std::ffi::{CString, c_int};
use std::ptr;

use oplink_abi::*;
use oplink_capi::gradients::{TF_AddGradients, TF_AddGradientsWithPrefix};
use oplink_capi::graph::listing::TF_GraphToGraphDef;

use crate::client::*;

const NOTHING: TF_Output = TF_Output { oper: ptr::null_mut(), index: 0 };

/// The code, and the gradients where it is 0.
fn added(
    graph: &Graph,
    prefix: Option<&str>,
    ys: &[TF_Output],
    xs: &[TF_Output],
    dx: Option<&[TF_Output]>,
) -> (TF_Code, Vec<TF_Output>) {
    let status = Status::new();
    let mut found = vec![NOTHING; xs.len()];
    let prefix: Option<CString> = prefix.map(c);
    let (ny, nx) = (ys.len() as c_int, xs.len() as c_int);
    let (y, x) = (ys.as_ptr().cast_mut(), xs.as_ptr().cast_mut());
    let dx = dx.map_or(ptr::null_mut(), |dx| dx.as_ptr().cast_mut());
    unsafe {
        match prefix {
            Some(prefix) => {
                TF_AddGradientsWithPrefix(graph.0, prefix.as_ptr(), y, ny, x, nx, dx, status.0, found.as_mut_ptr());
            }
            None => TF_AddGradients(graph.0, y, ny, x, nx, dx, status.0, found.as_mut_ptr()),
        }
    }
    (status.code(), found)
}

fn bytes(graph: &Graph) -> Vec<u8> {
    filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) })
}

#[test]
fn gradients_are_operations_of_the_graph() {
    let graph = Graph::new();
    let (x, y) = (graph.placeholder("x", FLOAT, Some(&[2])), graph.placeholder("y", FLOAT, Some(&[2])));
    let product = graph.op("Mul", "product", &[x, y]);
    let steps = graph.op("Floor", "steps", &[x]);
    let (code, found) = added(&graph, None, &[product], &[x, y], None);
    assert_eq!(code, code::OK);
    assert!(found.iter().all(|gradient| name(gradient.oper).starts_with("gradients/")));
    let (code, seeded) = added(&graph, Some("mine"), &[product], &[x], Some(&[y]));
    assert_eq!((code, name(seeded[0].oper).starts_with("mine/")), (code::OK, true));
    let (code, none) = added(&graph, None, &[steps], &[x], None);
    assert_eq!((code, none[0].oper.is_null(), none[0].index), (code::OK, true, -1));
}

#[test]
fn a_refusal_leaves_the_graph_as_it_was() {
    let graph = Graph::new();
    let other = Graph::new();
    let x = graph.placeholder("x", FLOAT, Some(&[2]));
    let foreign = other.placeholder("x", FLOAT, Some(&[2]));
    let square = graph.op("Square", "square", &[x]);
    let unknown = graph.op("IgammaGradA", "unknown", &[square, square]);
    let before = bytes(&graph);
    assert_eq!(added(&graph, None, &[unknown], &[x], None).0, code::NOT_FOUND);
    assert_eq!(added(&graph, None, &[x], &[square], None).0, code::INVALID_ARGUMENT);
    assert_eq!(added(&graph, None, &[foreign], &[x], None).0, code::INVALID_ARGUMENT);
    assert_eq!(added(&graph, None, &[square], &[foreign], None).0, code::INVALID_ARGUMENT);
    assert_eq!(added(&graph, None, &[square], &[x], Some(&[foreign])).0, code::INVALID_ARGUMENT);
    assert_eq!(added(&graph, None, &[NOTHING], &[x], None).0, code::INVALID_ARGUMENT);
    assert_eq!(added(&graph, Some("x"), &[square], &[x], None).0, code::INVALID_ARGUMENT);
    assert_eq!(added(&graph, Some(""), &[square], &[x], None).0, code::INVALID_ARGUMENT);
    assert_eq!(bytes(&graph), before);
}
