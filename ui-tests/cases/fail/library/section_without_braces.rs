//! A section without a list.

use oplink::prelude::*;

library! { pub LIST; ops }

fn main() {}
