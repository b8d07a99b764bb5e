//! A section in brackets.

use oplink::prelude::*;

library! { pub LIST; ops::[] }

fn main() {}
