//! Elementwise ops: unary, binary, comparison, select, cast.
