//! What the environment says.

use std::time::Duration;

use oplink::{Error, Result};

/// Set when the platform is opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) devices: usize,
    pub(crate) memory: usize,
    pub(crate) longest_delay: Duration,
    pub(crate) seed: u64,
    pub(crate) timeout: Duration,
}

impl Settings {
    /// Reads the environment.
    ///
    /// # Errors
    /// A variable is not a number.
    pub(crate) fn read() -> Result<Self> {
        Ok(Self {
            devices: number("OPLINK_SIM_DEVICES", 2)? as usize,
            memory: number("OPLINK_SIM_MEMORY", 512 << 20)? as usize,
            longest_delay: Duration::from_micros(number("OPLINK_SIM_DELAY_US", 50)?),
            seed: number("OPLINK_SIM_SEED", 1)?,
            timeout: Duration::from_millis(number("OPLINK_SIM_TIMEOUT_MS", 60_000)?),
        })
    }
}

fn number(name: &str, default: u64) -> Result<u64> {
    match std::env::var(name) {
        Ok(text) => {
            text.parse().map_err(|_| Error::invalid_argument(format!("{name} is {text:?}, which is not a number")))
        }
        Err(_) => Ok(default),
    }
}
