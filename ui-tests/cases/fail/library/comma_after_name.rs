//! A comma after the name.

use oplink::prelude::*;

library! { pub LIST, ops::{} }

fn main() {}
