//! Tensors: memory, sharing, slices, views, conversions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array2, ArrayD, IxDyn, array};
use oplink_api::tensor::{ALIGNMENT, StoredElements};
use oplink_api::{Code, DType, Error, Result, Shape, TString, Tensor, element};
use proptest::prelude::*;

#[test]
fn runtime_memory_is_aligned_to_64_bytes() {
    for count in [0usize, 1, 15, 16, 17, 1000, 100_000] {
        let tensor = Tensor::zeros(DType::Float, [count]).unwrap();
        assert_eq!(tensor.as_ptr() as usize % ALIGNMENT, 0, "{count} floats");
    }
}

#[test]
fn arrays_move_in_without_copying() {
    let array: ArrayD<f32> = ArrayD::from_shape_fn(IxDyn(&[3, 40]), |i| (i[0] * 40 + i[1]) as f32);
    let address = array.as_ptr();
    let tensor = Tensor::from_array(array);
    assert_eq!(tensor.as_ptr(), address.cast::<u8>());
    assert_eq!(tensor.view::<f32, ndarray::Ix2>().unwrap().as_ptr(), address);
    assert_eq!(tensor.view::<f32, ndarray::Ix2>().unwrap()[[2, 39]], 119.0);
}

#[test]
fn transposed_arrays_come_in_row_major() {
    let tensor = Tensor::from_array(array![[1, 2, 3], [4, 5, 6]].reversed_axes());
    assert_eq!(tensor.shape(), &Shape::new(&[3, 2]));
    assert_eq!(tensor.as_slice::<i32>().unwrap(), [1, 4, 2, 5, 3, 6]);
}

#[test]
fn slices_share_memory_and_keep_their_place() {
    let tensor = Tensor::from_vec([4, 3], (0..12).collect::<Vec<i32>>()).unwrap();
    let rows = tensor.slice(1, 3).unwrap();
    assert!(rows.shares_memory_with(&tensor));
    assert_eq!(rows.shape(), &Shape::new(&[2, 3]));
    assert_eq!(rows.slice(1, 2).unwrap().as_slice::<i32>().unwrap(), [6, 7, 8]);
    assert_eq!(rows.slice(2, 2).unwrap().num_elements(), 0);
    let error = tensor.slice(3, 5).unwrap_err().to_string();
    assert_eq!(error, "rows 3..5 are outside 0..4 of shape [4,3]");
    assert!(Tensor::scalar(1).slice(0, 0).is_err());
}

#[test]
fn shared_memory_cannot_be_written() {
    let mut tensor = Tensor::from_slice(&[1.0f32, 2.0]);
    let other = tensor.clone();
    assert!(tensor.as_mut_slice::<f32>().is_err());
    let mut own = tensor.make_unique().unwrap();
    own.as_mut_slice::<f32>().unwrap()[0] = 9.0;
    assert_eq!(other.as_slice::<f32>().unwrap(), [1.0, 2.0]);
    drop(other);
    assert!(own.is_unique());
}

#[test]
fn wrong_dtype_and_rank_say_both_sides() {
    let tensor = Tensor::from_array(Array2::<f64>::zeros((2, 2)));
    assert_eq!(tensor.as_slice::<f32>().unwrap_err().to_string(), "the tensor holds double, not float");
    let error = tensor.view::<f64, ndarray::Ix3>().unwrap_err().to_string();
    assert_eq!(error, "expected rank 3, the tensor has shape [2,2]");
    assert!(tensor.to_scalar::<f64>().is_err());
}

#[test]
fn shapes_that_overflow_are_errors() {
    let huge = 1usize << 40;
    assert!(Tensor::zeros(DType::Float, [huge, huge]).is_err());
    assert!(Tensor::zeros(DType::Invalid, [1]).is_err());
    assert!(Tensor::zeros(DType::Float, [huge, huge, 0]).is_err());
    assert_eq!(Tensor::zeros(DType::Float, [huge, 0]).unwrap().num_elements(), 0);
}

#[test]
fn bitcast_keeps_bytes_and_alignment() {
    let tensor = Tensor::from_slice(&[1.0f32]).bitcast(DType::Int32).unwrap();
    assert_eq!(tensor.as_slice::<i32>().unwrap(), [0x3f80_0000]);
    assert!(Tensor::from_slice(&[1.0f32]).bitcast(DType::Int64).is_err());
    assert!(Tensor::from_slice(&[1u8]).bitcast(DType::Bool).is_err());
    let complex = Tensor::from_array(ndarray::arr1(&[element::Complex::new(1.0f32, 0.0); 3]));
    let ints = complex.bitcast(DType::Int64).unwrap();
    assert_eq!(ints.as_ptr() as usize % 8, 0);
}

#[test]
fn bytes_of_bools_are_checked() {
    assert!(Tensor::from_bytes(DType::Bool, [2], &[0, 1]).is_ok());
    assert!(Tensor::from_bytes(DType::Bool, [2], &[0, 2]).is_err());
    assert!(Tensor::from_bytes(DType::Int32, [2], &[0; 7]).is_err());
    assert!(Tensor::from_bytes(DType::String, [0], &[]).is_err());
}

