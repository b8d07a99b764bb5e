//! A list with a function that is no gradient.

use oplink::prelude::*;

pub enum Plain {}

library! { pub LIST; ops::{}, gradients::{Plain} }

fn main() {}
