//! What is known of ops before they are called: which devices run them, how long their lists are.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::BTreeSet;
use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use oplink_abi::{TF_AttrBuilder, TF_DataType};
use oplink_api::{AttrValue, DType, Error, Result, ensure};
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete, text};
use oplink_host::tensor::dtype;

use crate::support::{c_string, registry};

/// What a `TF_AttrBuilder` is here.
#[derive(Debug)]
struct Builder {
    op: String,
    attrs: Vec<(String, AttrValue)>,
    /// What is wrong with arguments of functions without a status.
    problem: Option<Error>,
}

impl Builder {
    /// # Safety
    /// A handle that is not null is alive for `'a` and used by nobody else.
    unsafe fn borrow_mut<'a>(builder: *mut TF_AttrBuilder, function: &str) -> Result<&'a mut Self> {
        // SAFETY: `builder` is null or alive (Safety section).
        unsafe { borrow_mut(builder.cast::<Self>(), function, "builder") }
    }

    /// Sets an attr, which keeps the first value that it is given, or keeps what is wrong with the value.
    fn set(&mut self, name: &str, value: Result<AttrValue>) {
        match value {
            Ok(_) if self.attrs.iter().any(|(known, _)| known == name) => {}
            Ok(value) => self.attrs.push((name.to_owned(), value)),
            Err(problem) => drop(self.problem.get_or_insert(problem)),
        }
    }
}

c_api! {
    /// Attrs of an op, none so far; null where the name is null.
    ///
    /// # Safety
    /// `op_name` is null or a terminated string.
    fn TF_NewAttrBuilder(op_name: *const c_char => text) -> (*mut TF_AttrBuilder = ptr::null_mut()) {
        let builder = Builder { op: op_name.to_owned(), attrs: Vec::new(), problem: None };
        Ok(Box::into_raw(Box::new(builder)).cast())
    }
}

/// Frees a builder; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteAttrBuilder(builder: *mut TF_AttrBuilder) {
    // SAFETY: `builder` is null or a box that this library made and that the caller gives up.
    unsafe { delete(builder.cast::<Builder>()) }
}

c_api! {
    /// Sets an attr that is a dtype. The first value stays.
    ///
    /// # Safety
    /// The handle is null or alive; `attr_name` is null or a terminated string.
    fn TF_AttrBuilderSetType(
        builder: *mut TF_AttrBuilder => { Builder::borrow_mut(builder, NAME) },
        attr_name: *const c_char => text,
        value: TF_DataType
    ) {
        builder.set(attr_name, dtype(value).map(AttrValue::Type));
        Ok(())
    }

    /// Sets an attr that is a list of dtypes. The first value stays.
    ///
    /// # Safety
    /// The handle is null or alive; `attr_name` is null or a terminated string; `values` holds `num_values` dtypes.
    fn TF_AttrBuilderSetTypeList(
        builder: *mut TF_AttrBuilder => { Builder::borrow_mut(builder, NAME) },
        attr_name: *const c_char => text,
        values: *const TF_DataType => [num_values],
        num_values: c_int
    ) {
        let dtypes: Result<Vec<DType>> = values.iter().map(|&value| dtype(value)).collect();
        builder.set(attr_name, dtypes.map(AttrValue::Types));
        Ok(())
    }

    /// OK where a device of this type has a kernel for the op with these attrs.
    ///
    /// # Safety
    /// The handles are null or alive; `device_type` is null or a terminated string.
    fn TF_AttrBuilderCheckCanRunOnDevice(
        builder: *mut TF_AttrBuilder => { borrow(builder.cast::<Builder>(), NAME, "builder") },
        device_type: *const c_char => text;
        status
    ) {
        if let Some(problem) = &builder.problem {
            return Err(problem.clone());
        }
        registry()?.find_kernel_for_attrs(&builder.op, device_type, &builder.attrs).map(drop)
    }
}

/// A text that lives as long as the process, one copy of each.
fn interned(text: &str) -> *const c_char {
    static TEXTS: Mutex<BTreeSet<CString>> = Mutex::new(BTreeSet::new());
    let text = c_string(text);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    match texts.get(&text) {
        Some(known) => known.as_ptr(),
        None => {
            let pointer = text.as_ptr();
            texts.insert(text);
            pointer
        }
    }
}

c_api! {
    /// The attr that holds the number of tensors of an op's input, a text that lives on; null and an error where the
    /// input has no such attr.
    ///
    /// # Safety
    /// The status is null or alive; `op_name` is null or a terminated string.
    fn TF_GetNumberAttrForOpListInput(op_name: *const c_char => text, input_index: c_int; status)
        -> (*const c_char = ptr::null())
    {
        let registry = registry()?;
        let inputs = &registry.op(op_name)?.spec.inputs;
        let input = usize::try_from(input_index).ok().and_then(|index| inputs.get(index));
        ensure!(input.is_some(), "{NAME}: op {op_name} has {} inputs, none at {input_index}", inputs.len());
        let missing = || Error::not_found(format!("{NAME}: input {input_index} of op {op_name} is no list `N * T`"));
        let attr = input.and_then(|input| input.number_attr.as_deref()).ok_or_else(missing)?;
        Ok(interned(attr))
    }
}
