//! The messages of a bundle's index: the header under the empty key, and an entry a tensor or slice.

use std::path::Path;

use oplink_api::shape::MAX_RANK;
use oplink_api::spec::wire::{Parsed, Value, fields, put_bytes, put_fixed32, put_number, repeated};
use oplink_api::{DType, Error, Result, Shape};

use crate::TensorSlice;

/// Version of the format that this crate writes, and the newest it reads.
const VERSION: i64 = 1;

/// Describes a bundle as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) num_shards: u32,
    pub(crate) big_endian: bool,
    pub(crate) version: Version,
}

/// Who wrote a bundle, and who may read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version {
    producer: i64,
    min_consumer: i64,
    bad_consumers: Vec<i64>,
}

impl Version {
    /// Of what this process writes.
    pub(crate) fn own() -> Self {
        Self { producer: VERSION, ..Self::default() }
    }

    pub(crate) fn decode(message: &[u8]) -> Parsed<Self> {
        let mut version = Self::default();
        fields(message, |field, value| {
            match field {
                1 => version.producer = value.number()?,
                2 => version.min_consumer = value.number()?,
                3 => repeated(value, &mut version.bad_consumers)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(version)
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, 1, self.producer);
        put_number(&mut out, 2, self.min_consumer);
        if !self.bad_consumers.is_empty() {
            let mut packed = Vec::new();
            self.bad_consumers.iter().for_each(|&n| oplink_api::spec::wire::put_varint(&mut packed, n as u64));
            put_bytes(&mut out, 3, &packed);
        }
        out
    }

    /// An error where this reader must not read the file.
    pub(crate) fn check(&self, path: &Path) -> Result<()> {
        let Some(why) = self.refusal() else { return Ok(()) };
        let message = format!("checkpoint file {} cannot be read: {why}", path.display());
        Err(Error::unimplemented(message))
    }

    fn refusal(&self) -> Option<String> {
        if self.min_consumer > VERSION {
            return Some(format!(
                "it needs a reader of format version {} or newer, this one is of version {VERSION}; \
                 use a newer oplink, or save it again with an older writer",
                self.min_consumer
            ));
        }
        let bad = self.bad_consumers.contains(&VERSION);
        bad.then(|| format!("its writer (version {}) excludes readers of format version {VERSION}", self.producer))
    }
}

impl Header {
    /// Of a bundle that this process writes.
    pub(crate) fn new(num_shards: u32) -> Self {
        Self { num_shards, big_endian: cfg!(target_endian = "big"), version: Version::own() }
    }

    pub(crate) fn decode(message: &[u8]) -> Parsed<Self> {
        let mut header = Self { num_shards: 0, big_endian: false, version: Version::default() };
        fields(message, |field, value| {
            match field {
                1 => header.num_shards = decode_u32(value)?,
                2 => header.big_endian = value.number()? == 1,
                3 => header.version = Version::decode(value.bytes()?)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(header)
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, 1, i64::from(self.num_shards));
        put_number(&mut out, 2, i64::from(self.big_endian));
        put_bytes(&mut out, 3, &self.version.encode());
        out
    }
}

/// Describes a stored tensor, or, with slices, one that is stored in pieces under keys of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
    pub(crate) shard: u32,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// Checksum of the bytes, masked.
    pub(crate) checksum: u32,
    pub(crate) slices: Vec<TensorSlice>,
}

impl Entry {
    /// Of a tensor without data yet.
    pub(crate) fn new(dtype: DType, shape: Shape) -> Self {
        Self { dtype, shape, shard: 0, offset: 0, size: 0, checksum: 0, slices: Vec::new() }
    }

    pub(crate) fn decode(message: &[u8]) -> Parsed<Self> {
        let mut entry = Self::new(DType::Invalid, Shape::scalar());
        fields(message, |field, value| entry.set(field, value))?;
        Ok(entry)
    }

    fn set(&mut self, field: u32, value: Value<'_>) -> Parsed<()> {
        let offset = |value: Value<'_>| u64::try_from(value.number()?).map_err(|_| "an offset or size is negative");
        match field {
            1 => self.dtype = decode_dtype(value)?,
            2 => self.shape = decode_shape(value.bytes()?)?,
            3 => self.shard = decode_u32(value)?,
            4 => self.offset = offset(value)?,
            5 => self.size = offset(value)?,
            6 => self.checksum = value.fixed32()?,
            7 => self.slices.push(decode_slice(value.bytes()?)?),
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, 1, i64::from(self.dtype.number()));
        put_bytes(&mut out, 2, &encode_shape(&self.shape));
        put_number(&mut out, 3, i64::from(self.shard));
        put_number(&mut out, 4, self.offset as i64);
        put_number(&mut out, 5, self.size as i64);
        put_fixed32(&mut out, 6, self.checksum);
        self.slices.iter().for_each(|slice| put_bytes(&mut out, 7, &encode_slice(slice)));
        out
    }
}

fn decode_u32(value: Value<'_>) -> Parsed<u32> {
    u32::try_from(value.number()?).map_err(|_| "a data file's number is out of range")
}

pub(crate) fn decode_dtype(value: Value<'_>) -> Parsed<DType> {
    let dtype = i32::try_from(value.number()?).ok().and_then(DType::from_number);
    dtype.ok_or("the dtype's number is unknown")
}

pub(crate) fn encode_shape(shape: &Shape) -> Vec<u8> {
    let mut out = Vec::new();
    for &dim in shape.iter() {
        let mut message = Vec::new();
        put_number(&mut message, 1, dim as i64);
        put_bytes(&mut out, 2, &message);
    }
    out
}

pub(crate) fn decode_shape(message: &[u8]) -> Parsed<Shape> {
    let mut shape = Shape::scalar();
    fields(message, |field, value| {
        if field == 3 && value.number()? != 0 {
            return Err("the shape's rank is unknown");
        }
        if field == 2 {
            let mut size = 0;
            fields(value.bytes()?, |field, value| {
                if field == 1 {
                    size = value.number()?;
                }
                Ok(())
            })?;
            shape.push(usize::try_from(size).map_err(|_| "an extent of the shape is negative")?);
        }
        Ok(())
    })?;
    if is_possible(&shape) { Ok(shape) } else { Err("the shape is too large") }
}

/// Whether a tensor can have this shape: no product of its extents overflows, not even one that leaves out zeros.
pub(crate) fn is_possible(shape: &Shape) -> bool {
    let product = shape.iter().try_fold(1_usize, |product, &dim| product.checked_mul(dim.max(1)));
    shape.rank() <= MAX_RANK && product.is_some_and(|product| isize::try_from(product).is_ok())
}

pub(crate) fn encode_slice(slice: &TensorSlice) -> Vec<u8> {
    let mut out = Vec::new();
    for extent in slice.extents() {
        let mut message = Vec::new();
        if let Some(extent) = extent {
            put_number(&mut message, 1, extent.start as i64);
            put_number(&mut message, 2, extent.len() as i64);
        }
        put_bytes(&mut out, 1, &message);
    }
    out
}

pub(crate) fn decode_slice(message: &[u8]) -> Parsed<TensorSlice> {
    let mut extents = Vec::new();
    fields(message, |field, value| {
        if field != 1 {
            return Ok(());
        }
        let (mut start, mut length) = (0, None);
        fields(value.bytes()?, |field, value| {
            match field {
                1 => start = value.number()?,
                2 => length = Some(value.number()?),
                _ => {}
            }
            Ok(())
        })?;
        extents.push(match length.filter(|&length| length != -1) {
            None if start == 0 => None,
            None => return Err("a slice has a start but no length"),
            Some(length) => {
                let range =
                    usize::try_from(start).ok().zip(start.checked_add(length).and_then(|e| usize::try_from(e).ok()));
                range.map(|(start, end)| Some(start..end)).ok_or("a slice is out of range")?
            }
        });
        Ok(())
    })?;
    TensorSlice::new(extents).map_err(|_| "a slice is empty or of too large a rank")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As TensorFlow writes the entry of a vector that is stored in two halves.
    const SLICED: &[u8] = &[
        0x08, 0x03, 0x12, 0x04, 0x12, 0x02, 0x08, 0x04, 0x3a, 0x04, 0x0a, 0x02, 0x10, 0x02, 0x3a, 0x06, 0x0a, 0x04,
        0x08, 0x02, 0x10, 0x02,
    ];

    #[test]
    fn entries_are_written_as_they_were() {
        let entry = Entry::decode(SLICED).unwrap();
        let slices = ["0,2", "2,2"].map(|text| TensorSlice::parse(text).unwrap());
        assert_eq!((entry.dtype, entry.shape.dims(), &entry.slices[..]), (DType::Int32, &[4][..], &slices[..]));
        assert_eq!(entry.encode(), SLICED);
    }

    #[test]
    fn headers_are_written_as_they_were() {
        let bytes = [0x08, 0x01, 0x1a, 0x02, 0x08, 0x01];
        let header = Header::decode(&bytes).unwrap();
        assert_eq!(header, Header { big_endian: false, ..Header::new(1) });
        assert_eq!(header.encode(), bytes);
        assert!(header.version.refusal().is_none());
    }

    #[test]
    fn newer_formats_are_refused() {
        let newer = Version { min_consumer: 2, ..Version::default() };
        assert!(Version::decode(&newer.encode()).unwrap().refusal().is_some());
        let excluding = Version { bad_consumers: vec![7, 1], ..Version::default() };
        assert!(Version::decode(&excluding.encode()).unwrap().refusal().is_some());
        assert!(Version { producer: 9, ..Version::default() }.refusal().is_none());
    }

    #[test]
    fn impossible_values_are_refused() {
        let negative = |field| {
            let mut out = Vec::new();
            put_number(&mut out, field, -1);
            out
        };
        for field in [1, 3, 4, 5] {
            assert!(Entry::decode(&negative(field)).is_err(), "{field}");
        }
        assert!(Header::decode(&negative(1)).is_err());
        assert!(decode_shape(&[0x12, 0x0b, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).is_err());
        assert!(decode_shape(&[0x18, 0x01]).is_err());
        assert!(decode_slice(&[0x0a, 0x02, 0x10, 0x00]).is_err());
        assert!(decode_slice(&[0x0a, 0x02, 0x08, 0x02]).is_err());
        for end in 1..SLICED.len() {
            let _ = Entry::decode(&SLICED[..end]);
        }
    }
}
