//! `TF_ShapeAndTypeList`: arrays of C whose elements are set one by one.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use oplink_abi::{TF_DataType, TF_ShapeAndType, TF_ShapeAndTypeList};
use oplink_api::{Error, Result};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, slice_mut};

use crate::graph::check_count;

/// The most elements that a list is made for: C counts them in an `int`, and none would be told of a failure.
const MAX_ITEMS: usize = 1 << 24;

const UNSET: TF_ShapeAndType = TF_ShapeAndType { num_dims: 0, dims: ptr::null_mut(), dtype: 0 };

c_api! {
    /// A list of scalars of unknown dtype; null for a negative number.
    ///
    /// # Safety
    /// None.
    fn TF_NewShapeAndTypeList(num_shapes: c_int) -> (*mut TF_ShapeAndTypeList = ptr::null_mut()) {
        let count = check_count(num_shapes, NAME, "num_shapes")?;
        if count > MAX_ITEMS {
            return Err(Error::invalid_argument(format!("{NAME}: `num_shapes` is {count}, at most {MAX_ITEMS}")));
        }
        let items: *mut [TF_ShapeAndType] = Box::into_raw(vec![UNSET; count].into_boxed_slice());
        let items = if count == 0 { ptr::null_mut() } else { items.cast() };
        Ok(Box::into_raw(Box::new(TF_ShapeAndTypeList { num_items: num_shapes, items })))
    }
}

/// Changes an element of a list.
///
/// # Safety
/// The list is null or came from [`TF_NewShapeAndTypeList`], and nobody else uses it meanwhile.
unsafe fn item<'a>(list: *mut TF_ShapeAndTypeList, index: c_int, function: &str) -> Result<&'a mut TF_ShapeAndType> {
    // SAFETY: `list` is null or alive, with as many items as it says (Safety section).
    let items = unsafe {
        let list = borrow_mut(list, function, "shape_list")?;
        slice_mut(list.items, list.num_items, function, "items")?
    };
    let missing = || Error::out_of_range(format!("{function}: there is no element {index}"));
    usize::try_from(index).ok().and_then(|index| items.get_mut(index)).ok_or_else(missing)
}

/// Frees an element's dims.
///
/// # Safety
/// The dims are null or were set here, with this rank.
unsafe fn clear_dims(item: &mut TF_ShapeAndType) {
    if let (false, Ok(rank)) = (item.dims.is_null(), usize::try_from(item.num_dims)) {
        // SAFETY: not null, so a boxed slice of this length (Safety section).
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(item.dims, rank)) });
    }
    item.dims = ptr::null_mut();
}

c_api! {
    /// Sets an element's shape; nothing where there is no such element or the rank is negative.
    ///
    /// # Safety
    /// The list came from [`TF_NewShapeAndTypeList`] or is null; `dims` holds `num_dims` numbers.
    fn TF_ShapeAndTypeListSetShape(
        shape_list: *mut TF_ShapeAndTypeList,
        index: c_int,
        dims: *const i64 => [num_dims],
        num_dims: c_int
    ) {
        // SAFETY: `shape_list` is null or alive (Safety section).
        let item = unsafe { item(shape_list, index, NAME) }?;
        // SAFETY: only this file sets dims.
        unsafe { clear_dims(item) };
        (item.num_dims, item.dims) = (num_dims, Box::into_raw(Box::<[i64]>::from(dims)).cast());
        Ok(())
    }

    /// Makes an element's rank unknown; nothing where there is no such element.
    ///
    /// # Safety
    /// The list came from [`TF_NewShapeAndTypeList`] or is null.
    fn TF_ShapeAndTypeListSetUnknownShape(shape_list: *mut TF_ShapeAndTypeList, index: c_int) {
        // SAFETY: `shape_list` is null or alive (Safety section).
        let item = unsafe { item(shape_list, index, NAME) }?;
        // SAFETY: only this file sets dims.
        unsafe { clear_dims(item) };
        item.num_dims = -1;
        Ok(())
    }

    /// Sets an element's dtype; nothing where there is no such element.
    ///
    /// # Safety
    /// The list came from [`TF_NewShapeAndTypeList`] or is null.
    fn TF_ShapeAndTypeListSetDtype(shape_list: *mut TF_ShapeAndTypeList, index: c_int, dtype: TF_DataType) {
        // SAFETY: `shape_list` is null or alive (Safety section).
        unsafe { item(shape_list, index, NAME) }?.dtype = dtype;
        Ok(())
    }
}

/// Frees a list; null is allowed.
///
/// # Safety
/// The list came from [`TF_NewShapeAndTypeList`] and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteShapeAndTypeList(shape_list: *mut TF_ShapeAndTypeList) {
    if shape_list.is_null() {
        return;
    }
    // SAFETY: a box that this library made and that the caller gives up.
    let list = unsafe { Box::from_raw(shape_list) };
    if let (false, Ok(count)) = (list.items.is_null(), usize::try_from(list.num_items)) {
        // SAFETY: a boxed slice of this length, made with the list.
        let mut items = unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(list.items, count)) };
        // SAFETY: only this file sets dims.
        items.iter_mut().for_each(|item| unsafe { clear_dims(item) });
    }
}

/// Arrays of lists that clients have, with their lengths.
static ARRAYS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// An array of lists for C; [`TF_DeleteShapeAndTypeListArray`] frees it. Null for no lists.
pub fn lists_for_c(lists: Vec<*mut TF_ShapeAndTypeList>) -> *mut *mut TF_ShapeAndTypeList {
    if lists.is_empty() {
        return ptr::null_mut();
    }
    let count = lists.len();
    let array: *mut *mut TF_ShapeAndTypeList = Box::into_raw(lists.into_boxed_slice()).cast();
    ARRAYS.lock().unwrap_or_else(PoisonError::into_inner).insert(array.addr(), count);
    array
}

/// Frees an array of lists that this library made, and its lists, all of them; null is allowed, and other arrays are
/// left alone.
///
/// # Safety
/// Nothing of the array is used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteShapeAndTypeListArray(
    shape_list_array: *mut *mut TF_ShapeAndTypeList,
    _num_items: c_int,
) {
    let count = ARRAYS.lock().unwrap_or_else(PoisonError::into_inner).remove(&shape_list_array.addr());
    if let Some(count) = count {
        // SAFETY: made by `lists_for_c` as a boxed slice of this length, and given up by the caller.
        let lists = unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(shape_list_array, count)) };
        // SAFETY: each is null or a list that goes with its array.
        lists.iter().for_each(|&list| unsafe { TF_DeleteShapeAndTypeList(list) });
    }
}
