//! What kernels and shape functions receive, held against what stock TensorFlow gives the same plugin.
//!
//! `reports.py` writes the files of `expected/`.

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::{TString, Tensor};

use crate::support::plugin;

const GRAPH: &str = "
    node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }
      attr { key: 'shape' value { shape { dim { size: 2 } dim { size: -1 } dim { size: 4 } } } } }
    node { name: 'shapes' op: 'HostShapes' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }
    node { name: 'attrs' op: 'HostAttrs' }
    node { name: 'v' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } }
      attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 } } } }
    node { name: 'n' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } }
      attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 } } } }
    node { name: 'facts' op: 'HostFacts' input: 'v' input: 'n' input: 'n' attr { key: 'N' value { i: 2 } } }";

#[test]
fn everything_is_told_as_stock_tensorflow_tells_it() {
    plugin();
    let session = Graph::from_text(GRAPH, Registry::global().unwrap());
    let session = Session::new(session.unwrap(), SessionOptions::default()).unwrap();
    let x = Tensor::full([2, 1, 4], 1.0f32);
    let reports = session.run(&[("x", x)], &["attrs", "facts", "shapes"], &[]).unwrap();
    for (name, report) in ["attrs", "facts", "shapes"].iter().zip(reports) {
        let expected = std::fs::read_to_string(format!("{}/expected/{name}.txt", env!("CARGO_MANIFEST_DIR")));
        let report = report.to_scalar::<TString>().unwrap();
        assert_eq!(report.to_str().unwrap(), expected.unwrap(), "{name}");
    }
}
