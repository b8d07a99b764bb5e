//! One block: its entries in order.

use oplink_api::spec::wire::{Parsed, put_varint, take, take_varint, take_word};

/// Entries between those whose keys are stored whole.
pub(super) const RESTART_INTERVAL: usize = 16;
/// Bytes of keys that a byte of a block may stand for. Whole keys every 16 entries keep within 16; keys that grow
/// without bound by sharing the ones before would exhaust memory.
const EXPANSION: usize = 64;

/// The entries of a block.
pub(super) struct Entries<'a> {
    rest: &'a [u8],
    key: Vec<u8>,
    /// Bytes that all keys to come may have together.
    allowance: usize,
}

impl<'a> Entries<'a> {
    /// Of a block's contents, without the trailer.
    pub(super) fn new(block: &'a [u8]) -> Parsed<Self> {
        const TOO_SHORT: &str = "a block is too short for its entries' positions";
        let (entries, mut count) =
            block.split_last_chunk::<4>().map(|(head, tail)| (head, &tail[..])).ok_or(TOO_SHORT)?;
        let restarts = u64::from(u32::from_le_bytes(take_word(&mut count)?)) * 4;
        let end = usize::try_from(restarts).ok().and_then(|restarts| entries.len().checked_sub(restarts));
        Ok(Self { rest: &entries[..end.ok_or(TOO_SHORT)?], key: Vec::new(), allowance: block.len() * EXPANSION })
    }

    /// The next entry; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Parsed<(&[u8], &'a [u8])>> {
        if self.rest.is_empty() {
            return None;
        }
        match self.advance() {
            Ok(value) => Some(Ok((&self.key, value))),
            Err(why) => {
                self.rest = &[];
                Some(Err(why))
            }
        }
    }

    fn advance(&mut self) -> Parsed<&'a [u8]> {
        let shared = take_varint(&mut self.rest)?;
        let (fresh, value) = (take_varint(&mut self.rest)?, take_varint(&mut self.rest)?);
        let shared = usize::try_from(shared).ok().filter(|&shared| shared <= self.key.len());
        self.key.truncate(shared.ok_or("a key shares more bytes than the key before it has")?);
        self.key.extend_from_slice(take(&mut self.rest, fresh)?);
        let allowance = self.allowance.checked_sub(self.key.len());
        self.allowance = allowance.ok_or("the keys of a block are too long for its size")?;
        take(&mut self.rest, value)
    }
}

/// Makes one block.
pub(super) struct BlockWriter {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
    interval: usize,
    since_restart: usize,
    last_key: Vec<u8>,
}

impl BlockWriter {
    /// With a whole key every `interval` entries.
    pub(super) fn new(interval: usize) -> Self {
        Self { bytes: Vec::new(), restarts: vec![0], interval, since_restart: 0, last_key: Vec::new() }
    }

    /// Appends an entry, whose key comes after those before it.
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        let mut shared = 0;
        if self.since_restart < self.interval {
            shared = self.last_key.iter().zip(key).take_while(|(a, b)| a == b).count();
        } else {
            self.restarts.push(self.bytes.len() as u32);
            self.since_restart = 0;
        }
        put_varint(&mut self.bytes, shared as u64);
        put_varint(&mut self.bytes, (key.len() - shared) as u64);
        put_varint(&mut self.bytes, value.len() as u64);
        self.bytes.extend_from_slice(&key[shared..]);
        self.bytes.extend_from_slice(value);
        self.last_key.truncate(shared);
        self.last_key.extend_from_slice(&key[shared..]);
        self.since_restart += 1;
    }

    /// The key added last.
    pub(super) fn last_key(&self) -> &[u8] {
        &self.last_key
    }

    /// Bytes that the block would have now.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + 4 * self.restarts.len() + 4
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The block's contents; starts the next block.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let mut block = std::mem::take(&mut self.bytes);
        let restarts = std::mem::replace(&mut self.restarts, vec![0]);
        block.extend(restarts.iter().flat_map(|position| position.to_le_bytes()));
        block.extend((restarts.len() as u32).to_le_bytes());
        self.since_restart = 0;
        self.last_key.clear();
        block
    }
}
