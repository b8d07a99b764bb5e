//! The command line: that of `libtest-mimic`, with any number of filters.

use libtest_mimic::Arguments;

/// Options whose value is an argument of its own.
const WITH_VALUE: [&str; 6] = ["--test-threads", "--logfile", "--skip", "--color", "--format", "-Z"];

/// The arguments without their filters, and the filters.
pub(crate) fn split(given: impl Iterator<Item = String>) -> (Arguments, Vec<String>) {
    let (mut options, mut filters) = (Vec::new(), Vec::new());
    let mut given = given.peekable();
    options.extend(given.next());
    while let Some(argument) = given.next() {
        if argument == "--no-capture" {
            options.push("--nocapture".to_owned());
        } else if WITH_VALUE.contains(&argument.as_str()) {
            options.push(argument);
            options.extend(given.next());
        } else if argument.starts_with('-') {
            options.push(argument);
        } else {
            filters.push(argument);
        }
    }
    let mut arguments = Arguments::from_iter(options);
    let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|threads| threads.parse().ok());
    arguments.test_threads = arguments.test_threads.or(threads);
    (arguments, filters)
}

/// Whether a test of this name is asked for.
pub(crate) fn asks_for(arguments: &Arguments, filters: &[String], name: &str) -> bool {
    let matches = |filter: &String| if arguments.exact { name == filter } else { name.contains(filter.as_str()) };
    (filters.is_empty() || filters.iter().any(matches)) && !arguments.skip.iter().any(matches)
}
