//! A GPU that is open: its device and queue, and how what wgpu reports becomes errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{Code, Error, Result};
use wgpu::{DeviceDescriptor, ErrorFilter, PollError, PollStatus, PollType, SubmissionIndex};

use super::adapters::Found;

/// What kernels can make use of, where the adapter has it.
const WANTED: wgpu::Features = wgpu::Features::SHADER_F16
    .union(wgpu::Features::SHADER_F64)
    .union(wgpu::Features::SHADER_INT64)
    .union(wgpu::Features::SUBGROUP)
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    .union(wgpu::Features::PIPELINE_CACHE);

/// An open GPU.
pub(super) struct Gpu {
    /// The device's full name.
    pub(super) name: String,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) info: wgpu::AdapterInfo,
    pub(super) limits: wgpu::Limits,
    pub(super) features: wgpu::Features,
    faults: Arc<Faults>,
}

/// Failures of work that was enqueued earlier.
#[derive(Default)]
struct Faults(Mutex<State>);

#[derive(Default)]
struct State {
    /// The first failure that was not told yet.
    first: Option<Error>,
    /// Why the device is gone, if it is.
    lost: Option<String>,
}

impl Faults {
    fn add(&self, error: Error) {
        self.state().first.get_or_insert(error);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gpu {
    /// Opens the adapter as the device `name`.
    ///
    /// # Errors
    /// The driver refuses.
    pub(super) fn open(name: &str, found: &Found) -> Result<Arc<Self>> {
        let (features, limits) = (found.adapter.features() & WANTED, found.adapter.limits());
        let descriptor = DeviceDescriptor {
            label: Some(name),
            required_features: features,
            required_limits: limits.clone(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..DeviceDescriptor::default()
        };
        let opened = pollster::block_on(found.adapter.request_device(&descriptor));
        let (device, queue) = opened.map_err(|error| {
            Error::internal(format!(
                "{} cannot be opened: {error}; is its Vulkan driver whole? `vulkaninfo` says more",
                found.info.name
            ))
        })?;
        let faults = Arc::new(Faults::default());
        let (of_errors, of_loss, errors_name) = (faults.clone(), faults.clone(), name.to_owned());
        device.on_uncaptured_error(Arc::new(move |error| of_errors.add(reported(&errors_name, &error))));
        device.set_device_lost_callback(move |_, why| {
            of_loss.state().lost.get_or_insert(why);
        });
        let info = found.info.clone();
        Ok(Arc::new(Self { name: name.to_owned(), device, queue, info, limits, features, faults }))
    }

    /// Does `work`, of which wgpu tells errors beside its results.
    ///
    /// # Errors
    /// What wgpu reports meanwhile, or has reported of the device's loss.
    pub(super) fn checked<T>(&self, work: impl FnOnce() -> T) -> Result<T> {
        self.check_alive()?;
        let [validation, memory, internal] = [ErrorFilter::Validation, ErrorFilter::OutOfMemory, ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let result = work();
        let errors = [internal.pop(), memory.pop(), validation.pop()];
        match errors.into_iter().find_map(pollster::block_on) {
            None => Ok(result),
            Some(error) => {
                // What is reported of a device that is gone is how its parts look then.
                let _ = self.poll(PollType::Poll);
                self.check_alive()?;
                Err(reported(&self.name, &error))
            }
        }
    }

    /// Lets wgpu look what is done; `None` where it panics, as it does where the driver fails.
    fn poll(&self, how: PollType) -> Option<std::result::Result<PollStatus, PollError>> {
        catch_unwind(AssertUnwindSafe(|| self.device.poll(how))).ok()
    }

    /// Waits for a submission, or for the latest.
    ///
    /// # Errors
    /// The device was lost.
    pub(super) fn wait(&self, submission: Option<SubmissionIndex>) -> Result<()> {
        let waited = self.poll(PollType::Wait { submission_index: submission, timeout: None });
        self.check_alive()?;
        match waited {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(self.error(Code::Internal, &format!("cannot be waited for: {error}"))),
            None => Err(self.error(Code::Internal, "its driver failed while it was waited for")),
        }
    }

    /// Whether the device is still there.
    ///
    /// # Errors
    /// It was lost.
    pub(super) fn check_alive(&self) -> Result<()> {
        match &self.faults.state().lost {
            None => Ok(()),
            Some(why) => {
                let why = why.trim();
                let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
                Err(self.error(
                    Code::Unavailable,
                    &format!("the GPU was lost{why}: a kernel may have run too long, or its driver failed; a new process opens it again"),
                ))
            }
        }
    }

    /// Keeps a failure of enqueued work for who asks next.
    pub(super) fn add_fault(&self, error: Error) {
        self.faults.add(error);
    }

    /// The first failure that was not told yet.
    pub(super) fn take_fault(&self) -> Option<Error> {
        self.faults.state().first.take()
    }

    /// An error that names the device.
    pub(super) fn error(&self, code: Code, message: &str) -> Error {
        error(code, &self.name, message)
    }
}

fn error(code: Code, device: &str, message: &str) -> Error {
    Error::new(code, oplink_api::ErrorKind::Device, format!("{device}: {message}"))
}

/// What wgpu reported, as an error.
fn reported(device: &str, report: &wgpu::Error) -> Error {
    match report {
        wgpu::Error::OutOfMemory { .. } => error(Code::ResourceExhausted, device, "the GPU is out of memory"),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            error(Code::Internal, device, description.trim())
        }
    }
}
