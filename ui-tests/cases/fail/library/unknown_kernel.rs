//! A list with a kernel that does not exist.

use oplink::prelude::*;

library! { pub LIST; ops::{}, kernels::{nothing} }

fn main() {}
