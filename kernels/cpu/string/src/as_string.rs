//! `AsString`: each element as text.
//!
//! Numbers are written as by C's `printf`: with `width` characters at least, filled up as the flag `fill` says (`0`
//! with zeros, `-` on the right, `+` and a space add a sign); floating and complex numbers with `precision` digits
//! after the point (6 where it is negative), in `scientific` or the `shortest` notation. Bools are `true` and `false`,
//! strings stay themselves but for the width, with which they also lose what is beyond `precision` bytes. Precision and
//! notations of other dtypes are errors, as are other fills. Variants are not implemented.

use super::printf::{Format, Notation};
use oplink::memory;
use oplink::prelude::*;
use oplink_ops::string::AsString;

/// `AsString` of every dtype but variant.
#[kernel(AsString, device = CPU, T = any)]
pub fn as_string_cpu(
    input: &Tensor,
    precision: i64,
    scientific: bool,
    shortest: bool,
    width: i64,
    fill: &[u8],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let dtype = input.dtype();
    let takes_precision = dtype == DType::String || dtype.is_floating() || dtype.is_complex();
    ensure!(
        takes_precision || !(scientific || shortest),
        "scientific and shortest notation are for floating numbers, T is {dtype}"
    );
    ensure!(takes_precision || precision < 0, "a precision is for floating numbers, T is {dtype}");
    ensure!(!(scientific && shortest), "scientific and shortest notation exclude each other");
    let flag = match fill {
        [] => None,
        &[flag @ (b'0' | b'-' | b'+' | b' ')] => Some(flag),
        fill => bail!("fill must be one of `0`, `-`, `+` and a space, it is `{}`", fill.escape_ascii()),
    };
    let is_int32 = |value: i64| i32::try_from(value).is_ok();
    ensure!(is_int32(width) && is_int32(precision), "width {width} and precision {precision} must be of 32 bits");
    let (width, precision) = (usize::try_from(width).unwrap_or(0), usize::try_from(precision));
    // A text, and the pieces that it is made of.
    memory::check(3 * (width + precision.unwrap_or(0)))?;
    let format = Format {
        flag,
        width,
        precision: precision.unwrap_or(6),
        notation: match (scientific, shortest) {
            (true, _) => Notation::Scientific,
            (_, true) => Notation::Shortest,
            _ => Notation::Fixed,
        },
    };
    let max_bytes = if width > 0 { precision.unwrap_or(usize::MAX) } else { usize::MAX };
    write(input, &format, max_bytes, output.allocate(input.shape().clone())?.as_mut_slice()?, env)
}

/// Writes each element as text; of strings at most `max_bytes` bytes are kept.
fn write(input: &Tensor, format: &Format, max_bytes: usize, out: &mut [TString], env: Env<'_>) -> Result<()> {
    let float = |value: f64| format.float(value).into();
    let complex = |re: f64, im: f64| format!("({},{})", format.float(re), format.float(im)).into();
    let signed = |value: i64| format.signed(value).into();
    let unsigned = |value: u64| format.unsigned(value).into();
    match input.dtype() {
        DType::Float => each(input, out, env, |&v: &f32| float(f64::from(v))),
        DType::Double => each(input, out, env, |&v| float(v)),
        DType::Half => each(input, out, env, |v: &f16| float(v.to_f64())),
        DType::BFloat16 => each(input, out, env, |v: &bf16| float(v.to_f64())),
        DType::Complex64 => each(input, out, env, |v: &Complex<f32>| complex(f64::from(v.re), f64::from(v.im))),
        DType::Complex128 => each(input, out, env, |v: &Complex<f64>| complex(v.re, v.im)),
        DType::Int8 => each(input, out, env, |&v: &i8| signed(v.into())),
        DType::Int16 => each(input, out, env, |&v: &i16| signed(v.into())),
        DType::Int32 => each(input, out, env, |&v: &i32| signed(v.into())),
        DType::Int64 => each(input, out, env, |&v| signed(v)),
        DType::UInt8 => each(input, out, env, |&v: &u8| unsigned(v.into())),
        DType::UInt16 => each(input, out, env, |&v: &u16| unsigned(v.into())),
        DType::UInt32 => each(input, out, env, |&v: &u32| unsigned(v.into())),
        DType::UInt64 => each(input, out, env, |&v| unsigned(v)),
        DType::Bool => each(input, out, env, |&v| if v { "true" } else { "false" }.into()),
        DType::String => each(input, out, env, |v: &TString| {
            let bytes = v.as_bytes();
            TString::new(format.string(&bytes[..bytes.len().min(max_bytes)]))
        }),
        other => Err(Error::unimplemented(format!("AsString of {other}"))),
    }
}

fn each<T: Element>(input: &Tensor, out: &mut [TString], env: Env<'_>, text: impl Fn(&T) -> TString) -> Result<()> {
    for (out, value) in out.iter_mut().zip(input.as_slice::<T>()?) {
        env.poll();
        *out = text(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_with, run};

    #[test]
    fn formats() {
        let texts = ["00003.141590", "00000.000000"].map(TString::from);
        let attrs = [("width", 12.into()), ("fill", "0".into())];
        check_with("AsString", &attrs, [[3.14159f32, 0.0].into()], texts);
        check_with("AsString", &[("shortest", true.into())], [1e10f64.into()], TString::from("1e+10"));
        check_with("AsString", &[], [Complex::new(1.5f32, -2.0).into()], TString::from("(1.500000,-2.000000)"));
        check_with("AsString", &[("width", 3.into())], [true.into()], TString::from("true"));
        for (width, text) in [(3, " ab"), (1, "ab"), (0, "abc"), (-1, "abc")] {
            let attrs = [("precision", 2.into()), ("width", width.into())];
            check_with("AsString", &attrs, [TString::from("abc").into()], TString::from(text));
        }
    }

    #[test]
    fn formats_that_do_not_fit_are_errors() {
        for attrs in [("precision", 2.into()), ("shortest", true.into()), ("fill", "x".into()), ("fill", "00".into())] {
            assert!(run("AsString", &[attrs], vec![1.into()]).is_err());
        }
    }
}
