//! Shapes, strings in TensorFlow's layout, attrs and errors.
#![allow(unsafe_code, reason = "reads the raw bytes of a string")]

use oplink_api::shape_inference::{broadcast_shapes, merge_shapes};
use oplink_api::{AttrMap, AttrValue, Code, DType, Error, ErrorKind, Number, PartialShape, Shape, TString};

fn partial(dims: &[i64]) -> PartialShape {
    PartialShape::from_i64(Some(dims)).unwrap()
}

#[test]
fn many_attrs_are_found_replaced_and_removed() {
    let name = |at: i64| format!("attr_{at}");
    let mut attrs: AttrMap = (0..100).map(|at| (name(at), AttrValue::Int(at))).collect();
    attrs.set(name(7), AttrValue::Int(-7));
    assert_eq!((attrs.len(), attrs.get("attr_7")), (100, Some(&AttrValue::Int(-7))));
    assert_eq!(attrs.remove("attr_50"), Some(AttrValue::Int(50)));
    assert_eq!((attrs.get("attr_50"), attrs.get("attr_99")), (None, Some(&AttrValue::Int(99))));
    (51..100).for_each(|at| drop(attrs.remove(&name(at))));
    (0..30).for_each(|at| drop(attrs.remove(&name(at))));
    assert_eq!(
        attrs.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>(),
        (30..50).map(AttrValue::Int).collect::<Vec<_>>()
    );
    assert_eq!(attrs.get("attr_49"), Some(&AttrValue::Int(49)));
}

#[test]
fn tstring_has_tensorflows_small_and_large_layout() {
    let bytes = |s: &TString| -> [u8; 24] {
        let mut out = [0; 24];
        let tensor = oplink_api::Tensor::from_slice(std::slice::from_ref(s));
        // SAFETY: the tensor's only element stands at its address, 24 bytes long.
        out.copy_from_slice(unsafe { std::slice::from_raw_parts(tensor.as_ptr(), 24) });
        out
    };
    let small = bytes(&TString::new("abc"));
    assert_eq!(&small[..5], [3 << 2, b'a', b'b', b'c', 0]);
    assert_eq!(bytes(&TString::new([7u8; 22]))[0], 22 << 2);
    let large = bytes(&TString::new([7u8; 23]));
    assert_eq!(usize::from_le_bytes(large[..8].try_into().unwrap()), 23 << 2 | 1);
    assert!(usize::from_le_bytes(large[8..16].try_into().unwrap()) >= 23);
}

/// What C makes of a view of `bytes`: the length and the type in the first word, the address in the second.
#[repr(C, align(8))]
struct ForeignView {
    size: usize,
    data: *const u8,
    rest: usize,
}

#[test]
fn views_and_large_strings_keep_their_pointers_when_they_move() {
    let bytes = [5u8; 40];
    let view = ForeignView { size: (bytes.len() << 2 | 3).to_le(), data: bytes.as_ptr(), rest: 0 };
    // SAFETY: both types are 24 bytes in the layout of a view, and `bytes` outlives the string.
    let view = unsafe { std::mem::transmute::<ForeignView, TString>(view) };
    let moved = vec![view, TString::new([6u8; 40])];
    let copies = moved.clone();
    drop(moved);
    assert_eq!((copies[0].as_bytes(), copies[1].as_bytes()), (&bytes[..], &[6u8; 40][..]));
}

proptest::proptest! {
    #[test]
    fn tstrings_hold_their_bytes(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..80), by in 0usize..4) {
        let mut strings = vec![TString::default(); by];
        strings.push(TString::new(&bytes));
        strings.extend(std::iter::repeat_n(TString::new("x"), by));
        let kept = strings.swap_remove(by);
        proptest::prop_assert_eq!(kept.as_bytes(), &bytes[..]);
        proptest::prop_assert_eq!(kept.clone(), kept);
    }
}

