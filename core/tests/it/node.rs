//! Attrs inferred from inputs, checked, and filled in.

use expect_test::{Expect, expect};
use oplink_api::{AttrValue, DType, NodeInfo, Result};
use oplink_core::ArgDTypes::{List, One};
use oplink_core::{ArgDTypes, check_inputs, group_inputs, node_for_call, node_for_flat_call, node_from_attrs};

use crate::fixture::with_op;

const CONCAT: &str =
    "op Concat\ninput concat_dim: int32\ninput values: N * T\noutput output: T\nattr N: int >= 2\nattr T: type";
const PACK: &str = "op BatchFunction\ninput in_tensors: Tin\ninput captured: Tcaptured\noutput out_tensors: Tout\n\
                    attr Tin: list(type)\nattr Tcaptured: list(type) >= 0\nattr Tout: list(type)\nattr batch: int = 7";
const POOL: &str = "op MaxPool\ninput input: T\noutput output: T\nattr T: {half, float} = DT_FLOAT\n\
                    attr ksize: list(int) >= 4\nattr padding: {'SAME', 'VALID'}\nattr data_format: string = 'NHWC'";
const PAIR: &str = "op Pair\ninput keys: N * Tkey\ninput values: N * float\noutput sums: N * Tkey\noutput all: T\n\
                    attr N: int\nattr Tkey: {int32, int64}\nattr T: type = DT_BOOL";

fn summary(node: Result<NodeInfo>) -> String {
    match node {
        Err(error) => error.to_string(),
        Ok(node) => format!(
            "{:?}\n{:?} {:?} -> {:?} {:?}",
            node.attrs, node.input_dtypes, node.input_ranges, node.output_dtypes, node.output_ranges
        ),
    }
}

