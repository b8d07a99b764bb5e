//! Standard output, which may end early: `oplink ops | head` reads a few lines and goes.
//!
//! The command prints by `println!` and `print!` as they are here; those of the standard library panic where nobody
//! reads on.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};
use std::process::exit;

/// Prints; ends the process quietly where nobody reads on, and with an error where the text cannot be written.
pub(crate) fn print(text: Arguments<'_>) {
    match stdout().lock().write_fmt(text) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            eprintln!("error: standard output: {error}");
            exit(1)
        }
    }
}

macro_rules! print {
    ($($part:tt)*) => { $crate::output::print(::core::format_args!($($part)*)) };
}

macro_rules! println {
    () => { $crate::output::print(::core::format_args!("\n")) };
    ($($part:tt)*) => {
        $crate::output::print(::core::format_args!("{}\n", ::core::format_args!($($part)*)))
    };
}
