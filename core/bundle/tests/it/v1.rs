//! The format before bundles: read as TensorFlow saved it, written as TensorFlow writes it, damage noticed.

use std::fs;

use oplink_api::{Code, DType, Tensor};
use oplink_bundle::{TensorSlice, V1Reader, V1Writer};

use crate::cases::{self, assert_same, part, plain};
use crate::files::{Folder, fixture};

#[test]
fn files_read_as_saved() {
    for (name, cases) in cases::v1() {
        let reader = V1Reader::open(&[fixture(name)]).unwrap();
        assert_eq!(reader.tensors().count(), cases.len());
        for (tensor, _, value) in cases.iter().filter(|case| case.1.is_empty()) {
            assert_same(&reader.read(tensor).unwrap(), value);
            assert_eq!(reader.get(tensor).unwrap().dtype, value.dtype());
        }
    }
}

#[test]
fn files_are_those_of_tensorflow() {
    let folder = Folder::new("v1");
    for (name, cases) in cases::v1() {
        cases::save_v1(&folder.join(name), &cases).unwrap();
        assert_eq!(fs::read(folder.join(name)).unwrap(), fs::read(fixture(name)).unwrap(), "{name}");
    }
    assert_eq!(folder.names(), ["v1", "v1-0", "v1-1"]);
}

#[test]
fn slices_in_several_files() {
    let reader = V1Reader::open(&[fixture("v1-0"), fixture("v1-1")]).unwrap();
    let matrix = plain(DType::Float, &[4, 5]);
    assert_same(&reader.read("matrix").unwrap(), &matrix);
    let slice = TensorSlice::parse("0,3:2,2").unwrap();
    assert_same(&reader.read_slice("matrix", &slice).unwrap(), &part(&matrix, 0..3, 2..4));
    let one = V1Reader::open(&[fixture("v1-1")]).unwrap();
    assert_eq!(one.read("matrix").unwrap_err().code(), Code::InvalidArgument);
    assert_same(&one.read_slice("matrix", &TensorSlice::parse("1,3:-").unwrap()).unwrap(), &part(&matrix, 1..4, 0..5));
    assert_eq!(one.read("b").unwrap_err().code(), Code::NotFound);
    let twice = V1Reader::open(&[fixture("v1-1"), fixture("v1-1")]).unwrap();
    assert_eq!(twice.read("a").unwrap_err().code(), Code::Internal);
}

#[test]
fn what_cannot_be_saved() {
    let folder = Folder::new("v1-cannot");
    let vector = Tensor::from([1, 2]);
    let slice = |text| TensorSlice::parse(text).unwrap();
    let mut writer = V1Writer::new(folder.join("file"));
    writer.add("x", &vector).unwrap();
    assert!(writer.add("x", &vector).is_err());
    assert_eq!(writer.add("y", &Tensor::from([1u64])).unwrap_err().code(), Code::Unimplemented);
    assert!(writer.add_slice("z", &[4].into(), &slice("0,3"), &vector).is_err());
    writer.add_slice("z", &[4].into(), &slice("0,2"), &vector).unwrap();
    assert_eq!(writer.add_slice("z", &[5].into(), &slice("2,2"), &vector).unwrap_err().code(), Code::Internal);
    writer.finish().unwrap();
    assert_eq!(V1Reader::open(&[folder.join("file")]).unwrap().tensors().count(), 2);
    assert_eq!(V1Writer::new(folder.join("none/file")).finish().unwrap_err().code(), Code::NotFound);
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed_or_harmless() {
    let cases = &cases::v1()[0].1;
    let bytes = fs::read(fixture("v1")).unwrap();
    let read = |bytes: Vec<u8>| {
        let reader = V1Reader::from_memory("damaged", bytes)?;
        assert_eq!(reader.tensors().count(), cases.len());
        cases.iter().map(|(name, ..)| reader.read(name)).collect::<oplink_api::Result<Vec<_>>>()
    };
    for length in 0..bytes.len() {
        assert!(read(bytes[..length].to_vec()).is_err(), "cut at {length}");
    }
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(tensors) = read(bytes) {
            tensors.iter().zip(cases).for_each(|(tensor, case)| assert_same(tensor, &case.2));
        }
    }
}
