//! `TFE_Context`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use oplink_abi::{TF_DeviceList, TFE_Context, TFE_ContextOptions};
use oplink_api::Result;
use oplink_core::host_device;
use oplink_graph::ContextFunctions;
use oplink_graph::eager::{EagerContext, EagerExecutor, Executors, Placed};
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, without_status};

use super::context_options::Options;
use super::custom::CustomDevice;
use super::device_set::DeviceSet;
use super::run_metadata::Recorder;
use super::value::Devices;
use crate::devices::devices_for;
use crate::session::device_list;
use crate::support::registry;

/// What a `TFE_Context` is here: ops and handles keep it alive.
#[derive(Clone)]
pub(crate) struct Context(pub(super) Arc<Inner>);

/// The state of a context.
pub(super) struct Inner {
    eager: EagerContext,
    /// Those of the highest priority first.
    pub(super) devices: RwLock<Devices>,
    pub(super) custom_devices: RwLock<Vec<Arc<CustomDevice>>>,
    executors: Executors,
    logs_placement: AtomicBool,
    policy: AtomicI32,
    /// Threads of a kernel; 0 for all.
    pub(super) threads: usize,
    functions: Arc<ContextFunctions>,
    recorder: Recorder,
    open_steps: AtomicUsize,
}

impl Context {
    fn new(options: &Options) -> Result<Self> {
        let devices = devices_for(&options.config)?;
        let threads = usize::try_from(options.config.intra_op_parallelism_threads).unwrap_or(0);
        let functions = Arc::new(ContextFunctions::on_devices(&registry()?, devices.clone(), threads)?);
        let host = match devices.iter().find(|device| device.context().is_none()) {
            Some(device) => device.clone(),
            None => host_device()?,
        };
        let eager = EagerContext::with_functions(registry()?, host, threads, functions.clone())?;
        eager.choose_among(devices.clone());
        let executor = if options.is_async { EagerExecutor::asynchronous(0) } else { EagerExecutor::synchronous() };
        eager.set_soft_placement(options.config.allow_soft_placement);
        Ok(Self(Arc::new(Inner {
            eager: eager.following_plugins(),
            devices: RwLock::new(Arc::new(DeviceSet::new(devices))),
            custom_devices: RwLock::default(),
            executors: Executors::new(executor),
            logs_placement: AtomicBool::new(options.config.log_device_placement),
            policy: AtomicI32::new(options.policy),
            threads,
            functions,
            recorder: Recorder::default(),
            open_steps: AtomicUsize::new(0),
        })))
    }

    /// The context behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(context: *const TFE_Context, function: &str) -> Result<&'a Self> {
        // SAFETY: `context` is null or alive (Safety section).
        unsafe { borrow(context.cast::<Self>(), function, "ctx") }
    }

    /// Where ops run.
    pub(crate) fn eager(&self) -> &EagerContext {
        &self.0.eager
    }

    /// The functions that calls may name.
    pub(super) fn functions(&self) -> &ContextFunctions {
        &self.0.functions
    }

    /// What notes calls.
    pub(super) fn recorder(&self) -> &Recorder {
        &self.0.recorder
    }

    /// The devices where ops run, those of the highest priority first.
    pub(super) fn devices(&self) -> Devices {
        self.0.devices.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What runs calls.
    pub(super) fn executors(&self) -> &Executors {
        &self.0.executors
    }

    /// Whether calls are told on the error stream with their devices.
    pub(super) fn set_log_placement(&self, logs: bool) {
        self.0.logs_placement.store(logs, Ordering::Relaxed);
    }

    /// Tells where a call runs, for clients that asked for it.
    pub(super) fn log_placement(&self, placed: &Placed, op: &str) {
        if self.0.logs_placement.load(Ordering::Relaxed) {
            let device = placed.device.as_ref().unwrap_or(self.eager().device());
            eprintln!("Executing op {op} in device {}", self.devices().public_name(device.name()));
        }
    }

    /// Waits for the calls that are queued, and ends the clients' devices.
    fn shut_down(&self) {
        self.executors().shut_down();
        let devices = std::mem::take(&mut *self.0.custom_devices.write().unwrap_or_else(PoisonError::into_inner));
        devices.iter().for_each(|device| device.end());
    }

    /// What happens to inputs on other devices.
    pub(super) fn policy(&self) -> c_int {
        self.0.policy.load(Ordering::Relaxed)
    }
}

c_api! {
    /// A context.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_NewContext(opts: *const TFE_ContextOptions; status) -> (*mut TFE_Context = ptr::null_mut()) {
        // SAFETY: `opts` is null or alive (Safety section).
        let context = Context::new(unsafe { Options::borrow(opts, NAME) }?)?;
        Ok(Box::into_raw(Box::new(context)).cast())
    }
}

/// Frees a context; null is allowed. Calls that are queued are waited for. Handles of tensors stay.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteContext(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        without_status((), || context.shut_down());
    }
    // SAFETY: `ctx` is null or a box that this library made and that the caller gives up.
    unsafe { delete(ctx.cast::<Context>()) }
}

c_api! {
    /// The devices.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextListDevices(ctx: *mut TFE_Context; status) -> (*mut TF_DeviceList = ptr::null_mut()) {
        // SAFETY: `ctx` is null or alive (Safety section).
        let devices = unsafe { Context::borrow(ctx, NAME) }?.devices();
        Ok(device_list(&devices, |name| devices.public_name(name)))
    }
}

/// Drops the kernels of former calls.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextClearCaches(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    let context = unsafe { Context::borrow(ctx, "TFE_ContextClearCaches") };
    without_status((), || {
        if let Ok(context) = context {
            context.eager().clear_kernels();
        }
    });
}

/// Sets what happens to inputs on other devices; see [`TFE_ContextOptionsSetDevicePlacementPolicy`].
///
/// [`TFE_ContextOptionsSetDevicePlacementPolicy`]: super::context_options::TFE_ContextOptionsSetDevicePlacementPolicy
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextSetThreadLocalDevicePlacementPolicy(ctx: *mut TFE_Context, policy: c_int) {
    // SAFETY: `ctx` is null or alive (Safety section).
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        context.0.policy.store(policy, Ordering::Relaxed);
    }
}

/// What was set for inputs on other devices; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextGetDevicePlacementPolicy(ctx: *mut TFE_Context) -> c_int {
    // SAFETY: `ctx` is null or alive (Safety section).
    unsafe { Context::borrow(ctx, "") }.map_or(0, |context| context.0.policy.load(Ordering::Relaxed))
}

/// Begins a step; steps may be inside one another.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextStartStep(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    if let Ok(context) = unsafe { Context::borrow(ctx, "") } {
        context.0.open_steps.fetch_add(1, Ordering::Relaxed);
    }
}

/// Ends a step. At the end of the outermost one goes what lasts as long as a step, such as tensor arrays.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextEndStep(ctx: *mut TFE_Context) {
    // SAFETY: `ctx` is null or alive (Safety section).
    let context = unsafe { Context::borrow(ctx, "") };
    without_status((), || {
        let Ok(context) = context else { return };
        let steps = &context.0.open_steps;
        let ended = steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| open.checked_sub(1));
        if ended == Ok(1) {
            context.eager().end_step();
        }
    });
}
