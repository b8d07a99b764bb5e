//! Runs the tests of a binary, but those that lack something.

use std::process::ExitCode;

use libtest_mimic::{Completion, Failed, Trial};

use crate::{Requirement, Test, arguments, isolated, record, requirement};

/// What a binary's tests do on this machine: `needs` is what those need that name nothing.
pub fn run(needs: &'static [Requirement]) -> ExitCode {
    if let Some(unknown) = requirement::unknown_demand() {
        eprintln!("error: {unknown}");
        return ExitCode::from(2);
    }
    let (arguments, filters) = arguments::split(std::env::args());
    let exists = |test: &&Test| test.part.is_none_or(|variable| std::env::var_os(variable).is_some());
    let mut tests: Vec<&'static Test> = inventory::iter::<Test>.into_iter().filter(exists).collect();
    tests.retain(|test| arguments::asks_for(&arguments, &filters, test.name()));
    tests.sort_by_key(|test| test.name());
    let trial = |test: &'static Test| Trial::ignorable_test(test.name(), move || test.complete(needs));
    libtest_mimic::run(&arguments, tests.into_iter().map(trial).collect()).exit_code()
}

impl Test {
    /// Runs the test, if nothing is missing.
    fn complete(&self, needs: &'static [Requirement]) -> Result<Completion, Failed> {
        for requirement in self.requires.unwrap_or(needs) {
            let Some(reason) = requirement.missing() else { continue };
            if requirement.is_demanded() {
                return Err(format!("{reason} (OPLINK_REQUIRE demands `{}`)", requirement.name()).into());
            }
            // The gate leaves long tests to its long form: that it ran none of them is no mistake.
            record::add(if *requirement == Requirement::Long { "left" } else { "ignored" }, self)?;
            return Ok(Completion::ignored_with(reason));
        }
        record::add("ran", self)?;
        isolated::run(self.name(), self.run)?;
        Ok(Completion::Completed)
    }
}
