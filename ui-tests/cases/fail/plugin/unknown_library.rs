//! A plugin of a list that does not exist.

use oplink_plugin::prelude::*;

plugin! { NOTHING }

fn main() {}
