//! Finds the large contents of tensors in a `GraphDef` without reading them.

use std::ops::Range;

use oplink_api::Result;
use oplink_spec::wire::take_varint;

/// The numbers of the fields that lead from a `GraphDef` to the contents of its nodes' tensors: `node`, `attr`,
/// `value`, `tensor`, `tensor_content`.
const PATH: [u32; 5] = [1, 5, 2, 8, 4];
/// Contents of fewer bytes are read with what is around them.
const LEAST: usize = 1 << 16;
/// Bytes that are read at a time.
const WINDOW: usize = 1 << 14;
/// The most bytes of a varint.
const VARINT: usize = 10;

/// Why a scan ended.
pub(super) enum Stopped {
    /// The bytes are no message, or one of a form that only a decoder reads.
    NotUnderstood,
    Unreadable(oplink_api::Error),
}

/// Fills `message`, which is zero, with a `GraphDef` as `read` gives it from an offset on, but for large contents of
/// tensors. Where these are comes back, in ascending order.
pub(super) fn scan(
    message: &mut [u8],
    read: &dyn Fn(&mut [u8], usize) -> Result<()>,
) -> std::result::Result<Vec<Range<usize>>, Stopped> {
    let end = message.len();
    let mut scan = Scan { message, read, loaded: 0, contents: Vec::new() };
    scan.message(0, end, &PATH)?;
    Ok(scan.contents)
}

struct Scan<'a> {
    message: &'a mut [u8],
    read: &'a dyn Fn(&mut [u8], usize) -> Result<()>,
    /// All bytes before this one are read, or are contents.
    loaded: usize,
    contents: Vec<Range<usize>>,
}

impl Scan<'_> {
    /// Reads what is missing before `end`.
    fn load(&mut self, end: usize) -> std::result::Result<(), Stopped> {
        if end > self.loaded {
            let window = end.max(self.loaded.saturating_add(WINDOW)).min(self.message.len());
            (self.read)(&mut self.message[self.loaded..window], self.loaded).map_err(Stopped::Unreadable)?;
            self.loaded = window;
        }
        Ok(())
    }

    /// The fields of the message from `at` to `end`, of which the first of `path` is of interest.
    fn message(&mut self, mut at: usize, end: usize, path: &[u32]) -> std::result::Result<(), Stopped> {
        while at < end {
            let tag = self.varint(&mut at, end)?;
            let length = match tag & 7 {
                0 => self.varint(&mut at, end).map(|_| 0)?,
                1 => 8,
                2 => self.varint(&mut at, end)?,
                5 => 4,
                _ => return Err(Stopped::NotUnderstood),
            };
            let length = usize::try_from(length).ok().filter(|length| *length <= end - at);
            let next = at + length.ok_or(Stopped::NotUnderstood)?;
            match path {
                [field, deeper @ ..] if tag == u64::from(field << 3 | 2) && !deeper.is_empty() => {
                    self.message(at, next, deeper)?;
                }
                [field] if tag == u64::from(field << 3 | 2) && next - at >= LEAST => {
                    self.contents.push(at..next);
                    self.loaded = self.loaded.max(next);
                }
                _ => self.load(next)?,
            }
            at = next;
        }
        Ok(())
    }

    fn varint(&mut self, at: &mut usize, end: usize) -> std::result::Result<u64, Stopped> {
        let most = end.min(*at + VARINT);
        self.load(most)?;
        let bytes = &self.message[*at..most];
        let mut rest = bytes;
        let value = take_varint(&mut rest).map_err(|_| Stopped::NotUnderstood)?;
        *at += bytes.len() - rest.len();
        Ok(value)
    }
}
