//! Damaged and incomplete files are errors or harmless: never a panic, never other values.

use std::fs;

use oplink_api::{Code, DType, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, data_path, index_path};
use proptest::prelude::*;

use crate::cases::{self, Case, assert_same};
use crate::files::{Folder, fixture, read};

/// Name, index and data files.
type Bundle = (&'static str, Vec<u8>, Vec<Vec<u8>>);

fn bundles() -> Vec<Bundle> {
    let load = |name, shards: usize| {
        let prefix = fixture(name);
        let data = (0..shards).map(|shard| read(&prefix, &format!(".data-{shard:05}-of-{shards:05}"))).collect();
        (name, read(&prefix, ".index"), data)
    };
    vec![load("dtypes", 1), load("sliced", 1), load("merged", 2)]
}

/// What a bundle holds; an error where anything in it cannot be read.
fn contents(index: &[u8], data: &[Vec<u8>]) -> oplink_api::Result<Vec<Case>> {
    let reader = BundleReader::from_memory("damaged", index.to_vec(), data.to_vec())?;
    reader.tensors().map(|info| Ok((info.name.to_vec(), "", reader.read(info.name)?))).collect()
}

#[track_caller]
fn check(found: oplink_api::Result<Vec<Case>>, expected: &[Case], what: impl std::fmt::Display) -> bool {
    let Ok(found) = found else { return false };
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.0, expected.0, "{what}");
        assert_same(&found.2, &expected.2);
    }
    true
}

#[test]
fn every_flipped_bit_is_noticed_or_harmless() {
    for (name, index, data) in bundles() {
        let expected = contents(&index, &data).unwrap();
        for bit in 0..index.len() * 8 {
            let mut index = index.clone();
            index[bit / 8] ^= 1 << (bit % 8);
            check(contents(&index, &data), &expected, format_args!("{name}.index, bit {bit}"));
        }
        for shard in 0..data.len() {
            for bit in 0..data[shard].len() * 8 {
                let mut data = data.clone();
                data[shard][bit / 8] ^= 1 << (bit % 8);
                let harmless = check(contents(&index, &data), &expected, format_args!("{name}, bit {bit} of {shard}"));
                assert!(!harmless, "{name}: bit {bit} of data file {shard} is covered by no checksum");
            }
        }
    }
}

#[test]
fn every_cut_is_noticed() {
    for (name, index, data) in bundles() {
        for length in 0..index.len() {
            let error = contents(&index[..length], &data).map(drop).unwrap_err();
            assert_eq!(error.code(), Code::DataLoss, "{name}.index cut at {length}");
        }
        for shard in 0..data.len() {
            for length in 0..data[shard].len() {
                let mut data = data.clone();
                data[shard].truncate(length);
                let error = contents(&index, &data).map(drop).unwrap_err();
                assert_eq!(error.code(), Code::DataLoss, "{name}, data file {shard} cut at {length}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_an_error(index in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(contents(&index, &[]).is_err());
    }

    #[test]
    fn overwritten_ranges_are_noticed_or_harmless(
        bundle in 0..3_usize,
        at in any::<proptest::sample::Index>(),
        bytes in proptest::collection::vec(any::<u8>(), 1..40),
    ) {
        let (name, mut index, data) = bundles().swap_remove(bundle);
        let expected = contents(&index, &data).unwrap();
        let at = at.index(index.len());
        let end = (at + bytes.len()).min(index.len());
        index[at..end].copy_from_slice(&bytes[..end - at]);
        check(contents(&index, &data), &expected, name);
    }
}

#[test]
fn messages_say_what_and_where() {
    let folder = Folder::new("messages");
    let prefix = folder.join("model");
    let open = || BundleReader::open(&prefix);
    let error = open().map(drop).unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert!(error.message().contains("model.index"), "{error}");

    let mut writer = BundleWriter::new(&prefix).unwrap();
    writer.add("dense/kernel", &Tensor::from([1.0f32, 2.0])).unwrap();
    writer.finish().unwrap();
    let error = open().unwrap().read("dense/kernal").map(drop).unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert!(error.message().contains("`dense/kernal`") && error.message().contains("`dense/kernel`"), "{error}");

    let data = data_path(&prefix, 0, 1);
    fs::write(&data, [0; 8]).unwrap();
    let error = open().unwrap().read("dense/kernel").map(drop).unwrap_err();
    assert_eq!(error.code(), Code::DataLoss);
    assert!(error.to_string().contains("model.data-00000-of-00001 is damaged"), "{error}");
    assert!(error.to_string().contains("reading tensor `dense/kernel`"), "{error}");
    fs::remove_file(&data).unwrap();
    let error = open().unwrap().read("dense/kernel").map(drop).unwrap_err();
    assert!(error.code() == Code::NotFound && error.message().contains("model.data-00000-of-00001"), "{error}");

    fs::write(index_path(&prefix), "not a table".repeat(20)).unwrap();
    let error = open().map(drop).unwrap_err();
    assert!(error.code() == Code::DataLoss && error.message().contains("magic number"), "{error}");
    fs::remove_file(index_path(&prefix)).unwrap();
    fs::create_dir(index_path(&prefix)).unwrap();
    assert_eq!(open().map(drop).unwrap_err().code(), Code::FailedPrecondition);
}

#[test]
fn tensors_stay_readable_beside_a_damaged_one() {
    let (_, index, mut data) = bundles().swap_remove(0);
    data[0][0] ^= 1;
    let reader = BundleReader::from_memory("damaged", index, data).unwrap();
    assert_eq!(reader.read("dtypes/float").map(drop).unwrap_err().code(), Code::DataLoss);
    assert_same(&reader.read("dtypes/double").unwrap(), &cases::plain(DType::Double, &[2, 3]));
}
