//! Two plugins in one crate.

use oplink_plugin::prelude::*;

library! { pub FIRST; crate = oplink_plugin }
library! { pub SECOND; crate = oplink_plugin }

plugin! { FIRST }

mod more {
    oplink_plugin::plugin! { super::SECOND }
}

fn main() {}
