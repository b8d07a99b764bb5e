//! The messages of a V1 checkpoint: the list of tensors, and the elements of a slice.

use oplink_api::spec::wire::{Parsed, fields, put_bytes, put_number};
use oplink_api::{DType, Shape};

use crate::TensorSlice;
use crate::message::{Version, decode_dtype, decode_shape, decode_slice, encode_shape, encode_slice};

/// A tensor in the list.
#[derive(Clone, Debug)]
pub(super) struct TensorMeta {
    pub(super) name: Vec<u8>,
    pub(super) shape: Shape,
    pub(super) dtype: DType,
    pub(super) slices: Vec<TensorSlice>,
}

/// The list of a file's tensors, as the value of the empty key.
pub(super) fn encode_list<'a>(tensors: impl Iterator<Item = &'a TensorMeta>) -> Vec<u8> {
    let mut meta = Vec::new();
    for tensor in tensors {
        let mut message = Vec::new();
        put_bytes_unless_empty(&mut message, 1, &tensor.name);
        put_bytes(&mut message, 2, &encode_shape(&tensor.shape));
        put_number(&mut message, 3, i64::from(tensor.dtype.number()));
        tensor.slices.iter().for_each(|slice| put_bytes(&mut message, 4, &encode_slice(slice)));
        put_bytes(&mut meta, 1, &message);
    }
    put_bytes(&mut meta, 2, &Version::own().encode());
    let mut out = Vec::new();
    put_bytes(&mut out, 1, &meta);
    out
}

/// The list and the format's version, from the value of the empty key.
pub(super) fn decode_list(value: &[u8]) -> Parsed<(Vec<TensorMeta>, Version)> {
    let (mut tensors, mut version) = (Vec::new(), Version::default());
    fields(value, |field, value| {
        if field != 1 {
            return Ok(());
        }
        fields(value.bytes()?, |field, value| {
            match field {
                1 => tensors.push(decode_tensor(value.bytes()?)?),
                2 => version = Version::decode(value.bytes()?)?,
                _ => {}
            }
            Ok(())
        })
    })?;
    Ok((tensors, version))
}

fn decode_tensor(message: &[u8]) -> Parsed<TensorMeta> {
    let mut tensor = TensorMeta { name: Vec::new(), shape: Shape::scalar(), dtype: DType::Invalid, slices: Vec::new() };
    fields(message, |field, value| {
        match field {
            1 => tensor.name = value.bytes()?.to_vec(),
            2 => tensor.shape = decode_shape(value.bytes()?)?,
            3 => tensor.dtype = decode_dtype(value)?,
            4 => tensor.slices.push(decode_slice(value.bytes()?)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(tensor)
}

/// A slice with its elements' message, as the value of the slice's key.
pub(super) fn encode_piece(name: &[u8], slice: &TensorSlice, elements: &[u8]) -> Vec<u8> {
    let mut piece = Vec::with_capacity(elements.len() + name.len() + 64);
    put_bytes_unless_empty(&mut piece, 1, name);
    put_bytes(&mut piece, 2, &encode_slice(slice));
    put_bytes(&mut piece, 3, elements);
    let mut out = Vec::with_capacity(piece.len() + 8);
    put_bytes(&mut out, 2, &piece);
    out
}

/// The message of a slice's elements, from the value of the slice's key.
pub(super) fn decode_piece(value: &[u8]) -> Parsed<&[u8]> {
    let mut elements = None;
    fields(value, |field, value| {
        if field != 2 {
            return Ok(());
        }
        fields(value.bytes()?, |field, value| {
            if field == 3 {
                elements = Some(value.bytes()?);
            }
            Ok(())
        })
    })?;
    elements.ok_or("a slice has no elements")
}

fn put_bytes_unless_empty(out: &mut Vec<u8>, field: u32, bytes: &[u8]) {
    if !bytes.is_empty() {
        put_bytes(out, field, bytes);
    }
}
