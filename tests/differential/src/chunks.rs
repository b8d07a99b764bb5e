//! Messages of chunks.

use std::io::{ErrorKind, Read, Result, Write};

use oplink_proto::bytes::Bytes;

/// The next message; `None` at the end of the stream.
pub(crate) fn read_message(from: &mut impl Read) -> Result<Option<Vec<Bytes>>> {
    let count = match read_length(from) {
        Ok(count) => count,
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    };
    let chunk = |_| {
        let mut bytes = vec![0; read_length(from)?];
        from.read_exact(&mut bytes).map(|()| Bytes::from(bytes))
    };
    (0..count).map(chunk).collect::<Result<_>>().map(Some)
}

/// Writes one message.
pub(crate) fn write_message(to: &mut impl Write, chunks: &[Bytes]) -> Result<()> {
    to.write_all(&(chunks.len() as u32).to_le_bytes())?;
    chunks.iter().try_for_each(|chunk| {
        to.write_all(&(chunk.len() as u32).to_le_bytes())?;
        to.write_all(chunk)
    })
}

fn read_length(from: &mut impl Read) -> Result<usize> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes) as usize)
}
