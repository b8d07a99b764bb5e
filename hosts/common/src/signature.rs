//! Calls in words, so that a call like an earlier one is recognised by one comparison.

use oplink_api::AttrValue;

/// Words that are in place.
const FEW: usize = 32;
/// Words beyond the first; a call that takes more is not kept.
const MOST: usize = 256;

/// A call as its host tells it: op, attrs, and dtype and shape of each input. Equal words are calls of one kernel whose
/// inputs have equal dtypes and shapes.
#[derive(Debug)]
pub struct Signature {
    len: usize,
    hash: u64,
    few: [u64; FEW],
    more: Vec<u64>,
    is_whole: bool,
}

impl Signature {
    /// Of an op, or of a node's kernel, that is told apart by this number.
    #[inline]
    pub fn new(id: usize) -> Self {
        let mut signature = Self { len: 0, hash: 0, few: [0; FEW], more: Vec::new(), is_whole: true };
        signature.number(id as u64);
        signature
    }

    /// Adds a number. How many numbers there are is to follow from those before.
    #[inline]
    pub fn number(&mut self, number: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.hash = (self.hash.rotate_left(5) ^ number).wrapping_mul(ODD);
        match self.few.get_mut(self.len) {
            Some(word) => {
                *word = number;
                self.len += 1;
            }
            None => self.another(number),
        }
    }

    #[cold]
    fn another(&mut self, number: u64) {
        if self.more.len() <= MOST {
            self.more.push(number);
        }
    }

    /// Adds a tensor: the host's number of its dtype, and its extents.
    #[inline]
    pub fn tensor(&mut self, dtype: i32, dims: &[i64]) {
        self.number(u64::from(dtype as u32) | (dims.len() as u64) << 32);
        dims.iter().for_each(|dim| self.number(*dim as u64));
    }

    /// Adds bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.number(u64::from_ne_bytes(*word)));
        let last = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        if !rest.is_empty() {
            self.number(last);
        }
    }

    /// Adds an attr, or that it has its default. A call with an attr of a kind that has no words is not kept.
    #[inline]
    pub fn attr(&mut self, value: Option<&AttrValue>) {
        match value {
            None => self.number(0),
            Some(AttrValue::Int(v)) => self.kind(1, *v as u64),
            Some(AttrValue::Float(v)) => self.kind(2, u64::from(v.to_bits())),
            Some(AttrValue::Bool(v)) => self.kind(3, u64::from(*v)),
            Some(AttrValue::Type(v)) => self.kind(4, v.number() as u64),
            Some(AttrValue::String(v)) => {
                self.number(5);
                self.bytes(v);
            }
            Some(AttrValue::Ints(v)) => self.list(6, v.iter().map(|v| *v as u64)),
            Some(AttrValue::Floats(v)) => self.list(7, v.iter().map(|v| u64::from(v.to_bits()))),
            Some(AttrValue::Bools(v)) => self.list(8, v.iter().map(|v| u64::from(*v))),
            Some(AttrValue::Types(v)) => self.list(9, v.iter().map(|v| v.number() as u64)),
            Some(AttrValue::Strings(v)) => {
                self.kind(10, v.len() as u64);
                v.iter().for_each(|text| self.bytes(text));
            }
            Some(AttrValue::Shape(v)) => match v.dims() {
                None => self.number(11),
                Some(dims) => self.list(12, dims.iter().map(|dim| dim.map_or(u64::MAX, |dim| dim as u64))),
            },
            Some(_) => self.is_whole = false,
        }
    }

    #[inline]
    fn kind(&mut self, kind: u64, value: u64) {
        self.number(kind);
        self.number(value);
    }

    fn list(&mut self, kind: u64, values: impl ExactSizeIterator<Item = u64>) {
        self.kind(kind, values.len() as u64);
        values.for_each(|value| self.number(value));
    }

    /// Whether all that tells the call from others is here.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole && self.more.len() <= MOST
    }

    /// A position among `count`, the same for equal calls.
    #[inline]
    pub(crate) fn position(&self, count: usize) -> usize {
        (self.hash >> 32) as usize % count
    }
}

impl PartialEq for Signature {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // One word after the other, as they were written: wider loads would wait for the stores.
        let words = self.few.iter().zip(&other.few).take(self.len);
        self.is_whole
            && (self.len, self.hash) == (other.len, other.hash)
            && words.into_iter().all(|(mine, other)| mine == other)
            // `memcmp` of no bytes at no address waits for a fault that is not taken.
            && self.more.len() == other.more.len()
            && (self.more.is_empty() || self.more == other.more)
    }
}
