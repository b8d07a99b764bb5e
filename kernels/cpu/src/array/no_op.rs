//! `NoOp`: nothing; a node for control dependencies to meet in.

use oplink::prelude::*;

/// Does nothing.
#[op("NoOp", shape = shape_fns::no_outputs)]
pub struct NoOp;

/// Does nothing.
#[kernel(NoOp, device = CPU)]
pub fn no_op_cpu() {}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;

    #[test]
    fn runs() {
        assert!(run("NoOp", &[], vec![]).unwrap().is_empty());
    }
}
