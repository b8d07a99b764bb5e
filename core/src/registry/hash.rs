//! The index of ops by name: open addressing over positions. The hash takes a multiply and a rotation for each eight
//! bytes; the index is made from linked declarations, so it needs no defence against chosen names.

use oplink_api::attr::same_name;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const EMPTY: u32 = u32::MAX;

/// Positions by the hash of the name there; a power of two of slots, at most half of them taken.
#[derive(Debug)]
pub(super) struct NameIndex {
    slots: Vec<u32>,
}

impl NameIndex {
    /// An index of these names, all different, by their positions.
    pub(super) fn new<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let mut index = Self { slots: vec![EMPTY; (2 * names.len()).next_power_of_two().max(2)] };
        for (at, name) in names.enumerate() {
            let mut slot = index.first_slot(name);
            while index.slots[slot] != EMPTY {
                slot = index.next(slot);
            }
            index.slots[slot] = at as u32;
        }
        index
    }

    /// The position of a name; `name_at` tells the names.
    #[inline]
    pub(super) fn find<'a>(&self, name: &str, name_at: impl Fn(usize) -> &'a str) -> Option<usize> {
        let mut slot = self.first_slot(name);
        loop {
            match self.slots[slot] {
                EMPTY => return None,
                at if same_name(name_at(at as usize), name) => return Some(at as usize),
                _ => slot = self.next(slot),
            }
        }
    }

    #[inline]
    fn first_slot(&self, name: &str) -> usize {
        (hash(name) >> 32) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

#[inline]
fn hash(name: &str) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER);
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    mix(hash, rest.iter().fold(name.len() as u64, |tail, &byte| tail << 8 | u64::from(byte)))
}
