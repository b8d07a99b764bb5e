//! The kernels that a thread called last, found without a lock and without a strong hash.
//!
//! Only kernels that are functions are kept: a thread that keeps one longer than its context is there keeps no memory
//! but the node's.

use std::cell::RefCell;
use std::sync::Arc;

use oplink_core::PreparedKernel;

use super::signature::{Cached, Signature};

/// Calls that a thread tells apart; a power of two.
const KEPT: usize = 128;

/// A kernel, and the state of the cache that it is of.
type Recent = Option<(u64, Arc<Cached>)>;

thread_local! {
    static RECENT: RefCell<[Recent; KEPT]> = const { RefCell::new([const { None }; KEPT]) };
}

/// The kernel of a call that this thread made before, of a cache in this state.
#[inline]
pub(super) fn find(state: u64, signature: &Signature<'_>) -> Option<Arc<PreparedKernel>> {
    let found = RECENT.try_with(|recent| match &recent.try_borrow().ok()?[position(signature)] {
        Some((of, cached)) if *of == state && signature.is_of(cached) => Some(cached.kernel.clone()),
        _ => None,
    });
    found.ok().flatten()
}

/// Keeps a kernel for [`find`], in the place of another.
pub(super) fn keep(state: u64, signature: &Signature<'_>, cached: &Arc<Cached>) {
    let kept = Some((state, cached.clone()));
    let before = RECENT.try_with(|recent| match recent.try_borrow_mut() {
        Ok(mut recent) => std::mem::replace(&mut recent[position(signature)], kept),
        Err(_) => kept,
    });
    // What it drops may call ops.
    drop(before);
}

/// Where the call is kept: a weak hash of the op's name, the dtypes and the number of attrs.
#[inline]
fn position(signature: &Signature<'_>) -> usize {
    let step = |hash: u64, value: u64| (hash.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    let name = signature.op.as_bytes();
    let mut hash = step(name.len() as u64, signature.attrs.len() as u64);
    for byte in name.iter().rev().take(8) {
        hash = step(hash, u64::from(*byte));
    }
    for dtype in signature.dtypes.iter().take(4) {
        hash = step(hash, *dtype as u64);
    }
    (hash >> 32) as usize % KEPT
}
