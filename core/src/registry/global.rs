//! The process's registry: what is linked, and what plugins add while the process runs.
//!
//! Each addition makes a new sealed registry, which is leaked: graphs and sessions keep the one they were made with.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use oplink_api::Result;

use super::{Declarations, Registry, RegistryBuilder, RejectedDeclaration, ValidExtension};

type Global = &'static Arc<Registry>;

/// Counts additions.
static CHANGES: AtomicUsize = AtomicUsize::new(0);
/// Finds the registry once something was added. Set by what adds, so that a binary without plugins has none of it.
static LATEST: OnceLock<fn() -> Result<Global>> = OnceLock::new();

struct Growth {
    current: Option<Global>,
    /// Declared one by one, outside of a load; sealed together when the registry is wanted next.
    queued: Declarations,
}

fn growth() -> MutexGuard<'static, Growth> {
    static GROWTH: OnceLock<Mutex<Growth>> = OnceLock::new();
    let growth = GROWTH.get_or_init(|| Mutex::new(Growth { current: None, queued: Declarations::default() }));
    growth.lock().unwrap_or_else(PoisonError::into_inner)
}

fn linked() -> Result<Global> {
    static LINKED: OnceLock<Result<Arc<Registry>>> = OnceLock::new();
    let sealed = LINKED.get_or_init(|| RegistryBuilder::from_collected().seal().map(Arc::new));
    sealed.as_ref().map_err(Clone::clone)
}

fn changed() {
    CHANGES.fetch_add(1, Ordering::Release);
    LATEST.get_or_init(|| latest);
}

impl Growth {
    fn current(&self) -> Result<Global> {
        self.current.map_or_else(linked, Ok)
    }

    fn set(&mut self, registry: Registry) -> Global {
        let leaked: Global = Box::leak(Box::new(Arc::new(registry)));
        self.current = Some(leaked);
        changed();
        leaked
    }

    /// Seals what is queued, except kernels whose op is not declared yet.
    fn flush(&mut self) -> Result<Global> {
        let current = self.current()?;
        if self.queued.is_empty() {
            return Ok(current);
        }
        let mut ready = std::mem::take(&mut self.queued);
        for kernel in ready.take_kernels_without_op(current) {
            self.queued.kernel(kernel);
        }
        if ready.is_empty() {
            return Ok(current);
        }
        let ValidExtension { registry, rejected, .. } = current.extended_by_valid(&ready);
        registry.record_rejected_declarations(&rejected);
        Ok(self.set(registry))
    }
}

impl Registry {
    /// The process's registry: everything that is linked, sealed on first use, and the plugins loaded until now.
    ///
    /// # Errors
    /// The linked declarations conflict with each other; the error lists every conflict and is the same at each call.
    #[inline]
    pub fn global() -> Result<&'static Arc<Self>> {
        LATEST.get().map_or_else(linked, |latest| latest())
    }

    /// Adds a plugin's declarations to the process's registry: all of them, or none.
    ///
    /// # Errors
    /// As [`Registry::extended`], and as [`Registry::global`].
    pub fn extend_global(declarations: &Declarations) -> Result<&'static Arc<Self>> {
        let mut growth = growth();
        let extended = growth.flush()?.extended(declarations)?;
        Ok(growth.set(extended))
    }

    /// Adds those of a plugin's declarations that are valid to the process's registry. What is left out is kept note
    /// of, so that a later miss names it; a kernel whose op nothing declares serves once something declares it. The
    /// answer is what was added, and what was left out.
    ///
    /// # Errors
    /// As [`Registry::global`].
    pub fn extend_global_by_valid(declarations: &Declarations) -> Result<(Declarations, Vec<RejectedDeclaration>)> {
        let mut growth = growth();
        let ValidExtension { registry, added, rejected, without_op } = growth.flush()?.extended_by_valid(declarations);
        registry.record_rejected_declarations(&rejected);
        for kernel in without_op {
            growth.queued.kernel(kernel);
        }
        growth.set(registry);
        Ok((added, rejected))
    }

    /// Adds declarations that come one by one, in any order, to the process's registry. A kernel may come before its
    /// op.
    ///
    /// # Errors
    /// An op is declared already, or a kernel does not fit its op, where that is known, or clashes with another.
    pub fn declare_global(declarations: Declarations) -> Result<()> {
        let mut growth = growth();
        let current = growth.current()?;
        current.check_new_op(&declarations, &growth.queued)?;
        for op in declarations.op_names() {
            let mut all = growth.queued.only(op);
            all.append(declarations.only(op));
            let known = current.only(op);
            if known.get_op(op).is_some() || all.ops().next().is_some() {
                known.extended(&all)?;
            }
        }
        growth.queued.append(declarations);
        changed();
        Ok(())
    }
}

/// Each thread keeps the registry that it saw last.
fn latest() -> Result<Global> {
    thread_local! {
        static SEEN: Cell<Option<(usize, Global)>> = const { Cell::new(None) };
    }
    let changes = CHANGES.load(Ordering::Acquire);
    match SEEN.get() {
        Some((at, registry)) if at == changes => Ok(registry),
        _ => {
            let registry = growth().flush()?;
            SEEN.set(Some((changes, registry)));
            Ok(registry)
        }
    }
}
