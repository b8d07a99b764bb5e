//! `StringLength`: how long strings are, in bytes or in characters of UTF-8.
//!
//! A character counts where it starts: bytes that go on with one are left out, whether or not the string is well-formed.

use oplink::prelude::*;

use super::strings::{is_continuation, map};

/// The length of each string.
#[op("StringLength",
     input = "input: string",
     output = "output: int32",
     attr = "unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'",
     shape = shape_fns::unchanged)]
pub struct StringLength;

/// `StringLength`.
#[kernel(StringLength, device = CPU)]
pub fn string_length_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    match context.attr::<&str>("unit")? {
        "BYTE" => map(context, |bytes| bytes.len() as i32),
        _ => map(context, |bytes| bytes.iter().filter(|&&byte| !is_continuation(byte)).count() as i32),
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check_with;

    #[test]
    fn lengths() {
        let strings = || Tensor::from(["h\u{e9}\u{e9}", "", "abc"].map(TString::from));
        check_with("StringLength", &[], [strings()], [5, 0, 3]);
        check_with("StringLength", &[("unit", "UTF8_CHAR".into())], [strings()], [3, 0, 3]);
    }
}
