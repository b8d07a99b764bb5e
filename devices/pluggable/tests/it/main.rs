//! Devices of plugins, over a plugin that lives in the test process: every stream is a thread with delays, device
//! memory cannot be read by the host, everything made is counted, and every callback can be left out or made to fail.

mod copies;
mod faults;
mod memory;
mod ordering;
mod plugin;
mod refusals;
mod whole;
