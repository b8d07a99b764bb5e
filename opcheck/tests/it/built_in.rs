//! The built-in ops.

use oplink::prelude::*;
use oplink::runtime::Registry;
use oplink_opcheck::OpCheck;

use crate::explained::is_explained;
use crate::oracle;

/// Every so many ops are checked, unless all are asked for by `OPLINK_LONG`, or some by `OPLINK_OPS`.
const SLICE: usize = 4;

#[test]
fn ops_are_sound() -> Result<()> {
    let is_long = std::env::var_os("OPLINK_LONG").is_some();
    let only = std::env::var("OPLINK_OPS").ok();
    let files = || std::fs::read_dir(".").map(Iterator::count).unwrap_or_default();
    let (oracle, files_before) = (oracle::calls(), files());
    let (mut wrong, mut checked, mut without) = (Vec::new(), 0, 0);
    for (at, op) in Registry::global()?.ops().enumerate() {
        let is_meant = match &only {
            Some(names) => names.split(',').any(|name| name == op.name()),
            None => is_long || at % SLICE == 0,
        };
        if !is_meant || op.name().starts_with("Wrong") {
            continue;
        }
        let given = oracle.get(op.name()).into_iter().flatten().cloned();
        let report = given.fold(OpCheck::new(op.name()).num_samples(3), OpCheck::sample).run()?;
        checked += usize::from(report.samples > 0);
        without += usize::from(report.samples == 0);
        if report.findings().any(|finding| !is_explained(op.name(), finding.check)) {
            eprintln!("{report}");
            wrong.push(op.name().to_owned());
        }
    }
    eprintln!("{checked} ops checked, {without} without samples, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(files(), files_before, "calls that are drawn leave no files");
    Ok(())
}
