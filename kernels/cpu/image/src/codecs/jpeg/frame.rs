//! The coefficients of a JPEG: its segments from the first to the last.

use oplink::memory::try_filled;
use oplink::prelude::*;

use super::header::segment;
use super::huffman::Huffman;
use super::scan;

/// Where the coefficients of a file stand in a block, in the file's order.
pub(super) const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63,
];

/// A component of the image.
pub(super) struct Component {
    name: u8,
    /// Blocks of a unit along rows and along columns.
    pub(super) units: [usize; 2],
    /// Extents in pixels, without what fills up blocks.
    pub(super) extents: [usize; 2],
    /// Blocks down and across, of whole units.
    pub(super) blocks: [usize; 2],
    table: usize,
    /// The steps of the coefficients, by the table as it is at the first scan.
    pub(super) quantization: Option<[u16; 64]>,
    /// 64 numbers a block, row by row.
    pub(super) coefficients: Vec<i16>,
}

/// The coefficients of an image.
pub(super) struct Frame {
    pub(super) is_progressive: bool,
    /// The most blocks of a unit that a component has along rows and along columns.
    pub(super) largest: [usize; 2],
    /// Units down and across.
    pub(super) units: [usize; 2],
    pub(super) components: Vec<Component>,
}

/// What segments set for the scans behind them.
#[derive(Default)]
pub(super) struct Tables {
    quantization: [Option<[u16; 64]>; 4],
    pub(super) of_first: [Option<Huffman>; 4],
    pub(super) of_others: [Option<Huffman>; 4],
    pub(super) restart_interval: usize,
}

fn invalid(what: &str) -> Error {
    Error::invalid_argument(format!("the JPEG is not valid: {what}"))
}

impl Frame {
    /// Decodes the scans of a file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let (mut rest, mut tables, mut frame) = (bytes.get(2..).unwrap_or_default(), Tables::default(), None);
        let mut has_scan = false;
        loop {
            let (marker, contents, after) = segment(rest)?;
            rest = after;
            match marker {
                0xC0..=0xC2 if frame.is_none() => frame = Some(Self::new(contents, marker == 0xC2)?),
                0xC0..=0xC2 => return Err(invalid("it has two frames")),
                0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                    bail!(
                        "the JPEG is of a kind that is not decoded: baseline and progressive ones with Huffman's codes are"
                    )
                }
                0xC4 => tables.set_codes(contents)?,
                0xDB => tables.set_quantization(contents)?,
                0xDD => {
                    let [high, low, ..] = contents else { return Err(invalid("a restart interval is cut")) };
                    tables.restart_interval = u16::from_be_bytes([*high, *low]).into();
                }
                0xDA => {
                    let frame = frame.as_mut().ok_or_else(|| invalid("a scan comes before its frame"))?;
                    rest = scan::read(frame, &tables, contents, rest)?;
                    has_scan = true;
                }
                0xD9 => break,
                _ => {}
            }
        }
        frame.filter(|_| has_scan).ok_or_else(|| invalid("it has no scan"))
    }

    fn new(contents: &[u8], is_progressive: bool) -> Result<Self> {
        let &[precision, row_high, row_low, column_high, column_low, count, ref named @ ..] = contents else {
            return Err(invalid("its frame is cut"));
        };
        ensure!(precision == 8, "a JPEG of {precision} bits is not decoded: those of 8 bits are");
        let named = named.get(..3 * usize::from(count)).ok_or_else(|| invalid("its frame is cut"))?;
        let extents = [[row_high, row_low], [column_high, column_low]].map(|pair| u16::from_be_bytes(pair).into());
        let factors = |named: &[u8]| [named[1] & 15, named[1] >> 4].map(usize::from);
        let all: Vec<[usize; 2]> = named.chunks_exact(3).map(factors).collect();
        ensure!(
            all.iter().flatten().all(|factor| (1..=4).contains(factor)) && !all.is_empty(),
            "the JPEG is not valid: a component has other sampling factors than 1 to 4"
        );
        let largest = [0, 1].map(|axis| all.iter().map(|factors| factors[axis]).max().unwrap_or(1));
        let units: [usize; 2] = [0, 1].map(|axis| usize::div_ceil(extents[axis], 8 * largest[axis]));
        let mut components = Vec::new();
        for (named, factors) in named.chunks_exact(3).zip(all) {
            let is_whole = (0..2).all(|axis| largest[axis] % factors[axis] == 0);
            ensure!(is_whole, "the JPEG has sampling factors that do not divide each other, which is not decoded");
            let blocks = [0, 1].map(|axis| units[axis] * factors[axis]);
            components.push(Component {
                name: named[0],
                units: factors,
                extents: [0, 1].map(|axis| usize::div_ceil(extents[axis] * factors[axis], largest[axis])),
                blocks,
                table: named[2].into(),
                quantization: None,
                coefficients: try_filled(0i16, blocks[0] * blocks[1] * 64)?,
            });
        }
        Ok(Self { is_progressive, largest, units, components })
    }

    /// The position of the component that a scan names; its table of quantization is settled.
    pub(super) fn find(&mut self, name: u8, tables: &Tables) -> Result<usize> {
        let at = self.components.iter().position(|component| component.name == name);
        let at = at.ok_or_else(|| invalid("a scan names a component that its frame has not"))?;
        let component = &mut self.components[at];
        if component.quantization.is_none() {
            component.quantization = tables.quantization.get(component.table).copied().flatten();
        }
        ensure!(component.quantization.is_some(), "the JPEG is not valid: a component has no table of quantization");
        Ok(at)
    }
}

impl Tables {
    fn set_quantization(&mut self, mut contents: &[u8]) -> Result<()> {
        while let [kind, rest @ ..] = contents {
            let size = if kind >> 4 == 0 { 1 } else { 2 };
            let (table, after) = rest.split_at_checked(64 * size).ok_or_else(|| invalid("a table is cut"))?;
            let slot =
                self.quantization.get_mut(usize::from(kind & 15)).ok_or_else(|| invalid("it has too many tables"))?;
            let mut steps = [0u16; 64];
            for (at, step) in ZIGZAG.iter().zip(table.chunks_exact(size)) {
                steps[usize::from(*at)] = step.iter().fold(0, |number, &byte| number << 8 | u16::from(byte));
            }
            (*slot, contents) = (Some(steps), after);
        }
        Ok(())
    }

    fn set_codes(&mut self, mut contents: &[u8]) -> Result<()> {
        while let [kind, rest @ ..] = contents {
            let (counts, rest) = rest.split_first_chunk::<16>().ok_or_else(|| invalid("a table of codes is cut"))?;
            let count = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, after) = rest.split_at_checked(count).ok_or_else(|| invalid("a table of codes is cut"))?;
            let tables = if kind >> 4 == 0 { &mut self.of_first } else { &mut self.of_others };
            let slot = tables.get_mut(usize::from(kind & 15)).ok_or_else(|| invalid("it has too many tables"))?;
            (*slot, contents) = (Some(Huffman::new(*counts, symbols)?), after);
        }
        Ok(())
    }
}
