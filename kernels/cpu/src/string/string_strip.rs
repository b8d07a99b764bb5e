//! `StringStrip`: strings without white space at both ends.
//!
//! White space is that of ASCII: space, tab, line feed, vertical tab, form feed, carriage return.

use oplink::prelude::*;

use super::strings::{map, trimmed};

/// Strings without white space at both ends.
#[op("StringStrip", input = "input: string", output = "output: string", shape = shape_fns::unchanged)]
pub struct StringStrip;

/// `StringStrip`.
#[kernel(StringStrip, device = CPU)]
pub fn string_strip_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    map(context, |bytes| TString::new(trimmed(bytes)))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn strips() {
        let strings = [" a b \t\u{b}\u{c}\r\n", "\u{1c}", "  ", ""].map(TString::from);
        check("StringStrip", [strings.into()], ["a b", "\u{1c}", "", ""].map(TString::from));
    }
}
