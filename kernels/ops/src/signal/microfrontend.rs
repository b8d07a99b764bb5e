//! `AudioMicrofrontend`: the energies of sound in bands of frequencies, in integers.

use oplink::prelude::*;

/// The energies of 16-bit samples in bands of frequencies over time, as devices that hear commands compute them.
///
/// `audio` is a vector at `sample_rate`. The output has a row for each window of `window_size` milliseconds; the next
/// one begins `window_step` milliseconds later. Each window is weighted by a Hann window, transformed in integers of 16
/// bits, and its energies are summed in `num_channels` overlapping bands, evenly spaced by the mel scale from
/// `lower_band_limit` to `upper_band_limit`; the roots of the sums are the channels.
///
/// Of each channel a noise is subtracted, which follows the channel by `even_smoothing` or `odd_smoothing` a window,
/// but at least the part `min_signal_remaining` stays; `smoothing_bits` more bits are kept of it. With `enable_pcan`
/// channels are then divided by the noise and `pcan_offset` to the power of `pcan_strength`, in `gain_bits` bits (Wang
/// et al., "Trainable frontend for robust and far-field keyword spotting", 2017). With `enable_log` the natural
/// logarithm is taken, times 2^`scale_shift`. All is cut to 16 bits, and divided by `out_scale`.
///
/// Of the windows every `frame_stride`-th one is a row, with the `left_context` windows before it and the
/// `right_context` ones behind it side by side; those beyond an end are zeros with `zero_padding`, and otherwise
/// the first or the last window.
#[op("AudioMicrofrontend",
     no_gradient,
     input = "audio: int16",
     output = "filterbanks: out_type",
     attr = "sample_rate: int = 16000",
     attr = "window_size: int = 25",
     attr = "window_step: int = 10",
     attr = "num_channels: int = 32",
     attr = "upper_band_limit: float = 7500.0",
     attr = "lower_band_limit: float = 125.0",
     attr = "smoothing_bits: int = 10",
     attr = "even_smoothing: float = 0.025",
     attr = "odd_smoothing: float = 0.06",
     attr = "min_signal_remaining: float = 0.05",
     attr = "enable_pcan: bool = false",
     attr = "pcan_strength: float = 0.95",
     attr = "pcan_offset: float = 80.0",
     attr = "gain_bits: int = 21",
     attr = "enable_log: bool = true",
     attr = "scale_shift: int = 6",
     attr = "left_context: int = 0",
     attr = "right_context: int = 0",
     attr = "frame_stride: int = 1",
     attr = "zero_padding: bool = false",
     attr = "out_scale: int = 1",
     attr = "out_type: {uint16, float} = DT_UINT16",
     shape = filterbanks)]
pub struct AudioMicrofrontend;

/// How windows of sound become rows.
#[derive(Clone, Copy, Debug)]
pub struct MicrofrontendFrames {
    /// Samples of a window.
    pub size: usize,
    /// Samples from the beginning of a window to that of the next one.
    pub step: usize,
    /// Windows from one that is a row to the next such one.
    pub stride: usize,
    /// Channels of a window.
    pub channels: usize,
    /// Windows before and behind one that stand in its row too.
    pub context: [usize; 2],
}

impl MicrofrontendFrames {
    /// What attrs by name tell.
    ///
    /// # Errors
    /// A number is below what it may be, or too large.
    pub fn new(attr: impl Fn(&str) -> Result<i64>) -> Result<Self> {
        // Numbers of frequencies have 16 bits.
        let within = |name: &str, least: i64, bits: u32| -> Result<usize> {
            let (value, most) = (attr(name)?, 1 << bits);
            ensure!((least..=most).contains(&value), "{name} must be from {least} to {most}, it is {value}");
            Ok(value as usize)
        };
        let rate = within("sample_rate", 1, 24)?;
        let samples = |name: &str| -> Result<usize> {
            let samples = within(name, 1, 24)? * rate / 1000;
            ensure!((1..=1 << 15).contains(&samples), "{name} must be from 1 to {} samples, it is {samples}", 1 << 15);
            Ok(samples)
        };
        let (size, step) = (samples("window_size")?, samples("window_step")?);
        ensure!(step <= size, "window_step must be at most window_size, they are {step} and {size} samples");
        Ok(Self {
            size,
            step,
            stride: within("frame_stride", 1, 24)?,
            channels: within("num_channels", 1, 15)?,
            context: [within("left_context", 0, 15)?, within("right_context", 0, 15)?],
        })
    }

    /// The windows in so many samples.
    #[must_use]
    pub fn windows(&self, samples: usize) -> usize {
        samples.checked_sub(self.size).map_or(0, |rest| rest / self.step + 1)
    }

    /// The rows of so many samples.
    #[must_use]
    pub fn rows(&self, samples: usize) -> usize {
        self.windows(samples).div_ceil(self.stride)
    }

    /// The elements of a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.channels * (1 + self.context[0] + self.context[1])
    }
}

fn filterbanks(c: &mut ShapeContext<'_>) -> Result<()> {
    let audio = c.with_rank(0, 1)?;
    let frames = MicrofrontendFrames::new(|name| c.attr(name))?;
    let shape = [audio.dim(0).map(|samples| frames.rows(samples)), Some(frames.width())];
    c.set_output(0, PartialShape::new(&shape));
    Ok(())
}
