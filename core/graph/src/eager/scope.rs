//! The device of the calls in a part of a program.

use std::cell::RefCell;

use oplink_api::Result;
use oplink_core::DeviceName;

thread_local! {
    /// What the innermost part asks for, with what those around it say of what it leaves open.
    static WANTED: RefCell<Option<DeviceName>> = const { RefCell::new(None) };
}

/// Runs `work` with eager calls of this thread on a device, as `tf.device` does: typed calls, calls by name, and
/// handles that are made meanwhile. A name may leave parts open, of which those around it decide: `GPU` inside of
/// `GPU:1` is `GPU:1`. `None` asks for nothing, whatever is asked for around it.
///
/// # Errors
/// The name is none, or the error of `work`. A device that does not exist is an error of the calls.
pub fn on_device<'n, R>(name: impl Into<Option<&'n str>>, work: impl FnOnce() -> Result<R>) -> Result<R> {
    let wanted = name.into().map(DeviceName::parse).transpose()?;
    let around = WANTED.take();
    let inside = wanted.map(|wanted| around.as_ref().map_or_else(|| wanted.clone(), |around| wanted.or(around)));
    WANTED.set(inside);
    let _back = Back(around);
    work()
}

/// What was asked for before, which is asked for again in the end, by whatever way it is reached.
struct Back(Option<DeviceName>);

impl Drop for Back {
    fn drop(&mut self) {
        WANTED.set(self.0.take());
    }
}

/// What a call asks for that itself asks for `device`.
///
/// # Errors
/// That is no device name.
pub(super) fn wanted(device: Option<&str>) -> Result<Option<DeviceName>> {
    WANTED.with_borrow(|around| match (device.map(DeviceName::parse).transpose()?, around) {
        (Some(wanted), Some(around)) => Ok(Some(wanted.or(around))),
        (Some(wanted), None) => Ok(Some(wanted)),
        (None, around) => Ok(around.clone()),
    })
}

/// The device that calls of this thread ask for here: what [`on_device`] was given, as a name.
pub fn device_of_scope() -> Option<String> {
    WANTED.with_borrow(|wanted| wanted.as_ref().map(ToString::to_string))
}

/// Whether some part asks for a device.
#[inline]
pub(super) fn is_asked() -> bool {
    WANTED.with_borrow(Option::is_some)
}