fn call(op: &str, inputs: &[ArgDTypes<'_>], attrs: &[(&str, AttrValue)], expected: Expect) {
    let made = with_op(op, |op| node_for_call(op, "n", "", inputs, attrs.iter().cloned()));
    expected.assert_eq(&summary(made));
}

const F: DType = DType::Float;
const I: DType = DType::Int32;

#[test]
fn number_and_type_follow_from_the_inputs() {
    call(
        CONCAT,
        &[One(I), List(&[F, F, F])],
        &[],
        expect![[r#"
        {"N": Int(3), "T": Type(Float)}
        [Int32, Float, Float, Float] [0..1, 1..4] -> [Float] [0..1]"#]],
    );
    call(
        CONCAT,
        &[One(I), List(&[F, F])],
        &[("N", 2i64.into()), ("T", F.into())],
        expect![[r#"
        {"N": Int(2), "T": Type(Float)}
        [Int32, Float, Float] [0..1, 1..3] -> [Float] [0..1]"#]],
    );
    call(
        PACK,
        &[List(&[F, I]), List(&[])],
        &[("Tout", (&[I][..]).into())],
        expect![[r#"
        {"Tin": Types([Float, Int32]), "Tcaptured": Types([]), "Tout": Types([Int32]), "batch": Int(7)}
        [Float, Int32] [0..2, 2..2] -> [Int32] [0..1]"#]],
    );
    call(
        PAIR,
        &[List(&[I, I]), List(&[F, F])],
        &[],
        expect![[r#"
        {"N": Int(2), "Tkey": Type(Int32), "T": Type(Bool)}
        [Int32, Int32, Float, Float] [0..2, 2..4] -> [Int32, Int32, Bool] [0..2, 2..3]"#]],
    );
}

#[test]
fn inputs_that_do_not_fit() {
    call(CONCAT, &[One(F), List(&[F, F])], &[], expect!["input `concat_dim` of op Concat must be int32, it is float"]);
    call(
        CONCAT,
        &[One(I), List(&[F, I])],
        &[],
        expect!["input `values` of op Concat makes attr `T` int32, but it is float from input `values`"],
    );
    call(
        CONCAT,
        &[One(I), List(&[F])],
        &[],
        expect!["attr `N` of op Concat is 1 from input `values`, it must be at least 2"],
    );
    call(
        CONCAT,
        &[One(I), List(&[F, F])],
        &[("N", 3i64.into())],
        expect!["input `values` of op Concat makes attr `N` 2, but it is 3 as given"],
    );
    call(
        CONCAT,
        &[One(I), List(&[F, F])],
        &[("T", I.into())],
        expect!["input `values` of op Concat makes attr `T` float, but it is int32 as given"],
    );
    call(
        CONCAT,
        &[One(I), One(F)],
        &[],
        expect!["input `values` of op Concat is a list of tensors, a single one is given"],
    );
    call(
        CONCAT,
        &[List(&[I]), List(&[F, F])],
        &[],
        expect!["input `concat_dim` of op Concat is a single tensor, a list is given"],
    );
    call(CONCAT, &[One(I)], &[], expect!["op Concat takes 2 inputs (concat_dim, values), 1 are given"]);
    call(
        PAIR,
        &[List(&[I, I]), List(&[F])],
        &[],
        expect!["input `values` of op Pair makes attr `N` 1, but it is 2 from input `keys`"],
    );
    call(
        PAIR,
        &[List(&[F]), List(&[F])],
        &[],
        expect!["attr `Tkey` of op Pair does not allow float from input `keys`; it allows int32, int64"],
    );
    call(
        PAIR,
        &[List(&[]), List(&[])],
        &[],
        expect!["attr `N` of op Pair is 0 from input `keys`, it must be at least 1"],
    );
}

#[test]
fn attrs_that_do_not_fit() {
    let ksize: (&str, AttrValue) = ("ksize", (&[1i64, 2, 2, 1]).into());
    let padding: (&str, AttrValue) = ("padding", "SAME".into());
    call(
        POOL,
        &[One(F)],
        &[ksize.clone(), padding.clone()],
        expect![[r#"
        {"T": Type(Float), "ksize": Ints([1, 2, 2, 1]), "padding": String([83, 65, 77, 69]), "data_format": String([78, 72, 87, 67])}
        [Float] [0..1] -> [Float] [0..1]"#]],
    );
    call(
        POOL,
        &[One(F)],
        std::slice::from_ref(&ksize),
        expect!["attr `padding` of op MaxPool has no value: give one, it has no default"],
    );
    call(
        POOL,
        &[One(F)],
        &[ksize.clone(), ("padding", "FULL".into())],
        expect!["attr `padding` of op MaxPool does not allow 'FULL' as given; it allows 'SAME', 'VALID'"],
    );
    call(
        POOL,
        &[One(F)],
        &[("ksize", (&[1i64, 2]).into()), padding.clone()],
        expect!["attr `ksize` of op MaxPool has 2 elements as given, it must have at least 4"],
    );
    call(
        POOL,
        &[One(F)],
        &[("ksize", AttrValue::EmptyList), padding.clone()],
        expect!["attr `ksize` of op MaxPool has 0 elements as given, it must have at least 4"],
    );
    call(
        POOL,
        &[One(F)],
        &[("ksize", 3i64.into()), padding.clone()],
        expect!["attr `ksize` of op MaxPool must be list(int), it is int"],
    );
    call(
        POOL,
        &[One(I)],
        &[ksize.clone(), padding.clone()],
        expect!["attr `T` of op MaxPool does not allow int32 from input `input`; it allows half, float"],
    );
    call(
        POOL,
        &[One(F)],
        &[ksize.clone(), padding.clone(), padding.clone()],
        expect!["attr `padding` of op MaxPool is given twice"],
    );
    call(
        POOL,
        &[One(F)],
        &[ksize.clone(), padding.clone(), ("kszie", 1i64.into())],
        expect!["op MaxPool has no attr `kszie`; did you mean `ksize`?"],
    );
    call(
        POOL,
        &[One(F)],
        &[ksize.clone(), padding.clone(), ("_class", "loc:@x".into())],
        expect![[r#"
        {"T": Type(Float), "ksize": Ints([1, 2, 2, 1]), "padding": String([83, 65, 77, 69]), "data_format": String([78, 72, 87, 67]), "_class": String([108, 111, 99, 58, 64, 120])}
        [Float] [0..1] -> [Float] [0..1]"#]],
    );
    call(
        POOL,
        &[One(F)],
        &[ksize, ("padding", AttrValue::Placeholder("p".into()))],
        expect!["attr `padding` of op MaxPool stands for attr `p` of a function, which is not known here"],
    );
}

#[test]
fn a_stored_node_says_everything_by_its_attrs() {
    let made = with_op(CONCAT, |op| node_from_attrs(op, "n", "", [("N", 3i64.into()), ("T", AttrValue::Type(F))]));
    let node = made.unwrap();
    assert_eq!((node.input_dtypes.as_slice(), node.output_dtypes.as_slice()), (&[I, F, F, F][..], &[F][..]));
    assert_eq!(check_inputs(&node, &[I, F, F, F]).map_err(|e| e.to_string()), Ok(()));
    let wrong = check_inputs(&node, &[I, F, I, F]).unwrap_err();
    assert_eq!(wrong.message(), "input `values[1]` of op Concat must be float, it is int32");
    let few = check_inputs(&node, &[I, F, F]).unwrap_err();
    assert_eq!(few.message(), "op Concat takes 4 inputs here, 3 are given");
}

#[test]
fn a_hostile_number_of_tensors_is_refused() {
    for n in [-1, i64::MAX, 1 << 40] {
        let pair = "op Pair\ninput values: N * T\nattr N: int >= -5\nattr T: type";
        let made = oplink_api::OpSpec::parse(pair)
            .map(|_| with_op(pair, |op| node_from_attrs(op, "n", "", [("N", n.into()), ("T", AttrValue::Type(F))])));
        if let Ok(made) = made {
            let message = made.unwrap_err().to_string();
            assert!(message.contains("attr `N` of op Pair"), "{message}");
        }
    }
}

#[test]
fn flat_inputs_are_split_up() {
    let group = |op: &str, count: usize, attrs: &[(&str, AttrValue)]| {
        let spec = oplink_api::OpSpec::parse(op).unwrap();
        group_inputs(&spec, count, attrs).map_err(|e| e.to_string())
    };
    assert_eq!(group(CONCAT, 4, &[]), Ok(vec![0..1, 1..4]));
    assert_eq!(group(PAIR, 6, &[]), Ok(vec![0..3, 3..6]));
    assert_eq!(group(PAIR, 6, &[("N", 3i64.into())]), Ok(vec![0..3, 3..6]));
    assert_eq!(group(PACK, 3, &[("Tin", (&[F, I]).into())]), Ok(vec![0..2, 2..3]));
    assert_eq!(group(POOL, 2, &[]), Err("op MaxPool does not take 2 inputs: it has `input: T`".to_owned()));
    assert_eq!(
        group(PAIR, 5, &[]),
        Err("op Pair does not take 5 inputs: it has `keys: N * Tkey`, `values: N * float`".to_owned())
    );
    assert_eq!(
        group(PACK, 3, &[]),
        Err("the inputs of op BatchFunction are several lists: give attrs that tell where `in_tensors` ends".to_owned())
    );
    let node = with_op(CONCAT, |op| node_for_flat_call(op, "n", "", &[I, F, F], &[])).unwrap();
    assert_eq!(node.input_ranges, [0..1, 1..3]);
}
