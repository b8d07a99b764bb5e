//! Graph functions, eager calls and builders, against a scope that records.
#![allow(clippy::needless_borrows_for_generic_args, reason = "references are a form that calls take")]

use super::*;
use oplink::call::{Call, Outputs};

/// Selects.
#[op(
    "ApiSelect",
    input = "where: bool",
    input = "values: N * T",
    input = "t: T",
    output = "a: T",
    output = "rest: N * T",
    attr = "N: int >= 1",
    attr = "T: type",
    attr = "DstT: type",
    attr = "dims: list(int)",
    attr = "type: string = 'x'",
    attr = "name: string = ''",
    attr = "shape: shape = { unknown_rank: true }",
    unused_attr = "DstT"
)]
pub struct ApiSelect;

#[op("ApiWhere", input = "x: T", output = "y: int64", attr = "T: type")]
pub struct Where;

#[op("ApiPrint", input = "x: T", attr = "T: type", stateful)]
pub struct Print;

#[op("ApiConst", output = "y: T", attr = "T: type", attr = "value: tensor")]
fn r#const(c: &mut ShapeContext<'_>) -> Result<()> {
    let _ = c;
    Ok(())
}

#[derive(Default)]
struct Recorder {
    calls: Vec<Call<Output>>,
    constants: Vec<Tensor>,
}

impl Scope for Recorder {
    fn add(&mut self, call: Call<Output>) -> Result<Outputs<Output>> {
        self.calls.push(call);
        let output = |index| Output { node: 7, index };
        Ok(Outputs { values: (0..3).map(output).collect(), ranges: [0..1, 1..3].into_iter().collect(), node: 7 })
    }

    fn constant(&mut self, value: Tensor) -> Result<Output> {
        self.constants.push(value);
        Ok(Output { node: 100 + self.constants.len() as u32, index: 0 })
    }
}

#[test]
fn graph_functions_take_operands_and_required_attrs() {
    let mut scope = Recorder::default();
    let x = Output { node: 1, index: 0 };
    let (a, rest) = api_select(&mut scope, true, [x, x], &x, DType::Half, &[1, 2]).unwrap();
    assert_eq!((a.index, rest.len()), (0, 2));
    let call = &scope.calls[0];
    assert_eq!((call.op, call.inputs.len(), call.name.is_none()), ("ApiSelect", 3, true));
    assert!(matches!(&call.inputs[1], Arg::List(list) if list.len() == 2));
    assert_eq!(call.attrs[0], ("DstT", AttrValue::Type(DType::Half)));
    assert_eq!(call.attrs[1], ("dims", AttrValue::Ints(vec![1, 2])));
    assert_eq!((call.attrs.len(), scope.constants.len()), (2, 1));
}

#[test]
fn names_that_are_keywords_are_raw() {
    let mut scope = Recorder::default();
    let x = Output { node: 1, index: 0 };
    assert_eq!(api_where(&mut scope, x).unwrap().index, 0);
    assert_eq!(r#const(&mut scope, DType::Float, &Tensor::scalar(1f32)).unwrap().node, 7);
    assert_eq!(api_print(&mut scope, [1f32, 2.0]).unwrap(), 7);
}

#[test]
fn builders_set_names_and_optional_attrs() {
    let mut scope = Recorder::default();
    let x = Output { node: 1, index: 0 };
    let unknown = PartialShape::unknown();
    let builder =
        ApiSelect::builder(DType::Half, &[]).name("chosen").device("GPU:1").r#type("y").name_("z").shape(unknown);
    builder.build(&mut scope, true, [x], x).unwrap();
    let call = &scope.calls[0];
    assert_eq!((call.name.as_deref(), call.device.as_deref()), (Some("chosen"), Some("GPU:1")));
    let names: Vec<&str> = call.attrs.iter().map(|attr| attr.0).collect();
    assert_eq!(names, ["DstT", "dims", "type", "name", "shape"]);
}

#[test]
fn eager_calls_go_to_the_linked_runtime() {
    let x = Tensor::scalar(1f32);
    let error = ApiSelect::call(true, &[&x, &x], 1f32, DType::Half, &[1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotLinked);
    assert!(Where::call(&x).is_err() && Print::call([1f32]).is_err() && ApiConst::call(DType::Float, 1f32).is_err());
}
