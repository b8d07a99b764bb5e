//! Contents of tensors that a message was decoded without: they stay where the message is until they are read into
//! tensors.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use oplink_api::{DType, Result, Shape, Tensor};
use oplink_proto::attr_value::Value;
use oplink_proto::bytes::Bytes;

use super::graph_file::{FilePart, GraphFile};
use super::scan::{Stopped, scan};

/// Messages of fewer bytes are read whole.
const LEAST: usize = 1 << 20;

/// A message in the wire format without the large contents of its tensors.
pub(crate) struct Contents<'a> {
    /// As long as the whole message; zero where the contents are.
    message: Bytes,
    /// Where the contents are, in ascending order.
    parts: Vec<Range<usize>>,
    source: Source<'a>,
}

/// Where the whole message is.
enum Source<'a> {
    File(Arc<GraphFile>),
    Memory(&'a [u8]),
}

/// Contents of one tensor.
pub(crate) struct Part<'a> {
    source: &'a Source<'a>,
    range: Range<usize>,
}

/// Bytes of a tensor, as the owner of a message.
struct Owner(Tensor);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        self.0.as_slice().unwrap_or_default()
    }
}

impl Contents<'static> {
    /// Of a file; `None` where it is to be read whole.
    ///
    /// # Errors
    /// The file cannot be read, or there is no memory for it.
    pub(crate) fn of_file(path: &Path) -> Result<Option<Self>> {
        let Some((file, len)) = GraphFile::open(path)?.filter(|(_, len)| *len >= LEAST) else { return Ok(None) };
        let found = find(len, &|bytes, at| file.read(bytes, at as u64))?;
        Ok(found.map(|(message, parts)| Self { message, parts, source: Source::File(Arc::new(file)) }))
    }
}

impl<'a> Contents<'a> {
    /// Of bytes that are lent; `None` where they are to be decoded whole.
    ///
    /// # Errors
    /// There is no memory for what is around the contents.
    pub(crate) fn of_bytes(bytes: &'a [u8]) -> Result<Option<Self>> {
        if bytes.len() < LEAST {
            return Ok(None);
        }
        let found = find(bytes.len(), &|to, at| {
            to.copy_from_slice(&bytes[at..][..to.len()]);
            Ok(())
        })?;
        Ok(found.map(|(message, parts)| Self { message, parts, source: Source::Memory(bytes) }))
    }

    /// The message to decode.
    pub(crate) fn message(&self) -> Bytes {
        self.message.clone()
    }

    /// What `content`, which was decoded from the message, stands for; `None` where it is complete.
    pub(super) fn part(&self, content: &Bytes) -> Option<Part<'_>> {
        let start = content.as_ptr().addr().checked_sub(self.message.as_ptr().addr())?;
        let at = self.parts.binary_search_by(|part| part.start.cmp(&start)).ok()?;
        let range = self.parts[at].clone();
        (range.len() == content.len()).then_some(Part { source: &self.source, range })
    }

    /// A copy of an attr's message with its contents.
    ///
    /// # Errors
    /// They cannot be read, or memory runs out.
    pub(crate) fn complete(&self, message: &oplink_proto::AttrValue) -> Result<oplink_proto::AttrValue> {
        let mut message = message.clone();
        if let Some(Value::Tensor(tensor)) = &mut message.value
            && let Some(part) = self.part(&tensor.tensor_content)
        {
            tensor.tensor_content = Bytes::from_owner(Owner(part.read()?));
        }
        Ok(message)
    }
}

impl Part<'_> {
    /// The tensor with these contents, as many as fill it. Contents of a file are read when they are needed.
    pub(super) fn tensor(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        match self.source {
            Source::File(file) if dtype.size().is_some() && dtype != DType::Bool => {
                Tensor::stored(dtype, shape, Arc::new(FilePart::new(file.clone(), self.range.clone())))
            }
            Source::File(_) => Tensor::from_bytes(dtype, shape, self.read()?.as_slice()?),
            Source::Memory(bytes) => Tensor::from_bytes(dtype, shape, &bytes[self.range.clone()]),
        }
    }

    /// The contents as a tensor of bytes.
    pub(super) fn read(&self) -> Result<Tensor> {
        match self.source {
            Source::File(file) => {
                let mut bytes = Tensor::zeros(DType::UInt8, [self.range.len()])?;
                file.read(bytes.as_mut_slice()?, self.range.start as u64)?;
                Ok(bytes)
            }
            Source::Memory(bytes) => Tensor::from_bytes(DType::UInt8, [self.range.len()], &bytes[self.range.clone()]),
        }
    }
}

/// The message without its large contents, and where they are; `None` where it has none, or is not understood. What is
/// not read takes no memory: the system gives the pages of zeros when they are first used.
fn find(len: usize, read: &dyn Fn(&mut [u8], usize) -> Result<()>) -> Result<Option<(Bytes, Vec<Range<usize>>)>> {
    let mut message = Tensor::zeros(DType::UInt8, [len])?;
    match scan(message.as_mut_slice()?, read) {
        Ok(parts) if parts.is_empty() => Ok(None),
        Ok(parts) => Ok(Some((Bytes::from_owner(Owner(message)), parts))),
        Err(Stopped::NotUnderstood) => Ok(None),
        Err(Stopped::Unreadable(error)) => Err(error),
    }
}
