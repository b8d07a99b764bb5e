//! Damaged graphs: an error or a graph, never a panic.

use oplink_graph::{Graph, ImportOptions};
use oplink_proto::GraphDef;

use crate::fixture::{digits, read, registry};

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// The graph with every constant cut to a few bytes, so that damage hits structure.
fn skeleton() -> Vec<u8> {
    let mut def: GraphDef = oplink_proto::from_bytes(digits()).unwrap();
    for attr in def.node.iter_mut().flat_map(|node| node.attr.values_mut()) {
        if let Some(oplink_proto::attr_value::Value::Tensor(tensor)) = &mut attr.value
            && tensor.tensor_content.len() > 64
        {
            tensor.tensor_content = oplink_proto::bytes::Bytes::new();
            tensor.float_val = vec![0.5];
        }
    }
    oplink_proto::to_bytes(&def)
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..(at + random.below(20)).min(bytes.len()))),
            4 => {
                let from = random.below(bytes.len());
                let copy = bytes[from..(from + random.below(100)).min(bytes.len())].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
        if bytes.is_empty() {
            return;
        }
    }
}

fn import_damaged(original: &[u8], seed: u64, times: usize) -> usize {
    let options = ImportOptions { max_constant_bytes: 1 << 20, max_outputs: 1 << 12, ..ImportOptions::default() };
    let mut random = Random(seed);
    let mut imported = 0;
    for _ in 0..times {
        let mut bytes = original.to_vec();
        damage(&mut bytes, &mut random);
        let Ok(def) = oplink_proto::from_bytes::<GraphDef>(bytes) else { continue };
        if let Ok(graph) = Graph::import_with(&def, registry(), options) {
            imported += 1;
            assert_eq!(graph.to_bytes().unwrap(), oplink_proto::to_bytes(&def));
        }
    }
    imported
}

#[test]
fn damaged_digits() {
    let imported = import_damaged(&skeleton(), 0x9E37_79B9_7F4A_7C15, 700);
    assert!(imported > 0, "some damage is harmless");
}

#[test]
fn damaged_shape_arithmetic() {
    let original = read("core/graph/tests/it/goldens/shape_arithmetic.pb");
    assert!(import_damaged(&original, 0x2545_F491_4F6C_DD1D, 700) > 0);
}
