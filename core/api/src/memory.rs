//! The host's memory: how much the process may hold, and collections whose sizes come from input.
//!
//! A size that comes from the value of an input or of an attr is not for `Vec::with_capacity`, `vec![x; n]` and the
//! like: where the system refuses them, or grants what it does not have, the process ends. The functions here give an
//! error of the code `ResourceExhausted`, before anything is asked of the system. Tensors and strings are held against
//! the same limit.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::{Error, Result};

/// Bytes that a thread may ask for before it looks at what the process holds.
const UNCHECKED: usize = 16 << 20;

/// What a panic says first where memory cannot be had, in code that has no result: kernels that end so give
/// `ResourceExhausted`.
pub const OUT_OF_MEMORY: &str = "out of memory: ";

/// The limit that was set; 0 where none was.
static LIMIT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static COUNTED: Cell<usize> = const { Cell::new(0) };
}

/// Bytes that the process may hold. Without [`set_limit`] it is the machine's memory less a sixteenth, or that of the
/// process's control group; where neither is known, there is no limit.
pub fn limit() -> usize {
    static OF_MACHINE: OnceLock<usize> = OnceLock::new();
    match LIMIT.load(Relaxed) {
        0 => *OF_MACHINE.get_or_init(|| system::total().map_or(usize::MAX, |total| total - total / 16)),
        limit => limit,
    }
}

/// Sets the bytes that the process may hold; `None` for what the machine has. It bounds requests from now on, whatever
/// is held already.
pub fn set_limit(bytes: Option<usize>) {
    LIMIT.store(bytes.map_or(0, |bytes| bytes.max(1)), Relaxed);
}

/// Bytes that the process holds; 0 where the system does not tell.
pub fn resident() -> usize {
    system::resident()
}

/// Whether `bytes` more may be asked for. Small requests are counted, and looked at together.
///
/// # Errors
/// `ResourceExhausted` where the process would hold more than its [`limit`].
#[inline]
pub fn check(bytes: usize) -> Result<()> {
    let counted = COUNTED.get().saturating_add(bytes);
    if counted < UNCHECKED {
        COUNTED.set(counted);
        return Ok(());
    }
    COUNTED.set(0);
    check_now(bytes)
}

#[cold]
fn check_now(bytes: usize) -> Result<()> {
    let fits = || bytes <= limit().saturating_sub(resident());
    if bytes > limit() || !(fits() || (release_unused() && fits())) { Err(exhausted(bytes)) } else { Ok(()) }
}

/// Gives memory that is held but not used back to the system; false once it has none and never will.
type Release = Box<dyn Fn() -> bool + Send + Sync>;

static RELEASES: Mutex<Vec<Release>> = Mutex::new(Vec::new());

/// Calls `release` where a request does not fit the limit; it is not called again when it returned false. It must not
/// ask for memory, and not wait for a lock.
pub fn on_shortage(release: impl Fn() -> bool + Send + Sync + 'static) {
    let mut releases = RELEASES.lock().unwrap_or_else(PoisonError::into_inner);
    releases.push(Box::new(release));
}

/// Whether anything may have been given back.
fn release_unused() -> bool {
    let Ok(mut releases) = RELEASES.try_lock() else { return false };
    releases.retain(|release| release());
    !releases.is_empty()
}

/// The error of a request for `bytes`.
#[cold]
pub fn exhausted(bytes: usize) -> Error {
    let (held, limit) = (resident(), limit());
    let limit = if limit == usize::MAX { "as much as the system gives".to_owned() } else { format!("{limit} bytes") };
    Error::resource_exhausted(format!(
        "{bytes} more bytes cannot be had: the process holds {held} and may hold {limit}; ask for less, or raise the \
         limit with `oplink::memory::set_limit`"
    ))
}

/// Ends code that has no result where memory cannot be had.
///
/// # Panics
/// Always.
#[cold]
pub(crate) fn out_of_memory(error: &Error) -> ! {
    panic!("{OUT_OF_MEMORY}{error}")
}

/// An empty vector with room for `capacity` elements, in place of `Vec::with_capacity`.
///
/// # Errors
/// `ResourceExhausted` where the process would hold more than its [`limit`], or the system refuses.
#[inline]
pub fn try_vec<T>(capacity: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    try_reserve(&mut vec, capacity)?;
    Ok(vec)
}

/// `count` elements that are all `value`, in place of `vec![value; count]`.
///
/// # Errors
/// As [`try_vec`].
#[inline]
pub fn try_filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    let mut vec = try_vec(count)?;
    // bounded: reserved in the line before
    vec.resize(count, value);
    Ok(vec)
}

/// The items of an iterator, in place of `collect`.
///
/// # Errors
/// As [`try_vec`].
#[inline]
pub fn try_collect<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut items = items.into_iter();
    let mut vec = try_vec(items.size_hint().0)?;
    while let Some(item) = items.next() {
        if vec.len() == vec.capacity() {
            let more = items.size_hint().0.saturating_add(1).max(vec.len()).max(4);
            try_reserve(&mut vec, more)?;
        }
        vec.push(item);
    }
    Ok(vec)
}

/// Room for `additional` elements more, in place of `Vec::reserve`.
///
/// # Errors
/// As [`try_vec`].
#[inline]
pub fn try_reserve<T>(vec: &mut Vec<T>, additional: usize) -> Result<()> {
    if additional <= vec.capacity() - vec.len() {
        return Ok(());
    }
    let bytes = additional.saturating_mul(size_of::<T>());
    check(bytes)?;
    vec.try_reserve_exact(additional).map_err(|error| exhausted(bytes).with_source(error))
}

/// As [`try_reserve`] followed by `Vec::resize`.
///
/// # Errors
/// As [`try_vec`].
#[inline]
pub fn try_resize<T: Clone>(vec: &mut Vec<T>, count: usize, value: T) -> Result<()> {
    try_reserve(vec, count.saturating_sub(vec.len()))?;
    // bounded: reserved in the line before
    vec.resize(count, value);
    Ok(())
}

#[cfg(target_os = "linux")]
mod system {
    //! What Linux tells.

    use std::fs::read_to_string;

    /// The machine's memory, or that of the control group where it has less.
    pub(super) fn total() -> Option<usize> {
        let machine = field("/proc/meminfo", "MemTotal:");
        let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
        let group = groups.iter().filter_map(|path| read_to_string(path).ok()?.trim().parse().ok());
        group.chain(machine).min()
    }

    pub(super) fn resident() -> usize {
        field("/proc/self/status", "VmRSS:").unwrap_or(0)
    }

    /// A number of kilobytes behind a name.
    fn field(path: &str, name: &str) -> Option<usize> {
        let text = read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    //! Systems that are not asked.

    pub(super) fn total() -> Option<usize> {
        None
    }

    pub(super) fn resident() -> usize {
        0
    }
}
