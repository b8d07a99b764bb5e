//! Any bytes are refused or read as a checkpoint, without a panic and without memory beyond their size; what was read
//! can be saved and reads again.
//!
//! The first byte tells what the rest is: the index as it is, or the entries of its only block, which is given the
//! checksums and the footer that it needs to be looked into. The data file is the index again.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use oplink_api::{DType, TString, Tensor};
use oplink_bundle::{BundleReader, BundleWriter, TensorSlice, V1Reader};

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let index = if kind % 2 == 0 { bytes.to_vec() } else { table(bytes) };
    if let Ok(reader) = V1Reader::from_memory("fuzz", index.clone()) {
        for info in reader.tensors() {
            let _ = reader.read(info.name);
        }
    }
    let Ok(reader) = BundleReader::from_memory("fuzz", index, vec![bytes.to_vec()]) else { return };
    let mut tensors = BTreeMap::new();
    for info in reader.tensors() {
        let first = info.shape.iter().map(|&dim| (dim > 0).then_some(0..1)).collect::<Vec<_>>();
        if let Ok(slice) = TensorSlice::new(first) {
            let _ = reader.read_slice(info.name, &slice);
        }
        if let Ok(tensor) = reader.read(info.name) {
            tensors.insert(info.name.to_vec(), tensor);
        }
    }
    if kind % 64 == 3 && !tensors.is_empty() {
        check_again(&tensors);
    }
});

/// A table whose only block has these entries.
fn table(entries: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let block = |out: &mut Vec<u8>, entries: &[u8]| {
        let start = out.len();
        out.extend_from_slice(entries);
        out.extend([0, 0, 0, 0, 1, 0, 0, 0, 0]);
        let checksum = crc32c::crc32c(&out[start..]).rotate_right(15).wrapping_add(0xa282_ead8);
        out.extend(checksum.to_le_bytes());
        handle(start, entries.len() + 8)
    };
    let data = block(&mut out, entries);
    let mut footer = block(&mut out, &[]);
    // One entry, after every key that a fuzzer is likely to make.
    let key = [0xff; 20];
    let entry = [&[0, key.len() as u8, data.len() as u8][..], &key, &data].concat();
    footer.extend(block(&mut out, &entry));
    footer.resize(40, 0);
    out.extend(footer);
    out.extend(0xdb47_7524_8b80_fb57_u64.to_le_bytes());
    out
}

/// The place of a block: two varints.
fn handle(offset: usize, size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for mut value in [offset, size] {
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
    }
    out
}

fn check_again(tensors: &BTreeMap<Vec<u8>, Tensor>) {
    let folder = std::env::temp_dir().join(format!("oplink-fuzz-bundle-{}", std::process::id()));
    let prefix = folder.join("model");
    let mut writer = BundleWriter::new(&prefix).expect("a temporary folder can be written");
    tensors.iter().for_each(|(name, tensor)| writer.add(name, tensor).expect("what was read can be saved"));
    writer.finish().expect("a checkpoint can be completed");
    let reader = BundleReader::open(&prefix).expect("what was written can be read");
    for (name, tensor) in tensors {
        let read = reader.read(name).expect("what was written can be read");
        assert_eq!((read.dtype(), read.shape()), (tensor.dtype(), tensor.shape()));
        match tensor.dtype() {
            DType::String => assert_eq!(read.as_slice::<TString>().ok(), tensor.as_slice::<TString>().ok()),
            _ => assert_eq!(read.as_bytes().ok(), tensor.as_bytes().ok()),
        }
    }
    std::fs::remove_dir_all(folder).expect("the folder is there");
}
