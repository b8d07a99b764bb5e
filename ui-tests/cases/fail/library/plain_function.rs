//! A function without `#[kernel]` among the kernels.

use oplink::prelude::*;

pub fn plain() {}

library! { pub LIST; ops::{}, kernels::{plain} }

fn main() {}
