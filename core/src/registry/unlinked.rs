//! What is known of ops that are not here: crates that declare them when linked.

/// Ops and kernels that a crate or a Cargo feature brings when it is linked or switched on.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// The crate that would declare them.
    pub crate_name: &'static str,
    /// What to do, as an instruction: ``enable the feature `nn` of `oplink-kernels-cpu` ``.
    pub how_to_enable: &'static str,
    /// Names of the ops that get declared or get kernels.
    pub ops: &'static [&'static str],
}

/// One op of [`Hints`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hint {
    pub(super) op: &'static str,
    pub(super) crate_name: &'static str,
    pub(super) how_to_enable: &'static str,
}

impl Hints {
    pub(super) fn each(&self) -> impl Iterator<Item = Hint> + use<> {
        let Self { crate_name, how_to_enable, ops } = *self;
        ops.iter().map(move |&op| Hint { op, crate_name, how_to_enable })
    }
}
