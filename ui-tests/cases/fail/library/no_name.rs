//! A list without a name.

use oplink::prelude::*;

library! { ops::{}, kernels::{} }

fn main() {}
