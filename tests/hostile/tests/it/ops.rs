//! Single ops.

use std::path::PathBuf;
use std::time::Duration;

use oplink_hostile::supervisor::{Options, run};

/// The time of a short run.
const TIME: Duration = Duration::from_secs(75);
/// Cases of a short run at most.
const CASES: u64 = 20_000;

#[test]
fn no_op_aborts_hangs_or_panics_whatever_it_is_given() {
    let _alone = crate::alone();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hostile-ops");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_oplink-hostile"));
    let suite = "ops".to_owned();
    let options = Options { suite, seed: 1, first: 0, cases: CASES, time: TIME, program, folder };
    let report = run(&options).unwrap();
    println!("{report}");
    assert!(report.cases() > 100, "{report}");
    assert!(report.failures.is_empty(), "{report}");
}
