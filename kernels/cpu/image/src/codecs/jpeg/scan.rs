//! Scans: coefficients of some components, all at once or, progressively, a band or a bit of them.

use oplink::prelude::*;

use super::frame::{Component, Frame, Tables, ZIGZAG};
use super::huffman::{Bits, Huffman};

/// What a scan brings of each block.
#[derive(Clone, Copy)]
struct Band {
    /// The first and the last coefficient, in the file's order.
    first: usize,
    last: usize,
    /// The bits that scans before brought, and those that are left for later ones.
    is_refinement: bool,
    low: u32,
}

/// Reads blocks of one component.
struct Blocks<'a> {
    band: Band,
    is_progressive: bool,
    of_first: Option<&'a Huffman>,
    of_others: Option<&'a Huffman>,
    previous: i32,
    /// Blocks without further coefficients.
    empty: u32,
}

fn invalid(what: &str) -> Error {
    Error::invalid_argument(format!("the JPEG is not valid: {what}"))
}

/// Reads a scan, of which `header` tells; what follows it.
pub(super) fn read<'a>(frame: &mut Frame, tables: &Tables, header: &[u8], data: &'a [u8]) -> Result<&'a [u8]> {
    let cut = || invalid("the header of a scan is cut");
    let (&count, named) = header.split_first().ok_or_else(cut)?;
    let (named, ends) = named.split_at_checked(2 * usize::from(count)).ok_or_else(cut)?;
    let &[first, last, bits, ..] = ends else { return Err(cut()) };
    ensure!((1..=4).contains(&count), "the JPEG is not valid: a scan has {count} components");
    let band = match frame.is_progressive {
        true => {
            let low = u32::from(bits & 15);
            Band { first: first.into(), last: last.into(), is_refinement: bits >> 4 != 0, low }
        }
        false => Band { first: 0, last: 63, is_refinement: false, low: 0 },
    };
    let is_of_one = count == 1 || band.last == 0 || !frame.is_progressive;
    let is_right = band.first <= band.last && band.last < 64 && band.low < 14 && is_of_one;
    let is_split = !frame.is_progressive || (band.first == 0) == (band.last == 0);
    ensure!(is_right && is_split, "the JPEG is not valid: a scan has a band of coefficients that is none");
    let mut readers = Vec::new();
    for named in named.chunks_exact(2) {
        let at = frame.find(named[0], tables)?;
        let blocks = Blocks {
            band,
            is_progressive: frame.is_progressive,
            of_first: tables.of_first.get(usize::from(named[1] >> 4)).and_then(Option::as_ref),
            of_others: tables.of_others.get(usize::from(named[1] & 15)).and_then(Option::as_ref),
            previous: 0,
            empty: 0,
        };
        ensure!(readers.iter().all(|&(other, _)| other != at), "the JPEG is not valid: a scan names a component twice");
        readers.push((at, blocks));
    }
    let mut bits = Bits::new(data);
    if let [(at, blocks)] = readers.as_mut_slice() {
        alone(&mut frame.components[*at], blocks, &mut bits, tables.restart_interval)?;
    } else {
        together(frame, &mut readers, &mut bits, tables.restart_interval)?;
    }
    Ok(bits.rest())
}

/// Reads a scan of one component: the blocks that it has pixels in.
fn alone(component: &mut Component, blocks: &mut Blocks<'_>, bits: &mut Bits<'_>, interval: usize) -> Result<()> {
    let [rows, columns] = component.extents.map(|extent| extent.div_ceil(8));
    for at in 0..rows * columns {
        if interval > 0 && at > 0 && at % interval == 0 {
            bits.restart()?;
            blocks.restart();
        }
        blocks.read(bits, component.block(at / columns, at % columns))?;
    }
    Ok(())
}

