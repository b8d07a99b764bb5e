//! Sound: WAV files, spectra over time, and mel-frequency cepstral coefficients.

use oplink::prelude::*;

/// The samples of a WAV file of 16-bit integers, between -1 and 1, and its rate.
///
/// `audio` is [samples, channels]. `desired_channels` and `desired_samples` say how many of each the output has where
/// they are not negative: further channels of a file of one repeat it, missing samples are 0.
#[op(
    "DecodeWav",
    no_gradient,
    input = "contents: string",
    output = "audio: float",
    output = "sample_rate: int32",
    attr = "desired_channels: int = -1",
    attr = "desired_samples: int = -1"
)]
pub fn decode_wav(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    let (channels, samples): (i64, i64) = (c.attr("desired_channels")?, c.attr("desired_samples")?);
    let extent = |wanted: i64, name: &str| match usize::try_from(wanted) {
        Ok(extent) => Ok(Some(extent)),
        Err(_) if wanted == -1 => Ok(None),
        Err(_) => bail!("{name} must be >= 0, or -1, it is {wanted}"),
    };
    let shape = [extent(samples, "desired_samples")?, extent(channels, "desired_channels")?];
    c.set_output(0, PartialShape::new(&shape));
    c.set_output(1, PartialShape::new(&[]));
    Ok(())
}

/// A WAV file of 16-bit integers of samples between -1 and 1, [samples, channels].
#[op("EncodeWav", no_gradient, input = "audio: float", input = "sample_rate: int32", output = "contents: string")]
pub fn encode_wav(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 2)?;
    c.with_rank(1, 0)?;
    c.set_output(0, PartialShape::new(&[]));
    Ok(())
}

/// The spectra of windows of samples, one after the other.
///
/// `input` is [samples, channels]; the output [channels, windows, bins]. A window has `window_size` samples, the next
/// starts `stride` later; each is weighted by a Hann window and filled up with zeros to a power of 2. Of that
/// transform's values, half and one more, the magnitudes are taken, or with `magnitude_squared` their squares.
#[op(
    "AudioSpectrogram",
    no_gradient,
    input = "input: float",
    output = "spectrogram: float",
    attr = "window_size: int",
    attr = "stride: int",
    attr = "magnitude_squared: bool = false"
)]
pub fn audio_spectrogram(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 2)?;
    let (window, stride): (i64, i64) = (c.attr("window_size")?, c.attr("stride")?);
    let windows = match input.dim(0) {
        Some(samples) => Some(num_windows(samples, window, stride)?),
        None => None,
    };
    let bins = num_bins(window)?;
    c.set_output(0, PartialShape::new(&[input.dim(1), windows, Some(bins)]));
    Ok(())
}

/// The number of windows in so many samples.
///
/// # Errors
/// A window has less than 2 samples, or no stride.
pub fn num_windows(samples: usize, window: i64, stride: i64) -> Result<usize> {
    ensure!(window >= 2 && stride >= 1, "window_size {window} must be >= 2 and stride {stride} >= 1");
    let rest = samples as i64 - window;
    Ok(if rest < 0 { 0 } else { 1 + (rest / stride) as usize })
}

/// The number of values of a window's transform that are taken.
///
/// # Errors
/// The window has less than 2 samples or too many.
pub fn num_bins(window: i64) -> Result<usize> {
    let length = usize::try_from(window).ok().filter(|&window| (2..=1 << 30).contains(&window));
    let Some(length) = length else { bail!("window_size must be in [2, 2^30], it is {window}") };
    Ok(1 + length.next_power_of_two() / 2)
}

/// The mel-frequency cepstral coefficients of spectra.
///
/// `spectrogram` [channels, windows, bins] has squared magnitudes; the output is [channels, windows,
/// `dct_coefficient_count`].
#[op(
    "Mfcc",
    no_gradient,
    input = "spectrogram: float",
    input = "sample_rate: int32",
    output = "output: float",
    attr = "upper_frequency_limit: float = 4000.0",
    attr = "lower_frequency_limit: float = 20.0",
    attr = "filterbank_channel_count: int = 40",
    attr = "dct_coefficient_count: int = 13"
)]
pub fn mfcc(c: &mut ShapeContext<'_>) -> Result<()> {
    let spectra = c.with_rank(0, 3)?;
    c.with_rank(1, 0)?;
    let count: i64 = c.attr("dct_coefficient_count")?;
    let count = usize::try_from(count).map_err(|_| Error::invalid_argument("dct_coefficient_count must be >= 0"))?;
    c.set_output(0, PartialShape::new(&[spectra.dim(0), spectra.dim(1), Some(count)]));
    Ok(())
}
