//! `AudioMicrofrontend`: the energies of sound in bands of frequencies, in integers.
//!
//! TensorFlow's numbers, bit for bit.

mod filterbank;
mod levels;
mod transform;

use filterbank::{Filterbank, WEIGHT_BITS};
use levels::{Gains, Noise, logarithm};
use oplink::memory::{try_collect, try_filled, try_vec};
use oplink::prelude::*;
use oplink_ops::signal::{
    AudioMicrofrontend, AudioMicrofrontendAttrs, AudioMicrofrontendInputs, AudioMicrofrontendOutputs,
    MicrofrontendFrames,
};
use transform::{Fixed, Transform};

/// Bits behind the point of the weights of samples.
const WINDOW_BITS: u32 = 12;

/// `AudioMicrofrontend` of both dtypes.
#[kernel(AudioMicrofrontend, device = CPU, out_type = any)]
pub fn audio_microfrontend_cpu(
    inputs: AudioMicrofrontendInputs<'_>,
    attrs: AudioMicrofrontendAttrs<'_>,
    outputs: &mut AudioMicrofrontendOutputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let audio = inputs.audio.into_ref();
    ensure!(audio.rank() == 1, "audio must be a vector, its shape is {}", audio.shape());
    let audio = audio.as_slice::<i16>()?;
    let frames = MicrofrontendFrames::new(|name| env.node().attr(name))?;
    let mut frontend = Frontend::new(&attrs, &frames)?;
    let windows = frames.windows(audio.len());
    let mut features = try_vec(windows.saturating_mul(frames.channels))?;
    for window in 0..windows {
        env.poll();
        features.extend(frontend.window(&audio[window * frames.step..][..frames.size]));
    }
    let shape = [frames.rows(audio.len()), frames.width()];
    let out = outputs.filterbanks.allocate(shape)?;
    let rows = Rows { frames: &frames, features: &features, pads: attrs.zero_padding };
    match out.dtype() {
        DType::Float => {
            let scale = attrs.out_scale as i32 as f32;
            rows.write(out.as_mut_slice::<f32>()?, env, |value| f32::from(value) / scale);
        }
        _ => {
            let scale = attrs.out_scale as i32;
            ensure!(scale != 0, "out_scale must not be 0");
            rows.write(out.as_mut_slice::<u16>()?, env, |value| (i32::from(value) / scale) as u16);
        }
    }
    Ok(())
}

/// Windows side by side.
struct Rows<'a> {
    frames: &'a MicrofrontendFrames,
    /// The channels of each window.
    features: &'a [u16],
    /// Whether windows beyond the ends are zeros.
    pads: bool,
}

impl Rows<'_> {
    fn write<T>(&self, out: &mut [T], env: Env<'_>, value: impl Fn(u16) -> T) {
        let Self { frames, features, pads } = self;
        let last = (features.len() / frames.channels).saturating_sub(1);
        let [left, right] = frames.context;
        for (at, out) in env.watch(out.chunks_exact_mut(frames.channels).enumerate()) {
            let anchor = at / (left + right + 1) * frames.stride;
            let place = (anchor + at % (left + right + 1)).checked_sub(left);
            let inside = place.unwrap_or(0).min(last);
            if *pads && place != Some(inside) {
                out.iter_mut().for_each(|out| *out = value(0));
            } else {
                let window = &features[inside * frames.channels..][..frames.channels];
                out.iter_mut().zip(window).for_each(|(out, &feature)| *out = value(feature));
            }
        }
    }
}

/// What turns samples into channels, with the noise so far.
struct Frontend {
    weights: Vec<i16>,
    weighted: Vec<i16>,
    transform: Transform,
    spectrum: Vec<Fixed>,
    filterbank: Filterbank,
    channels: Vec<u32>,
    noise: Noise,
    gains: Option<Gains>,
    /// By how many bits a channel is too small for the size of the transform.
    correction: i64,
    /// The bits of the logarithm.
    log: Option<u32>,
}

