//! Copies to the device and within it.
//!
//! Lengths and offsets of wgpu's own copies are multiples of 4, and both ends are in different buffers. Tensors start
//! blocks at multiples of 256 that are as long, so that a copy to the device may be longer than the tensor. Within the
//! device a program of bytes does what wgpu's copy does not.

use oplink_api::DType::UInt32;
use oplink_api::descriptors::Location;
use oplink_api::device::{DeviceProgram, ProgramParam, ScalarValue};
use oplink_api::{Result, Tensor};

use super::Shared;
use super::memory::{ALIGNMENT, Part};

/// What wgpu's copies are a multiple of.
const WORD: u64 = 4;
/// Bytes of a tensor that goes into a batch together with launches.
const SMALL: usize = 16 << 10;
/// Bytes from which a copy is given to the driver at once, so that memory on its way does not pile up.
const LARGE: usize = 4 << 20;
/// Bytes that a launch of the program copies.
const PIECE: u64 = 1 << 26;

static COPY: DeviceProgram = DeviceProgram {
    name: "copy in the device",
    entry: "copy_bytes",
    cuda: "",
    wgsl: include_str!("copy.wgsl"),
    params: &[
        ProgramParam::Input(UInt32),
        ProgramParam::Output(UInt32),
        ProgramParam::Scalar(UInt32),
        ProgramParam::Scalar(UInt32),
        ProgramParam::Scalar(UInt32),
    ],
    block: [256, 1, 1],
    needs: &[],
    location: Location {
        crate_name: env!("CARGO_PKG_NAME"),
        crate_version: env!("CARGO_PKG_VERSION"),
        file: file!(),
        line: line!(),
    },
};

impl Shared {
    /// A copy of a host tensor, enqueued.
    pub(super) fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        let bytes = host.as_bytes()?;
        let tensor = self.memory.tensor(host.dtype(), host.shape().clone(), "")?;
        if !bytes.is_empty() {
            self.upload(&self.buffers.part(&tensor)?, bytes)?;
        }
        Ok(tensor)
    }

    fn upload(&self, part: &Part, bytes: &[u8]) -> Result<()> {
        let mut batch = self.queue.lock();
        if bytes.len() <= SMALL && batch.is_open() {
            self.gpu.check_alive()?;
            if batch.has_room(bytes.len()) {
                let at = batch.put(bytes);
                let length = (bytes.len() as u64).next_multiple_of(WORD);
                let encoder = self.queue.encoder(&mut batch);
                encoder.copy_buffer_to_buffer(&self.queue.values, at, &part.buffer, part.offset, length);
                return Ok(());
            }
        }
        // What is written by the queue comes before what is in the batch.
        self.queue.submit(&mut batch);
        let (words, rest) = bytes.split_at(bytes.len() / WORD as usize * WORD as usize);
        self.gpu.checked(|| {
            let queue = &self.gpu.queue;
            if !words.is_empty() {
                queue.write_buffer(&part.buffer, part.offset, words);
            }
            if !rest.is_empty() {
                let mut word = [0; WORD as usize];
                word[..rest.len()].copy_from_slice(rest);
                queue.write_buffer(&part.buffer, part.offset + words.len() as u64, &word);
            }
            if bytes.len() >= LARGE {
                queue.submit([]);
            }
        })
    }

    /// A copy of a tensor of the device, enqueued.
    pub(super) fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        let from = self.buffers.part(source)?;
        let tensor = self.memory.tensor(source.dtype(), source.shape().clone(), "")?;
        if from.bytes > 0 {
            self.copy_part(&from, &self.buffers.part(&tensor)?)?;
        }
        Ok(tensor)
    }

    /// Copies as many bytes as `from` has.
    pub(super) fn copy_part(&self, from: &Part, to: &Part) -> Result<()> {
        let whole_words = [from.offset, to.offset].iter().all(|offset| offset.is_multiple_of(WORD));
        if from.buffer != to.buffer && whole_words && from.bytes.is_multiple_of(WORD) {
            let mut batch = self.queue.lock();
            self.gpu.check_alive()?;
            let encoder = self.queue.encoder(&mut batch);
            encoder.copy_buffer_to_buffer(&from.buffer, from.offset, &to.buffer, to.offset, from.bytes);
            return Ok(());
        }
        let mut done = 0;
        while done < from.bytes {
            let bytes = (from.bytes - done).min(PIECE);
            self.copy_piece(&piece(from, done, bytes), &piece(to, done, bytes))?;
            done += bytes;
        }
        Ok(())
    }

    fn copy_piece(&self, from: &Part, to: &Part) -> Result<()> {
        let compiled = self.programs.get(&COPY)?;
        let (from_start, to_start) = (from.offset % ALIGNMENT, to.offset % ALIGNMENT);
        let whole =
            |part: &Part, start: u64| Part { offset: part.offset - start, bytes: part.bytes + start, ..part.clone() };
        let scalars = [from_start, to_start, from.bytes].map(|value| ScalarValue::U32(value as u32));
        let scalars = compiled.scalars.pack(scalars.into_iter());
        let blocks = (from.bytes / WORD / u64::from(COPY.block[0]) + 1).min(MOST_BLOCKS);
        let parts = [whole(from, from_start), whole(to, to_start)];
        self.enqueue(&COPY, &compiled, [blocks as u32, 1, 1], &parts, &scalars)
    }
}

/// Blocks of a launch of the program.
const MOST_BLOCKS: u64 = 4096;

fn piece(part: &Part, start: u64, bytes: u64) -> Part {
    Part { offset: part.offset + start, bytes, ..part.clone() }
}
