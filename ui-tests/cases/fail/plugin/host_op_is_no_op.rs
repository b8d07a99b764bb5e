//! An op of the host that is none.

use oplink_plugin::prelude::*;

pub struct Plain;

library! { pub LIST; crate = oplink_plugin }

plugin! { LIST; host_ops: Plain }

fn main() {}
