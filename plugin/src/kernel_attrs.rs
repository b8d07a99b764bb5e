//! Attr values of a node, as the host tells them while a kernel is constructed.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use oplink_abi::{TF_DataType, TF_OpKernelConstruction, TF_Status};
use oplink_api::spec::{AttrSpec, ScalarKind};
use oplink_api::{AttrValue, DType, Error, Result, Tensor};

use crate::host::Host;
use crate::node_def;
use crate::status::{Status, c_string, text};
use crate::tf_tensor;

type Construction = *mut TF_OpKernelConstruction;
/// Reads one value into a place.
type GetOne<T> = unsafe extern "C" fn(Construction, *const c_char, *mut T, *mut TF_Status);
/// Reads as many values as there are into an array.
type GetList<T> = unsafe extern "C" fn(Construction, *const c_char, *mut T, c_int, *mut TF_Status);

/// Reads attrs of one construction.
pub(crate) struct AttrReader<'a> {
    host: &'static Host,
    construction: Construction,
    status: Status,
    life: std::marker::PhantomData<&'a ()>,
}

impl AttrReader<'_> {
    /// # Safety
    /// The construction is alive as long as the reader.
    pub(crate) unsafe fn new(host: &'static Host, construction: Construction) -> Self {
        Self { host, construction, status: Status::new(host), life: std::marker::PhantomData }
    }

    /// The node's name.
    pub(crate) fn node_name(&self) -> String {
        // SAFETY: the construction is alive.
        let view = unsafe { (self.host.TF_OpKernelConstruction_GetName)(self.construction) };
        // SAFETY: the host's text is alive as long as the construction.
        unsafe { text(view) }
    }

    /// The value of an attr.
    pub(crate) fn read(&self, attr: &AttrSpec) -> Result<AttrValue> {
        let (host, name) = (self.host, c_string(&attr.name));
        match (attr.kind.scalar, attr.kind.list) {
            (ScalarKind::Shape | ScalarKind::Func, _) => self.in_node_def(attr),
            (_, true) => self.list(attr.kind.scalar, &name),
            (ScalarKind::String, _) => self.string(&name).map(AttrValue::String),
            (ScalarKind::Int, _) => self.one(host.TF_OpKernelConstruction_GetAttrInt64, &name).map(AttrValue::Int),
            (ScalarKind::Float, _) => self.one(host.TF_OpKernelConstruction_GetAttrFloat, &name).map(AttrValue::Float),
            (ScalarKind::Bool, _) => {
                self.one(host.TF_OpKernelConstruction_GetAttrBool, &name).map(|value| AttrValue::Bool(value != 0))
            }
            (ScalarKind::Type, _) => {
                let number = self.one(host.TF_OpKernelConstruction_GetAttrType, &name)?;
                dtype(number).map(AttrValue::Type)
            }
            (ScalarKind::Tensor, _) => self.tensor(&name).map(AttrValue::Tensor),
        }
    }

    fn list(&self, kind: ScalarKind, name: &CString) -> Result<AttrValue> {
        let (count, bytes) = self.size(name)?;
        if count == 0 {
            return Ok(AttrValue::EmptyList);
        }
        let host = self.host;
        Ok(match kind {
            ScalarKind::String => AttrValue::Strings(self.strings(name, count, bytes)?),
            ScalarKind::Int => {
                AttrValue::Ints(self.many(host.TF_OpKernelConstruction_GetAttrInt64List, name, count, 0)?)
            }
            ScalarKind::Float => {
                AttrValue::Floats(self.many(host.TF_OpKernelConstruction_GetAttrFloatList, name, count, 0.0)?)
            }
            ScalarKind::Bool => {
                let values = self.many(host.TF_OpKernelConstruction_GetAttrBoolList, name, count, 0)?;
                AttrValue::Bools(values.into_iter().map(|value| value != 0).collect())
            }
            ScalarKind::Type => {
                let numbers = self.many(host.TF_OpKernelConstruction_GetAttrTypeList, name, count, 0)?;
                AttrValue::Types(numbers.into_iter().map(dtype).collect::<Result<_>>()?)
            }
            ScalarKind::Tensor => AttrValue::Tensors(self.tensors(name, count)?),
            ScalarKind::Shape | ScalarKind::Func => {
                return Err(Error::internal("shapes and functions are read elsewhere"));
            }
        })
    }

    /// Elements of a list, and bytes of its strings or of a string.
    fn size(&self, name: &CString) -> Result<(usize, usize)> {
        let (mut list, mut total) = (0, 0);
        // SAFETY: the construction is alive, the name terminated, both places are written to.
        unsafe {
            let status = self.status.raw();
            (self.host.TF_OpKernelConstruction_GetAttrSize)(
                self.construction,
                name.as_ptr(),
                &raw mut list,
                &raw mut total,
                status,
            );
        }
        self.status.check()?;
        Ok((usize::try_from(list).unwrap_or(0), usize::try_from(total).unwrap_or(0)))
    }

    fn one<T: Default>(&self, get: GetOne<T>, name: &CString) -> Result<T> {
        let mut value = T::default();
        // SAFETY: the construction is alive, the name terminated, the place is written to.
        unsafe { get(self.construction, name.as_ptr(), &raw mut value, self.status.raw()) };
        self.status.check()?;
        Ok(value)
    }

    fn many<T: Copy>(&self, get: GetList<T>, name: &CString, count: usize, fill: T) -> Result<Vec<T>> {
        let mut values = vec![fill; count];
        // SAFETY: as in `one`; the array has that many places.
        unsafe { get(self.construction, name.as_ptr(), values.as_mut_ptr(), count as c_int, self.status.raw()) };
        self.status.check()?;
        Ok(values)
    }

    fn string(&self, name: &CString) -> Result<Vec<u8>> {
        let (_, length) = self.size(name)?;
        let mut bytes = vec![0u8; length];
        // SAFETY: the construction is alive, the name terminated, the array has that many bytes.
        unsafe {
            let (data, status) = (bytes.as_mut_ptr().cast(), self.status.raw());
            (self.host.TF_OpKernelConstruction_GetAttrString)(self.construction, name.as_ptr(), data, length, status);
        }
        self.status.check()?;
        Ok(bytes)
    }

    fn strings(&self, name: &CString, count: usize, bytes: usize) -> Result<Vec<Vec<u8>>> {
        let (mut starts, mut lengths) = (vec![ptr::null_mut::<c_char>(); count], vec![0usize; count]);
        let mut storage = vec![0u8; bytes];
        // SAFETY: the construction is alive, the name terminated; both arrays have `count` places, the storage that
        // many bytes.
        unsafe {
            (self.host.TF_OpKernelConstruction_GetAttrStringList)(
                self.construction,
                name.as_ptr(),
                starts.as_mut_ptr(),
                lengths.as_mut_ptr(),
                count as c_int,
                storage.as_mut_ptr().cast(),
                bytes,
                self.status.raw(),
            );
        }
        self.status.check()?;
        let read = |(start, length): (*mut c_char, usize)| {
            let offset = start.addr().checked_sub(storage.as_ptr().addr());
            let bytes = offset.and_then(|offset| storage.get(offset..offset.checked_add(length)?));
            match (bytes, length) {
                (Some(bytes), _) => Ok(bytes.to_vec()),
                (None, 0) => Ok(Vec::new()),
                (None, _) => Err(Error::internal("the host put a string outside the memory it was given")),
            }
        };
        starts.into_iter().zip(lengths).map(read).collect()
    }

    fn tensor(&self, name: &CString) -> Result<Tensor> {
        let get = self.host.TF_OpKernelConstruction_GetAttrTensor.ok_or_else(|| missing("GetAttrTensor"))?;
        let mut handle = ptr::null_mut();
        // SAFETY: the construction is alive, the name terminated, the place is written to.
        unsafe { get(self.construction, name.as_ptr(), &raw mut handle, self.status.raw()) };
        self.status.check()?;
        // SAFETY: the handle is the plugin's; others may read the attr.
        unsafe { tf_tensor::adopt(self.host, handle) }
    }

    fn tensors(&self, name: &CString, count: usize) -> Result<Vec<Tensor>> {
        let get = self.host.TF_OpKernelConstruction_GetAttrTensorList.ok_or_else(|| missing("GetAttrTensorList"))?;
        let handles = self.many(get, name, count, ptr::null_mut())?;
        // SAFETY: the handles are the plugin's; others may read the attr.
        let adopted: Vec<_> =
            handles.into_iter().map(|handle| unsafe { tf_tensor::adopt(self.host, handle) }).collect();
        adopted.into_iter().collect()
    }

    /// The value of a kind that has no function of its own.
    fn in_node_def(&self, attr: &AttrSpec) -> Result<AttrValue> {
        let function = "GetNodeDef";
        let get = self.host.TF_OpKernelConstruction_GetNodeDef.ok_or_else(|| missing(function))?;
        let free = self.host.TF_DeleteBuffer.ok_or_else(|| missing(function))?;
        // SAFETY: the construction is alive.
        let buffer = unsafe { get(self.construction, self.status.raw()) };
        self.status.check()?;
        // SAFETY: the buffer is null or the plugin's, and tells the truth about its bytes.
        let bytes = unsafe { buffer.as_ref() }.filter(|buffer| !buffer.data.is_null());
        // SAFETY: as above; the bytes live until the buffer is freed.
        let bytes = bytes.map_or(&[][..], |b| unsafe { std::slice::from_raw_parts(b.data.cast::<u8>(), b.length) });
        let value = node_def::attr(bytes, &attr.name, attr.kind);
        // SAFETY: freed once, nothing of it is used any more.
        unsafe { free(buffer) };
        value
    }
}

fn dtype(number: TF_DataType) -> Result<DType> {
    DType::from_number(number).ok_or_else(|| Error::invalid_argument(format!("there is no dtype of number {number}")))
}

fn missing(function: &str) -> Error {
    Error::unimplemented(format!(
        "the host has no function TF_OpKernelConstruction_{function}, which attrs of this kind need"
    ))
}
