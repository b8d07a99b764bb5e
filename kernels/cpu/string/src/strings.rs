//! Kernels that compute one element from each string, scalar strings among the inputs, and classes of bytes.

use oplink::prelude::*;

use oplink_cpu_support::parallel::for_each_chunk;
pub(super) use oplink_cpu_support::shown::shown;

/// The least number of strings that a thread is given.
const GRAIN: usize = 1 << 10;

/// A tensor of the input's shape with `f` of each of its strings.
pub(super) fn map<T: Element>(input: &Tensor, env: Env<'_>, f: &(dyn Fn(&[u8]) -> T + Sync)) -> Result<Tensor> {
    let strings = input.as_slice::<TString>()?;
    let mut out = env.allocate(T::DTYPE, input.shape().clone())?;
    for_each_chunk(env.env(), out.as_mut_slice::<T>()?, GRAIN, 1, &|start, part| {
        for (out, string) in part.iter_mut().zip(&strings[start..]) {
            env.poll();
            *out = f(string.as_bytes());
        }
    });
    Ok(out)
}

/// As [`map`], for functions that can fail, one string after the other.
pub(super) fn try_map<T: Element>(input: &Tensor, env: Env<'_>, f: &dyn Fn(&[u8]) -> Result<T>) -> Result<Tensor> {
    let mut out = env.allocate(T::DTYPE, input.shape().clone())?;
    for (out, string) in out.as_mut_slice::<T>()?.iter_mut().zip(input.as_slice::<TString>()?) {
        env.poll();
        *out = f(string.as_bytes())?;
    }
    Ok(out)
}

/// The bytes of an input that must be a scalar.
pub(super) fn scalar<'a>(input: &'a Tensor, name: &str) -> Result<&'a [u8]> {
    match (input.rank(), input.as_slice::<TString>()?) {
        (0, [string]) => Ok(string.as_bytes()),
        _ => bail!("{name} must be a scalar, its shape is {}", input.shape()),
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

/// Whether a byte continues a character of UTF-8.
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
