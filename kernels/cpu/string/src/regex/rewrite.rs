//! Replacing matches by a rewrite: text in which `\0` to `\9` stand for a match and its groups.

use oplink::memory::{try_reserve, try_vec};
use oplink::prelude::*;
use regex::bytes::{Captures, Regex};

/// A rewrite.
pub(in super::super) struct Rewrite<'a> {
    text: &'a [u8],
    groups: usize,
}

impl<'a> Rewrite<'a> {
    /// The rewrite `text`.
    pub(in super::super) fn new(text: &'a [u8]) -> Self {
        let mut groups = 0;
        let mut bytes = text.iter();
        while let Some(byte) = bytes.next() {
            if *byte == b'\\'
                && let Some(digit @ b'0'..=b'9') = bytes.next()
            {
                groups = groups.max(usize::from(digit - b'0'));
            }
        }
        Self { text, groups }
    }

    /// `string` with every match replaced, or the first one only. A rewrite that names a group which the pattern lacks
    /// replaces nothing.
    ///
    /// # Errors
    /// Memory runs out.
    pub(in super::super) fn apply(
        &self,
        regex: &Regex,
        string: &[u8],
        is_global: bool,
        env: &Env<'_>,
    ) -> Result<Vec<u8>> {
        if self.groups >= regex.captures_len() {
            return Ok(string.to_vec());
        }
        if is_global { self.replace_all(regex, string, env) } else { self.replace_first(regex, string) }
    }

    fn replace_first(&self, regex: &Regex, string: &[u8]) -> Result<Vec<u8>> {
        let Some(captures) = regex.captures(string) else { return Ok(string.to_vec()) };
        let range = range(&captures);
        let mut out = string[..range.start].to_vec();
        if !self.append(&captures, &mut out)? {
            return Ok(string.to_vec());
        }
        out.extend_from_slice(&string[range.end..]);
        Ok(out)
    }

    /// An empty match right after the last match is none.
    fn replace_all(&self, regex: &Regex, string: &[u8], env: &Env<'_>) -> Result<Vec<u8>> {
        let (mut out, mut position, mut last_end) = (try_vec(string.len())?, 0, None);
        while position <= string.len()
            && let Some(captures) = regex.captures_at(string, position)
        {
            env.poll();
            let range = range(&captures);
            out.extend_from_slice(&string[position..range.start]);
            position = range.end;
            if range.is_empty() && last_end == Some(range.start) {
                let end = string.len().min(position + character_length(&string[position..]));
                out.extend_from_slice(&string[position..end]);
                position = end.max(position + 1);
                continue;
            }
            self.append(&captures, &mut out)?;
            last_end = Some(position);
        }
        out.extend_from_slice(&string[position.min(string.len())..]);
        Ok(out)
    }

    /// Appends what takes a match's place, up to the first escape that is neither a digit nor a backslash; whether
    /// there is none.
    fn append(&self, captures: &Captures<'_>, out: &mut Vec<u8>) -> Result<bool> {
        room(out, self.text.len())?;
        let mut bytes = self.text.iter();
        while let Some(&byte) = bytes.next() {
            match (byte, if byte == b'\\' { bytes.next() } else { None }) {
                (b'\\', Some(digit @ b'0'..=b'9')) => {
                    let group = captures.get(usize::from(digit - b'0'));
                    let group = group.map_or(&[][..], |group| group.as_bytes());
                    room(out, group.len())?;
                    out.extend_from_slice(group);
                }
                (b'\\', Some(b'\\')) => out.push(b'\\'),
                (b'\\', _) => return Ok(false),
                _ => out.push(byte),
            }
        }
        Ok(true)
    }
}

/// Room for so many bytes more; the text grows by half at least.
fn room(out: &mut Vec<u8>, bytes: usize) -> Result<()> {
    if bytes <= out.capacity() - out.len() { Ok(()) } else { try_reserve(out, bytes.max(out.len() / 2)) }
}

fn range(captures: &Captures<'_>) -> std::ops::Range<usize> {
    captures.get(0).map_or(0..0, |whole| whole.range())
}

/// Bytes of the character that `bytes` start with, 1 where they are not UTF-8.
fn character_length(bytes: &[u8]) -> usize {
    let longest = &bytes[..bytes.len().min(4)];
    let valid = longest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    valid.chars().next().map_or(1, char::len_utf8)
}
