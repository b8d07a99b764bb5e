//! Registering devices that a client wrote, and making handles of their tensors.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use oplink_abi::{TF_DataType, TFE_Context, TFE_CustomDevice, TFE_CustomDeviceTensorHandle, TFE_TensorHandle};
use oplink_api::{Code, Error, ErrorKind, Result, ensure};
use oplink_core::DeviceName;
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};
use oplink_host::tensor::dtype;

use super::super::Context;
use super::tensor::{ClientData, CustomTensor};
use super::{CustomDevice, Handle, Value};
use crate::support::c_string;

/// Whether clients know a device of the process by this name.
fn is_of_the_process(context: &Context, name: &str) -> bool {
    let devices = context.devices();
    devices.iter().any(|device| devices.public_name(device.name()) == name)
}

/// Checks what is asked for before the device takes its place.
fn check(context: &Context, functions: &TFE_CustomDevice, name: &str, function: &str) -> Result<()> {
    let is_full = DeviceName::parse(name).is_ok_and(|parsed| parsed.is_full());
    ensure!(
        is_full,
        "{function}: `{}` is no full name of a device: write it as /job:localhost/replica:0/task:0/device:CUSTOM:0",
        name.escape_debug()
    );
    let is_whole = functions.copy_tensor_to_device.is_some()
        && functions.copy_tensor_from_device.is_some()
        && functions.execute.is_some()
        && functions.delete_device.is_some();
    ensure!(
        is_whole,
        "{function}: the device {name} lacks a function; only `pack` and `shall_pin_to_this_device` may be absent"
    );
    if is_of_the_process(context, name) || context.custom_device(name).is_some() {
        let message = format!("{function}: there is a device {name} already");
        return Err(Error::new(Code::AlreadyExists, ErrorKind::InvalidArgument, message));
    }
    Ok(())
}

c_api! {
    /// Registers a device that the client writes, under a full name. The device ends with the context; where it is
    /// refused, it ends at once: `delete_device` is called in every case.
    ///
    /// # Safety
    /// The handles are null or alive; `device_name` is null or a terminated string; the functions are those of a
    /// device.
    fn TFE_RegisterCustomDevice(
        ctx: *mut TFE_Context,
        device: TFE_CustomDevice,
        device_name: *const c_char,
        device_info: *mut c_void;
        status
    ) {
        let mut made = CustomDevice {
            name: c_string(""),
            context: ctx,
            functions: device,
            info: device_info,
            has_ended: AtomicBool::new(false),
        };
        // SAFETY: `ctx` is null or alive and `device_name` null or a terminated string (Safety section).
        let (context, name) = unsafe { (Context::borrow(ctx, NAME)?, text(device_name, NAME, "device_name")?) };
        check(context, &device, name, NAME)?;
        made.name = c_string(name);
        context.add_custom_device(made);
        Ok(())
    }

    /// A handle of a tensor on a device of the client, which the handle's end deallocates. Where there is no such
    /// device, it is deallocated at once.
    ///
    /// # Safety
    /// The handles are null or alive; `device_name` is null or a terminated string; the functions are for `data`.
    fn TFE_NewCustomDeviceTensorHandle(
        ctx: *mut TFE_Context,
        device_name: *const c_char,
        number: TF_DataType,
        data: *mut c_void,
        methods: TFE_CustomDeviceTensorHandle;
        status
    ) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        let data = ClientData { data, functions: methods };
        // SAFETY: `ctx` is null or alive and `device_name` null or a terminated string (Safety section).
        let (context, name) = unsafe { (Context::borrow(ctx, NAME)?, text(device_name, NAME, "device_name")?) };
        let unknown = || Error::invalid_argument(format!("{NAME}: no device `{}` was registered", name.escape_debug()));
        let device: Arc<CustomDevice> = context.custom_device(name).ok_or_else(unknown)?;
        let tensor = CustomTensor::new(device, dtype(number)?, data);
        Ok(Handle::elsewhere(Value::Custom(tensor)).into_raw())
    }
}

/// Whether a client registered a device under exactly this name.
///
/// # Safety
/// The handle is null or alive; `device_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_IsCustomDevice(ctx: *mut TFE_Context, device_name: *const c_char) -> bool {
    const NAME: &str = "TFE_IsCustomDevice";
    without_status(false, || {
        // SAFETY: `ctx` is null or alive and `device_name` null or a terminated string (Safety section).
        let asked =
            unsafe { Context::borrow(ctx, NAME).and_then(|context| Ok((context, text(device_name, NAME, "")?))) };
        asked.is_ok_and(|(context, name)| context.custom_device(name).is_some())
    })
}
