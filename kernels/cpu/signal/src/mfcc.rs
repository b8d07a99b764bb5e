//! `Mfcc`: the mel-frequency cepstral coefficients of spectra.
//!
//! `spectrogram` [channels, windows, bins] has squared magnitudes up to half of `sample_rate`. Their roots are shared
//! out to triangular bands, which are evenly spaced in mel between both limits; of the logarithms of those (1e-12 at
//! least) a cosine transform gives the first `dct_coefficient_count` coefficients. All is computed in double precision.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::signal::{Mfcc, MfccInputs};

/// The least energy of a band.
const FLOOR: f64 = 1e-12;

/// `Mfcc`.
#[kernel(Mfcc, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn mfcc_cpu(
    inputs: MfccInputs<'_>,
    upper_frequency_limit: f32,
    lower_frequency_limit: f32,
    filterbank_channel_count: i64,
    dct_coefficient_count: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (spectra, rate): (&Tensor, &Tensor) = (&inputs.spectrogram, &inputs.sample_rate);
    let &[channels, windows, bins] = spectra.shape().dims() else {
        bail!("spectrogram must be [channels, windows, bins], its shape is {}", spectra.shape())
    };
    ensure!(rate.rank() == 0, "sample_rate must be a scalar, its shape is {}", rate.shape());
    let [bands, count] = [filterbank_channel_count, dct_coefficient_count].map(|count| usize::try_from(count).ok());
    let (Some(bands @ 1..), Some(count @ 1..)) = (bands, count) else {
        bail!("filterbank_channel_count and dct_coefficient_count must be >= 1")
    };
    ensure!(count <= bands, "dct_coefficient_count {count} must not be more than filterbank_channel_count {bands}");
    let cells = count.checked_mul(bands).ok_or_else(|| Error::resource_exhausted("too many coefficients"))?;
    oplink::memory::check(cells.saturating_mul(8))?;
    let limits = [lower_frequency_limit, upper_frequency_limit].map(f64::from);
    let filters = Filters::new(bins, f64::from(rate.to_scalar::<i32>()?), bands, limits, env)?;
    let scale = (2.0 / bands as f64).sqrt();
    let cosine = |at: usize| {
        let (row, column) = ((at / bands) as f64, (at % bands) as f64);
        scale * (row * std::f64::consts::PI / bands as f64 * (column + 0.5)).cos()
    };
    let cosines = try_collect(env.watch(0..cells).map(cosine))?;
    let out = output.allocate([channels, windows, count])?.as_mut_slice::<f32>()?;
    for (out, spectrum) in env.watch(out.chunks_exact_mut(count).zip(spectra.as_slice::<f32>()?.chunks_exact(bins))) {
        let energies = filters.energies(spectrum)?;
        for (out, cosines) in out.iter_mut().zip(cosines.chunks_exact(bands)) {
            *out = cosines.iter().zip(&energies).map(|(cosine, energy)| cosine * energy).sum::<f64>() as f32;
        }
    }
    Ok(())
}

/// The bands: for each bin its share in the band below, the rest going to the one above.
struct Filters {
    bands: usize,
    /// The bins between the limits.
    bins: std::ops::Range<usize>,
    /// The band above each bin, and the share of the one below.
    shares: Vec<(usize, f64)>,
}

fn mel(frequency: f64) -> f64 {
    1127.0 * (frequency / 700.0).ln_1p()
}

impl Filters {
    fn new(bins: usize, rate: f64, bands: usize, [lower, upper]: [f64; 2], env: Env<'_>) -> Result<Self> {
        ensure!(bins >= 2, "spectrogram must have 2 bins at least, it has {bins}");
        ensure!(rate > 0.0, "sample_rate must be > 0, it is {rate}");
        let rise = lower >= 0.0 && upper > lower;
        ensure!(rise, "the frequency limits {lower} and {upper} must be >= 0 and rise");
        let (low, spacing) = (mel(lower), (mel(upper) - mel(lower)) / (bands + 1) as f64);
        let center = |band: usize| low + spacing * (band + 1) as f64;
        let width = 0.5 * rate / (bins - 1) as f64;
        let (first, last) = ((1.5 + lower / width) as usize, (upper / width) as usize);
        let mut shares = try_filled((0, 0.0), bins)?;
        // Bands are passed once, all bins together.
        let (mut band, mut bands_passed) = (0, env.watch(0..bands));
        for (bin, share) in shares.iter_mut().enumerate().take(last.saturating_add(1)).skip(first) {
            let frequency = mel(bin as f64 * width);
            while center(band) < frequency && bands_passed.next().is_some() {
                band += 1;
            }
            let (below, above) = (if band == 0 { low } else { center(band - 1) }, center(band));
            *share = (band, (above - frequency) / (above - below));
        }
        Ok(Self { bands, bins: first..last.saturating_add(1), shares })
    }

    /// The logarithms of the energies of the bands; none where the limits are beyond the spectrum.
    fn energies(&self, spectrum: &[f32]) -> Result<Vec<f64>> {
        if spectrum.len() < self.bins.end {
            return Ok(Vec::new());
        }
        let mut energies = try_filled(0.0, self.bands)?;
        for bin in self.bins.clone() {
            let (band, share) = self.shares[bin];
            let magnitude = f64::from(spectrum[bin]).sqrt();
            if band > 0 {
                energies[band - 1] += magnitude * share;
            }
            if band < self.bands {
                energies[band] += magnitude - magnitude * share;
            }
        }
        energies.iter_mut().for_each(|energy| *energy = if *energy < FLOOR { FLOOR } else { *energy }.ln());
        Ok(energies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn mfcc(bins: usize, rate: i32, attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
        let spectrum = (1..=bins).map(|bin| bin as f32).collect();
        run("Mfcc", attrs, vec![Tensor::from_vec([1, 1, bins], spectrum)?, rate.into()])
    }

    #[test]
    fn coefficients_are_those_of_tensorflow() {
        let out = mfcc(513, 22050, &[]).unwrap().remove(0);
        let expected = [29.13970072, -6.41568601, -0.61903012, -0.96778652, -0.26819878, -0.40907028, -0.15614748];
        let out = out.as_slice::<f32>().unwrap();
        let near = out.iter().zip(expected).all(|(out, expected)| (out - expected).abs() < 1e-5);
        assert!(near && out.len() == 13, "{out:?}");
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(mfcc(1, 22050, &[]).is_err());
        assert!(mfcc(513, 0, &[]).is_err());
        assert!(mfcc(513, 22050, &[("dct_coefficient_count", 41i64.into())]).is_err());
        assert!(mfcc(513, 22050, &[("upper_frequency_limit", 10.0f32.into())]).is_err());
        assert!(mfcc(513, 22050, &[("filterbank_channel_count", 0i64.into())]).is_err());
    }
}
