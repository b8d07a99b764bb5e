//! Strings: bytes joined, split, matched, hashed, converted.
