//! Shapes, strings in TensorFlow's layout, attrs and errors.
#![allow(unsafe_code, reason = "reads the raw bytes of a string")]

use oplink_api::{
    AttrMap, AttrValue, Code, DType, Error, ErrorKind, PartialShape, Shape, TString, broadcast_shapes, merge_shapes,
};

fn partial(dims: &[i64]) -> PartialShape {
    PartialShape::from_i64(Some(dims)).unwrap()
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
