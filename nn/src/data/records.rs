//! Records of TensorFlow's files (TFRecord): a length and bytes, each with a checksum.

use std::io::{self, Write};

use oplink_bundle::masked_crc32c;

/// Appends a record.
pub(crate) fn write_record(file: &mut impl Write, record: &[u8]) -> io::Result<()> {
    let length = (record.len() as u64).to_le_bytes();
    file.write_all(&length)?;
    file.write_all(&masked_crc32c(&length).to_le_bytes())?;
    file.write_all(record)?;
    file.write_all(&masked_crc32c(record).to_le_bytes())
}
