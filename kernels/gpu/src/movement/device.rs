//! The moves of ops in a device's memory.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink_ops::movement::{Axis, CopyBackend, Piece};

use super::plan::{Move, RANK, Step};
use super::programs::{MoveAxes, MoveAxis, fill_from, fill_words, move_parts, move_words};

/// Where the memory of an output may start: what any device wants of the memory of a program's argument.
const ALIGNMENT: usize = 256;

/// Moves in a device's memory. Tensors of any plain dtype; along at most 8 axes that do not join.
#[derive(Debug)]
pub(crate) struct Device;

impl CopyBackend for Device {
    fn copy_axes(env: Env<'_>, out: &mut Tensor, source: &Tensor, base: isize, axes: &[Axis<'_>]) -> Result<()> {
        gather(env.device()?, base, axes, source, out)
    }

    fn put_axes(env: Env<'_>, out: &mut Tensor, base: isize, axes: &[Axis<'_>], source: &Tensor) -> Result<()> {
        scatter(env.device()?, base, axes, source, out)
    }

    fn join_rows(env: Env<'_>, out: &mut Tensor, pieces: &[Piece<'_>]) -> Result<()> {
        let width: usize = pieces.iter().map(|piece| piece.length).sum();
        if out.num_elements() == 0 {
            return Ok(());
        }
        let (rows, mut start) = (out.num_elements() / width, 0);
        for piece in pieces {
            let row = Axis::Strided { count: rows, stride: width as isize };
            let axes = [row, Axis::Strided { count: piece.length, stride: 1 }];
            Self::put_axes(env, out, start as isize, &axes, piece.tensor)?;
            start += piece.length;
        }
        Ok(())
    }

    fn fill(env: Env<'_>, out: &mut Tensor, value: Option<&Tensor>) -> Result<()> {
        if out.num_elements() == 0 {
            return Ok(());
        }
        match value {
            Some(value) if value.is_on_device() => fill_with_device(env.device()?, out, value),
            Some(value) => fill_with_bytes(env.device()?, out, value.as_bytes()?),
            None => clear(env.device()?, out),
        }
    }

    fn may_share(tensor: &Tensor, row: usize) -> bool {
        let rows = tensor.shape().first().copied().unwrap_or(1).max(1);
        let start = tensor.num_bytes() / rows * row;
        tensor.device_memory().is_some_and(|memory| (memory.offset + start).is_multiple_of(ALIGNMENT))
    }
}

/// Fills `out`, row by row, with what `base` and the axes name of `source`.
///
/// # Errors
/// Axes that no program goes over; the device refuses.
pub(crate) fn gather(
    device: &dyn DeviceContext,
    base: isize,
    axes: &[Axis<'_>],
    source: &Tensor,
    out: &Tensor,
) -> Result<()> {
    match out.num_elements() {
        0 => Ok(()),
        _ => run(device, &Move::gather(base, axes, element_bytes(source)?)?, source, out),
    }
}

/// Puts the elements of `source`, row by row, where `base` and the axes name of `out`; the others stay.
///
/// # Errors
/// As for [`gather`].
pub(crate) fn scatter(
    device: &dyn DeviceContext,
    base: isize,
    axes: &[Axis<'_>],
    source: &Tensor,
    out: &Tensor,
) -> Result<()> {
    match source.num_elements() {
        0 => Ok(()),
        _ => run(device, &Move::scatter(base, axes, element_bytes(source)?)?, source, out),
    }
}

/// Writes zeros everywhere in a tensor that has elements.
///
/// # Errors
/// The device refuses.
pub(crate) fn clear(device: &dyn DeviceContext, out: &Tensor) -> Result<()> {
    fill_with_bytes(device, out, &[0; 16])
}

/// Bytes of an element.
pub(crate) fn element_bytes(tensor: &Tensor) -> Result<usize> {
    let dtype = tensor.dtype();
    dtype.size().ok_or_else(|| Error::internal(format!("a device's memory holds no {dtype}")))
}

/// A number of words, for a program.
pub(crate) fn words(count: usize) -> Result<u32> {
    let too_many = |_| Error::unimplemented(format!("a tensor of {count} words is too large for a program"));
    u32::try_from(count).map_err(too_many)
}

fn run(device: &dyn DeviceContext, plan: &Move, source: &Tensor, out: &Tensor) -> Result<()> {
    let (source, out) = (source.device_words()?, out.device_words()?);
    let table = match plan.table.as_slice() {
        // A buffer is bound for the table also where there is none.
        [] => source.clone().bitcast(DType::Int32)?,
        offsets => device.copy_to_device(&Tensor::from_slice(offsets))?,
    };
    let (source, table, out) = (&source, &table, &out);
    if plan.per_word == 1 {
        let (scatters, count) = (plan.scatters, words(plan.units())?);
        let program = move_words { source, table, out, along: along(plan, plan.steps.iter().rev()), scatters, count };
        return program.launch(device, move_words::blocks(plan.units()));
    }
    if plan.scatters && !plan.table.is_empty() {
        return Err(Error::unimplemented("elements shorter than 4 bytes are not scattered by position on a GPU"));
    }
    let (first, end) = plan.written();
    let (first, end) = (first / plan.per_word, end.div_ceil(plan.per_word));
    let count = end - first;
    let program = move_parts {
        source,
        table,
        out,
        along: along(plan, plan.steps.iter()),
        first_word: words(first)?,
        words: words(count)?,
        per_word: plan.per_word as u32,
    };
    program.launch(device, move_parts::blocks(count))
}

/// The axes of a plan, filled up to as many as a program takes.
fn along<'a>(plan: &Move, steps: impl Iterator<Item = &'a Step>) -> MoveAxes {
    let mut axes = [MoveAxis { count: 1, from: 0, to: 1, table: 0 }; RANK];
    for (axis, step) in axes.iter_mut().zip(steps) {
        let table = step.table.map_or(0, |start| start as u32 + 1);
        *axis = MoveAxis { count: step.count as u32, from: step.from as u32, to: step.to as u32, table };
    }
    MoveAxes { from: plan.from as u32, to: plan.to as u32, rank: plan.steps.len() as u32, axes }
}

/// Writes an element, given by its bytes, everywhere.
fn fill_with_bytes(device: &dyn DeviceContext, out: &Tensor, element: &[u8]) -> Result<()> {
    let mut pattern = [0u8; 16];
    pattern.iter_mut().zip(element.iter().cycle()).for_each(|(byte, &of)| *byte = of);
    let word = |at: usize| u32::from_le_bytes([pattern[at], pattern[at + 1], pattern[at + 2], pattern[at + 3]]);
    let out = out.device_words()?;
    let count = out.num_elements();
    let grid = fill_words::blocks(count);
    let pattern = [word(0), word(4), word(8), word(12)];
    fill_words { out: &out, pattern, count: words(count)? }.launch(device, grid)
}

/// Writes the one element of a tensor of the device everywhere.
fn fill_with_device(device: &dyn DeviceContext, out: &Tensor, value: &Tensor) -> Result<()> {
    let (width, mask, spread) = match element_bytes(value)? {
        1 => (1, 0xFF, 0x0101_0101),
        2 => (1, 0xFFFF, 0x0001_0001),
        size => (size as u32 / 4, u32::MAX, 1),
    };
    let (value, out) = (value.device_words()?, out.device_words()?);
    let count = out.num_elements();
    fill_from { value: &value, out: &out, count: words(count)?, width, mask, spread }
        .launch(device, fill_from::blocks(count))
}
