//! Ops that move, join, split and index elements.
