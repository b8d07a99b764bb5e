//! What scans along an axis share: the programs, written once for all of them, and their launches.
//!
//! Many lines are scanned by a thread each. Otherwise a block takes a line, or a chunk of a long one, in tiles of 256
//! elements; then what comes before each chunk is computed first: the chunks' totals, and a scan of those.

use oplink::device::DeviceContext;
use oplink::prelude::*;

use super::along::Along;

/// Lines that keep a device busy with a thread each.
const MANY_LINES: u32 = 4096;
/// Elements of a line that one thread goes through in any case.
const SHORT: u32 = 64;
/// The smallest chunk that a block takes.
const CHUNK: u32 = 2048;
/// Blocks that keep a device busy.
const MANY_BLOCKS: u32 = 512;
/// Blocks that every device takes in one direction.
const MOST_BLOCKS: u32 = 65_535;

/// Lines and chunks, as the programs take them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan {
    /// The lines.
    pub(super) along: Along,
    /// Elements of a chunk.
    pub(super) chunk: u32,
    /// Chunks of a line.
    pub(super) chunks: u32,
    /// Whether each element gets the result of those before it.
    pub(super) exclusive: bool,
    /// Whether lines are read from their ends.
    pub(super) reverse: bool,
    /// Whether chunks start from what came before.
    pub(super) carried: bool,
}

/// The programs of a scan.
pub(super) struct ScanPrograms {
    /// The dtype of totals.
    pub(super) totals: fn(DType) -> DType,
    /// Each line by a thread.
    pub(super) lines: fn(&dyn DeviceContext, [u32; 3], &Tensor, &Tensor, Scan) -> Result<()>,
    /// Each chunk by a block, from the totals before on.
    pub(super) tiles: fn(&dyn DeviceContext, [u32; 3], [&Tensor; 3], Scan) -> Result<()>,
    /// The chunks' totals, a row for each chunk.
    pub(super) sum_up: fn(&dyn DeviceContext, [u32; 3], &Tensor, &Tensor, Scan) -> Result<()>,
}

