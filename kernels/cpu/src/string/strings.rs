//! Ops that make one element of each string, and scalar strings among the inputs.

use oplink::prelude::*;

use crate::support::parallel::for_each_chunk;

/// Fewest strings that are worth a thread's while.
const GRAIN: usize = 1 << 10;

/// Sets the output, of the first input's shape, to `f` of each of its strings.
pub(super) fn map<T: Element>(context: &mut KernelContext<'_>, f: impl Fn(&[u8]) -> T + Sync) -> Result<()> {
    let input = context.input(0);
    let strings = input.as_slice::<TString>()?;
    let mut out = context.allocate_output(0, input.shape().clone())?;
    for_each_chunk(context.env(), out.as_mut_slice::<T>()?, GRAIN, 1, &|start, part| {
        for (out, string) in part.iter_mut().zip(&strings[start..]) {
            *out = f(string.as_bytes());
        }
    });
    context.set_output(0, out);
    Ok(())
}

/// As [`map`], for functions that can fail.
pub(super) fn try_map<T: Element>(context: &mut KernelContext<'_>, f: impl Fn(&[u8]) -> Result<T>) -> Result<()> {
    let input = context.input(0);
    let mut out = context.allocate_output(0, input.shape().clone())?;
    for (out, string) in out.as_mut_slice::<T>()?.iter_mut().zip(input.as_slice::<TString>()?) {
        *out = f(string.as_bytes())?;
    }
    context.set_output(0, out);
    Ok(())
}

/// The bytes of a scalar input.
pub(super) fn scalar<'a>(context: &'a KernelContext<'_>, index: usize, name: &str) -> Result<&'a [u8]> {
    match (context.input(index).rank(), context.input(index).as_slice::<TString>()?) {
        (0, [string]) => Ok(string.as_bytes()),
        _ => bail!("{name} must be a scalar, its shape is {}", context.input(index).shape()),
    }
}

/// What C's `isspace` takes for white space.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The bytes without white space at both ends.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_space(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|&byte| !is_space(byte)).map_or(start, |last| last + 1);
    &bytes[start..end]
}

/// Whether a byte goes on with a character of UTF-8.
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// For messages: bytes as text.
pub(super) fn shown(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}
