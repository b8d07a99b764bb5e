//! `AudioSpectrogram`: the spectra of windows of samples, one after the other.
//!
//! `input` is [samples, channels]; the output [channels, windows, bins]. A window of `window_size` samples is weighted
//! by `0.5 - 0.5 cos(2 pi n / window_size)` and filled up with zeros to a power of 2; of its transform, computed in
//! double precision, magnitudes are taken, or with `magnitude_squared` their squares.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::signal::{AudioSpectrogram, num_bins, num_windows};
use realfft::RealFftPlanner;

/// `AudioSpectrogram`.
#[kernel(AudioSpectrogram, device = CPU)]
pub fn audio_spectrogram_cpu(
    input: &Tensor,
    window_size: i64,
    stride: i64,
    magnitude_squared: bool,
    mut spectrogram: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[samples, channels] = input.shape().dims() else {
        bail!("input must be [samples, channels], its shape is {}", input.shape())
    };
    let (windows, bins) = (num_windows(samples, window_size, stride)?, num_bins(window_size)?);
    let audio = input.as_slice::<f32>()?;
    let out = spectrogram.allocate([channels, windows, bins])?.as_mut_slice::<f32>()?;
    if out.is_empty() {
        return Ok(());
    }
    let length = window_size as usize;
    let weight = |at: usize| 0.5 - 0.5 * (2.0 * std::f64::consts::PI * at as f64 / length as f64).cos();
    let weights = try_collect((0..length).map(weight))?;
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(2 * (bins - 1));
    let (mut window, mut spectrum) = (try_filled(0.0, 2 * (bins - 1))?, transform.make_output_vec());
    for (number, out) in env.watch(out.chunks_exact_mut(bins).enumerate()) {
        let (channel, first) = (number / windows, number % windows * stride as usize);
        window.fill(0.0);
        let samples = audio[first * channels + channel..].iter().step_by(channels);
        for ((value, &sample), weight) in window.iter_mut().zip(samples).zip(&weights) {
            *value = f64::from(sample) * weight;
        }
        transform
            .process(&mut window, &mut spectrum)
            .map_err(|error| Error::internal(format!("a transform failed: {error}")))?;
        for (out, value) in out.iter_mut().zip(&spectrum) {
            let squared = value.norm_sqr() as f32;
            *out = if magnitude_squared { squared } else { squared.sqrt() };
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn spectra(window: i64, stride: i64) -> Result<Vec<Tensor>> {
        let input = Tensor::from_vec([5, 1], vec![-1.0f32, 0.0, 1.0, 0.0, -1.0])?;
        let attrs = [("window_size", window.into()), ("stride", stride.into()), ("magnitude_squared", true.into())];
        run("AudioSpectrogram", &attrs, vec![input])
    }

    #[test]
    fn windows_are_transformed() {
        let out = spectra(4, 1).unwrap().remove(0);
        assert_eq!(out.shape().dims(), [1, 2, 3]);
        let out = out.as_slice::<f32>().unwrap();
        // The first window is weighted to 0, 0, 1, 0.
        assert!(out[..3].iter().all(|value| (value - 1.0).abs() < 1e-6), "{out:?}");
        assert_eq!(spectra(6, 1).unwrap()[0].shape().dims(), [1, 0, 5]);
        for (window, stride) in [(1, 1), (4, 0), (-1, 1), (i64::MAX, 1)] {
            assert!(spectra(window, stride).is_err(), "{window} {stride}");
        }
    }
}