/// Writes the programs of a scan for elements of the types in the list. Totals are of the type after `in`, from its
/// identity on, to which `load` takes elements and from which `finish` takes results.
macro_rules! scan_programs {
    (
        $(#[$doc:meta])*
        $programs:ident: $lines:ident, $tiles:ident, $sum_up:ident
        for $bound:ident = [$($ty:ident),*] in $sum:ident, $totals:expr, $identity:expr,
        load |$value:ident| $load:expr,
        join |$a:ident, $b:ident| $join:expr,
        finish |$total:ident| $finish:expr
    ) => {
        #[oplink::program(T = [$($ty),*], block = 256)]
        fn $lines<T: $bound>(
            x: &[T],
            y: &mut [T],
            lines: u32,
            extent: u32,
            inner: u32,
            exclusive: bool,
            reverse: bool,
        ) {
            let mut line = block_index().x as u32 * 256 + thread_index().x as u32;
            while line < lines {
                let start = line / inner * extent * inner + line % inner;
                let mut running = $identity;
                for at in 0..extent {
                    let place = if reverse { extent - 1 - at } else { at };
                    let index = (start + place * inner) as usize;
                    let $value = x[index];
                    let $b: $sum = $load;
                    let $a = running;
                    running = $join;
                    let $total = if exclusive { $a } else { running };
                    y[index] = $finish;
                }
                line += grid_dim().x as u32 * 256;
            }
        }

        #[oplink::program(T = [$($ty),*], block = 256)]
        fn $sum_up<T: $bound>(
            x: &[T],
            totals: &mut [$sum],
            lines: u32,
            extent: u32,
            inner: u32,
            chunk: u32,
            chunks: u32,
            reverse: bool,
        ) {
            let mut sums = shared::<$sum, 256>();
            let me = thread_index().x as u32;
            let mut task = block_index().x as u32;
            while task < lines * chunks {
                let line = task / chunks;
                let part = task % chunks;
                let start = line / inner * extent * inner + line % inner;
                let last = (part * chunk + chunk).min(extent);
                let mut running = $identity;
                let mut at = part * chunk + me;
                while at < last {
                    let place = if reverse { extent - 1 - at } else { at };
                    let $value = x[(start + place * inner) as usize];
                    let $b: $sum = $load;
                    let $a = running;
                    running = $join;
                    at += 256;
                }
                sums[me as usize] = running;
                barrier();
                let mut half = 128_u32;
                while half > 0 {
                    if me < half {
                        let $a = sums[me as usize];
                        let $b = sums[(me + half) as usize];
                        sums[me as usize] = $join;
                    }
                    barrier();
                    half /= 2;
                }
                if me == 0 {
                    totals[(part * lines + line) as usize] = sums[0];
                }
                barrier();
                task += grid_dim().x as u32;
            }
        }

        #[oplink::program(T = [$($ty),*], block = 256)]
        fn $tiles<T: $bound>(
            x: &[T],
            before: &[$sum],
            y: &mut [T],
            lines: u32,
            extent: u32,
            inner: u32,
            chunk: u32,
            chunks: u32,
            exclusive: bool,
            reverse: bool,
            carried: bool,
        ) {
            let mut sums = shared::<$sum, 256>();
            let me = thread_index().x as u32;
            let mut task = block_index().x as u32;
            while task < lines * chunks {
                let line = task / chunks;
                let part = task % chunks;
                let start = line / inner * extent * inner + line % inner;
                let last = (part * chunk + chunk).min(extent);
                let mut running = $identity;
                if carried {
                    running = before[(part * lines + line) as usize];
                }
                let mut tile = part * chunk;
                while tile < last {
                    let at = tile + me;
                    let mut index = 0_usize;
                    let mut own = $identity;
                    if at < last {
                        let place = if reverse { extent - 1 - at } else { at };
                        index = (start + place * inner) as usize;
                        let $value = x[index];
                        own = $load;
                    }
                    sums[me as usize] = own;
                    barrier();
                    let mut shift = 1_u32;
                    while shift < 256 {
                        let mut joined = sums[me as usize];
                        if me >= shift {
                            let $a = sums[(me - shift) as usize];
                            let $b = joined;
                            joined = $join;
                        }
                        barrier();
                        sums[me as usize] = joined;
                        barrier();
                        shift *= 2;
                    }
                    if at < last {
                        let $a = running;
                        let mut $b = $identity;
                        if !exclusive {
                            $b = sums[me as usize];
                        } else if me > 0 {
                            $b = sums[(me - 1) as usize];
                        }
                        let $total = $join;
                        y[index] = $finish;
                    }
                    let $a = running;
                    let $b = sums[255];
                    running = $join;
                    barrier();
                    tile += 256;
                }
                task += grid_dim().x as u32;
            }
        }

        $(#[$doc])*
        static $programs: $crate::reduction::scan::ScanPrograms = $crate::reduction::scan::ScanPrograms {
            totals: $totals,
            lines: |device, grid, x, y, scan| {
                let $crate::reduction::along::Along { lines, extent, inner, .. } = scan.along;
                $lines { x, y, lines, extent, inner, exclusive: scan.exclusive, reverse: scan.reverse }.launch(device, x.dtype(), grid)
            },
            tiles: |device, grid, [x, before, y], scan| {
                let $crate::reduction::along::Along { lines, extent, inner, .. } = scan.along;
                let $crate::reduction::scan::Scan { chunk, chunks, exclusive, reverse, carried, .. } = scan;
                $tiles { x, before, y, lines, extent, inner, chunk, chunks, exclusive, reverse, carried }.launch(device, x.dtype(), grid)
            },
            sum_up: |device, grid, x, totals, scan| {
                let $crate::reduction::along::Along { lines, extent, inner, .. } = scan.along;
                $sum_up { x, totals, lines, extent, inner, chunk: scan.chunk, chunks: scan.chunks, reverse: scan.reverse }.launch(device, x.dtype(), grid)
            },
        };
    };
}

pub(super) use scan_programs;

/// The arguments of a scan.
pub(super) struct Scanned<'c> {
    /// What is scanned, in the device's memory.
    pub(super) x: &'c Tensor,
    /// The axis along which, in host memory.
    pub(super) axis: &'c Tensor,
    /// Whether each element gets the result of those before it.
    pub(super) exclusive: bool,
    /// Whether lines are read from their ends.
    pub(super) reverse: bool,
    pub(super) out: OutputSlot<'c>,
    pub(super) env: Env<'c>,
}

impl Scanned<'_> {
    /// Sets the output.
    ///
    /// # Errors
    /// The axis is no scalar or does not exist, or the device refuses a program.
    pub(super) fn run(mut self, programs: &ScanPrograms) -> Result<()> {
        let Self { x, exclusive, reverse, .. } = self;
        let along = Along::new(x.shape(), self.axis, "axis")?;
        let out = self.out.allocate(x.shape().clone())?;
        if out.num_elements() == 0 {
            return Ok(());
        }
        let (chunk, chunks) = chunks(along);
        let scan = Scan { along, chunk, chunks, exclusive, reverse, carried: chunks > 1 };
        run(self.env.device()?, x, out, programs, scan)
    }
}

