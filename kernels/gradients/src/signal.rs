//! Fourier transforms. Their gradients are the transforms back, by the number of elements.

use oplink::prelude::*;
use oplink_ops::{
    Cast, Complex, Conj, Div, Einsum, Exp, ExpandDims, FFT, FFT2D, FFT3D, Fill, FloorMod, GatherV2, IFFT, IFFT2D,
    IFFT3D, IRFFT, IRFFT2D, Mul, Prod, RFFT, RFFT2D, Range, Real, Reciprocal, Size, StridedSlice,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// The dtype of the parts of complex numbers.
fn part_of(dtype: DType) -> DType {
    if dtype == DType::Complex64 { DType::Float } else { DType::Double }
}

/// The extents of the last axes, as int32.
fn last_extents(n: &Nodes<'_>, value: Output, axes: i32) -> Result<Output> {
    let inputs = [n.shape(value)?, n.ints(&[-axes])?, n.ints(&[0])?, n.ints(&[1])?];
    n.with::<StridedSlice>(inputs, vec![("end_mask", 1i64.into())])
}

/// The number of elements along the last axes.
fn count(n: &Nodes<'_>, value: Output, axes: i32, dtype: DType) -> Result<Output> {
    n.cast(n.add::<Prod>([last_extents(n, value, axes)?, n.int(0)?])?, DType::Int32, dtype)
}

/// The gradient of a transform over `axes` axes, by `G`, the transform back.
fn forward<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], axes: i32) -> Gradients {
    let n = Nodes::new(scope, op);
    let back = n.add::<G>([dy[0]])?;
    Ok(vec![Some(n.mul(back, count(&n, dy[0], axes, op.input_dtype(0))?)?)])
}

/// The gradient of an inverse transform over `axes` axes, by `G`, the transform.
fn inverse<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], axes: i32) -> Gradients {
    let (n, dtype) = (Nodes::new(scope, op), op.input_dtype(0));
    let share = n.add::<Reciprocal>([count(&n, dy[0], axes, part_of(dtype))?])?;
    Ok(vec![Some(n.mul(n.add::<G>([dy[0]])?, n.cast(share, part_of(dtype), dtype)?)?)])
}

#[gradient(FFT)]
fn fft(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    forward::<IFFT>(scope, op, dy, 1)
}

#[gradient(FFT2D)]
fn fft_2d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    forward::<IFFT2D>(scope, op, dy, 2)
}

#[gradient(FFT3D)]
fn fft_3d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    forward::<IFFT3D>(scope, op, dy, 3)
}

#[gradient(IFFT)]
fn ifft(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    inverse::<FFT>(scope, op, dy, 1)
}

#[gradient(IFFT2D)]
fn ifft_2d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    inverse::<FFT2D>(scope, op, dy, 2)
}

#[gradient(IFFT3D)]
fn ifft_3d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    inverse::<FFT3D>(scope, op, dy, 3)
}

/// The numbers of a complex value at the index `at` along the last axis, which stays: 0, or -1 for the last.
fn column(n: &Nodes<'_>, value: Output, at: i32) -> Result<Output> {
    let inputs = [value, n.ints(&[0, at])?, n.ints(&[0, at + 1])?, n.ints(&[1, 1])?];
    let to_the_end = if at == -1 { 2i64 } else { 0 };
    n.with::<StridedSlice>(inputs, vec![("ellipsis_mask", 1i64.into()), ("end_mask", to_the_end.into())])
}

/// An element of a vector of int32.
fn element(n: &Nodes<'_>, vector: Output, at: i32) -> Result<Output> {
    n.add::<GatherV2>([vector, n.int(at)?, n.int(0)?])
}

/// The last length of a transform modulo 2.
fn oddness(n: &Nodes<'_>, lengths: Output) -> Result<Output> {
    let last = n.sub(n.add::<Size>([lengths])?, n.int(1)?)?;
    n.add::<FloorMod>([n.add::<GatherV2>([lengths, last, n.int(0)?])?, n.int(2)?])
}

/// `1, -1, 1, -1, …`, as many as `count` says.
fn alternating(n: &Nodes<'_>, count: Output, dtype: DType) -> Result<Output> {
    let odd = n.add::<FloorMod>([n.add::<Range>([n.int(0)?, count, n.int(1)?])?, n.int(2)?])?;
    n.cast(n.sub(n.int(1)?, n.add::<Mul>([odd, n.int(2)?])?)?, DType::Int32, dtype)
}

