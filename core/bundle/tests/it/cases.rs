//! The tensors that tests/oracle/make_fixtures.py saves.

use std::ops::Range;
use std::path::Path;

use oplink_api::{DType, TString, Tensor};
use oplink_bundle::{BundleWriter, ShapeAndSlice, V1Writer};

/// A name, a shape and slice (empty for a whole tensor), and the elements.
pub(crate) type Case = (Vec<u8>, &'static str, Tensor);

const PLAIN: [DType; 24] = [
    DType::Float,
    DType::Double,
    DType::Int32,
    DType::UInt8,
    DType::Int16,
    DType::Int8,
    DType::Complex64,
    DType::Int64,
    DType::Bool,
    DType::QInt8,
    DType::QUInt8,
    DType::QInt32,
    DType::BFloat16,
    DType::QInt16,
    DType::QUInt16,
    DType::UInt16,
    DType::Complex128,
    DType::Half,
    DType::UInt32,
    DType::UInt64,
    DType::Float8E5M2,
    DType::Float8E4M3FN,
    DType::Int4,
    DType::UInt4,
];

/// Elements whose bytes count up from 0, within the values of the dtype.
pub(crate) fn plain(dtype: DType, shape: &[usize]) -> Tensor {
    let most = match dtype {
        DType::Bool => 2,
        DType::Int4 | DType::UInt4 => 8,
        _ => 251,
    };
    let count = shape.iter().product::<usize>() * dtype.size().unwrap();
    let bytes: Vec<u8> = (0..count).map(|i| (i % most) as u8).collect();
    Tensor::from_bytes(dtype, shape, &bytes).unwrap()
}

fn text(count: usize, length: usize) -> Vec<TString> {
    (0..count).map(|i| TString::from(i.to_string().repeat(i * length % 97))).collect()
}

pub(crate) fn dtypes() -> Vec<Case> {
    let mut cases: Vec<Case> =
        PLAIN.iter().map(|&d| (format!("dtypes/{d}").into_bytes(), "", plain(d, &[2, 3]))).collect();
    cases.extend([
        (b"scalar".to_vec(), "", Tensor::scalar(7.5f32)),
        (b"empty".to_vec(), "", Tensor::zeros(DType::Int32, [3, 0, 2]).unwrap()),
        (b"empty_strings".to_vec(), "", Tensor::zeros(DType::String, [0]).unwrap()),
        (b"strings".to_vec(), "", Tensor::from_vec([2, 3], text(6, 31)).unwrap()),
        (b"one string".to_vec(), "", Tensor::from("text")),
        (b"z/\xff\0z".to_vec(), "", Tensor::from([1i64, 2])),
        (b"zeros".to_vec(), "", Tensor::zeros(DType::Float, [300]).unwrap()),
    ]);
    cases
}

/// Rows and columns of a matrix of 5 columns.
pub(crate) fn part(matrix: &Tensor, rows: Range<usize>, columns: Range<usize>) -> Tensor {
    let elements = matrix.as_slice::<f32>().unwrap();
    let values = rows.clone().flat_map(|row| columns.clone().map(move |column| elements[row * 5 + column]));
    Tensor::from_vec([rows.len(), columns.len()], values.collect()).unwrap()
}

pub(crate) fn sliced() -> Vec<Case> {
    let matrix = plain(DType::Float, &[4, 5]);
    let vector = plain(DType::Int64, &[6]);
    let halves = [vector.slice(4, 6).unwrap(), vector.slice(0, 4).unwrap()];
    let [end, start] = halves;
    vec![
        (b"matrix".to_vec(), "4 5 0,2:-", part(&matrix, 0..2, 0..5)),
        (b"matrix".to_vec(), "4 5 2,2:0,3", part(&matrix, 2..4, 0..3)),
        (b"matrix".to_vec(), "4 5 2,2:3,2", part(&matrix, 2..4, 3..5)),
        (b"vector".to_vec(), "6 4,2", end),
        (b"vector".to_vec(), "6 0,4", start),
        (b"whole".to_vec(), "", vector.clone()),
        (b"whole_by_slice".to_vec(), "6 0,6", vector),
    ]
}

/// The two parts of the merged bundle.
pub(crate) fn parts() -> [Vec<Case>; 2] {
    let matrix = plain(DType::Float, &[4, 5]);
    [
        vec![
            (b"a".to_vec(), "", Tensor::scalar(1)),
            (b"matrix".to_vec(), "4 5 0,1:-", part(&matrix, 0..1, 0..5)),
            (b"b".to_vec(), "", Tensor::from("b")),
        ],
        vec![(b"c".to_vec(), "", Tensor::from([3.0f32])), (b"matrix".to_vec(), "4 5 1,3:-", part(&matrix, 1..4, 0..5))],
    ]
}

const V1_PLAIN: [DType; 15] = [
    DType::Float,
    DType::Double,
    DType::Int32,
    DType::UInt8,
    DType::Int16,
    DType::Int8,
    DType::Complex64,
    DType::Int64,
    DType::Bool,
    DType::QInt8,
    DType::QUInt8,
    DType::QInt32,
    DType::UInt16,
    DType::Complex128,
    DType::Half,
];

/// The files of the format before bundles.
pub(crate) fn v1() -> [(&'static str, Vec<Case>); 3] {
    let matrix = plain(DType::Float, &[4, 5]);
    let mut dtypes: Vec<Case> =
        V1_PLAIN.iter().map(|&d| (format!("dtypes/{d}").into_bytes(), "", plain(d, &[2, 3]))).collect();
    dtypes.extend([
        (b"scalar".to_vec(), "", Tensor::scalar(7.5f32)),
        (b"empty".to_vec(), "", Tensor::zeros(DType::Int32, [3, 0, 2]).unwrap()),
        (b"strings".to_vec(), "", Tensor::from_vec([2, 3], text(6, 31)).unwrap()),
        (b"negative".to_vec(), "", Tensor::from([-1, i32::MIN, 5])),
    ]);
    let first = vec![(b"matrix".to_vec(), "4 5 0,1:-", part(&matrix, 0..1, 0..5))];
    let second =
        vec![(b"matrix".to_vec(), "4 5 1,3:-", part(&matrix, 1..4, 0..5)), (b"a".to_vec(), "", Tensor::scalar(1))];
    [("v1", dtypes), ("v1-0", first), ("v1-1", second)]
}

/// Saves cases in the format before bundles.
pub(crate) fn save_v1(path: &Path, cases: &[Case]) -> oplink_api::Result<()> {
    let mut writer = V1Writer::new(path);
    for (name, spec, tensor) in cases {
        if spec.is_empty() {
            writer.add(name, tensor)?;
        } else {
            let spec = ShapeAndSlice::parse(spec)?;
            writer.add_slice(name, &spec.shape, &spec.slice, tensor)?;
        }
    }
    writer.finish()
}

/// Saves cases.
pub(crate) fn save(prefix: &Path, cases: &[Case]) -> oplink_api::Result<()> {
    let mut writer = BundleWriter::new(prefix)?;
    for (name, spec, tensor) in cases {
        if spec.is_empty() {
            writer.add(name, tensor)?;
        } else {
            let spec = ShapeAndSlice::parse(spec)?;
            writer.add_slice(name, &spec.shape, &spec.slice, tensor)?;
        }
    }
    writer.finish()
}

/// Fails unless dtype, shape and elements are the same, bit by bit.
#[track_caller]
pub(crate) fn assert_same(actual: &Tensor, expected: &Tensor) {
    assert_eq!((actual.dtype(), actual.shape()), (expected.dtype(), expected.shape()));
    if actual.dtype() == DType::String {
        assert_eq!(actual.as_slice::<TString>().unwrap(), expected.as_slice::<TString>().unwrap());
    } else {
        assert_eq!(actual.as_bytes().unwrap(), expected.as_bytes().unwrap());
    }
}