/// Elements of a chunk, and chunks of a line; no chunks where a thread takes a line.
fn chunks(along: Along) -> (u32, u32) {
    let Along { lines, extent, .. } = along;
    if extent <= SHORT || lines >= MANY_LINES {
        return (extent, 0);
    }
    let most = (MANY_BLOCKS / lines).clamp(1, extent.div_ceil(CHUNK));
    let chunk = extent.div_ceil(most).next_multiple_of(256);
    (chunk, extent.div_ceil(chunk))
}

fn run(device: &dyn DeviceContext, x: &Tensor, y: &Tensor, programs: &ScanPrograms, scan: Scan) -> Result<()> {
    let Scan { along, chunks, .. } = scan;
    let by_thread = |lines: u32| [lines.div_ceil(256).min(MOST_BLOCKS), 1, 1];
    if chunks == 0 {
        return (programs.lines)(device, by_thread(along.lines), x, y, scan);
    }
    let by_block = [(along.lines * chunks).min(MOST_BLOCKS), 1, 1];
    let totals = (programs.totals)(x.dtype());
    if chunks == 1 {
        let nothing = device.allocate(totals, [1].into())?;
        return (programs.tiles)(device, by_block, [x, &nothing, y], scan);
    }
    let shape = [chunks as usize, along.lines as usize];
    let (sums, before) = (device.allocate(totals, shape.into())?, device.allocate(totals, shape.into())?);
    (programs.sum_up)(device, by_block, x, &sums, scan)?;
    let down = Along { axis: 0, extent: chunks, inner: along.lines, ..along };
    let of_totals = Scan { along: down, exclusive: true, reverse: false, ..scan };
    (programs.lines)(device, by_thread(along.lines), &sums, &before, of_totals)?;
    (programs.tiles)(device, by_block, [x, &before, y], scan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let along = |lines, extent| Along { axis: 0, lines, extent, inner: 1 };
        assert_eq!(chunks(along(10, 64)), (64, 0));
        assert_eq!(chunks(along(5000, 1000)), (1000, 0));
        assert_eq!(chunks(along(10, 1000)), (1024, 1));
        assert_eq!(chunks(along(1, 100_000)), (2048, 49));
        assert_eq!(chunks(along(300, 100_000)), (100_096, 1));
        assert_eq!(chunks(along(1, 10_000_000)), (19_712, 508));
    }
}
