//! `TFE_Context`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use oplink_abi::{TF_DeviceList, TFE_Context, TFE_ContextOptions, TFE_TensorHandle};
use oplink_api::{Error, Result, Tensor, ensure};
use oplink_core::{Device, DeviceOptions, devices_with, host_device};
use oplink_graph::ContextFunctions;
use oplink_graph::eager::{EagerContext, EagerExecutor, Executors, PendingTensor, Placed, QueuedCall};
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, without_status};

use super::context_options::Options;
use super::custom::{self, CustomDevice};
use super::run_metadata::Recorder;
use super::value::{Devices, Handle};
use crate::devices::devices_for;
use crate::session::device_list;
use crate::support::{c_string, registry};

/// The most CPU devices that a context can be given.
const MAX_LOGICAL_CPUS: c_int = 1024;

/// What a `TFE_Context` is here: ops and handles keep it alive.
#[derive(Clone)]
pub(crate) struct Context(Arc<Inner>);

struct Inner {
    eager: EagerContext,
    /// Those of the highest priority first.
    devices: RwLock<Devices>,
    custom_devices: RwLock<Vec<Arc<CustomDevice>>>,
    executors: Executors,
    logs_placement: AtomicBool,
    policy: AtomicI32,
    /// Threads of a kernel; 0 for all.
    threads: usize,
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
            devices: RwLock::new(devices.into()),
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

    /// The device that a client registered under this name.
    pub(super) fn custom_device(&self, name: &str) -> Option<Arc<CustomDevice>> {
        let devices = self.0.custom_devices.read().unwrap_or_else(PoisonError::into_inner);
        devices.iter().find(|device| device.name().to_bytes() == name.as_bytes()).cloned()
    }

    /// Registers a client's device.
    pub(super) fn add_custom_device(&self, device: CustomDevice) {
        self.0.custom_devices.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(device));
    }

    /// Whether calls are told on the error stream with their devices.
    pub(super) fn set_log_placement(&self, logs: bool) {
        self.0.logs_placement.store(logs, Ordering::Relaxed);
    }

    /// Tells where a call runs, for clients that asked for it.
    pub(super) fn log_placement(&self, placed: &Placed, op: &str) {
        if self.0.logs_placement.load(Ordering::Relaxed) {
            let device = placed.device.as_ref().unwrap_or(self.eager().device());
            eprintln!("Executing op {op} in device {}", device.name());
        }
    }

    /// A handle of a tensor on a device, of the process or a client's. Where the executor of this thread queues calls,
    /// it queues the copy.
    pub(super) fn copy_to_device(
        &self,
        handle: &Arc<Handle>,
        wanted: &str,
        function: &str,
    ) -> Result<*mut TFE_TensorHandle> {
        if let Some(target) = self.custom_device(wanted) {
            return target.copy_to(handle);
        }
        if let Some(source) = custom::device_of(handle) {
            return source.copy_from(handle, &c_string(wanted));
        }
        let device = self.device(wanted, function)?;
        let executor = self.executors().current();
        if !executor.is_async() {
            let tensor = self.on_device(handle, &device)?;
            return Ok(Handle::made(tensor, Some(device), self.devices()).into_raw());
        }
        let output = PendingTensor::new(handle.dtype(), Some(device.clone()));
        let (context, source) = (self.clone(), handle.clone());
        executor.add(QueuedCall::new(vec![output.clone()], move || Ok(vec![context.on_device(&source, &device)?])))?;
        Ok(Handle::pending(output, self.devices()).into_raw())
    }

    /// The tensor of a handle in the memory of a device.
    fn on_device(&self, handle: &Arc<Handle>, device: &Arc<dyn Device>) -> Result<Tensor> {
        let tensor = handle.tensor()?;
        match tensor.device() {
            Some(place) if place == device.name() => Ok(tensor),
            _ => self.eager().to_device(device, &Handle::on_host(handle)?),
        }
    }

    /// The part of the host's name before `/device:`.
    pub(super) fn address_space(&self) -> &str {
        let name = self.eager().device().name();
        name.split_once("/device:").map_or(name, |(space, _)| space)
    }

    /// Adds CPU devices until there are so many.
    pub(super) fn set_logical_cpus(&self, count: c_int, prefix: &str, function: &str) -> Result<()> {
        let own = self.address_space();
        ensure!(
            prefix.is_empty() || prefix == own,
            "{function}: `prefix` is `{}`, and devices of this process are named `{own}`",
            prefix.escape_debug()
        );
        ensure!((0..=MAX_LOGICAL_CPUS).contains(&count), "{function}: {count} devices; at most {MAX_LOGICAL_CPUS}");
        let host = self.eager().device().device_type();
        let wanted = DeviceOptions { count: [(host.to_owned(), count as usize)].into(), ..DeviceOptions::default() };
        let is_new = |device: &Arc<dyn Device>| device.device_type() == host && !device.name().ends_with(":0");
        let added: Vec<_> = devices_with(&wanted)?.into_iter().filter(is_new).collect();
        let mut devices = self.0.devices.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = added.iter().find(|added| devices.iter().any(|device| device.name() == added.name())) {
            return Err(Error::invalid_argument(format!("{function}: there is a device {} already", known.name())));
        }
        let all: Vec<_> = devices.iter().cloned().chain(added).collect();
        self.functions().use_devices(all.clone(), self.0.threads)?;
        self.eager().choose_among(all.clone());
        self.eager().clear_kernels();
        *devices = all.into();
        Ok(())
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

    /// The first device that a name, which may leave parts out, means.
    ///
    /// # Errors
    /// There is none; the message lists those there are.
    pub(super) fn device(&self, wanted: &str, function: &str) -> Result<Arc<dyn Device>> {
        let found = self.eager().device_named(wanted);
        found.map_err(|error| Error::new(error.code(), error.kind(), format!("{function}: {}", error.message())))
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
        Ok(device_list(&unsafe { Context::borrow(ctx, NAME) }?.devices()))
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
