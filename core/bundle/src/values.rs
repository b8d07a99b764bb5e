//! The bytes of stored tensors: reading them into memory, verified.

use oplink_api::spec::wire::take_varint;
use oplink_api::{DType, Result, TString, Tensor, ensure};

use crate::checksum::{mask, unmask};
use crate::error::damaged;
use crate::file::ReadFile;
use crate::message::Entry;
use crate::runs::{Run, Runs};

/// Bytes that are read and checksummed at a time, so that the second finds them in the cache.
const PIECE: usize = 1 << 18;

/// Reads the runs of the tensor that `entry` stores into `target`, which has its dtype. All of its bytes are read and
/// their checksum is verified, whatever the runs are.
pub(crate) fn read_runs(file: &ReadFile, entry: &Entry, runs: Runs, target: &mut Tensor) -> Result<()> {
    match entry.dtype {
        DType::String => {
            let strings = read_strings(file, entry)?;
            let target = target.as_mut_slice::<TString>()?;
            for Run { source, target: to, length } in runs {
                target[to..][..length].clone_from_slice(&strings[source..][..length]);
            }
            Ok(())
        }
        DType::Bool => {
            let target = target.as_mut_slice::<bool>()?;
            scatter(file, entry, runs, 1, |at, bytes| {
                for (value, &byte) in target[at..][..bytes.len()].iter_mut().zip(bytes) {
                    *value = byte != 0;
                }
            })
        }
        _ => {
            let width = entry.dtype.size().unwrap_or(1);
            let target = target.as_mut_bytes()?;
            scatter(file, entry, runs, width, |at, bytes| target[at..][..bytes.len()].copy_from_slice(bytes))
        }
    }
}

/// Copies runs from one tensor to another of the same dtype.
pub(crate) fn copy_runs(source: &Tensor, runs: Runs, target: &mut Tensor) -> Result<()> {
    fn copy<T: Clone>(source: &[T], runs: Runs, width: usize, target: &mut [T]) {
        for Run { source: from, target: to, length } in runs {
            let length = length * width;
            target[to * width..][..length].clone_from_slice(&source[from * width..][..length]);
        }
    }
    match source.dtype() {
        DType::String => copy::<TString>(source.as_slice()?, runs, 1, target.as_mut_slice()?),
        DType::Bool => copy::<bool>(source.as_slice()?, runs, 1, target.as_mut_slice()?),
        dtype => copy(source.as_bytes()?, runs, dtype.size().unwrap_or(1), target.as_mut_bytes()?),
    }
    Ok(())
}

/// Reads a stored tensor whole into `target`, which has its dtype and shape.
pub(crate) fn read_whole(file: &ReadFile, entry: &Entry, target: &mut Tensor) -> Result<()> {
    match entry.dtype {
        DType::String => {
            let strings = read_strings(file, entry)?;
            target.as_mut_slice::<TString>()?.iter_mut().zip(strings).for_each(|(to, from)| *to = from);
            Ok(())
        }
        DType::Bool => read_runs(file, entry, Runs::whole(entry.shape.num_elements()), target),
        _ => {
            let (mut offset, mut checksum) = (entry.offset, 0);
            for piece in target.as_mut_bytes()?.chunks_mut(PIECE) {
                file.read_exact_at(piece, offset)?;
                checksum = crc32c::crc32c_append(checksum, piece);
                offset += piece.len() as u64;
            }
            verify(file, entry, checksum)
        }
    }
}

/// An error for dtypes whose elements name or own objects of a process.
pub(crate) fn check_dtype(dtype: DType) -> Result<()> {
    let plain = dtype.size().is_some() || dtype == DType::String;
    ensure!(plain, "a tensor of {dtype} cannot stand in a checkpoint; save what it refers to");
    Ok(())
}

/// An error unless the data file can hold the tensor that the entry describes: to be called before memory is taken for
/// it.
pub(crate) fn check_size(file: &ReadFile, entry: &Entry) -> Result<()> {
    let elements = entry.shape.num_elements() as u64;
    let fits = match entry.dtype.size() {
        Some(width) => elements.checked_mul(width as u64) == Some(entry.size),
        // A length takes a byte at least, their checksum four; no strings at all may have no bytes at all.
        None => entry.size >= elements && (elements == 0 || entry.size - elements >= 4),
    };
    if !fits {
        let Entry { dtype, shape, size, .. } = entry;
        return Err(damaged(
            file.path(),
            format_args!("the index gives it {size} bytes for a {dtype} of shape {shape}"),
        ));
    }
    file.check_range(entry.offset, entry.size)
}

fn verify(file: &ReadFile, entry: &Entry, checksum: u32) -> Result<()> {
    let stored = unmask(entry.checksum);
    if stored == checksum {
        return Ok(());
    }
    let Entry { size, offset, .. } = entry;
    let why =
        format_args!("the checksum of the {size} bytes at {offset} is {checksum:08x}, the index has {stored:08x}");
    Err(damaged(file.path(), why))
}

