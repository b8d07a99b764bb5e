//! The moments at which a host meets the plugin, and what is kept of them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use oplink_abi::{OPLINK_PluginGradients, OPLINK_PluginInfo, TF_StringView};
use oplink_api::descriptors::{GradientDescriptor, KernelDescriptor, Library, OpDescriptor};
use oplink_api::shape_inference::ShapeFn;
use oplink_api::{Error, OpSpec, Result};

use crate::gradient::Gradients;
use crate::guard::{guarded, silent};
use crate::host::Host;
use crate::info::Info;
use crate::lookup::{self, NoHost};
use crate::register;
use crate::trampolines::Trampolines;

/// What [`plugin!`](crate::plugin) makes of a crate.
#[derive(Debug)]
pub struct Plugin {
    pub(crate) crate_name: &'static str,
    pub(crate) crate_version: &'static str,
    libraries: &'static [&'static Library],
    pub(crate) host_ops: &'static [&'static OpDescriptor],
    pub(crate) adapted: Option<fn() -> Library>,
    pub(crate) trampolines: Trampolines,
    info: OnceLock<Info>,
    gradients: OnceLock<Gradients>,
}

impl Plugin {
    /// A plugin of these libraries, with functions for each of their kernels and ops, and of kernels for `host_ops`.
    ///
    /// # Panics
    /// A gradient is of an op that neither the libraries list nor `host_ops` names. It is evaluated at compile time.
    #[must_use]
    pub const fn new(
        crate_name: &'static str,
        crate_version: &'static str,
        libraries: &'static [&'static Library],
        host_ops: &'static [&'static OpDescriptor],
        trampolines: Trampolines,
    ) -> Self {
        check_gradients(libraries, host_ops);
        Self {
            crate_name,
            crate_version,
            libraries,
            host_ops,
            adapted: None,
            trampolines,
            info: OnceLock::new(),
            gradients: OnceLock::new(),
        }
    }

    /// The same with the kernels that a function makes when the plugin registers, for ops of the host.
    #[must_use]
    pub const fn with_adapted(mut self, adapted: fn() -> Library) -> Self {
        self.adapted = Some(adapted);
        self.trampolines = self.trampolines.with_most_kernels();
        self
    }

    /// All ops, in the order of the libraries.
    pub(crate) fn ops(&self) -> impl Iterator<Item = &'static OpDescriptor> {
        self.libraries.iter().flat_map(|library| library.ops).copied()
    }

    /// All kernels, in the order of the libraries.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &'static KernelDescriptor> {
        self.libraries.iter().flat_map(|library| library.kernels).copied()
    }

    /// All gradients, in the order of the libraries.
    pub(crate) fn gradients(&self) -> impl Iterator<Item = &'static GradientDescriptor> {
        self.libraries.iter().flat_map(|library| library.gradients).copied()
    }
}

/// Refuses a gradient of an op of which the plugin has no declaration, without which it cannot be carried.
#[track_caller]
const fn check_gradients(libraries: &[&Library], host_ops: &[&OpDescriptor]) {
    let mut library = 0;
    while library < libraries.len() {
        let (gradients, mut at) = (libraries[library].gradients, 0);
        while at < gradients.len() {
            let op = gradients[at].op;
            let (mut is_declared, mut other) = (has_op(host_ops, op), 0);
            while other < libraries.len() {
                is_declared |= has_op(libraries[other].ops, op);
                other += 1;
            }
            assert!(
                is_declared,
                "a gradient of `library!` is of an op that the plugin's libraries do not list, so the plugin cannot \
                 carry it: list the op under `ops::` too, or name it in `plugin!` after `host_ops:` where the host has it"
            );
            at += 1;
        }
        library += 1;
    }
}

