//! The uniform block of a program's scalars: in the order of the parameters, each aligned to its size.

use oplink_api::device::{DeviceProgram, ProgramParam, ScalarValue};

/// The layout of a block.
pub(super) struct Scalars {
    /// The block's length; 0 where there are no scalars.
    pub(super) bytes: u64,
}

/// What a block's length is a multiple of.
const BLOCK: usize = 16;

impl Scalars {
    /// The block of a program.
    pub(super) fn of(program: &DeviceProgram) -> Self {
        let sizes = program.params.iter().filter_map(|param| match param {
            ProgramParam::Scalar(dtype) => dtype.size(),
            _ => None,
        });
        let end = sizes.fold(0_usize, |end, size| end.next_multiple_of(size) + size);
        Self { bytes: end.next_multiple_of(BLOCK) as u64 }
    }

    /// The block's contents.
    pub(super) fn pack(&self, values: impl Iterator<Item = ScalarValue>) -> Vec<u8> {
        let mut block = Vec::with_capacity(self.bytes as usize);
        for value in values {
            match value {
                ScalarValue::I32(value) => put(&mut block, &value.to_le_bytes()),
                ScalarValue::U32(value) => put(&mut block, &value.to_le_bytes()),
                ScalarValue::I64(value) => put(&mut block, &value.to_le_bytes()),
                ScalarValue::U64(value) => put(&mut block, &value.to_le_bytes()),
                ScalarValue::F32(value) => put(&mut block, &value.to_le_bytes()),
                ScalarValue::F64(value) => put(&mut block, &value.to_le_bytes()),
                ScalarValue::F16(bits) => put(&mut block, &bits.to_le_bytes()),
            }
        }
        block.resize(self.bytes as usize, 0);
        block
    }
}

fn put(block: &mut Vec<u8>, bytes: &[u8]) {
    block.resize(block.len().next_multiple_of(bytes.len()), 0);
    block.extend_from_slice(bytes);
}
