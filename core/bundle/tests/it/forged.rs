//! Indexes whose checksums are right and whose contents are not: what only a faulty writer makes, or a hostile one.

use oplink_bundle::{BundleReader, TensorSlice, V1Reader};
use proptest::prelude::*;

use crate::files::{fixture, read};

fn varint(bytes: &mut &[u8]) -> usize {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

fn put_varint(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The entries of the first block of a table.
fn entries(table: &[u8]) -> Vec<u8> {
    let mut footer = &table[table.len() - 48..];
    let [_, _, offset, _] = [0; 4].map(|_| varint(&mut footer));
    let mut index = &table[offset..];
    let [_, key, _] = [0; 3].map(|_| varint(&mut index));
    index = &index[key..];
    let [offset, size] = [0; 2].map(|_| varint(&mut index));
    let block = &table[offset..][..size];
    let restarts = u32::from_le_bytes(*block.last_chunk().unwrap()) as usize;
    block[..size - 4 - 4 * restarts].to_vec()
}

/// A table with one block of these entries, with checksums and footer.
fn table(entries: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut block = |entries: &[u8]| {
        let start = out.len();
        out.extend_from_slice(entries);
        out.extend([0, 0, 0, 0, 1, 0, 0, 0, 0]);
        let checksum = crc32c::crc32c(&out[start..]).rotate_right(15).wrapping_add(0xa282_ead8);
        out.extend(checksum.to_le_bytes());
        let mut handle = Vec::new();
        put_varint(&mut handle, start);
        put_varint(&mut handle, entries.len() + 8);
        handle
    };
    let data = block(entries);
    let mut footer = block(&[]);
    footer.extend(block(&[&[0, 1, data.len() as u8, 0xff][..], &data].concat()));
    footer.resize(40, 0);
    out.extend(footer);
    out.extend(0xdb47_7524_8b80_fb57_u64.to_le_bytes());
    out
}

/// Reads everything there is, in every way.
fn read_all(index: Vec<u8>, data: &[u8]) -> usize {
    let mut read = 0;
    if let Ok(reader) = V1Reader::from_memory("forged", index.clone()) {
        read += reader.tensors().filter(|info| reader.read(info.name).is_ok()).count();
    }
    if let Ok(reader) = BundleReader::from_memory("forged", index, vec![data.to_vec()]) {
        for info in reader.tensors() {
            let first: Vec<_> = info.shape.iter().map(|&dim| (dim > 0).then_some(0..1)).collect();
            let _ = reader.read_slice(info.name, &TensorSlice::new(first).unwrap());
            read += usize::from(reader.read(info.name).is_ok());
        }
    }
    read
}

#[test]
fn entries_in_a_table_of_their_own_read_as_before() {
    for (name, tensors) in [("dtypes", 31), ("sliced", 4)] {
        let index = table(&entries(&read(&fixture(name), ".index")));
        assert_eq!(read_all(index, &read(&fixture(name), ".data-00000-of-00001")), tensors);
    }
    assert_eq!(read_all(table(&entries(&read(&fixture("v1"), ""))), &[]), 19);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_entries_do_no_harm(
        bundle in 0..3_usize,
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<Option<proptest::sample::Index>>(),
    ) {
        let (name, end) = [("dtypes", ".index"), ("sliced", ".index"), ("v1", "")][bundle];
        let data = if bundle == 2 { Vec::new() } else { read(&fixture(name), ".data-00000-of-00001") };
        let mut entries = entries(&read(&fixture(name), end));
        for (at, byte) in changes {
            let at = at.index(entries.len());
            entries[at] = byte;
        }
        if let Some(cut) = cut {
            entries.truncate(cut.index(entries.len()));
        }
        read_all(table(&entries), &data);
    }
}
