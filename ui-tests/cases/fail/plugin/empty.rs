//! A plugin without a library.

use oplink_plugin::prelude::*;

plugin! {}

fn main() {}
