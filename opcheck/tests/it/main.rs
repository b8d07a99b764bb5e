//! Ops with one mistake each, which its check must find and no other; and ops without any.

mod built_in;
mod explained;
mod oracle;
mod programs;
mod right;
#[allow(dead_code, reason = "a program that was written: it has to compile")]
mod shown;
mod wrong;
