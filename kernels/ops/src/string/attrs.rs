//! Attrs with a closed list of values that several ops on strings share, as enums.

use oplink::prelude::*;

attr_enum! {
    /// What positions and lengths within strings count.
    pub enum StringUnit { Byte = "BYTE", Utf8Char = "UTF8_CHAR" }
}

attr_enum! {
    /// What becomes of code points and sequences that are not well-formed.
    pub enum UnicodeErrors { Strict = "strict", Replace = "replace", Ignore = "ignore" }
}
