//! One colon after a section.

use oplink::prelude::*;

library! { pub LIST; ops: {} }

fn main() {}
