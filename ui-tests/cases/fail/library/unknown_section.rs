//! A list of something else.

use oplink::prelude::*;

library! { pub LIST; ops::{}, kernel::{} }

fn main() {}
