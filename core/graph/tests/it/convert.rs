//! Tensors in messages.

use expect_test::expect;
use oplink_api::{DType, TString, Tensor};
use oplink_graph::{Graph, Node, tensor_from_proto, tensor_to_proto};
use oplink_proto::{GraphDef, TensorProto};

use crate::fixture::{read, registry};

const LIMIT: usize = 1 << 20;

fn proto(text: &str) -> TensorProto {
    oplink_proto::from_text(text).unwrap()
}

/// The bytes of a tensor, for a comparison of any plain dtype.
fn parts(tensor: &Tensor) -> (DType, Vec<usize>, Vec<u8>) {
    (tensor.dtype(), tensor.shape().to_vec(), tensor.as_bytes().unwrap().to_vec())
}

#[test]
fn every_plain_dtype_of_every_size_comes_back() {
    for &dtype in DType::ALL {
        let Some(size) = dtype.size() else { continue };
        for shape in [&[][..], &[0], &[1], &[2, 3], &[3, 0]] {
            let count: usize = shape.iter().product();
            let bytes: Vec<u8> =
                (0..count * size).map(|i| ((i + 1) % if dtype == DType::Bool { 2 } else { 61 }) as u8).collect();
            let tensor = Tensor::from_bytes(dtype, shape, &bytes).unwrap();
            let back = tensor_from_proto(&tensor_to_proto(&tensor).unwrap(), LIMIT).unwrap();
            assert_eq!(parts(&back), parts(&tensor), "{dtype} {shape:?}");
        }
    }
}

#[test]
fn strings_come_back() {
    let tensor = Tensor::from_vec([2, 1], vec![TString::new("é"), TString::new([0, 255])]).unwrap();
    let back = tensor_from_proto(&tensor_to_proto(&tensor).unwrap(), LIMIT).unwrap();
    assert_eq!(back.as_slice::<TString>().unwrap(), tensor.as_slice::<TString>().unwrap());
    assert_eq!(back.shape(), tensor.shape());
}

/// Constants that TensorFlow wrote in its own forms.
#[test]
fn tensorflows_forms_are_read() {
    let last_repeats = proto("dtype: DT_INT32 tensor_shape { dim { size: 2 } dim { size: 2 } } int_val: 5 int_val: 7");
    assert_eq!(tensor_from_proto(&last_repeats, LIMIT).unwrap().as_slice::<i32>().unwrap(), [5, 7, 7, 7]);
    let zeros = proto("dtype: DT_DOUBLE tensor_shape { dim { size: 3 } }");
    assert_eq!(tensor_from_proto(&zeros, LIMIT).unwrap().as_slice::<f64>().unwrap(), [0.0; 3]);
    let no_shape = proto("dtype: DT_BOOL bool_val: true");
    assert!(tensor_from_proto(&no_shape, LIMIT).unwrap().to_scalar::<bool>().unwrap());
}

/// Constants of every dtype that TensorFlow wrote, as bytes, value by value, and abbreviated
/// (`goldens/make_constants.py`).
#[test]
fn every_constant_that_tensorflow_writes_is_read() {
    let def: GraphDef = oplink_proto::from_bytes(read("core/graph/tests/it/goldens/constants.pb")).unwrap();
    let graph = Graph::import(&def, registry()).unwrap();
    let value =
        |name: &str| graph.node(graph.node_named(name).unwrap()).unwrap().info().attr::<Tensor>("value").unwrap();
    let names: Vec<&str> = graph.nodes().iter().map(Node::name).filter(|name| !name.ends_with("/bytes")).collect();
    assert!(names.len() > 190);
    for name in names {
        let (constant, expected) = (value(name), value(&format!("{name}/bytes")));
        let bytes = match constant.as_slice::<TString>() {
            Ok(strings) => strings.iter().flat_map(|s| [s.as_bytes(), b"\n"].concat()).collect(),
            Err(_) => constant.as_bytes().unwrap().to_vec(),
        };
        assert_eq!(bytes, expected.as_bytes().unwrap(), "{name}");
    }
    assert_eq!(graph.to_def().unwrap(), def);
}

/// As TensorFlow writes them in the graphs of datasets.
#[test]
fn strings_are_read_from_bytes_too() {
    let text = "dtype: DT_STRING tensor_shape { dim { size: 3 } } tensor_content: '\\001\\000\\002abc'";
    let tensor = tensor_from_proto(&proto(text), LIMIT).unwrap();
    assert_eq!(tensor.as_slice::<TString>().unwrap(), ["a", "", "bc"].map(TString::from));
}

#[test]
fn malformed_tensors_are_refused() {
    let refused = |text: &str| tensor_from_proto(&proto(text), LIMIT).unwrap_err().to_string();
    let messages = [
        refused("dtype: DT_FLOAT tensor_shape { dim { size: -1 } }"),
        refused("dtype: DT_FLOAT tensor_shape { dim { size: -2 } }"),
        refused("dtype: DT_FLOAT tensor_shape { unknown_rank: true }"),
        refused("dtype: DT_FLOAT tensor_shape { dim { size: 2 } } tensor_content: 'abcd'"),
        refused("dtype: DT_BOOL tensor_shape { } tensor_content: '\\002'"),
        refused("dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\001\\002abcd'"),
        refused("dtype: DT_STRING tensor_shape { dim { size: 2 } } tensor_content: '\\001\\002ab'"),
        refused("dtype: DT_STRING tensor_shape { dim { size: 99999999999 } } tensor_content: '\\001a'"),
        refused("dtype: DT_FLOAT tensor_shape { dim { size: 4294967296 } dim { size: 4294967296 } }"),
        refused("dtype: DT_STRING tensor_shape { dim { size: 99999 } }"),
        refused("dtype: DT_INVALID"),
        refused("dtype: DT_FLOAT_REF"),
        refused("dtype: DT_RESOURCE"),
        refused("dtype: DT_COMPLEX64 scomplex_val: 1"),
    ];
    expect![[r#"
        a constant tensor has the unknown shape [?]
        shape [-2] has the extent -2; an extent is >= 0, or -1 for unknown
        a constant tensor has the unknown shape ?
        4 bytes do not fill a constant of float [2]
        bytes of a bool tensor must be 0 or 1
        tensor_content has not the lengths and bytes of a constant of string [2]
        tensor_content has not the lengths and bytes of a constant of string [2]
        tensor_content has not the lengths and bytes of a constant of string [99999999999]
        with one of float [4294967296,4294967296] the abbreviated constants exceed the limit of 1048576 bytes
        with one of string [99999] the abbreviated constants exceed the limit of 1048576 bytes
        a constant tensor cannot have dtype invalid
        101 is the number of no dtype
        a constant tensor cannot have dtype resource
        a complex constant has half a value"#]]
    .assert_eq(&messages.join("\n"));
}
