//! Discrete Fourier transforms.

use oplink::prelude::*;

/// The Fourier transform over the last axis.
#[op("FFT",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct FFT;

/// The Fourier transform over the last two axes.
#[op("FFT2D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<2>)]
pub struct FFT2D;

/// The Fourier transform over the last three axes.
#[op("FFT3D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct FFT3D;

/// The inverse Fourier transform over the last axis.
#[op("IFFT",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct IFFT;

/// The inverse Fourier transform over the last two axes.
#[op("IFFT2D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<2>)]
pub struct IFFT2D;

/// The inverse Fourier transform over the last three axes.
#[op("IFFT3D",
     input = "input: Tcomplex",
     output = "output: Tcomplex",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct IFFT3D;

/// The Fourier transform of real numbers over the last axis.
///
/// The vector `fft_length` has the lengths of the axes, of which the first numbers count; there must be as many. Along
/// the last one the output has the `length / 2 + 1` numbers from which the others follow by symmetry. A length of 0 is
/// an error where the input has elements; an input without elements gives zeros.
#[op("RFFT",
     input = "input: Treal",
     input = "fft_length: int32",
     output = "output: Tcomplex",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::rfft::<1>)]
pub struct RFFT;

/// The Fourier transform of real numbers over the last two axes.
#[op("RFFT2D",
     input = "input: Treal",
     input = "fft_length: int32",
     output = "output: Tcomplex",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::rfft::<2>)]
pub struct RFFT2D;

/// The Fourier transform of real numbers over the last three axes.
#[op("RFFT3D",
     input = "input: Treal",
     input = "fft_length: int32",
     output = "output: Tcomplex",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::rfft::<3>)]
pub struct RFFT3D;

/// The real inverse Fourier transform over the last axis.
///
/// The vector `fft_length` has the lengths of the output's axes. The input has as many numbers along them, of which the
/// first count, and `length / 2 + 1` along the last one; the imaginary parts of the first and, for an even length, the
/// last of these do not count. A length of 0 is an error where the input has elements; an input without elements gives
/// zeros.
#[op("IRFFT",
     input = "input: Tcomplex",
     input = "fft_length: int32",
     output = "output: Treal",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::irfft::<1>)]
pub struct IRFFT;

/// The real inverse Fourier transform over the last two axes.
#[op("IRFFT2D",
     input = "input: Tcomplex",
     input = "fft_length: int32",
     output = "output: Treal",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::irfft::<2>)]
pub struct IRFFT2D;

/// The real inverse Fourier transform over the last three axes.
#[op("IRFFT3D",
     input = "input: Tcomplex",
     input = "fft_length: int32",
     output = "output: Treal",
     attr = "Treal: {float, double} = DT_FLOAT",
     attr = "Tcomplex: {complex64, complex128} = DT_COMPLEX64",
     shape = shape_fns::irfft::<3>)]
pub struct IRFFT3D;
