//! Sounds as WAV files of 16 bits.

use oplink::memory::try_vec;
use oplink::prelude::*;

/// The file of [samples, channels] values between -1 and 1, at a rate in samples a second.
///
/// # Errors
/// There are no samples, no channels or too many, or the rate is not positive; the file would be too large.
pub fn encode(audio: &[f32], [samples, channels]: [usize; 2], sample_rate: i64) -> Result<Vec<u8>> {
    let rate = u32::try_from(sample_rate).ok().filter(|&rate| rate > 0);
    let Some(rate) = rate else { bail!("sample_rate must be > 0") };
    let per_sample = u16::try_from(channels).ok().and_then(|channels| channels.checked_mul(2));
    let Some(per_sample @ 1..) = per_sample else { bail!("audio must have 1 to 32767 channels, it has {channels}") };
    ensure!(samples > 0, "audio must have samples");
    let size = u32::try_from(audio.len()).ok().and_then(|count| count.checked_mul(2)?.checked_add(36));
    let Some(size) = size else {
        bail!("audio of {samples} samples and {channels} channels is too large for a WAV file")
    };
    let Some(per_second) = rate.checked_mul(u32::from(per_sample)) else { bail!("sample_rate {rate} is too large") };
    let mut file = try_vec(size as usize + 8)?;
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&size.to_le_bytes());
    file.extend_from_slice(b"WAVEfmt ");
    file.extend_from_slice(&16u32.to_le_bytes());
    file.extend_from_slice(&1u16.to_le_bytes());
    file.extend_from_slice(&(channels as u16).to_le_bytes());
    file.extend_from_slice(&rate.to_le_bytes());
    file.extend_from_slice(&per_second.to_le_bytes());
    file.extend_from_slice(&per_sample.to_le_bytes());
    file.extend_from_slice(&16u16.to_le_bytes());
    file.extend_from_slice(b"data");
    file.extend_from_slice(&(size - 36).to_le_bytes());
    let sample = |value: &f32| ((value * 32768.0).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes();
    file.extend(audio.iter().flat_map(sample));
    Ok(file)
}