impl Frontend {
    fn new(attrs: &AudioMicrofrontendAttrs<'_>, frames: &MicrofrontendFrames) -> Result<Self> {
        let length = frames.size.next_power_of_two();
        if length < 2 {
            return Err(Error::internal("a window of one sample has no spectrum"));
        }
        let correction = i64::from(length.ilog2()) - i64::from(WEIGHT_BITS / 2);
        let limits = [attrs.lower_band_limit, attrs.upper_band_limit];
        let filterbank = Filterbank::new(frames.channels, limits, attrs.sample_rate, length / 2 + 1)?;
        let parts = [attrs.even_smoothing, attrs.odd_smoothing, attrs.min_signal_remaining];
        let noise = Noise::new(frames.channels, attrs.smoothing_bits, parts)?;
        let gains = || {
            let (strength, offset, bits) = (attrs.pcan_strength, attrs.pcan_offset, attrs.gain_bits);
            Gains::new(strength, offset, bits, attrs.smoothing_bits as u32, correction)
        };
        let scale = u32::try_from(attrs.scale_shift).ok().filter(|&scale| scale < 32);
        let Some(scale) = scale else { bail!("scale_shift must be from 0 to 31, it is {}", attrs.scale_shift) };
        let step = (std::f64::consts::PI * 2.0 / f64::from(frames.size as f32)) as f32;
        let weight = |at: usize| {
            let weight = (0.5 - 0.5 * (f64::from(step) * (at as f64 + 0.5)).cos()) as f32;
            (f64::from(weight * (1 << WINDOW_BITS) as f32) + 0.5).floor() as i16
        };
        Ok(Self {
            weights: try_collect((0..frames.size).map(weight))?,
            weighted: try_filled(0, length)?,
            transform: Transform::new(length)?,
            spectrum: try_filled(Fixed::default(), length / 2 + 1)?,
            channels: filterbank.channels()?,
            filterbank,
            noise,
            gains: if attrs.enable_pcan { Some(gains()?) } else { None },
            correction,
            log: attrs.enable_log.then_some(scale),
        })
    }

    /// The channels of a window.
    fn window(&mut self, samples: &[i16]) -> impl Iterator<Item = u16> + '_ {
        let mut most = 0;
        for ((out, &sample), &weight) in self.weighted.iter_mut().zip(samples).zip(&self.weights) {
            *out = ((i32::from(sample) * i32::from(weight)) >> WINDOW_BITS) as i16;
            most = most.max(out.wrapping_abs());
        }
        // As large as numbers of 16 bits can be.
        let shift = 15 - (16 - (most as u16).leading_zeros());
        self.weighted.iter_mut().for_each(|value| *value = ((*value as u16) << shift) as i16);
        self.transform.run(&self.weighted, &mut self.spectrum);
        self.filterbank.energies(&self.spectrum, shift, &mut self.channels);
        self.noise.subtract(&mut self.channels);
        if let Some(gains) = &self.gains {
            gains.control(&self.noise, &mut self.channels);
        }
        let (log, correction) = (self.log, self.correction);
        self.channels.iter().map(move |&channel| {
            let Some(scale) = log else { return channel.min(u32::from(u16::MAX)) as u16 };
            let shifted = if correction < 0 { channel >> -correction } else { channel << correction };
            let value = if shifted > 1 { logarithm(shifted, scale) } else { 0 };
            value.min(u32::from(u16::MAX)) as u16
        })
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    fn filterbanks(samples: usize, attrs: &[(&'static str, AttrValue)]) -> Result<Tensor> {
        let audio: Vec<i16> = (0..samples).map(|at| at as i16).collect();
        Ok(run("AudioMicrofrontend", attrs, vec![audio.into()])?.remove(0))
    }

    #[test]
    fn channels_are_those_of_tensorflow() {
        let out = filterbanks(1000, &[]).unwrap();
        assert_eq!(out.shape().dims(), [4, 32]);
        let expected = [
            361, 306, 236, 177, 133, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 133, 133, 0, 0, 0, 0, 0, 0, 133, 177, 177, 133, 0,
            0, 177, 177, 133,
        ];
        assert_eq!(out.as_slice::<u16>().unwrap()[32..64], expected);
    }

    #[test]
    fn windows_stand_side_by_side() {
        let row = |attrs: &[(&'static str, AttrValue)]| {
            let mut all =
                vec![("num_channels", 1i64.into()), ("left_context", 1i64.into()), ("right_context", 1i64.into())];
            all.extend(attrs.iter().cloned());
            filterbanks(720, &all).unwrap().as_slice::<u16>().unwrap().to_vec()
        };
        let one = filterbanks(720, &[("num_channels", 1i64.into())]).unwrap();
        let &[a, b, c] = one.as_slice::<u16>().unwrap() else { panic!("{one:?}") };
        assert_eq!(row(&[]), [a, a, b, a, b, c, b, c, c]);
        assert_eq!(row(&[("frame_stride", 2i64.into()), ("zero_padding", true.into())]), [0, a, b, b, c, 0]);
        assert_eq!(filterbanks(399, &[]).unwrap().shape().dims(), [0, 32]);
    }

    #[test]
    fn attrs_out_of_bounds_are_refused() {
        for (name, value) in [
            ("sample_rate", 0i64),
            ("window_size", 0),
            ("window_size", 1 << 40),
            ("window_step", 26),
            ("num_channels", -1),
            ("smoothing_bits", 32),
            ("scale_shift", -1),
            ("frame_stride", 0),
            ("out_scale", 0),
        ] {
            assert!(filterbanks(1000, &[(name, value.into())]).is_err(), "{name} {value}");
        }
        let gains = [("enable_pcan", true.into()), ("gain_bits", 40i64.into())];
        assert!(filterbanks(1000, &gains).is_err());
    }
}