/// Reads a scan of several components: whole units of all of them.
fn together(
    frame: &mut Frame,
    readers: &mut [(usize, Blocks<'_>)],
    bits: &mut Bits<'_>,
    interval: usize,
) -> Result<()> {
    let [rows, columns] = frame.units;
    for unit in 0..rows * columns {
        if interval > 0 && unit > 0 && unit % interval == 0 {
            bits.restart()?;
            readers.iter_mut().for_each(|(_, blocks)| blocks.restart());
        }
        let (row, column) = (unit / columns, unit % columns);
        for (at, blocks) in readers.iter_mut() {
            let component = &mut frame.components[*at];
            let [high, wide] = component.units;
            for part in 0..high * wide {
                let block = component.block(row * high + part / wide, column * wide + part % wide);
                blocks.read(bits, block)?;
            }
        }
    }
    Ok(())
}

impl Component {
    fn block(&mut self, row: usize, column: usize) -> &mut [i16] {
        &mut self.coefficients[(row * self.blocks[1] + column) * 64..][..64]
    }
}

impl Blocks<'_> {
    fn restart(&mut self) {
        (self.previous, self.empty) = (0, 0);
    }

    fn read(&mut self, bits: &mut Bits<'_>, block: &mut [i16]) -> Result<()> {
        let Band { first, last, is_refinement, low } = self.band;
        if first == 0 {
            if is_refinement {
                block[0] |= (bits.number(1)? << low) as i16;
            } else {
                self.first(bits, block)?;
            }
        }
        if last == 0 {
            return Ok(());
        }
        if is_refinement { self.refined(bits, block) } else { self.others(bits, block, first.max(1)) }
    }

    /// Reads the first coefficient: how it differs from that of the block before.
    fn first(&mut self, bits: &mut Bits<'_>, block: &mut [i16]) -> Result<()> {
        let table = self.of_first.ok_or_else(|| invalid("a scan has no table of codes"))?;
        let size = table.symbol(bits)?;
        ensure!(size <= 15, "the JPEG is not valid: a coefficient has {size} bits");
        self.previous = self.previous.wrapping_add(bits.signed(size.into())?);
        block[0] = (self.previous << self.band.low) as i16;
        Ok(())
    }

    /// Reads the others, from `at` on, each with the number of zeros before it.
    fn others(&mut self, bits: &mut Bits<'_>, block: &mut [i16], mut at: usize) -> Result<()> {
        let table = self.of_others.ok_or_else(|| invalid("a scan has no table of codes"))?;
        if self.empty > 0 {
            self.empty -= 1;
            return Ok(());
        }
        while at <= self.band.last {
            let symbol = table.symbol(bits)?;
            let (zeros, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
            match (zeros, size) {
                (15, 0) => at += 16,
                (_, 0) => {
                    if self.is_progressive {
                        self.empty = (1 << zeros) + bits.number(zeros as u32)? as u32 - 1;
                    }
                    break;
                }
                _ => {
                    at += zeros;
                    ensure!(at <= 63, "the JPEG is not valid: a block has too many coefficients");
                    block[usize::from(ZIGZAG[at])] = (bits.signed(size)? << self.band.low) as i16;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// Reads a further bit of coefficients that are not 0, and new ones, which are 1 or -1 in that bit.
    fn refined(&mut self, bits: &mut Bits<'_>, block: &mut [i16]) -> Result<()> {
        let table = self.of_others.ok_or_else(|| invalid("a scan has no table of codes"))?;
        let (mut at, last, one) = (self.band.first, self.band.last, 1i16 << self.band.low);
        while self.empty == 0 && at <= last {
            let symbol = table.symbol(bits)?;
            let (mut zeros, mut value) = (symbol >> 4, 0);
            match symbol & 15 {
                0 if zeros < 15 => {
                    self.empty = (1 << zeros) + bits.number(zeros.into())? as u32;
                    break;
                }
                0 => {}
                1 => value = if bits.number(1)? == 1 { one } else { -one },
                size => bail!("the JPEG is not valid: a new coefficient has {size} bits"),
            }
            while at <= last {
                let coefficient = &mut block[usize::from(ZIGZAG[at])];
                if *coefficient != 0 {
                    refine(bits, coefficient, one)?;
                } else if zeros == 0 {
                    *coefficient = value;
                    at += 1;
                    break;
                } else {
                    zeros -= 1;
                }
                at += 1;
            }
        }
        if self.empty > 0 {
            for &at in &ZIGZAG[at.min(64)..=last] {
                let coefficient = &mut block[usize::from(at)];
                if *coefficient != 0 {
                    refine(bits, coefficient, one)?;
                }
            }
            self.empty -= 1;
        }
        Ok(())
    }
}

/// Adds a bit to a coefficient's magnitude.
fn refine(bits: &mut Bits<'_>, coefficient: &mut i16, one: i16) -> Result<()> {
    if bits.number(1)? == 1 && *coefficient & one == 0 {
        *coefficient = coefficient.wrapping_add(if *coefficient > 0 { one } else { -one });
    }
    Ok(())
}
