//! Kernel declarations under construction.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, c_char};
use std::ptr;

use oplink_abi::{ComputeAsyncFn, ComputeFn, CreateFn, DeleteFn, TF_DataType, TF_KernelBuilder, TF_Status};
use oplink_api::{Code, DType, Error, ErrorKind, Result};

use super::kernel_def;
use super::registration::{Callbacks, Compute, Registration};
use crate::guard::{borrow_mut, text, with_status, without_status};
use crate::load::{declare, reject};

/// A declaration, and what was wrong with an argument.
#[derive(Default)]
pub(super) struct KernelBuilder {
    pub(super) registration: Registration,
    wrong: Option<Error>,
}

impl KernelBuilder {
    /// # Safety
    /// As `guard::text`.
    unsafe fn text(&mut self, string: *const c_char, function: &str, argument: &str) -> String {
        // SAFETY: `string` is null or a terminated string (Safety section).
        match unsafe { text(string, function, argument) } {
            Ok(text) => text.to_owned(),
            Err(error) => {
                self.wrong.get_or_insert(error);
                String::new()
            }
        }
    }

    /// # Safety
    /// As `guard::text` for both texts; the callbacks stay callable as long as the process runs.
    unsafe fn new(op: *const c_char, device: *const c_char, callbacks: Callbacks, function: &str) -> Self {
        let mut builder = Self::default();
        // SAFETY: `op` is null or a terminated string and `device` is null or a terminated string (Safety section).
        let (op, device) =
            unsafe { (builder.text(op, function, "op_name"), builder.text(device, function, "device_name")) };
        builder.registration = Registration { op, device, callbacks, ..Registration::default() };
        builder
    }

    /// Registers the kernel; where that fails, the plugin that is being loaded is left without it.
    fn register(mut self, name: Result<&str>) -> Result<()> {
        let (op, item) = self.registration.as_rejected();
        let register = || {
            name?.clone_into(&mut self.registration.name);
            match self.wrong {
                Some(error) => Err(error),
                None => declare(self.registration.declarations()?),
            }
        };
        register().map_err(|error| reject(&op, item, error))
    }
}

/// A kernel of an op on devices of a type. Without `create_func` a kernel has no object; without `delete_func` objects
/// are not freed.
///
/// # Safety
/// The texts are null or terminated; the functions stay callable as long as the process runs, from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewKernelBuilder(
    op_name: *const c_char,
    device_name: *const c_char,
    create_func: CreateFn,
    compute_func: ComputeFn,
    delete_func: DeleteFn,
) -> *mut TF_KernelBuilder {
    without_status(ptr::null_mut(), || {
        let compute = compute_func.map(Compute::Now);
        let callbacks = Callbacks { create: create_func, compute, delete: delete_func };
        // SAFETY: `op_name` is null or a terminated string and `device_name` is null or a terminated string (Safety
        // section).
        let builder = unsafe { KernelBuilder::new(op_name, device_name, callbacks, "TF_NewKernelBuilder") };
        Box::into_raw(Box::new(builder)).cast()
    })
}

/// As [`TF_NewKernelBuilder`], of a kernel that completes when it calls its callback, from any thread.
///
/// # Safety
/// As [`TF_NewKernelBuilder`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewAsyncKernelBuilder(
    op_name: *const c_char,
    device_name: *const c_char,
    create_func: CreateFn,
    compute_async_func: ComputeAsyncFn,
    delete_func: DeleteFn,
) -> *mut TF_KernelBuilder {
    without_status(ptr::null_mut(), || {
        let compute = compute_async_func.map(Compute::Later);
        let callbacks = Callbacks { create: create_func, compute, delete: delete_func };
        // SAFETY: `op_name` is null or a terminated string and `device_name` is null or a terminated string (Safety
        // section).
        let builder = unsafe { KernelBuilder::new(op_name, device_name, callbacks, "TF_NewAsyncKernelBuilder") };
        Box::into_raw(Box::new(builder)).cast()
    })
}

/// # Safety
/// The builder is null or alive.
unsafe fn builder_mut<'a>(builder: *mut TF_KernelBuilder, function: &str) -> Result<&'a mut KernelBuilder> {
    // SAFETY: the caller's contract; builders are boxes of `KernelBuilder`.
    unsafe { borrow_mut(builder.cast::<KernelBuilder>(), function, "kernel_builder") }
}

/// Says that the kernel serves nodes whose attr of kind `type` is this dtype.
///
/// # Safety
/// The builder and the status are null or alive; the text is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_KernelBuilder_TypeConstraint(
    kernel_builder: *mut TF_KernelBuilder,
    attr_name: *const c_char,
    number: TF_DataType,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_KernelBuilder_TypeConstraint";
    with_status(status, NAME, (), || {
        // SAFETY: `kernel_builder` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let (builder, attr) = unsafe { (builder_mut(kernel_builder, NAME)?, text(attr_name, NAME, "attr_name")?) };
        let unknown = || {
            let message = format!("{NAME}: {number} is the number of no dtype");
            Error::new(Code::Unimplemented, ErrorKind::InvalidArgument, message)
        };
        let dtype = DType::from_number(number).ok_or_else(unknown);
        match dtype {
            Ok(dtype) => builder.registration.constraints.push((attr.to_owned(), vec![dtype])),
            Err(error) => {
                builder.wrong.get_or_insert(error.clone());
                return Err(error);
            }
        }
        Ok(())
    });
}