#[test]
fn numbers_are_made_of_attrs() {
    fn halves<T: Number>(by: i64) -> T {
        T::from_int(by) * T::from_float(0.5)
    }
    assert_eq!(halves::<f32>(3), 1.5);
    assert_eq!(halves::<f64>(3), 1.5);
    assert_eq!(halves::<oplink_api::element::bf16>(3).to_f32(), 1.5);
    assert_eq!(halves::<oplink_api::element::f16>(3).to_f32(), 1.5);
    assert_eq!(<oplink_api::element::Complex<f32> as Number>::from_int(-2).re, -2.0);
    assert_eq!((u8::from_int(-1), i8::from_float(-2.9), u8::from_float(1e9)), (255, -2, 255));
    assert_eq!(i32::from_int(1 << 32 | 7), 7);
}

#[test]
fn partial_shapes_merge_and_print() {
    assert_eq!(partial(&[-1, 3]).to_string(), "[?,3]");
    assert_eq!(PartialShape::unknown().to_string(), "?");
    assert_eq!(merge_shapes(&partial(&[-1, 3]), &partial(&[2, -1])).unwrap(), partial(&[2, 3]));
    assert_eq!(merge_shapes(&PartialShape::unknown(), &partial(&[2])).unwrap(), partial(&[2]));
    let error = merge_shapes(&partial(&[1, 3]), &partial(&[2, 3])).unwrap_err();
    assert_eq!(error.to_string(), "shapes [1,3] and [2,3] must be equal");
    assert_eq!(error.kind(), ErrorKind::ShapeInference);
    assert!(PartialShape::from_i64(Some(&[-2])).is_err());
    assert_eq!(PartialShape::from(Shape::new(&[2, 0])).num_elements(), Some(0));
}

#[test]
fn broadcasting_follows_the_last_axis() {
    type Dims<'a> = &'a [usize];
    let cases: [(Dims<'_>, Dims<'_>, Option<Dims<'_>>); 6] = [
        (&[2, 3], &[3], Some(&[2, 3])),
        (&[], &[4], Some(&[4])),
        (&[5, 1, 3], &[4, 1], Some(&[5, 4, 3])),
        (&[0, 3], &[1, 3], Some(&[0, 3])),
        (&[2, 3], &[2], None),
        (&[0], &[2], None),
    ];
    for (a, b, want) in cases {
        assert_eq!(broadcast_shapes(a, b).ok().as_deref(), want, "{a:?} {b:?}");
        assert_eq!(broadcast_shapes(b, a).ok().as_deref(), want, "{b:?} {a:?}");
    }
}

#[test]
fn attrs_read_as_their_kind_only() {
    let attrs: AttrMap =
        [("strides", AttrValue::from(&[1i64, 2])), ("padding", "SAME".into()), ("T", DType::Half.into())]
            .into_iter()
            .collect();
    assert_eq!(attrs.read::<&[i64]>("strides").unwrap(), [1, 2]);
    assert_eq!(attrs.read::<&str>("padding").unwrap(), "SAME");
    assert_eq!(attrs.at(2, "T"), Some(&AttrValue::Type(DType::Half)));
    let error = attrs.read::<i64>("padding").unwrap_err().to_string();
    assert_eq!(error, "attr `padding` is string, not int");
    assert_eq!(attrs.read::<bool>("nope").unwrap_err().to_string(), "the node has no attr `nope`");
}

#[test]
fn empty_lists_equal_lists_without_elements() {
    assert_eq!(AttrValue::EmptyList, AttrValue::Ints(vec![]));
    assert_ne!(AttrValue::EmptyList, AttrValue::Ints(vec![1]));
    assert_ne!(AttrValue::EmptyList, AttrValue::Int(0));
}

#[test]
fn errors_keep_code_kind_and_context() {
    let error = Error::not_found("no file `x`").context("while loading").with_kind(ErrorKind::InvalidGraph);
    assert_eq!(error.to_string(), "no file `x`\n  while loading");
    assert_eq!((error.code(), error.kind(), error.code() as i32), (Code::NotFound, ErrorKind::InvalidGraph, 5));
}
