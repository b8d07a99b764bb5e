//! Tests of the command: the binary is run as a user runs it.

mod command;
mod devices;
mod errors;
mod listing;
mod plugins;
mod running;
mod selecting;
