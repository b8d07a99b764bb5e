//! Ops that are asked for more memory than there may be say so, in a process that lives on. Each test is a process of
//! its own that stands for all others of the same limit.

use std::time::{Duration, Instant};

use oplink::memory;
use oplink::prelude::*;
use oplink_hostile::ops::run_until;

/// What the process may hold beside what it holds.
const LIMIT: usize = 1 << 30;

fn run(op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
    memory::set_limit(Some(memory::resident() + LIMIT));
    run_until(op, attrs, inputs, Instant::now() + Duration::from_secs(30))
}

#[test]
fn what_does_not_fit_is_an_error_of_its_own() {
    let shape = || Tensor::from([1i32 << 20, 1 << 20]);
    let long = "x".repeat(1 << 16);
    let type_of = |dtype: DType| AttrValue::Type(dtype);
    let cases: Vec<(&str, Vec<(&str, AttrValue)>, Vec<Tensor>)> = vec![
        ("Fill", vec![], vec![shape(), 1f32.into()]),
        ("LinSpace", vec![], vec![0f32.into(), 1f32.into(), i32::MAX.into()]),
        ("RandomUniform", vec![("dtype", type_of(DType::Double))], vec![shape()]),
        ("TensorListReserve", vec![("element_dtype", type_of(DType::Float))], vec![(-1).into(), i32::MAX.into()]),
        ("TensorArrayV3", vec![("dtype", type_of(DType::Float))], vec![i32::MAX.into()]),
        ("AsString", vec![("width", AttrValue::Int(i64::from(i32::MAX)))], vec![[1.0f32; 3].into()]),
        ("AsString", vec![("precision", AttrValue::Int(2_000_000_000))], vec![[1.0f32; 3].into()]),
        ("HistogramFixedWidth", vec![], vec![[1f32].into(), [0f32, 1.0].into(), i32::MAX.into()]),
        (
            "RegexReplace",
            vec![],
            vec![
                TString::from(long.repeat(4).as_str()).into(),
                TString::from("x").into(),
                TString::from(long.as_str()).into(),
            ],
        ),
    ];
    for (op, attrs, inputs) in cases {
        let error = run(op, &attrs, inputs).unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted, "{op}: {error:?}");
        assert!(!error.to_string().is_empty());
    }
    // There is as much memory as before.
    let filled = run("Fill", &[], vec![[1 << 20].into(), 1f32.into()]).unwrap();
    assert_eq!(filled[0].num_elements(), 1 << 20);
}

#[test]
fn runs_of_strings_are_as_long_as_tensorflow_takes_them() {
    let ngrams = |width: i64, padding: i64| {
        let attrs: Vec<(&str, AttrValue)> = vec![
            ("separator", "|".into()),
            ("ngram_widths", vec![width].into()),
            ("left_pad", "L".into()),
            ("right_pad", "R".into()),
            ("pad_width", padding.into()),
            ("preserve_short_sequences", false.into()),
        ];
        run("StringNGrams", &attrs, vec![["a", "b"].map(TString::from).into(), [0i64, 2].into()])
    };
    for (width, padding) in [(i64::from(i32::MAX), -1), (1 << 31, 0), (1 << 31, -1), (1 << 30, -1)] {
        assert_eq!(ngrams(width, padding).unwrap_err().code(), Code::InvalidArgument, "{width} {padding}");
    }
    assert_eq!(ngrams(i64::from(i32::MAX), 0).unwrap()[0].num_elements(), 0);
}

#[test]
fn a_precision_beyond_all_digits_adds_zeros() {
    let text = |precision: i64, scientific: bool| {
        let attrs = [("precision", precision.into()), ("scientific", scientific.into())];
        let out = run("AsString", &attrs, vec![[1.5f32].into()]).unwrap();
        out[0].as_slice::<TString>().unwrap()[0].to_str().unwrap().to_owned()
    };
    assert_eq!((text(70_000, false).len(), text(2000, true).len()), (70_002, 2006));
    assert!(text(2000, true).starts_with("1.5000") && text(2000, true).ends_with("000e+00"));
}
