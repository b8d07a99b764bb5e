//! Passes: rewrites of the part of a graph that a plan is made for.
//!
//! Each pass is a value with a name and a switch; in debug builds a verifier runs after each. A pass keeps every value
//! that is fetched and every effect, bit for bit where its description does not say otherwise. `rewrite` is what passes
//! work on; `verify` is the verifier; the other files are a pass each.

mod activations;
mod arithmetic;
mod attention;
mod attention_products;
mod batch_norm;
mod channels;
mod common;
mod contraction_chain;
mod contractions;
mod devices;
mod elementwise;
mod fold;
mod forward;
mod gather;
mod inline;
mod layer_norm;
mod linear_form;
mod loop_products;
mod loop_shapes;
mod lstm;
mod optimized;
mod options;
mod pads;
mod pair_sums;
mod rewrite;
mod separable;
mod unread;
mod verify;

use std::sync::Arc;

use oplink_api::{Cancellation, Result, ResultExt};

pub(crate) use inline::{InlinedNodes, InliningBudget};
pub use optimized::Optimized;
pub use options::PassOptions;
pub(crate) use rewrite::Rewrite;

use crate::Graph;
use crate::signature::Signature;

/// A pass.
#[derive(Debug)]
pub struct Pass {
    /// Its name, by which it is switched.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    run: fn(&mut Rewrite) -> Result<()>,
}

/// Whether the build finds attention, layer normalisation, activations of several ops and values that nobody reads in
/// graphs. Where it does not, what looks for them is code without callers.
const HAS_FUSIONS: bool = cfg!(feature = "fusions");

/// Every pass in the order in which they run.
pub static PASSES: &[Pass] = &[
    inline::PASS,
    forward::PASS,
    lstm::PASS,
    fold::PASS,
    arithmetic::PASS,
    common::PASS,
    unread::PASS,
    loop_products::PASS,
    loop_shapes::PASS,
    batch_norm::PASS,
    attention::PASS,
    layer_norm::PASS,
    pads::PASS,
    pair_sums::PASS,
    contractions::PASS,
    separable::PASS,
    elementwise::PASS,
];

/// The passes that run on the body of a function before it is inlined, and on a graph before anything is.
const BODY_PASSES: &[Pass] = &[forward::PASS, fold::PASS, arithmetic::PASS, common::PASS];

/// A graph and what is asked of it, after the passes.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub(crate) graph: Graph,
    pub(crate) signature: Signature,
    /// Lasts as long as the nodes that came in by inlining.
    pub(crate) inlined: InlinedNodes,
}

/// The graph and the signature after the passes that are switched on. Positions of the graph's nodes stay what they
/// are; new nodes come behind them.
///
/// # Errors
/// Placeholders that are not fed. A pass that breaks the graph, in debug builds. The reason of the cancellation.
pub(crate) fn optimize(
    graph: &Graph,
    signature: &Signature,
    options: &PassOptions,
    budget: &Arc<InliningBudget>,
    cancellation: &Cancellation,
) -> Result<Rewritten> {
    let mut rewrite = Rewrite::new(graph, signature, options, budget, cancellation);
    rewrite.needed()?;
    rewrite.run_passes(PASSES)?;
    let (graph, signature, inlined) = rewrite.finish();
    Ok(Rewritten { graph, signature, inlined })
}

impl Rewrite {
    /// Runs those of the passes that are switched on.
    ///
    /// # Errors
    /// A pass that breaks the graph, in debug builds; the time to make the plan is over.
    pub(super) fn run_passes(&mut self, passes: &[Pass]) -> Result<()> {
        for pass in passes {
            if !self.options.is_on(pass.name) {
                continue;
            }
            self.check_time()?;
            (pass.run)(self).context_with(|| format!("in the pass `{}`", pass.name))?;
            if cfg!(debug_assertions) {
                verify::verify(self).context_with(|| format!("after the pass `{}`", pass.name))?;
            }
        }
        Ok(())
    }
}