/// Reads a tensor of elements of `width` bytes piece by piece, and gives the bytes of the runs to `put` with their
/// position in the target.
fn scatter(
    file: &ReadFile,
    entry: &Entry,
    mut runs: Runs,
    width: usize,
    mut put: impl FnMut(usize, &[u8]),
) -> Result<()> {
    let bytes = |run: Run| Run { source: run.source * width, target: run.target * width, length: run.length * width };
    let total = entry.size as usize;
    let mut buffer = vec![0; total.min(PIECE)];
    let mut run = runs.next().map(bytes);
    let (mut start, mut checksum) = (0, 0);
    while start < total {
        let length = buffer.len().min(total - start);
        let piece = &mut buffer[..length];
        file.read_exact_at(piece, entry.offset + start as u64)?;
        checksum = crc32c::crc32c_append(checksum, piece);
        while let Some(Run { source, target, length: wanted }) = run.filter(|run| run.source < start + length) {
            let from = source - start;
            let part = wanted.min(length - from);
            put(target, &piece[from..from + part]);
            run = match wanted - part {
                0 => runs.next().map(bytes),
                rest => Some(Run { source: source + part, target: target + part, length: rest }),
            };
        }
        start += length;
    }
    verify(file, entry, checksum)
}

/// The strings of a tensor: their lengths as varints, a checksum of the lengths as words, the bytes one after another.
/// The entry's checksum covers the words, not the varints.
fn read_strings(file: &ReadFile, entry: &Entry) -> Result<Vec<TString>> {
    let count = entry.shape.num_elements();
    if entry.size == 0 {
        return Ok(Vec::new());
    }
    let mut reader = Reader { file, offset: entry.offset, end: entry.offset + entry.size, buffer: Vec::new(), at: 0 };
    let mut lengths = Vec::with_capacity(count);
    let (mut checksum, mut total) = (0, 0_u64);
    for _ in 0..count {
        let length = reader.varint()?;
        checksum = append_length(checksum, length);
        total = total.saturating_add(length);
        lengths.push(length);
    }
    let stored = u32::from_le_bytes(reader.word()?);
    if unmask(stored) != checksum {
        return Err(damaged(
            file.path(),
            format_args!("the checksum of the string lengths at {} does not match", entry.offset),
        ));
    }
    if total != reader.left() {
        let left = reader.left();
        return Err(damaged(file.path(), format_args!("strings of {total} bytes in all are given {left} bytes")));
    }
    checksum = crc32c::crc32c_append(checksum, &mask(checksum).to_le_bytes());
    let mut strings = Vec::with_capacity(count);
    for length in lengths {
        let bytes = reader.bytes(length as usize)?;
        checksum = crc32c::crc32c_append(checksum, bytes);
        strings.push(TString::new(bytes));
    }
    verify(file, entry, checksum)?;
    Ok(strings)
}

/// Extends a checksum by a string's length: as a word of 32 bits where it fits, of 64 otherwise.
pub(crate) fn append_length(checksum: u32, length: u64) -> u32 {
    match u32::try_from(length) {
        Ok(length) => crc32c::crc32c_append(checksum, &length.to_le_bytes()),
        Err(_) => crc32c::crc32c_append(checksum, &length.to_le_bytes()),
    }
}

/// Reads on from a position, up to an end.
struct Reader<'a> {
    file: &'a ReadFile,
    offset: u64,
    end: u64,
    /// Bytes that were read; those before `at` are used.
    buffer: Vec<u8>,
    at: usize,
}

impl Reader<'_> {
    /// Bytes between here and the end.
    fn left(&self) -> u64 {
        self.end - self.offset + (self.buffer.len() - self.at) as u64
    }

    /// Makes at least `count` bytes available, or as many as are left.
    fn fill(&mut self, count: usize) -> Result<()> {
        let available = self.buffer.len() - self.at;
        if available >= count {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        let more = (self.end - self.offset).min((count.max(PIECE) - available) as u64) as usize;
        self.buffer.resize(available + more, 0);
        self.file.read_exact_at(&mut self.buffer[available..], self.offset)?;
        self.offset += more as u64;
        Ok(())
    }

    fn bytes(&mut self, count: usize) -> Result<&[u8]> {
        self.fill(count)?;
        let Some(bytes) = self.buffer[self.at..].get(..count) else {
            return Err(damaged(self.file.path(), "the bytes of a tensor of strings end before its strings"));
        };
        self.at += count;
        Ok(bytes)
    }

    fn word(&mut self) -> Result<[u8; 4]> {
        let bytes = self.bytes(4)?;
        Ok([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn varint(&mut self) -> Result<u64> {
        self.fill(10)?;
        let mut rest = &self.buffer[self.at..];
        let available = rest.len();
        let value = take_varint(&mut rest).map_err(|why| damaged(self.file.path(), why))?;
        self.at += available - rest.len();
        Ok(value)
    }
}
