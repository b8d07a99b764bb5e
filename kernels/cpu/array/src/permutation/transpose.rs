//! `Transpose` and `ConjugateTranspose`: axis `i` of `y` is axis `perm[i]` of `x`; `InvertPermutation`: `y[x[i]] = i`.
//!
//! `perm` is a vector with each axis once; negative ones count from the end. Every dtype; `ConjugateTranspose` also
//! takes the conjugate of complex elements. Where only axes of extent 1 change place, `y` shares the memory of `x`. `x`
//! of `InvertPermutation` is a vector with each of `0..n` once; anything else is an error.

use super::super::arguments;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{ConjugateTranspose, InvertPermutation, Transpose, copies};

/// `Transpose` of every dtype.
#[kernel(Transpose, device = CPU, T = any, Tperm = any, host_memory = [perm])]
pub fn transpose_cpu(x: &Tensor, perm: &Tensor, mut y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::transpose::<Host>(x, perm, &mut y, env)
}

/// `ConjugateTranspose` of every dtype.
#[kernel(ConjugateTranspose, device = CPU, T = any, Tperm = any, host_memory = [perm])]
pub fn conjugate_transpose_cpu(x: &Tensor, perm: &Tensor, mut y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::transpose::<Host>(x, perm, &mut y, env)?;
    let is_complex = matches!(x.dtype(), DType::Complex64 | DType::Complex128);
    let Some(out) = y.get_mut().filter(|_| is_complex) else { return Ok(()) };
    *out = std::mem::replace(out, Tensor::empty()).make_unique()?;
    match x.dtype() {
        DType::Complex64 => out.as_mut_slice::<Complex<f32>>()?.iter_mut().for_each(|v| *v = v.conj()),
        _ => out.as_mut_slice::<Complex<f64>>()?.iter_mut().for_each(|v| *v = v.conj()),
    }
    Ok(())
}

/// `InvertPermutation` of int32 and int64.
#[kernel(InvertPermutation, device = CPU, T = [i32, i64])]
pub fn invert_permutation_cpu(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    const UNSET: usize = usize::MAX;
    let values = arguments::vector(x, "x")?;
    let mut inverse = try_filled(UNSET, values.len())?;
    for (index, &value) in values.iter().enumerate() {
        let Some(slot) = usize::try_from(value).ok().and_then(|value| inverse.get_mut(value)) else {
            bail!("x[{index}] = {value} is not in [0, {})", values.len())
        };
        ensure!(*slot == UNSET, "{value} is more than once in x");
        *slot = index;
    }
    arguments::set_indices(&mut y, [inverse.len()], &inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    #[test]
    fn exchanges_axes() {
        let x = Tensor::from_vec([2, 1, 3], (1..=6).collect::<Vec<i32>>()).unwrap();
        let out = run_one("Transpose", vec![x.clone(), Tensor::from([2, 1, 0])]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[3, 1, 2][..], &[1, 4, 2, 5, 3, 6][..]));
        let out = run_one("Transpose", vec![x.clone(), Tensor::from([1i64, 0, -1])]).unwrap();
        assert!(out.shares_memory_with(&x));
    }

    #[test]
    fn large_matrices_are_exchanged_tile_by_tile() {
        let (rows, columns) = (37, 53);
        let x = Tensor::from_vec([rows, columns], (0..(rows * columns) as i64).collect()).unwrap();
        let out = run_one("Transpose", vec![x, Tensor::from([1, 0])]).unwrap();
        let expected: Vec<_> = (0..columns).flat_map(|c| (0..rows).map(move |r| (r * columns + c) as i64)).collect();
        assert_eq!(out.as_slice::<i64>().unwrap(), expected);
    }

    #[test]
    fn conjugates() {
        let value = Complex::new(1f32, 2.0);
        let x = Tensor::from_vec([1, 1], vec![value]).unwrap();
        let out = run_one("ConjugateTranspose", vec![x.clone(), Tensor::from([1, 0])]).unwrap();
        assert_eq!(out.as_slice::<Complex<f32>>().unwrap(), [value.conj()]);
        assert_eq!(x.as_slice::<Complex<f32>>().unwrap(), [value]);
    }

    #[test]
    fn inverts() {
        let out = run_one("InvertPermutation", vec![Tensor::from([3, 0, 2, 1])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [1, 3, 2, 0]);
        for bad in [[0i64, 0], [0, 2], [-1, 0]] {
            assert!(run_one("InvertPermutation", vec![bad.into()]).is_err());
        }
    }
}
