//! A list with an op that is none.

use oplink::prelude::*;

pub struct Plain;

library! { pub LIST; ops::{Plain}, kernels::{} }

fn main() {}
