//! Calls in words, so that a call like an earlier one is recognised by comparing numbers.

use std::slice;

use oplink_api::AttrValue;
use smallvec::SmallVec;

/// Words that are recorded in place.
const FEW: usize = 32;
/// A call that takes more words is not kept.
const MOST: usize = 256;

/// A call as its host tells it.
pub trait CallFrame {
    /// Tells all that distinguishes the call from others of its op: attrs, and dtype and shape of each input. Equal
    /// words are calls of one kernel whose inputs have equal dtypes and shapes.
    fn describe(&self, words: &mut impl Words);

    /// The address of an input's elements; null for none.
    fn data(&self, input: usize) -> *const u8;
}

/// What takes the words of a call.
pub trait Words {
    /// Takes a number. How many numbers there are is to follow from those before.
    fn number(&mut self, number: u64);

    /// The call has something that no words tell: it is like no other.
    fn unknown(&mut self);

    /// Takes a tensor: the host's number of its dtype, and its extents.
    #[inline]
    fn tensor(&mut self, dtype: i32, dims: &[i64]) {
        self.number(u64::from(dtype as u32) | (dims.len() as u64) << 32);
        dims.iter().for_each(|dim| self.number(*dim as u64));
    }

    /// Takes bytes.
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.number(u64::from_ne_bytes(*word)));
        let last = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        if !rest.is_empty() {
            self.number(last);
        }
    }

    /// Takes an attr, or that it has its default.
    #[inline]
    fn attr(&mut self, value: Option<&AttrValue>) {
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
            Some(_) => self.unknown(),
        }
    }

    /// Takes a value of a kind of attrs.
    #[inline]
    fn kind(&mut self, kind: u64, value: u64) {
        self.number(kind);
        self.number(value);
    }

    /// Takes the values of a kind of attrs.
    fn list(&mut self, kind: u64, values: impl ExactSizeIterator<Item = u64>) {
        self.kind(kind, values.len() as u64);
        values.for_each(|value| self.number(value));
    }
}

/// The words of a call.
#[derive(Debug)]
pub(crate) struct Signature {
    words: SmallVec<[u64; FEW]>,
    hash: u64,
    is_whole: bool,
}

impl Signature {
    /// Of a call of the op, or of the node's kernel, that is told apart by this number.
    pub(crate) fn of(id: usize, frame: &impl CallFrame) -> Self {
        let mut signature = Self { words: SmallVec::new(), hash: 0, is_whole: true };
        signature.number(id as u64);
        frame.describe(&mut signature);
        signature
    }

    /// Whether a call has the same words.
    #[inline]
    pub(crate) fn is_of(&self, id: usize, frame: &impl CallFrame) -> bool {
        let mut comparison = Comparison { rest: self.words.iter(), is_equal: self.is_whole };
        comparison.number(id as u64);
        frame.describe(&mut comparison);
        comparison.is_equal && comparison.rest.len() == 0
    }

    /// Whether all that tells the call from others is here.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// A position among `count`, the same for equal calls.
    pub(crate) fn position(&self, count: usize) -> usize {
        (self.hash >> 32) as usize % count
    }
}

impl Words for Signature {
    fn number(&mut self, number: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        if self.words.len() == MOST {
            self.is_whole = false;
            return;
        }
        self.hash = (self.hash.rotate_left(5) ^ number).wrapping_mul(ODD);
        self.words.push(number);
    }

    fn unknown(&mut self) {
        self.is_whole = false;
    }
}

impl PartialEq for Signature {
    fn eq(&self, other: &Self) -> bool {
        self.is_whole && other.is_whole && self.hash == other.hash && self.words == other.words
    }
}

/// Holds the words of a call against those of one that is kept.
struct Comparison<'a> {
    rest: slice::Iter<'a, u64>,
    is_equal: bool,
}

impl Words for Comparison<'_> {
    #[inline]
    fn number(&mut self, number: u64) {
        self.is_equal &= self.rest.next() == Some(&number);
    }

    #[inline]
    fn unknown(&mut self) {
        self.is_equal = false;
    }
}
