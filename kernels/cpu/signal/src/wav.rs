//! `DecodeWav` and `EncodeWav`: samples between -1 and 1 and WAV files of 16-bit integers.
//!
//! `audio` is [samples, channels]. Decoded, `desired_channels` and `desired_samples` say how many of each the output
//! has where they are not negative: further channels repeat the last one, missing samples are 0. Encoded, samples are
//! rounded, and those beyond -1 and 1 cut off.

use oplink::prelude::*;
use oplink_ops::signal::{DecodeWav, EncodeWav};

/// `DecodeWav`.
#[kernel(DecodeWav, device = CPU)]
pub fn decode_wav_cpu(
    contents: &Tensor,
    desired_channels: i64,
    desired_samples: i64,
    mut audio: OutputSlot<'_>,
    mut sample_rate: OutputSlot<'_>,
) -> Result<()> {
    ensure!(contents.rank() == 0, "contents must be a scalar, its shape is {}", contents.shape());
    let file = contents.as_slice::<TString>()?;
    let wave = Wave::read(file[0].as_bytes())?;
    let samples = wave.data.len() / (2 * wave.channels);
    let channels = usize::try_from(desired_channels).unwrap_or(wave.channels);
    let wanted = usize::try_from(desired_samples).unwrap_or(samples);
    let out = audio.allocate([wanted, channels])?.as_mut_slice::<f32>()?;
    for (row, out) in out.chunks_exact_mut(channels.max(1)).enumerate() {
        for (channel, out) in out.iter_mut().enumerate() {
            let at = 2 * (row * wave.channels + channel.min(wave.channels - 1));
            let value = if row < samples { i16::from_le_bytes([wave.data[at], wave.data[at + 1]]) } else { 0 };
            *out = f32::from(value) / 32768.0;
        }
    }
    sample_rate.set_scalar(wave.rate);
    Ok(())
}

/// What a file holds.
struct Wave<'a> {
    channels: usize,
    rate: i32,
    /// The samples, channel by channel, two bytes each.
    data: &'a [u8],
}

impl<'a> Wave<'a> {
    fn read(file: &'a [u8]) -> Result<Self> {
        let mut rest = file;
        expect(&mut rest, b"RIFF")?;
        word(&mut rest)?;
        expect(&mut rest, b"WAVE")?;
        expect(&mut rest, b"fmt ")?;
        let size = word(&mut rest)?;
        ensure!(size == 16 || size == 18, "a WAV file's format must have 16 or 18 bytes, it has {size}");
        let kind = half(&mut rest)?;
        ensure!(kind == 1, "a WAV file must hold integers, its format is {kind}");
        let (channels, rate) = (usize::from(half(&mut rest)?), word(&mut rest)?);
        let (bytes_per_second, bytes, bits) = (word(&mut rest)?, u32::from(half(&mut rest)?), half(&mut rest)?);
        ensure!(bits == 16, "a WAV file must have 16 bits a sample, it has {bits}");
        let fits = bytes == 2 * channels as u32 && Some(bytes_per_second) == bytes.checked_mul(rate) && channels > 0;
        ensure!(fits, "a WAV file has {bytes} bytes a sample and {bytes_per_second} a second of {channels} channels");
        take(&mut rest, (size - 16) as usize)?;
        let mut data = None;
        while !rest.is_empty() {
            let id = take(&mut rest, 4)?;
            let size = word(&mut rest)? as usize;
            let chunk = take(&mut rest, if id == b"data" { size / bytes as usize * bytes as usize } else { size })?;
            if id == b"data" {
                data = Some(chunk);
            }
        }
        let Some(data) = data else { bail!("a WAV file has no chunk of data") };
        let rate = i32::try_from(rate).map_err(|_| Error::invalid_argument("a WAV file's rate is too large"))?;
        Ok(Self { channels, rate, data })
    }
}

/// Takes bytes from the front.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let Some((taken, after)) = rest.split_at_checked(count) else {
        bail!("a WAV file is cut off: {count} bytes are wanted, {} are there", rest.len())
    };
    *rest = after;
    Ok(taken)
}

fn expect(rest: &mut &[u8], text: &[u8]) -> Result<()> {
    let found = take(rest, text.len())?;
    ensure!(found == text, "a WAV file must have {} there, it has {}", text.escape_ascii(), found.escape_ascii());
    Ok(())
}

fn half(rest: &mut &[u8]) -> Result<u16> {
    let bytes = take(rest, 2)?;
    Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn word(rest: &mut &[u8]) -> Result<u32> {
    let bytes = take(rest, 4)?;
    Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// `EncodeWav`.
#[kernel(EncodeWav, device = CPU)]
pub fn encode_wav_cpu(audio: &Tensor, sample_rate: &Tensor) -> Result<TString> {
    let &[samples, channels] = audio.shape().dims() else {
        bail!("audio must be [samples, channels], its shape is {}", audio.shape())
    };
    ensure!(sample_rate.rank() == 0, "sample_rate must be a scalar, its shape is {}", sample_rate.shape());
    let file = oplink_cpu_support::wav::encode(
        audio.as_slice::<f32>()?,
        [samples, channels],
        sample_rate.to_scalar::<i32>()?.into(),
    )?;
    Ok(TString::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn there_and_back() {
        let audio = Tensor::from_vec([2, 2], vec![0.5f32, -1.5, 0.25, 1.0]).unwrap();
        let file = run_one("EncodeWav", vec![audio, 44100.into()]).unwrap();
        let out = run("DecodeWav", &[], vec![file.clone()]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.5, -1.0, 0.25, 32767.0 / 32768.0]);
        assert_eq!(out[1].to_scalar::<i32>().unwrap(), 44100);
        let attrs = [("desired_channels", 3i64.into()), ("desired_samples", 3i64.into())];
        let out = run("DecodeWav", &attrs, vec![file.clone()]).unwrap().remove(0);
        let last = 32767.0 / 32768.0;
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.5, -1.0, -1.0, 0.25, last, last, 0.0, 0.0, 0.0]);
        let bytes = file.as_slice::<TString>().unwrap()[0].as_bytes().to_vec();
        for end in [0, 4, 20, 43, bytes.len() - 1] {
            assert!(run("DecodeWav", &[], vec![TString::new(&bytes[..end]).into()]).is_err(), "{end}");
        }
    }

    #[test]
    fn what_cannot_be_encoded_is_an_error() {
        for (shape, rate) in [([0, 1], 1), ([1, 0], 1), ([1, 1], 0), ([1, 1], -1), ([1, 40000], 1)] {
            let audio = Tensor::zeros(DType::Float, shape).unwrap();
            assert!(run("EncodeWav", &[], vec![audio, rate.into()]).is_err(), "{shape:?} {rate}");
        }
    }
}