/// The square matrix of `exp(-2 pi i a b / count)`.
fn twiddles(n: &Nodes<'_>, count: Output, dtype: DType) -> Result<Output> {
    let part = part_of(dtype);
    let each = n.add::<Range>([n.int(0)?, count, n.int(1)?])?;
    let (down, across) = (n.add::<ExpandDims>([each, n.int(1)?])?, n.add::<ExpandDims>([each, n.int(0)?])?);
    let products = n.cast(n.add::<FloorMod>([n.mul(down, across)?, count])?, DType::Int32, part)?;
    let turn = n.cast(n.constant(Tensor::scalar(-2.0 * std::f64::consts::PI))?, DType::Double, part)?;
    let angles = n.add::<Div>([n.mul(products, turn)?, n.cast(count, DType::Int32, part)?])?;
    n.add::<Exp>([n.with::<Complex>([n.zeros(angles)?, angles], vec![("Tout", dtype.into())])?])
}

/// The gradient of a real transform, by `G`, the transform back: half of that for what the output leaves out, and half
/// of what the first and, for an even length, the last column have no counterpart for.
fn real_forward<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], axes: i32) -> Gradients {
    let n = Nodes::new(scope, op);
    let (part, dtype) = (op.input_dtype(0), op.attr::<DType>("Tcomplex")?);
    let extents = last_extents(&n, op.input(0), axes)?;
    let (mut first, mut last) = (column(&n, dy[0], 0)?, column(&n, dy[0], -1)?);
    if axes == 2 {
        let matrix = twiddles(&n, element(&n, extents, 0)?, dtype)?;
        let turned = |column| {
            let conjugate = n.add::<Conj>([column])?;
            n.join::<Einsum>(&[matrix, conjugate], vec![("equation", "ab,...bc->...ac".into())])
        };
        (first, last) = (turned(first)?, turned(last)?);
    }
    let is_even = n.cast(n.sub(n.int(1)?, oddness(&n, op.input(1))?)?, DType::Int32, dtype)?;
    let signs = alternating(&n, element(&n, extents, axes - 1)?, dtype)?;
    let last = n.mul(n.mul(is_even, last)?, signs)?;
    let more = n.with::<Real>([n.add::<oplink_ops::Add>([first, last])?], vec![("Tout", part.into())])?;
    let back = n.with::<G>([dy[0], op.input(1)], vec![("Treal", part.into())])?;
    let whole = n.mul(back, count(&n, op.input(0), axes, part)?)?;
    Ok(vec![Some(n.mul(n.scalar(0.5)?, n.add::<oplink_ops::Add>([whole, more])?)?), None])
}

#[gradient(RFFT)]
fn rfft(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    real_forward::<IRFFT>(scope, op, dy, 1)
}

#[gradient(RFFT2D)]
fn rfft_2d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    real_forward::<IRFFT2D>(scope, op, dy, 2)
}

/// The gradient of a real inverse transform, by `G`, the transform: twice that where a column stands for two.
fn real_inverse<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], axes: i32) -> Gradients {
    let n = Nodes::new(scope, op);
    let (part, dtype) = (op.attr::<DType>("Treal")?, op.input_dtype(0));
    let columns = n.reshape(last_extents(&n, op.input(0), 1)?, n.ints(&[])?)?;
    let odd = oddness(&n, op.input(1))?;
    let number = |value: f64| n.cast(n.constant(Tensor::scalar(value))?, DType::Double, part);
    let fill = |count, value| n.add::<Fill>([n.reshape(count, n.ints(&[1])?)?, number(value)?]);
    let doubled = fill(n.sub(n.add::<oplink_ops::Add>([columns, odd])?, n.int(2)?)?, 2.0)?;
    let parts = vec![fill(n.int(1)?, 1.0)?, doubled, fill(n.sub(n.int(1)?, odd)?, 1.0)?];
    let parts = vec![oplink::call::Arg::List(parts), oplink::call::Arg::One(n.int(0)?)];
    let mask = n.call::<oplink_ops::ConcatV2>(parts, Attrs::new())?[0];
    let scale = n.add::<Div>([mask, count(&n, dy[0], axes, part)?])?;
    let forward = n.with::<G>([dy[0], op.input(1)], vec![("Tcomplex", dtype.into())])?;
    Ok(vec![Some(n.mul(forward, n.with::<Cast>([scale], vec![("DstT", dtype.into())])?)?), None])
}

#[gradient(IRFFT)]
fn irfft(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    real_inverse::<RFFT>(scope, op, dy, 1)
}

#[gradient(IRFFT2D)]
fn irfft_2d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    real_inverse::<RFFT2D>(scope, op, dy, 2)
}
