//! Flags of a just-in-time compiler. There is none here: the flags keep what they are given and change no result.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use oplink_host::c_api;
use oplink_host::guard::text;

static LAZY_COMPILATION: AtomicBool = AtomicBool::new(true);
static CPU_GLOBAL_JIT: AtomicBool = AtomicBool::new(false);
static CONSTANT_FOLDING_DISABLED: AtomicBool = AtomicBool::new(false);
static MIN_CLUSTER_SIZE: AtomicI32 = AtomicI32::new(4);
/// Levels of compilation for graphs on one GPU, and for all others.
static ONE_GPU_LEVEL: AtomicI32 = AtomicI32::new(0);
static GENERAL_LEVEL: AtomicI32 = AtomicI32::new(0);

/// The level that clusters of fusible ops only stand for.
const FUSIBLE: c_int = 1;

fn swap(flag: &AtomicBool, value: c_uchar) -> c_uchar {
    c_uchar::from(flag.swap(value != 0, Ordering::Relaxed))
}

/// Sets a flag; its value before.
#[unsafe(no_mangle)]
pub extern "C" fn TF_SetXlaEnableLazyCompilation(enable: c_uchar) -> c_uchar {
    swap(&LAZY_COMPILATION, enable)
}

/// Sets a flag; its value before.
#[unsafe(no_mangle)]
pub extern "C" fn TF_SetTfXlaCpuGlobalJit(enable: c_uchar) -> c_uchar {
    swap(&CPU_GLOBAL_JIT, enable)
}

/// A number, or `fusible`; `None` for anything else.
fn level(text: &str) -> Option<c_int> {
    if text == "fusible" { Some(FUSIBLE) } else { text.parse().ok() }
}

/// Levels for one GPU and for all others of `N`, `fusible`, `single-gpu(N)` or `single-gpu(fusible)`, as far as set.
fn levels(mode: &str) -> Option<(c_int, Option<c_int>)> {
    match mode.strip_prefix("single-gpu(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => Some((level(inner)?, None)),
        None => level(mode).map(|level| (level, Some(level))),
    }
}

c_api! {
    /// Sets the level of compilation from `N`, `fusible`, `single-gpu(N)` or `single-gpu(fusible)`; nothing for
    /// anything else.
    ///
    /// # Safety
    /// `mode` is null or a terminated string.
    fn TF_SetXlaAutoJitMode(mode: *const c_char => text) {
        if let Some((one_gpu, general)) = levels(mode) {
            ONE_GPU_LEVEL.store(one_gpu, Ordering::Relaxed);
            if let Some(general) = general {
                GENERAL_LEVEL.store(general, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// 1 where a level above 0 was set, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetXlaAutoJitEnabled() -> c_uchar {
    let is_on = |level: &AtomicI32| level.load(Ordering::Relaxed) > 0;
    c_uchar::from(is_on(&ONE_GPU_LEVEL) || is_on(&GENERAL_LEVEL))
}

/// Sets the smallest cluster that would be compiled.
#[unsafe(no_mangle)]
pub extern "C" fn TF_SetXlaMinClusterSize(size: c_int) {
    MIN_CLUSTER_SIZE.store(size, Ordering::Relaxed);
}

/// 1 where [`TF_SetXlaConstantFoldingDisabled`] disabled it, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetXlaConstantFoldingDisabled() -> c_uchar {
    c_uchar::from(CONSTANT_FOLDING_DISABLED.load(Ordering::Relaxed))
}

/// Sets whether the compiler's constant folding is disabled; that of graphs is an option of sessions.
#[unsafe(no_mangle)]
pub extern "C" fn TF_SetXlaConstantFoldingDisabled(should_enable: c_uchar) {
    swap(&CONSTANT_FOLDING_DISABLED, should_enable);
}
