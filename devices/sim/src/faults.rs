//! Faults that are put into devices on purpose.
//!
//! `OPLINK_SIM_FAULTS` names them, separated by `;`: `AllocationFails:skip=2:times=1:device=0;StreamHangs`. A fault
//! strikes at each occasion; `skip` lets the first ones pass, `times` ends it after so many, `device` keeps it to one
//! device.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink::{Code, Error, ErrorKind, Result};

macro_rules! faults {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// What can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault {
            $($(#[doc = $doc])* $name,)*
        }

        impl Fault {
            /// All, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name, as the environment and [`control`](crate::control) spell it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The name, ended as C ends texts.
            pub(crate) fn c_name(self) -> &'static std::ffi::CStr {
                const NAMES: &[&[u8]] = &[$(concat!(stringify!($name), "\0").as_bytes()),*];
                std::ffi::CStr::from_bytes_with_nul(NAMES[self as usize]).unwrap_or_default()
            }
        }
    };
}

faults! {
    /// The platform cannot be opened.
    OpenFails,
    /// The number of devices cannot be told.
    DeviceCountFails,
    /// A device cannot be opened.
    CreateDeviceFails,
    /// There is no memory.
    AllocationFails,
    /// There is no memory of the host for copies.
    HostAllocationFails,
    /// What memory there is cannot be told.
    MemoryUsageUnknown,
    /// A stream cannot be made.
    CreateStreamFails,
    /// A stream cannot be made to wait for another.
    StreamDependencyFails,
    /// The stream's status is an error although its work went well.
    StreamStatusFails,
    /// An event cannot be made.
    CreateEventFails,
    /// An event cannot be recorded.
    RecordEventFails,
    /// A stream cannot be made to wait for an event.
    WaitForEventFails,
    /// The event's status is an error although the work before went well.
    EventStatusError,
    /// The event's status is unknown.
    EventStatusUnknown,
    /// The event stays pending, for whoever asks.
    EventStaysPending,
    /// Waiting on the host for an event fails.
    BlockForEventFails,
    /// Waiting on the host for a stream fails.
    BlockUntilDoneFails,
    /// Waiting on the host for the device fails.
    SynchronizeFails,
    /// A timer cannot be made.
    CreateTimerFails,
    /// A timer cannot be started.
    StartTimerFails,
    /// A timer cannot be stopped.
    StopTimerFails,
    /// A copy to the host is not taken.
    CopyToHostRefused,
    /// A copy to the host fails in its stream.
    CopyToHostFails,
    /// A copy from the host is not taken.
    CopyToDeviceRefused,
    /// A copy from the host fails in its stream.
    CopyToDeviceFails,
    /// A copy within the device is not taken.
    CopyInDeviceRefused,
    /// A copy within the device fails in its stream.
    CopyInDeviceFails,
    /// A fill is not taken.
    FillRefused,
    /// A fill fails in its stream.
    FillFails,
    /// A callback is not taken.
    CallbackRefused,
    /// A kernel's work is not taken.
    KernelRefused,
    /// A kernel's work fails in its stream.
    KernelFails,
    /// A kernel's work panics in its stream.
    KernelPanics,
    /// The stream stops before its next piece of work, until the faults are cleared or the stream ends.
    StreamHangs,
    /// A piece of work is preceded by a delay a hundred times as long.
    StreamIsSlow,
    /// The function that copies to the host panics.
    CopyToHostPanics,
    /// The function that gives memory panics.
    AllocationPanics,
}

/// When a fault strikes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The device; `None` for any.
    pub(crate) device: Option<usize>,
    /// Occasions that pass first.
    pub(crate) skip: u64,
    /// Occasions at which it strikes then.
    pub(crate) times: u64,
}

static PLANS: Mutex<BTreeMap<Fault, Plan>> = Mutex::new(BTreeMap::new());

fn plans() -> MutexGuard<'static, BTreeMap<Fault, Plan>> {
    PLANS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plans a fault, in place of an earlier plan for it.
pub(crate) fn plan(fault: Fault, plan: Plan) {
    plans().insert(fault, plan);
}

/// Ends all faults; streams that hang go on.
pub(crate) fn clear() {
    plans().clear();
}

/// Panics with the message where the fault strikes. The panic is meant: it goes to whoever catches it, and nothing is
/// printed where it happens.
pub(crate) fn panic_if_strikes(fault: Fault, device: usize, message: impl FnOnce() -> String) {
    if strikes(fault, device) {
        std::panic::resume_unwind(Box::new(message()));
    }
}

/// Whether the fault strikes now, on this device.
pub(crate) fn strikes(fault: Fault, device: usize) -> bool {
    let mut plans = plans();
    let Some(plan) = plans.get_mut(&fault).filter(|plan| plan.device.is_none_or(|wanted| wanted == device)) else {
        return false;
    };
    if plan.skip > 0 {
        plan.skip -= 1;
        return false;
    }
    plan.times -= u64::from(plan.times > 0 && plan.times < u64::MAX);
    if plan.times == 0 {
        plans.remove(&fault);
    }
    true
}

/// Whether the fault is planned for this device, without counting the occasion.
pub(crate) fn is_planned(fault: Fault, device: usize) -> bool {
    plans().get(&fault).is_some_and(|plan| plan.device.is_none_or(|wanted| wanted == device))
}

/// An error where the fault strikes.
pub(crate) fn check(fault: Fault, device: usize) -> Result<()> {
    if strikes(fault, device) { Err(error(fault, device)) } else { Ok(()) }
}

/// What a fault says.
pub(crate) fn error(fault: Fault, device: usize) -> Error {
    let message = format!("fault {} on the simulated device {device}", fault.name());
    Error::new(Code::Unavailable, ErrorKind::Resource, message)
}

/// Plans what the environment says.
///
/// # Errors
/// A fault is unknown, or a number is none.
pub(crate) fn read_environment() -> Result<()> {
    let text = std::env::var("OPLINK_SIM_FAULTS").unwrap_or_default();
    for entry in text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (fault, planned) = parse(entry)?;
        plan(fault, planned);
    }
    Ok(())
}

fn parse(entry: &str) -> Result<(Fault, Plan)> {
    let wrong = || Error::invalid_argument(format!("OPLINK_SIM_FAULTS: cannot read {entry:?}"));
    let mut pieces = entry.split(':');
    let name = pieces.next().unwrap_or_default();
    let fault = Fault::ALL.iter().find(|fault| fault.name() == name).ok_or_else(wrong)?;
    let mut plan = Plan { device: None, skip: 0, times: u64::MAX };
    for piece in pieces {
        let (key, number) = piece.split_once('=').ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        match key {
            "skip" => plan.skip = number,
            "times" if number > 0 => plan.times = number,
            "device" => plan.device = Some(number as usize),
            _ => return Err(wrong()),
        }
    }
    Ok((*fault, plan))
}
