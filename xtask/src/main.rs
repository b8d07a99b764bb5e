//! Repository tasks: `cargo xtask tidy` checks the house rules, `cargo xtask anchors` writes what each crate declares
//! into its anchor, `cargo xtask index` writes the table of ops by family.

mod anchors;
mod index;
mod source;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let problems = match task.as_str() {
        "tidy" => tidy::run(),
        "anchors" => anchors::write(),
        "index" => index::write(),
        _ => {
            eprintln!("usage: cargo xtask tidy|anchors|index");
            return ExitCode::from(2);
        }
    };
    for problem in &problems {
        eprintln!("{problem}");
    }
    println!("{task}: {} problem(s)", problems.len());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