/// Says that an input or output is in the host's memory on any device.
///
/// # Safety
/// The builder is null or alive; the text is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_KernelBuilder_HostMemory(kernel_builder: *mut TF_KernelBuilder, arg_name: *const c_char) {
    const NAME: &str = "TF_KernelBuilder_HostMemory";
    without_status((), || {
        // SAFETY: `kernel_builder` is null or alive (Safety section).
        if let Ok(builder) = unsafe { builder_mut(kernel_builder, NAME) } {
            // SAFETY: `arg_name` is null or a terminated string (Safety section).
            let argument = unsafe { builder.text(arg_name, NAME, "arg_name") };
            builder.registration.host_memory.push(argument);
        }
    });
}

/// Among kernels that serve a node, the one of the highest priority is taken.
///
/// # Safety
/// The builder is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_KernelBuilder_Priority(kernel_builder: *mut TF_KernelBuilder, priority_number: i32) {
    // SAFETY: `kernel_builder` is null or alive (Safety section).
    if let Ok(builder) = unsafe { builder_mut(kernel_builder, "TF_KernelBuilder_Priority") } {
        builder.registration.priority = priority_number;
    }
}

/// Says that the kernel serves only nodes that ask for this label.
///
/// # Safety
/// The builder is null or alive; the text is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_KernelBuilder_Label(kernel_builder: *mut TF_KernelBuilder, label: *const c_char) {
    const NAME: &str = "TF_KernelBuilder_Label";
    without_status((), || {
        // SAFETY: `kernel_builder` is null or alive (Safety section).
        if let Ok(builder) = unsafe { builder_mut(kernel_builder, NAME) } {
            // SAFETY: `label` is null or a terminated string (Safety section).
            builder.registration.label = unsafe { builder.text(label, NAME, "label") };
        }
    });
}

/// Takes a builder over.
///
/// # Safety
/// The builder is null, or alive and not used afterwards.
unsafe fn take(builder: *mut TF_KernelBuilder, function: &str) -> Result<KernelBuilder> {
    // SAFETY: `builder` is null or alive (Safety section).
    unsafe { builder_mut(builder, function) }?;
    // SAFETY: not null; builders are boxes.
    Ok(*unsafe { Box::from_raw(builder.cast::<KernelBuilder>()) })
}

/// Registers the kernel and frees the builder, whether that succeeds or not. The name is for messages. While a plugin
/// is loaded, its kernels become known with the rest of it; at any other time the kernel is known as soon as its op is.
///
/// # Safety
/// The builder is null, or alive and not used afterwards; the name is null or terminated; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_RegisterKernelBuilder(
    kernel_name: *const c_char,
    builder: *mut TF_KernelBuilder,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_RegisterKernelBuilder";
    with_status(status, NAME, (), || {
        // SAFETY: `kernel_name` is null or a terminated string and `builder` is null or alive (Safety section).
        let (builder, name) = unsafe { (take(builder, NAME)?, text(kernel_name, NAME, "kernel_name")) };
        builder.register(name)
    });
}

/// As [`TF_RegisterKernelBuilder`], with a serialized `KernelDef` in the place of what the builder was told; of the
/// builder only the functions count.
///
/// # Safety
/// As [`TF_RegisterKernelBuilder`]; the definition is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_RegisterKernelBuilderWithKernelDef(
    serialized_kernel_def: *const c_char,
    name: *const c_char,
    builder: *mut TF_KernelBuilder,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_RegisterKernelBuilderWithKernelDef";
    with_status(status, NAME, (), || {
        // SAFETY: `name` is null or a terminated string and `builder` is null or alive (Safety section).
        let (mut builder, name) = unsafe { (take(builder, NAME)?, text(name, NAME, "name")) };
        let read = || {
            if serialized_kernel_def.is_null() {
                return Err(Error::invalid_argument(format!("{NAME}: `serialized_kernel_def` is null")));
            }
            // SAFETY: not null, terminated by contract.
            let definition = unsafe { CStr::from_ptr(serialized_kernel_def) }.to_bytes();
            kernel_def::read(definition, builder.registration.callbacks)
        };
        let name = read().and_then(|registration| {
            builder.registration = registration;
            name
        });
        builder.register(name)
    });
}

/// Frees a builder that was not registered; null is allowed.
///
/// # Safety
/// The builder is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteKernelBuilder(builder: *mut TF_KernelBuilder) {
    // SAFETY: `builder` is null or alive (Safety section).
    drop(unsafe { take(builder, "TF_DeleteKernelBuilder") });
}
