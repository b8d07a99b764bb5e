//! A misspelt section.

use oplink_plugin::prelude::*;

library! { pub LIST; crate = oplink_plugin }
plugin! { LIST; host_op: Plain }

fn main() {}