const fn has_op(ops: &[&OpDescriptor], name: &str) -> bool {
    let mut at = 0;
    while at < ops.len() {
        if same(ops[at].name.as_bytes(), name.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// What is registered, at the positions of the plugin's lists.
pub(crate) struct Loaded {
    pub(crate) host: Host,
    pub(crate) ops: Vec<LoadedOp>,
    pub(crate) kernels: Vec<LoadedKernel>,
    pub(crate) gradients: Vec<LoadedGradient>,
}

/// An op with its declaration read.
pub(crate) struct LoadedOp {
    pub(crate) descriptor: &'static OpDescriptor,
    pub(crate) spec: Arc<OpSpec>,
    pub(crate) shape_fn: Option<ShapeFn>,
}

/// A kernel with its op's declaration.
pub(crate) struct LoadedKernel {
    pub(crate) descriptor: &'static KernelDescriptor,
    pub(crate) spec: Arc<OpSpec>,
    pub(crate) shape_fn: Option<ShapeFn>,
    /// Whether the op is the host's, which infers its shapes from the attrs too.
    pub(crate) of_host: bool,
}

/// A gradient with its op's declaration.
pub(crate) struct LoadedGradient {
    pub(crate) descriptor: &'static GradientDescriptor,
    pub(crate) spec: Arc<OpSpec>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

/// What is registered, once it is.
pub(crate) fn loaded() -> Option<&'static Loaded> {
    LOADED.get()
}

/// How far registration got.
enum State {
    Untried,
    Done,
    Failed(&'static str),
}

static STATE: Mutex<State> = Mutex::new(State::Untried);

/// When the library is loaded: registers where there is a host.
pub fn on_load(plugin: &'static Plugin) {
    silent((), || meet(plugin, false));
}

/// When a host calls `TF_InitKernel`: registers, unless loading did.
pub fn init(plugin: &'static Plugin) {
    silent((), || meet(plugin, true));
}

/// What a plugin tells of itself.
pub fn info(plugin: &'static Plugin) -> *const OPLINK_PluginInfo {
    silent(std::ptr::null(), || plugin.info.get_or_init(|| Info::of(plugin)).as_ptr())
}

/// The gradients of a plugin.
pub fn gradients(plugin: &'static Plugin) -> *const OPLINK_PluginGradients {
    silent(std::ptr::null(), || plugin.gradients.get_or_init(|| Gradients::of(plugin)).as_ptr())
}

/// Registers once. A failure is reported through [`failure`] and on standard error, since neither moment has a status.
fn meet(plugin: &'static Plugin, called: bool) {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if !matches!(*state, State::Untried) {
        return;
    }
    let what = || format!("plugin {}, while it registered,", plugin.crate_name);
    let result = match lookup::host() {
        Ok(host) => guarded(what, || register_with(plugin, host)),
        Err(NoHost::SameObject) => return,
        Err(NoHost::Absent) if !called => return,
        Err(NoHost::Absent) => Err(no_functions()),
        Err(NoHost::Missing(names)) => Err(missing(&names)),
    };
    *state = match result {
        Ok(()) => State::Done,
        Err(error) => State::Failed(report(plugin, &error)),
    };
}

fn register_with(plugin: &'static Plugin, host: Host) -> Result<()> {
    let loaded = register::load(plugin, host)?;
    let loaded = LOADED.get_or_init(|| loaded);
    register::register(plugin, loaded)
}

fn no_functions() -> Error {
    Error::unimplemented(
        "the host's C functions (TF_RegisterOpDefinition, …) are not visible: a program that hosts plugins exports them",
    )
}

fn missing(names: &[&str]) -> Error {
    Error::unimplemented(format!("the host lacks the C functions {}", names.join(", ")))
}

fn report(plugin: &Plugin, error: &Error) -> &'static str {
    let text = format!("plugin {} {} is not registered: {error}", plugin.crate_name, plugin.crate_version);
    eprintln!("{text}");
    text.leak()
}

/// Why the plugin is not registered; empty where it is, or has not tried.
pub(crate) extern "C" fn failure() -> TF_StringView {
    silent(crate::info::view(""), || {
        let state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        crate::info::view(if let State::Failed(text) = *state { text } else { "" })
    })
}