#[test]
fn every_dtype_allocates_and_copies() {
    for &dtype in DType::ALL.iter().filter(|&&d| d != DType::Invalid) {
        let tensor = Tensor::zeros(dtype, [2, 50]).unwrap();
        let copy = tensor.deep_copy().unwrap();
        assert_eq!((copy.dtype(), copy.num_elements()), (dtype, 100), "{dtype}");
        assert!(!copy.shares_memory_with(&tensor));
    }
}

#[test]
fn scalars_print_their_value() {
    assert_eq!(format!("{:?}", Tensor::scalar(2.5f32)), "float[] [2.5]");
    assert_eq!(format!("{:?}", Tensor::from("a\"b")), "string[] [\"a\\\"b\"]");
    assert_eq!(format!("{:?}", Tensor::from_slice(&[1u8; 9])), "uint8[9] [1, 1, 1, 1, 1, 1, 1, 1, …]");
}

proptest! {
    #[test]
    fn strings_round_trip(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let string = TString::new(&bytes);
        prop_assert_eq!(string.as_bytes(), &bytes[..]);
        prop_assert_eq!(string.clone(), string);
    }

    #[test]
    fn string_tensors_own_their_strings(texts in proptest::collection::vec(".{0,40}", 0..20)) {
        let strings: Vec<TString> = texts.iter().map(TString::new).collect();
        let tensor = Tensor::from_slice(&strings);
        drop(strings);
        let tail = tensor.slice(texts.len() / 2, texts.len()).unwrap();
        let copy = tensor.deep_copy().unwrap();
        drop(tensor);
        for (got, want) in tail.as_slice::<TString>().unwrap().iter().zip(&texts[texts.len() / 2..]) {
            prop_assert_eq!(got.as_bytes(), want.as_bytes());
        }
        prop_assert_eq!(copy.num_elements(), texts.len());
    }

    #[test]
    fn slices_are_the_rows(rows in 0usize..9, width in 0usize..5, cut in 0usize..9) {
        let tensor = Tensor::from_vec([rows, width], (0..(rows * width) as i64).collect::<Vec<_>>()).unwrap();
        let cut = cut.min(rows);
        let (a, b) = (tensor.slice(0, cut).unwrap(), tensor.slice(cut, rows).unwrap());
        let joined = [a.as_slice::<i64>().unwrap(), b.as_slice::<i64>().unwrap()].concat();
        prop_assert_eq!(joined.as_slice(), tensor.as_slice::<i64>().unwrap());
    }
}

/// Bytes of two floats; counts the reads and fails the first ones.
struct Floats {
    reads: AtomicUsize,
    failing: usize,
}

impl StoredElements for Floats {
    fn read_at(&self, bytes: &mut [u8], offset: usize) -> Result<()> {
        if self.reads.fetch_add(1, Ordering::Relaxed) < self.failing {
            return Err(Error::invalid_argument("not yet"));
        }
        bytes.copy_from_slice(&[0, 0, 128, 63, 0, 0, 0, 64][offset..][..bytes.len()]);
        Ok(())
    }
}

#[test]
fn stored_elements_are_read_when_they_are_needed() {
    let source = Arc::new(Floats { reads: AtomicUsize::new(0), failing: 1 });
    let reads = || source.reads.load(Ordering::Relaxed);
    drop(Tensor::stored(DType::Float, [2], source.clone()).unwrap());
    let tensor = Tensor::stored(DType::Float, [2], source.clone()).unwrap();
    let (clone, once) = (tensor.clone(), tensor.for_one_use());
    assert!(tensor.is_same_part(&clone) && !tensor.is_same_part(&once));
    assert_eq!((tensor.num_bytes(), tensor.is_on_device(), reads()), (8, false, 0));
    assert_eq!(Tensor::stored(DType::Bool, [8], source.clone()).unwrap_err().code(), Code::InvalidArgument);
    assert!(Tensor::stored(DType::Float, [usize::MAX, 2], source.clone()).is_err());
    let failure = once.as_slice::<f32>().unwrap_err();
    assert!(failure.code() == Code::InvalidArgument && failure.to_string().contains("not yet"), "{failure}");
    assert_eq!(once.as_slice::<f32>().unwrap(), [1.0, 2.0]);
    let mut part = [0.0f32];
    tensor.slice(1, 2).unwrap().read_part(0, &mut part).unwrap();
    assert!(part == [2.0] && tensor.is_unread() && !once.is_unread());
    once.read_part(0, &mut part).unwrap();
    assert_eq!(part, [1.0]);
    assert!(tensor.read_part(2, &mut part).is_err() && tensor.read_part(usize::MAX, &mut part).is_err());
    assert_eq!(tensor.read_part(0, &mut [0i32]).unwrap_err().code(), Code::InvalidArgument);
    let before = reads();
    assert_eq!(tensor.slice(1, 2).unwrap().as_slice::<f32>().unwrap(), [2.0]);
    assert_eq!(clone.as_slice::<f32>().unwrap(), [1.0, 2.0]);
    assert_eq!(reads(), before + 1);
    assert!(tensor.for_one_use().is_same_part(&tensor));
    drop((clone, tensor));
    let mut once = once;
    once.as_mut_slice::<f32>().unwrap()[0] = 5.0;
    assert_eq!(once.as_slice::<f32>().unwrap(), [5.0, 2.0]);
}
