//! Bundles that TensorFlow wrote read as what it saved, and what is written here is byte by byte what TensorFlow
//! writes.

use oplink_api::{DType, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, TensorSlice, index_path};

use crate::cases::{self, assert_same, plain};
use crate::files::{Folder, assert_same_files, fixture};

#[test]
fn every_dtype_reads_as_saved() {
    let reader = BundleReader::open(fixture("dtypes")).unwrap();
    let cases = cases::dtypes();
    assert_eq!(reader.tensors().count(), cases.len());
    for (name, _, tensor) in &cases {
        assert_same(&reader.read(name).unwrap(), tensor);
        let info = reader.get(name).unwrap();
        assert_eq!((info.dtype, info.shape), (tensor.dtype(), tensor.shape()));
    }
}

#[test]
fn files_are_those_of_tensorflow() {
    let folder = Folder::new("same");
    let [first, second] = cases::parts();
    let bundles = [("dtypes", cases::dtypes()), ("sliced", cases::sliced()), ("part-0", first), ("part-1", second)];
    for (name, cases) in bundles {
        cases::save(&folder.join(name), &cases).unwrap();
        assert_same_files(&folder.join(name), &fixture(name), 1);
    }
}

#[test]
fn slices_read_as_the_full_tensor() {
    let reader = BundleReader::open(fixture("sliced")).unwrap();
    let names: Vec<_> = reader.tensors().map(|t| String::from_utf8_lossy(t.name).into_owned()).collect();
    assert_eq!(names, ["matrix", "vector", "whole", "whole_by_slice"]);
    assert_eq!(reader.get("matrix").unwrap().slices.len(), 3);
    assert_same(&reader.read("matrix").unwrap(), &plain(DType::Float, &[4, 5]));
    for name in ["vector", "whole", "whole_by_slice"] {
        assert_same(&reader.read(name).unwrap(), &plain(DType::Int64, &[6]));
    }
}

#[test]
fn merged_bundles_read() {
    let reader = BundleReader::open(fixture("merged")).unwrap();
    assert_eq!(reader.num_shards(), 2);
    assert_same(&reader.read("a").unwrap(), &Tensor::scalar(1));
    assert_same(&reader.read("b").unwrap(), &Tensor::from("b"));
    assert_same(&reader.read("matrix").unwrap(), &plain(DType::Float, &[4, 5]));
    let slice = TensorSlice::parse("0,2:1,3").unwrap();
    assert_same(&reader.read_slice("matrix", &slice).unwrap(), &cases::part(&plain(DType::Float, &[4, 5]), 0..2, 1..4));
}

/// An index of several blocks, whose checksum is that of the one that TensorFlow writes (make_fixtures.py prints it).
#[test]
fn an_index_of_several_blocks_is_that_of_tensorflow() {
    let folder = Folder::new("blocks");
    let prefix = folder.join("many");
    let mut writer = BundleWriter::new(&prefix).unwrap();
    for i in 0..24000 {
        writer.add(many_name(i), &Tensor::scalar(i)).unwrap();
    }
    writer.finish().unwrap();
    let index = std::fs::read(index_path(&prefix)).unwrap();
    assert_eq!((index.len(), crc32c::crc32c(&index)), (615_375, 3_585_225_736));
    let reader = BundleReader::open(&prefix).unwrap();
    for i in (0..24000).step_by(731) {
        assert_same(&reader.read(many_name(i)).unwrap(), &Tensor::scalar(i));
    }
}

fn many_name(i: i32) -> String {
    format!("model/layer_{}/{}/kernel/optimizer_slot_{i}", i % 97, i % 13)
}
