//! The time of day.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::time::{Duration, SystemTime};

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Nanoseconds since the epoch.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NowNanos() -> u64 {
    u64::try_from(since_epoch().as_nanos()).unwrap_or(u64::MAX)
}

/// Microseconds since the epoch.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NowMicros() -> u64 {
    u64::try_from(since_epoch().as_micros()).unwrap_or(u64::MAX)
}

/// Seconds since the epoch.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NowSeconds() -> u64 {
    since_epoch().as_secs()
}
