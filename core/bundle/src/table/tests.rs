//! Tables read as they were written, compressed or not, and damaged ones are refused.

use super::{Table, TableWriter};
use crate::file::ReadFile;

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

fn pairs(count: usize, value: usize) -> Pairs {
    (0..count).map(|i| (format!("layer_{:06}/kernel", i * 3).into_bytes(), vec![i as u8; value])).collect()
}

fn write(pairs: &Pairs, compressed: bool) -> Vec<u8> {
    let mut writer = TableWriter::new(Vec::new());
    writer.compressed = compressed;
    pairs.iter().for_each(|(key, value)| writer.add(key, value).unwrap());
    writer.finish().unwrap()
}

fn open(bytes: Vec<u8>) -> oplink_api::Result<Table> {
    Table::open(ReadFile::from_memory("table".into(), bytes))
}

fn read(bytes: Vec<u8>) -> oplink_api::Result<Pairs> {
    let mut pairs = Pairs::new();
    open(bytes)?.for_each(|key, value| {
        pairs.push((key.to_vec(), value.to_vec()));
        Ok(())
    })?;
    Ok(pairs)
}

#[test]
fn tables_read_as_written() {
    for (count, value) in [(0, 0), (1, 0), (17, 5), (4000, 300)] {
        let pairs = pairs(count, value);
        for compressed in [false, true] {
            let bytes = write(&pairs, compressed);
            assert_eq!(read(bytes.clone()).unwrap(), pairs);
            let table = open(bytes).unwrap();
            for (key, value) in pairs.iter().step_by(97) {
                assert_eq!(table.get(key).unwrap().as_ref(), Some(value));
                assert_eq!(table.get(&[key, &b"x"[..]].concat()).unwrap(), None);
            }
            assert_eq!(table.get(b"zz").unwrap(), None);
        }
    }
}

#[test]
fn compression_makes_a_table_smaller() {
    let pairs = pairs(1000, 300);
    assert!(write(&pairs, true).len() < write(&pairs, false).len() / 4);
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed_or_harmless() {
    let pairs = pairs(40, 3);
    for compressed in [false, true] {
        let bytes = write(&pairs, compressed);
        for length in 0..bytes.len() {
            assert!(read(bytes[..length].to_vec()).is_err(), "cut at {length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok(read) = read(bytes) {
                assert_eq!(read, pairs, "bit {bit}");
            }
        }
    }
}

#[test]
fn keys_out_of_order_are_refused() {
    let mut pairs = pairs(3, 1);
    pairs.swap(1, 2);
    assert!(read(write(&pairs, false)).unwrap_err().message().contains("ascending"));
}

#[test]
fn an_impossible_expansion_is_refused() {
    let claim = [0xff, 0xff, 0xff, 0xff, 0x0f, 0x00];
    assert!(super::reader::decompress(&claim).is_err());
}
