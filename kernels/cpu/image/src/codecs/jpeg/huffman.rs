//! Bits of a scan, and the codes that they are.

use oplink::prelude::*;

/// Bits that a code is looked up by at once.
const FAST: u32 = 9;

fn ends() -> Error {
    Error::invalid_argument("the JPEG is not valid: a scan ends early")
}

/// The bits of a scan from the highest of each byte on, up to the next marker.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    buffer: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, buffer: 0, count: 0 }
    }

    /// What follows, from the next marker on.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn fill(&mut self) {
        while self.count <= 48 {
            let step = match self.bytes[self.at.min(self.bytes.len())..] {
                [0xFF, 0, ..] => 2,
                [0xFF, ..] | [] => return,
                _ => 1,
            };
            self.buffer = self.buffer << 8 | u64::from(self.bytes[self.at]);
            (self.at, self.count) = (self.at + step, self.count + 8);
        }
    }

    /// The next `count` bits, at most 16, zeros behind the last.
    fn peek(&mut self, count: u32) -> u32 {
        if self.count < count {
            self.fill();
        }
        let bits = match self.count.checked_sub(count) {
            Some(more) => self.buffer >> more,
            None => self.buffer << (count - self.count),
        };
        bits as u32 & ((1 << count) - 1)
    }

    fn skip(&mut self, count: u32) -> Result<()> {
        self.count = self.count.checked_sub(count).ok_or_else(ends)?;
        Ok(())
    }

    /// The next bits as a number, at most 16.
    pub(super) fn number(&mut self, count: u32) -> Result<i32> {
        let number = self.peek(count);
        self.skip(count)?;
        Ok(number as i32)
    }

    /// A number with a sign in so many bits: the lower half of them are the negative ones.
    pub(super) fn signed(&mut self, count: u32) -> Result<i32> {
        let number = self.number(count)?;
        Ok(if count > 0 && number < 1 << (count - 1) { number - (1 << count) + 1 } else { number })
    }

    /// Goes on behind the next marker, which must be one of a restart.
    pub(super) fn restart(&mut self) -> Result<()> {
        let rest = self.rest();
        let marker =
            rest.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0 | 0xFF)).ok_or_else(ends)?;
        let is_restart = matches!(rest[marker + 1], 0xD0..=0xD7);
        ensure!(is_restart, "the JPEG is not valid: a scan has no marker where it restarts");
        (self.at, self.buffer, self.count) = (self.at + marker + 2, 0, 0);
        Ok(())
    }
}

/// A table of codes of up to 16 bits.
pub(super) struct Huffman {
    /// For the next bits the length of the code in the high byte and its symbol, or 0 where the code is longer.
    fast: [u16; 1 << FAST],
    /// For each length the code behind the last, and what leads from a code to the place of its symbol.
    ends: [u32; 17],
    offsets: [i32; 17],
    symbols: Vec<u8>,
}

impl Huffman {
    /// Of the numbers of codes of each length and of the symbols in their order.
    pub(super) fn new(counts: [u8; 16], symbols: &[u8]) -> Result<Self> {
        let mut table = Self { fast: [0; 1 << FAST], ends: [0; 17], offsets: [0; 17], symbols: symbols.to_vec() };
        let (mut code, mut place) = (0u32, 0usize);
        for (length, &count) in (1..).zip(&counts) {
            table.offsets[length as usize] = place as i32 - code as i32;
            for _ in 0..count {
                ensure!(code < 1 << length, "the JPEG is not valid: it has more codes than their lengths allow");
                if length <= FAST {
                    let entry = (length as u16) << 8 | u16::from(symbols[place]);
                    let first = (code << (FAST - length)) as usize;
                    table.fast[first..first + (1 << (FAST - length))].fill(entry);
                }
                (code, place) = (code + 1, place + 1);
            }
            table.ends[length as usize] = code;
            code <<= 1;
        }
        Ok(table)
    }

    /// The next symbol.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Result<u8> {
        let next = bits.peek(16);
        let entry = self.fast[(next >> (16 - FAST)) as usize];
        if entry != 0 {
            bits.skip(u32::from(entry >> 8))?;
            return Ok(entry as u8);
        }
        for length in FAST + 1..=16 {
            let code = next >> (16 - length);
            if code < self.ends[length as usize] {
                bits.skip(length)?;
                let place = code as i32 + self.offsets[length as usize];
                return self.symbols.get(place as usize).copied().ok_or_else(ends);
            }
        }
        bail!("the JPEG is not valid: a code has no symbol")
    }
}
